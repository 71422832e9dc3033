#pragma once

#include <cmath>

#include "detail/column_reader.hpp"
#include "detail/evaluator.hpp"
#include "detail/exact_sum.hpp"

namespace bbc::detail {

/// Sums of 2^31 rows with 16-bit counts stay finite.
inline constexpr double kLargestLoss = 1e290;

/// The loss of each row; throws Error when truth or prediction are outside the loss's domain.
[[nodiscard]] std::vector<double> row_losses(const metric::RowLoss& kind, const Target& target,
                                             const Predictions& predictions,
                                             std::int64_t configuration,
                                             std::span<const std::int32_t> rows);

/// Column metric: mean of one loss per row. The key is the correctly rounded sum of losses
/// (negative), or with sample weights the sum in row order.
class RowLossColumns {
 public:
  using Kind = metric::RowLoss;
  using Column = std::vector<double>;
  static constexpr bool kTails = false;

  /// The mean over repeats of a root is not the root of the mean.
  static bool stacked(const Kind& kind) { return !kind.root; }
  static bool comparable(const Kind& kind, std::size_t n_repeats, bool weighted) {
    return !weighted && (n_repeats == 1 || !kind.root);
  }

  RowLossColumns(Kind kind, const Target& target, bool weighted)
      : kind_(kind), target_(target), weighted_(weighted) {}

  /// Sum of weights.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    Column column;
    for (const auto& predictions : repeats) {
      const auto losses = row_losses(kind_, target_, predictions, configuration, rows);
      column.insert(column.end(), losses.begin(), losses.end());
    }
    return column;
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    const auto n_rows = static_cast<std::size_t>(target_.n_rows());
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (int lane = 0; lane < L; ++lane) totals[lane] += weights[row * L + lane];
    }
  }

  template <int L>
  void keys(const Column& column, const double* weights, const double* /*totals*/,
            double* keys) const {
    const double sign = kind_.greater_is_better ? 1.0 : -1.0;
    if (weighted_) {
      double sums[L] = {};
      for (std::size_t row = 0; row < column.size(); ++row) {
        for (int lane = 0; lane < L; ++lane) sums[lane] += column[row] * weights[row * L + lane];
      }
      for (int lane = 0; lane < L; ++lane) keys[lane] = sign * sums[lane];
    } else {
      const auto n_rows = static_cast<std::int64_t>(column.size());
      for (int lane = 0; lane < L; ++lane) {
        keys[lane] = sign * rounded_weighted_sum(column.data(), weights + lane, n_rows, L);
      }
    }
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    const double mean = (kind_.greater_is_better ? key : 0.0 - key) / totals[lane];
    return kind_.root ? std::sqrt(mean) : mean;
  }

 private:
  Kind kind_;
  Target target_;
  bool weighted_;
};

}  // namespace bbc::detail
