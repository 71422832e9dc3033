#pragma once

#include <algorithm>
#include <cmath>

#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Column metric: Spearman's rank correlation with midranks of the weighted sample, as if rows
/// were repeated by their weight.
///
/// Ranks are doubled and centred (twice the weight below, plus the tie's own, minus all), so all
/// sums are integers. The key is the signed square of the correlation without the truth's part.
class SpearmanColumns {
 public:
  using Kind = metric::Spearman;
  using Column = SortedScores;
  static constexpr bool kTails = true;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t n_repeats, bool real_weights) {
    return n_repeats == 1 && !real_weights;
  }

  SpearmanColumns(const Kind& /*kind*/, const Target& target)
      : by_truth_(sorted_scores(target.values)) {}

  /// Weighted rank of y of each row; sum of weighted squared ranks of y; sum of weights.
  [[nodiscard]] std::size_t n_totals() const { return by_truth_.rows.size() + 2; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    std::vector<double> values;
    read_values(repeats[0], configuration, rows, values);
    return sorted_scores(values);
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    const auto n_rows = static_cast<std::int64_t>(by_truth_.rows.size());
    double* squares = totals + n_rows * L;
    double* all = squares + L;
    for (std::int64_t i = 0; i < n_rows * L; ++i) all[i % L] += weights[i];
    for_each_rank<L>(
        by_truth_, weights, all,
        [&](std::size_t begin, std::size_t end, const double* rank, const double* weight) {
          for (int lane = 0; lane < L; ++lane) {
            squares[lane] += weight[lane] * (rank[lane] * rank[lane]);
          }
          for (std::size_t i = begin; i < end; ++i) {
            const auto at = static_cast<std::int64_t>(by_truth_.rows[i]) * L;
            for (int lane = 0; lane < L; ++lane)
              totals[at + lane] = weights[at + lane] * rank[lane];
          }
        });
  }

  template <int L>
  void keys(const Column& column, const double* weights, const double* totals, double* keys) const {
    const Products<L> sums(column, weights, totals, by_truth_.rows.size());
    for (int lane = 0; lane < L; ++lane) {
      DoubleDouble key;
      if (sums.squares[lane] > 0.0) {
        const double mixed = sums.mixed[lane];
        key = two_product(mixed, std::fabs(mixed)) / sums.squares[lane];
      }
      keys[lane] = key.high;
      keys[L + lane] = key.low;
    }
  }

  template <int L>
  void scores(const Column& column, const double* weights, const double* totals,
              double* scores) const {
    const Products<L> sums(column, weights, totals, by_truth_.rows.size());
    const double* of_truth = totals + by_truth_.rows.size() * L;
    for (int lane = 0; lane < L; ++lane) {
      const double spread = std::sqrt(sums.squares[lane]) * std::sqrt(of_truth[lane]);
      scores[lane] = spread > 0.0 ? std::clamp(sums.mixed[lane] / spread, -1.0, 1.0) : 0.0;
    }
  }

 private:
  /// Calls visit(begin, end, rank, weight) for each run of equal values, in ascending order.
  template <int L, class Visit>
  static void for_each_rank(const SortedScores& order, const double* weights, const double* all,
                            const Visit& visit) {
    double below[L] = {};
    double weight[L] = {};
    double rank[L];
    std::size_t begin = 0;
    for (std::size_t i = 0; i < order.rows.size(); ++i) {
      const double* of_row = weights + static_cast<std::int64_t>(order.rows[i]) * L;
      for (int lane = 0; lane < L; ++lane) weight[lane] += of_row[lane];
      if (order.is_tied_with_next(i)) continue;
      for (int lane = 0; lane < L; ++lane) {
        rank[lane] = (2.0 * below[lane] + weight[lane]) - all[lane];
      }
      visit(begin, i + 1, rank, weight);
      for (int lane = 0; lane < L; ++lane) {
        below[lane] += weight[lane];
        weight[lane] = 0.0;
      }
      begin = i + 1;
    }
  }

  /// Weighted products of the ranks of prediction and truth, and squares of the former.
  template <int L>
  struct Products {
    Products(const Column& column, const double* weights, const double* totals,
             std::size_t n_rows) {
      const double* all = totals + (n_rows + 1) * L;
      for_each_rank<L>(
          column, weights, all,
          [&](std::size_t begin, std::size_t end, const double* rank, const double* weight) {
            double of_truth[L] = {};
            for (std::size_t i = begin; i < end; ++i) {
              const double* of_row = totals + static_cast<std::int64_t>(column.rows[i]) * L;
              for (int lane = 0; lane < L; ++lane) of_truth[lane] += of_row[lane];
            }
            for (int lane = 0; lane < L; ++lane) {
              mixed[lane] += rank[lane] * of_truth[lane];
              squares[lane] += weight[lane] * (rank[lane] * rank[lane]);
            }
          });
    }
    double mixed[L] = {};
    double squares[L] = {};
  };

  SortedScores by_truth_;
};

}  // namespace bbc::detail
