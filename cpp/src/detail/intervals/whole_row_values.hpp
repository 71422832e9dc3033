#pragma once

#include <array>
#include <bbc/control.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <vector>

namespace bbc::detail {

/// What each row says of the configurations, higher is better: whether its label is right
/// (accuracy), its placement among the rows of the other class (AUC), or the mid-rank of the
/// configuration in this row (losses, whose scales differ too much between rows to be compared).
/// All are whole multiples of a step.
struct WholeRowValues {
  std::int64_t n_rows = 0;
  std::int64_t n_configurations = 0;
  std::vector<std::int32_t> values;  ///< (configuration, row)
  /// Rows whose values have one step: the two classes of the AUC, else all rows.
  int n_parts = 1;
  std::vector<std::uint8_t> part_of_row;
  std::array<double, 2> steps{1.0, 1.0};
};

/// Whether rows of this metric have such values.
[[nodiscard]] bool has_whole_row_values(const Metric& metric);

/// The values of one repeat, by a metric that has them.
[[nodiscard]] WholeRowValues whole_row_values(const Target& target, const Predictions& predictions,
                                              const Metric& metric, const Control& control);

}  // namespace bbc::detail
