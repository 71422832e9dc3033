#include "detail/resampling/summary.hpp"

#include <bbc/winners.hpp>
#include <cmath>

#include "detail/metrics/evaluator.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

std::int64_t keep_replicates(const Replicates& replicates, const Metric& metric,
                             const Control& control, double expected_nanoseconds,
                             const ScoreBlock& score, Estimate& estimate) {
  const std::int64_t n = replicates.n_bootstraps();
  estimate.replicates.resize(static_cast<std::size_t>(n));
  estimate.replicate_winners.resize(static_cast<std::size_t>(n));
  const auto redrawn =
      each_block(replicates, 0, n, control, expected_nanoseconds,
                 [&](std::int64_t first, const Replicates::Drawn& drawn, const StopFlag& stop) {
                   std::int64_t* winners = estimate.replicate_winners.data() + first;
                   double* values = estimate.replicates.data() + first;
                   score(first, drawn, stop, winners, values);
                   for (int lane = 0; lane < drawn.block.n_replicates; ++lane) {
                     if (!std::isfinite(values[lane])) throw_overflow(winners[lane]);
                     values[lane] *= metric.sign;
                   }
                 });
  estimate.n_redrawn = redrawn.n_redrawn;
  return redrawn.n_undefined_folds;
}

void summarise(const Summarised& of, const CorrectionOptions& options, Estimate& estimate) {
  const ReplicateMoments moments =
      replicate_moments(estimate.replicates, estimate.apparent, of.n_configurations, options);
  estimate.replicate_sd = moments.sd;
  estimate.estimate = moments.estimate;
  const Range range = options.metric.range(of.n_classes);
  static_cast<CorrectedLimits&>(estimate) =
      corrected_limits(estimate.replicates, estimate.estimate, estimate.rates,
                       {options.confidence_level, options.alternative}, {range.low, range.high});
  const double difference = estimate.apparent - estimate.estimate;
  estimate.optimism = options.metric.greater_is_better() ? difference : 0.0 - difference;
  estimate.undefined_fold_share =
      options.folds.empty()
          ? 0.0
          : static_cast<double>(of.n_undefined_folds) / static_cast<double>(of.n_fold_sides);
}

}  // namespace bbc::detail
