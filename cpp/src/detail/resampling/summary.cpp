#include "detail/resampling/summary.hpp"

#include <bbc/winners.hpp>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

void take_limits(const CorrectedLimits& limits, Estimate& estimate) {
  estimate.interval = limits.interval;
  estimate.of_replicates = limits.of_replicates;
  estimate.few_events = limits.few_events;
  estimate.monte_carlo_error = limits.monte_carlo_error;
  estimate.kurtosis = limits.kurtosis;
  estimate.alike_errors = limits.alike_errors;
}

void summarise(const Summarised& of, const CorrectionOptions& options, Estimate& estimate) {
  const ReplicateMoments moments =
      replicate_moments(estimate.replicates, estimate.apparent, of.n_configurations, options);
  estimate.replicate_sd = moments.sd;
  estimate.estimate = moments.estimate;
  const Range range = options.metric.range(of.n_classes);
  take_limits(
      corrected_limits(estimate.replicates, estimate.estimate, estimate.rates,
                       {options.confidence_level, options.alternative}, {range.low, range.high}),
      estimate);
  const double difference = estimate.apparent - estimate.estimate;
  estimate.optimism = options.metric.greater_is_better() ? difference : 0.0 - difference;
  estimate.undefined_fold_share =
      options.folds.empty()
          ? 0.0
          : static_cast<double>(of.n_undefined_folds) / static_cast<double>(of.n_fold_sides);
}

}  // namespace bbc::detail
