#pragma once

#include <cmath>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/metrics/weighted_sums.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

/// Sums of 2^31 rows with 16-bit counts stay finite.
inline constexpr double kLargestLoss = 1e290;

/// The loss of each row; throws Error when truth or prediction are outside the loss's domain.
[[nodiscard]] std::vector<double> row_losses(const metric::RowLoss& kind, const Target& target,
                                             const Predictions& predictions,
                                             std::int64_t configuration,
                                             std::span<const std::int32_t> rows);

/// Column metric: mean of one loss per row. The key is the correctly rounded sum of losses
/// (negative).
class RowLossColumns {
 public:
  using Kind = metric::RowLoss;
  using Column = std::vector<double>;
  static constexpr bool kTails = false;

  /// The mean over repeats of a root is not the root of the mean.
  static bool stacked(const Kind& kind) { return !kind.root; }
  static bool comparable(const Kind& kind, std::size_t n_repeats, bool /*real_weights*/) {
    return n_repeats == 1 || !kind.root;
  }

  RowLossColumns(Kind kind, const Target& target) : kind_(kind), target_(target) {}

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

  [[nodiscard]] double cost(double entry) const { return kind_.greater_is_better ? -entry : entry; }

  template <int L>
  void totals(const LaneWeights& weights, double* totals) const {
    sum_weights<L>(weights, target_.n_rows(), [](std::int64_t i) { return i; }, totals);
  }

  template <int L>
  void keys(const Column& column, const LaneWeights& weights, const double* /*totals*/,
            double* keys) const {
    double sums[L] = {};
    if (weights.rests == nullptr) {
      const auto n_rows = static_cast<std::int64_t>(column.size());
      for (int lane = 0; lane < L; ++lane) {
        sums[lane] = rounded_weighted_sum(column.data(), weights.of_row + lane, n_rows, L);
      }
    } else {
      rounded<L>(column, weights, sums);
    }
    for (int lane = 0; lane < L; ++lane) keys[lane] = key_of_sum(sums[lane]);
  }
  /// Of the correctly rounded sum of weighted entries.
  [[nodiscard]] double key_of_sum(double sum) const { return kind_.greater_is_better ? sum : -sum; }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    const double mean = (kind_.greater_is_better ? key : 0.0 - key) / totals[lane];
    return kind_.root ? std::sqrt(mean) : mean;
  }

 private:
  /// Sums of losses times weights, both of which have 53 digits.
  template <int L>
  static void rounded(const Column& column, const LaneWeights& weights, double* sums) {
    rounded_sums<L, 4>(
        static_cast<std::int64_t>(column.size()),
        [&](std::int64_t row, int lane) {
          const double loss = column[static_cast<std::size_t>(row)];
          const DoubleDouble product = two_product(loss, weights.of_row[row * L + lane]);
          const DoubleDouble rest = two_product(loss, weights.rests[row * L + lane]);
          return std::array{product.high, product.low, rest.high, rest.low};
        },
        sums);
  }

  Kind kind_;
  Target target_;
};

}  // namespace bbc::detail
