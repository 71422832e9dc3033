#include "detail/resampling/summary.hpp"

#include <limits>

#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

void summarise(const Replicates& replicates, const CorrectionOptions& options,
               std::int64_t n_undefined_folds, Estimate& estimate) {
  estimate.estimate = rounded_mean(estimate.replicates);
  estimate.replicate_sd = standard_deviation(estimate.replicates, estimate.estimate);
  estimate.infeasible = replicates.infeasible();
  if (!estimate.infeasible.empty()) {
    estimate.interval = {std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::quiet_NaN()};
  } else {
    estimate.interval =
        order_statistic_interval(estimate.replicates, options.confidence_level, options.alternative,
                                 options.metric.lowest(), options.metric.highest());
  }
  const double difference = estimate.apparent - estimate.estimate;
  estimate.optimism = options.metric.greater_is_better() ? difference : 0.0 - difference;
  estimate.undefined_fold_share =
      options.folds.empty()
          ? 0.0
          : static_cast<double>(n_undefined_folds) / static_cast<double>(replicates.n_fold_sides());
}

}  // namespace bbc::detail
