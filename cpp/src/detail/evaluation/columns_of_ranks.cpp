#include "detail/evaluation/column_evaluator.hpp"
#include "detail/metrics/concordance.hpp"
#include "detail/metrics/spearman.hpp"

namespace bbc::detail {

template std::unique_ptr<Evaluator> make_columns<SpearmanColumns>(const SpearmanColumns::Kind&,
                                                                  const EvaluatorInput&,
                                                                  const Control&);
template std::unique_ptr<Evaluator> make_columns<ConcordanceColumns>(
    const ConcordanceColumns::Kind&, const EvaluatorInput&, const Control&);

}  // namespace bbc::detail
