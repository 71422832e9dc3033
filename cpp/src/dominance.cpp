#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <mutex>

#include "detail/evaluation/selection_rule.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {

Dominance dominated(const Target& y, std::span<const Predictions> repeats,
                    const CorrectionOptions& options, double dropping_level,
                    const Control& control) {
  const detail::Arithmetic arithmetic;
  if (!(dropping_level >= 0.0 && dropping_level <= 1.0)) {
    throw_invalid("dropping_level", "must be between 0 and 1");
  }
  if (!options.resampling.folds.empty()) {
    throw_invalid("resampling", "tests of dominance draw rows or groups, not folds");
  }
  const Target target = detail::checked_target(options.metric, y);
  const detail::Replicates replicates(target, options, detail::RequiredSides::in_bag);
  const auto evaluator = detail::make_evaluator({options.metric, target, repeats, options.folds,
                                                 replicates.row_weights(), options.size_correction},
                                                control);
  const detail::ReplicateBlock all = replicates.all_rows();
  const detail::SelectionRule rule(options, target, repeats, *evaluator, all, control);
  detail::Choice best;
  rule.choose(*evaluator, all, 0, evaluator->n_configurations(), detail::StopFlag{}, &best);

  const std::int64_t n = options.resampling.n_bootstraps;
  const std::int64_t n_configurations = evaluator->n_configurations();
  std::vector<std::int64_t> worse(static_cast<std::size_t>(n_configurations));
  std::mutex mutex;
  const double cells = static_cast<double>(n) * static_cast<double>(target.n_rows()) *
                       static_cast<double>(repeats.size()) * static_cast<double>(n_configurations);
  detail::each_block(replicates, 0, n, control, 0.05 * cells,
                     [&](std::int64_t /*first*/, const auto& drawn, const detail::StopFlag& stop) {
                       std::vector<std::int64_t> of_block(worse.size());
                       evaluator->count_worse(drawn.block, best.configuration, stop,
                                              of_block.data());
                       const std::lock_guard lock(mutex);
                       for (std::size_t j = 0; j < worse.size(); ++j) worse[j] += of_block[j];
                     });
  Dominance result;
  result.best = best.configuration;
  for (const std::int64_t count : worse) {
    result.share_worse.push_back(static_cast<double>(count) / static_cast<double>(n));
    result.dominated.push_back(result.share_worse.back() > dropping_level ? 1 : 0);
  }
  return result;
}

}  // namespace bbc
