#include "detail/evaluation/column_evaluator.hpp"
#include "detail/metrics/moments.hpp"

namespace bbc::detail {

template std::unique_ptr<Evaluator> make_columns<MomentsColumns>(const MomentsColumns::Kind&,
                                                                 const EvaluatorInput&,
                                                                 const Control&);

}  // namespace bbc::detail
