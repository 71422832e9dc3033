#pragma once

#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace bbc::detail
