#pragma once

#include <bbc/data.hpp>
#include <bbc/metric.hpp>

namespace bbc::detail {

/// Refuses a truth that is not consistent in itself or not of the kind that the metric needs.
void check_target(const Metric& metric, const Target& target);

/// The truth, checked, with the labels that its codes stand for.
[[nodiscard]] Target checked_target(const Metric& metric, Target target);

/// Refuses predictions with another number of outputs than the metric reads.
void check_outputs(const Metric& metric, const Target& target, const Predictions& predictions);

}  // namespace bbc::detail
