#pragma once

#include <algorithm>
#include <functional>

#include "detail/metrics/auc.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Column metric: AUC of several classes from one score per class.
///
/// One-vs-rest averages the AUC of each class against all others. One-vs-one averages, over
/// ordered pairs (a, b), the AUC of a against b with the score of a; scikit-learn first averages
/// the two orders of a pair, which is the same number. Keys are the sums of the classes' (pairs')
/// ratios, rounded once. Of two classes one score suffices, that of the second.
class MulticlassAucColumns {
 public:
  using Kind = metric::MulticlassAuc;
  using Column = std::vector<SortedScores>;  // by the score of each class
  static constexpr bool kTails = true;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return true;
  }

  MulticlassAucColumns(const Kind& kind, const Target& target)
      : one_vs_rest_(kind.scheme == Kind::Scheme::ovr),
        weighted_(kind.weighted),
        n_classes_(target.n_classes),
        codes_(target.codes) {}

  /// Weight of each class, then of all rows.
  [[nodiscard]] int n_totals() const { return n_classes_ + 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    std::vector<double> values;
    read_values(repeats[0], configuration, rows, values);
    const auto n_outputs = static_cast<std::size_t>(n_outputs_of(repeats[0]));
    Column column;
    std::vector<double> scores(values.size() / n_outputs);
    if (n_outputs == 1) {
      std::transform(values.begin(), values.end(), scores.begin(), std::negate<>());
      column.push_back(sorted_scores(scores));
    }
    for (std::size_t output = 0; output < n_outputs; ++output) {
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = values[i * n_outputs + output];
      column.push_back(sorted_scores(scores));
    }
    return column;
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    double* all = totals + n_classes_ * L;
    for (std::size_t row = 0; row < codes_.size(); ++row) {
      double* of_class = totals + codes_[row] * L;
      for (int lane = 0; lane < L; ++lane) {
        of_class[lane] += weights[row * L + lane];
        all[lane] += weights[row * L + lane];
      }
    }
  }

  template <int L>
  void keys(const Column& column, const double* weights, const double* totals, double* keys) const {
    DoubleDouble sums[L];
    std::vector<double> twice(static_cast<std::size_t>(n_opponents() * L));
    for (std::int32_t a = 0; a < n_classes_; ++a) {
      wins<L>(column[static_cast<std::size_t>(a)], a, weights, twice.data());
      for (std::int32_t b = 0; b < n_opponents(); ++b) {
        if (b == a && !one_vs_rest_) continue;
        for (int lane = 0; lane < L; ++lane) {
          const double positives = totals[a * L + lane];
          const double negatives =
              one_vs_rest_ ? totals[n_classes_ * L + lane] - positives : totals[b * L + lane];
          const double share = !weighted_ ? 1.0 : positives + (one_vs_rest_ ? 0.0 : negatives);
          sums[lane] = sums[lane] + ratio(share * twice[static_cast<std::size_t>(b * L + lane)],
                                          2.0 * (positives * negatives));
        }
      }
    }
    for (int lane = 0; lane < L; ++lane) {
      keys[lane] = sums[lane].high;
      keys[L + lane] = sums[lane].low;
    }
  }

  [[nodiscard]] double score(double key, const double* totals, int lane, int n_lanes) const {
    const double all = totals[n_classes_ * n_lanes + lane];
    if (one_vs_rest_) return key / (weighted_ ? all : n_classes_);
    const double n_others = n_classes_ - 1;
    return key / (weighted_ ? 2.0 * n_others * all : n_classes_ * n_others);
  }

 private:
  [[nodiscard]] std::int32_t n_opponents() const { return one_vs_rest_ ? 1 : n_classes_; }

  /// Twice the pairs that rows of class `a` win by score, against each opponent.
  template <int L>
  void wins(const SortedScores& order, std::int32_t a, const double* weights, double* twice) const {
    const auto size = static_cast<std::size_t>(n_opponents() * L);
    std::fill_n(twice, size, 0.0);
    std::vector<double> below(2 * size);  // weight of lower score, per opponent
    double* tied = below.data() + size;   // and that of the current tie
    double own[L] = {};
    std::size_t n_tied = 0;
    for (std::size_t i = 0; i < order.rows.size(); ++i) {
      const std::int32_t row = order.rows[i];
      const double* weight = weights + static_cast<std::int64_t>(row) * L;
      const std::int32_t code = codes_[static_cast<std::size_t>(row)];
      const std::int32_t opponent = one_vs_rest_ ? 0 : code;
      double* sum = code == a ? own : tied + opponent * L;
      for (int lane = 0; lane < L; ++lane) sum[lane] += weight[lane];
      ++n_tied;
      if (order.is_tied_with_next(i)) continue;
      if (n_tied == 1 && code != a) {
        // No row of class a has this score: no pair ends here.
        for (int lane = 0; lane < L; ++lane) {
          below[static_cast<std::size_t>(opponent * L + lane)] += sum[lane];
          sum[lane] = 0.0;
        }
      } else {
        for (std::size_t b = 0; b < size; b += L) {
          for (int lane = 0; lane < L; ++lane) {
            twice[b + lane] += own[lane] * (2.0 * below[b + lane] + tied[b + lane]);
            below[b + lane] += tied[b + lane];
            tied[b + lane] = 0.0;
          }
        }
        std::fill_n(own, L, 0.0);
      }
      n_tied = 0;
    }
  }

  bool one_vs_rest_;
  bool weighted_;
  std::int32_t n_classes_;
  std::vector<std::int32_t> codes_;
};

}  // namespace bbc::detail
