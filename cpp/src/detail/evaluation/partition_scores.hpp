#pragma once

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "detail/support/parallel.hpp"

namespace bbc::detail {

/// Predictions of some configurations in one repeat, those of all folds on one scale.
///
/// Rows of different folds were predicted by different models. What a ranking metric or a
/// correlation does not see within a fold is taken away, so that rows compare across folds: of
/// scores that are only ranked all but the ranks (midranks within the fold, between 0 and 1), of
/// predictions that are correlated location and spread.
class ScaledColumns {
 public:
  /// `fold_of_row` numbers the folds from 0; rows of negative fold are left as they are.
  ScaledColumns(const Metric& metric, const Predictions& predictions,
                std::span<const std::int64_t> configurations,
                std::span<const std::int8_t> fold_of_row);

  /// (row, chosen configuration, output); the object must outlive it.
  [[nodiscard]] const Predictions& view() const noexcept { return view_; }

 private:
  // Columns one behind the other; at most one is filled, and none if all are taken as they are.
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
  Predictions view_;
};

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

/// `row_weights` in units (`relative_weights`), or empty.
[[nodiscard]] std::unique_ptr<PartitionScores> make_partition_scores(
    const Metric& metric, const Target& target, const Predictions& predictions,
    const std::vector<double>& row_weights, const Control& control);

}  // namespace bbc::detail
