#include "detail/evaluation/column_evaluator.hpp"
#include "detail/metrics/confusion.hpp"

namespace bbc::detail {

template std::unique_ptr<Evaluator> make_columns<ConfusionColumns<double>>(
    const ConfusionColumns<double>::Kind&, const EvaluatorInput&, const Control&);
template std::unique_ptr<Evaluator> make_columns<ConfusionColumns<DoubleDouble>>(
    const ConfusionColumns<DoubleDouble>::Kind&, const EvaluatorInput&, const Control&);

}  // namespace bbc::detail
