#include "detail/evaluation/column_evaluator.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/metrics/zero_one.hpp"

namespace bbc::detail {

template std::unique_ptr<Evaluator> make_columns<R2Columns>(const R2Columns::Kind&,
                                                            const EvaluatorInput&, const Control&);
template std::unique_ptr<Evaluator> make_columns<RowLossColumns>(const RowLossColumns::Kind&,
                                                                 const EvaluatorInput&,
                                                                 const Control&);
template std::unique_ptr<Evaluator> make_columns<ZeroOneColumns>(const ZeroOneColumns::Kind&,
                                                                 const EvaluatorInput&,
                                                                 const Control&);

}  // namespace bbc::detail
