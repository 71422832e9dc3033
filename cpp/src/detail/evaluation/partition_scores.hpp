#pragma once

#include <bbc/control.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "detail/support/parallel.hpp"

namespace bbc::detail {

/// Scores the configurations of one repeat on the folds of partitions of its rows. Afterwards
/// const and shared by all threads.
class PartitionScores {
 public:
  virtual ~PartitionScores() = default;
  PartitionScores() = default;
  PartitionScores(const PartitionScores&) = delete;
  PartitionScores& operator=(const PartitionScores&) = delete;

  /// Values of the formula, (partition, fold, configuration). `fold_of_row` is (partition, row), -1
  /// for rows in no fold; partitions times folds are at most kBlock.
  virtual void scores(std::span<const std::int8_t> fold_of_row, std::int64_t n_folds,
                      const StopFlag& stop, double* scores) const = 0;
};

/// `row_weights` in units (`scale_by_power_of_two`), or empty.
[[nodiscard]] std::unique_ptr<PartitionScores> make_partition_scores(
    const Metric& metric, const Target& target, const Predictions& predictions,
    const std::vector<double>& row_weights, const Control& control);

}  // namespace bbc::detail
