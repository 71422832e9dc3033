#pragma once

#include "detail/metrics/auc.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Column metric: average precision of a binary target, the sum of precision times the step in
/// recall over the distinct scores from above, as scikit-learn defines it. Repeats
/// share the weight of the positives, so that the areas' sum decides.
class AveragePrecisionColumns {
 public:
  using Kind = metric::AveragePrecision;
  using Column = SortedScores;

  static constexpr bool kTails = true;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return true;
  }

  AveragePrecisionColumns(const Kind& /*kind*/, const Target& target) : codes_(target.codes) {}

  /// Weight of the positives.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    std::vector<double> scores;
    read_values(repeats[0], configuration, rows, scores);
    return sorted_scores(scores);
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    for (std::size_t row = 0; row < codes_.size(); ++row) {
      if (codes_[row] == 0) continue;
      for (int lane = 0; lane < L; ++lane) totals[lane] += weights[row * L + lane];
    }
  }

  /// The area times the weight of the positives.
  template <int L>
  void keys(const Column& column, const double* weights, const double* /*totals*/,
            double* keys) const {
    DoubleDouble area[L];
    double called[2][L] = {};  // rows at or above the score, per class
    double step[L] = {};       // positives of the current tie
    for (std::size_t i = column.rows.size(); i-- > 0;) {
      const std::int32_t row = column.rows[i];
      const double* weight = weights + static_cast<std::int64_t>(row) * L;
      const std::int32_t code = codes_[static_cast<std::size_t>(row)];
      for (int lane = 0; lane < L; ++lane) called[code][lane] += weight[lane];
      if (code == 1) {
        for (int lane = 0; lane < L; ++lane) step[lane] += weight[lane];
      }
      if (i > 0 && column.is_tied_with_next(i - 1)) continue;
      for (int lane = 0; lane < L; ++lane) {
        const double all = called[0][lane] + called[1][lane];
        area[lane] =
            area[lane] + two_product(step[lane], called[1][lane]) / (all > 0.0 ? all : 1.0);
        step[lane] = 0.0;
      }
    }
    for (int lane = 0; lane < L; ++lane) {
      keys[lane] = area[lane].high;
      keys[L + lane] = area[lane].low;
    }
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    return key / totals[lane];
  }

 private:
  std::vector<std::int32_t> codes_;
};

}  // namespace bbc::detail
