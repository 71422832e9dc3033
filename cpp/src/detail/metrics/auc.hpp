#pragma once

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

/// Column metric: area under the ROC curve of a binary target, ties counting one half. The key is
/// twice the number of (positive, negative) pairs in the right order: an integer.
class AucColumns {
 public:
  using Kind = metric::Auc;
  using Column = SortedScores;
  static constexpr bool kTails = false;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return true;
  }

  AucColumns(const Kind& /*kind*/, const Target& target) : codes_(target.codes) {}

  /// Twice the number of pairs.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    std::vector<double> scores;
    read_values(repeats[0], configuration, rows, scores);
    return sorted_scores(scores);
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    double of_class[2][L] = {};
    for (std::size_t row = 0; row < codes_.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) of_class[codes_[row]][lane] += weights[row * L + lane];
    }
    for (int lane = 0; lane < L; ++lane) totals[lane] = 2.0 * of_class[0][lane] * of_class[1][lane];
  }

  template <int L>
  void keys(const Column& column, const double* weights, const double* /*totals*/,
            double* keys) const {
    double twice[L] = {};    // twice the pairs won so far
    double below[L] = {};    // negatives of lower score
    double tied[2][L] = {};  // the current tie, per class
    for (std::size_t i = 0; i < column.rows.size(); ++i) {
      const std::int32_t row = column.rows[i];
      const double* weight = weights + static_cast<std::int64_t>(row) * L;
      double* sum = tied[codes_[static_cast<std::size_t>(row)]];
      for (int lane = 0; lane < L; ++lane) sum[lane] += weight[lane];
      if (column.is_tied_with_next(i)) continue;
      for (int lane = 0; lane < L; ++lane) {
        twice[lane] += tied[1][lane] * (2.0 * below[lane] + tied[0][lane]);
        below[lane] += tied[0][lane];
        tied[0][lane] = 0.0;
        tied[1][lane] = 0.0;
      }
    }
    for (int lane = 0; lane < L; ++lane) keys[lane] = twice[lane];
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int /*n_lanes*/) const {
    return key / totals[lane];
  }

 private:
  std::vector<std::int32_t> codes_;
};

}  // namespace bbc::detail
