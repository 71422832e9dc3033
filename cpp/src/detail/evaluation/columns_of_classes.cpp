#include "detail/evaluation/column_evaluator.hpp"
#include "detail/metrics/auc.hpp"
#include "detail/metrics/average_precision.hpp"
#include "detail/metrics/multiclass_auc.hpp"

namespace bbc::detail {

template std::unique_ptr<Evaluator> make_columns<AucColumns>(const AucColumns::Kind&,
                                                             const EvaluatorInput&, const Control&);
template std::unique_ptr<Evaluator> make_columns<AveragePrecisionColumns>(
    const AveragePrecisionColumns::Kind&, const EvaluatorInput&, const Control&);
template std::unique_ptr<Evaluator> make_columns<MulticlassAucColumns>(
    const MulticlassAucColumns::Kind&, const EvaluatorInput&, const Control&);

}  // namespace bbc::detail
