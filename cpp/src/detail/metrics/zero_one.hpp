#pragma once

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/weighted_sums.hpp"

namespace bbc::detail {

/// Column metric: share of wrong (or right) labels. The key counts right labels, or minus wrong.
class ZeroOneColumns {
 public:
  using Kind = metric::ZeroOne;
  using Column = std::vector<double>;  // what a row's weight is multiplied with: 0, 1 or -1
  static constexpr bool kTails = false;

  static bool stacked(const Kind& /*kind*/) { return true; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return true;
  }

  ZeroOneColumns(const Kind& kind, const Target& target)
      : accuracy_(kind.accuracy), target_(target) {}

  /// Sum of weights.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    Column column;
    std::vector<std::int32_t> codes;
    for (const auto& predictions : repeats) {
      read_codes(predictions, target_, configuration, rows, codes);
      for (const std::int32_t code : codes) {
        const bool right = code == target_.codes[column.size()];
        column.push_back(accuracy_ ? (right ? 1.0 : 0.0) : (right ? 0.0 : -1.0));
      }
    }
    return column;
  }

  [[nodiscard]] static double cost(double entry) { return -entry; }

  template <int L>
  void totals(const LaneWeights& weights, double* totals) const {
    sum_weights<L>(weights, target_.n_rows(), [](std::int64_t i) { return i; }, totals);
  }

  template <int L>
  void keys(const Column& column, const LaneWeights& weights, const double* /*totals*/,
            double* keys) const {
    const auto n_rows = static_cast<std::int64_t>(column.size());
    if (weights.rests == nullptr) {
      exact_sums<L>(
          n_rows,
          [&](std::int64_t row, int lane) {
            return column[static_cast<std::size_t>(row)] * weights.of_row[row * L + lane];
          },
          keys);
      return;
    }
    rounded_sums<L, 2>(
        n_rows,
        [&](std::int64_t row, int lane) {
          const double entry = column[static_cast<std::size_t>(row)];
          const std::int64_t at = row * L + lane;
          return std::array{entry * weights.of_row[at], entry * weights.rests[at]};
        },
        keys);
  }

  /// Of the correctly rounded sum of weighted entries.
  [[nodiscard]] static double key_of_sum(double sum) { return sum; }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    return (accuracy_ ? key : 0.0 - key) / totals[lane];
  }

 private:
  bool accuracy_;
  Target target_;
};

}  // namespace bbc::detail
