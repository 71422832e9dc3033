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
    if (weights.rests != nullptr) {
      const auto visit = [&](const auto& add) {
        double terms[L];
        for (std::size_t row = 0; row < column.size(); ++row) {
          if (column[row] == 0.0) continue;
          for (const double* part : {weights.of_row, weights.rests}) {
            for (int lane = 0; lane < L; ++lane) terms[lane] = column[row] * part[row * L + lane];
            add(terms);
          }
        }
      };
      rounded_sums<L>(2 * static_cast<std::int64_t>(column.size()), visit, keys);
      return;
    }
    double sums[L] = {};
    for (std::size_t row = 0; row < column.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) {
        sums[lane] += column[row] * weights.of_row[row * L + lane];
      }
    }
    for (int lane = 0; lane < L; ++lane) keys[lane] = sums[lane];
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    return (accuracy_ ? key : 0.0 - key) / totals[lane];
  }

 private:
  bool accuracy_;
  Target target_;
};

}  // namespace bbc::detail
