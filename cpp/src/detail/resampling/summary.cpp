#include "detail/resampling/summary.hpp"

#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

void take_limits(const CorrectedLimits& limits, Estimate& estimate) {
  estimate.interval = limits.interval;
  estimate.of_replicates = limits.of_replicates;
  estimate.few_events = limits.few_events;
  estimate.kurtosis = limits.kurtosis;
  estimate.alike_errors = limits.alike_errors;
}

void summarise(const Replicates& replicates, std::int32_t n_classes,
               const CorrectionOptions& options, std::int64_t n_undefined_folds,
               Estimate& estimate) {
  estimate.estimate = rounded_mean(estimate.replicates);
  estimate.replicate_sd = standard_deviation(estimate.replicates, estimate.estimate);
  const Range range = options.metric.range(n_classes);
  take_limits(
      corrected_limits(estimate.replicates, estimate.estimate, estimate.rates,
                       {options.confidence_level, options.alternative}, {range.low, range.high}),
      estimate);
  const double difference = estimate.apparent - estimate.estimate;
  estimate.optimism = options.metric.greater_is_better() ? difference : 0.0 - difference;
  estimate.undefined_fold_share =
      options.folds.empty()
          ? 0.0
          : static_cast<double>(n_undefined_folds) / static_cast<double>(replicates.n_fold_sides());
}

}  // namespace bbc::detail
