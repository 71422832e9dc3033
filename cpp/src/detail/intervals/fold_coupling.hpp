#pragma once

#include <array>
#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
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

/// How much more alike rows of different folds are than rows of one fold.
struct FoldCoupling {
  /// Of each partition: mean product of two rows of different folds less that of two rows of one
  /// fold, times the share of such pairs, in units of the variance of an in-bag score that rows
  /// explain. Empty where rows do not tell configurations apart.
  std::vector<double> kappas;
  double share_of_pairs = 0.0;  ///< of rows in different folds
};

/// Of partitions (partition, row) into as many folds, each of which has as many rows of a part in
/// every partition. Products are those of row values less their mean over configurations.
[[nodiscard]] FoldCoupling fold_coupling(const WholeRowValues& rows,
                                         std::span<const std::int8_t> partitions,
                                         std::int64_t n_folds, const Control& control);

}  // namespace bbc::detail
