#pragma once

#include <algorithm>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// Column metric: functions of first and second moments of truth and prediction.
///
/// Columns are centred once; where the weighted mean still dwarfs the spread, and so the
/// one-pass variance has lost its digits, that replicate is computed again in two passes.
class MomentsColumns {
 public:
  using Kind = metric::Moments;
  /// R2: squared residuals. Explained variance: residuals. Pearson: predictions.
  using Column = std::vector<double>;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return false;
  }

  MomentsColumns(const Kind& kind, const Target& target)
      : formula_(kind.formula),
        unit_(unit_of(target.values)),
        y_(centred(target.values, unit_)),
        values_(target.values) {}

  /// In units, centred.
  [[nodiscard]] const std::vector<double>& truth() const noexcept { return y_; }

  /// Sum of weights; mean and sum of squares about the mean of y.
  [[nodiscard]] int n_totals() const { return 3; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    Column column;
    read_values(repeats[0], configuration, rows, column);
    if (formula_ == Kind::Formula::squared_pearson) return centred(column, unit_of(column));
    for (std::size_t row = 0; row < column.size(); ++row) {
      column[row] = unit_ * values_[row] - unit_ * column[row];
    }
    if (formula_ == Kind::Formula::explained_variance) return centred(column, 1.0);
    for (double& residual : column) residual *= residual;
    return column;
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    double* weight = totals;
    double* mean = totals + L;
    double* squares = totals + 2 * L;
    for (std::size_t row = 0; row < y_.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) {
        weight[lane] += weights[row * L + lane];
        mean[lane] += weights[row * L + lane] * y_[row];
      }
    }
    for (int lane = 0; lane < L; ++lane) mean[lane] /= weight[lane];
    for (std::size_t row = 0; row < y_.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) {
        const double difference = y_[row] - mean[lane];
        squares[lane] += weights[row * L + lane] * (difference * difference);
      }
    }
  }

  template <int L>
  void scores(const Column& column, const double* weights, const double* totals,
              double* scores) const {
    if (formula_ == Kind::Formula::r2) {
      double squares[L] = {};
      for (std::size_t row = 0; row < column.size(); ++row) {
        for (int lane = 0; lane < L; ++lane) {
          squares[lane] += weights[row * L + lane] * column[row];
        }
      }
      for (int lane = 0; lane < L; ++lane) {
        scores[lane] = explained(squares[lane], totals[2 * L + lane]);
      }
      return;
    }
    const bool explains = formula_ == Kind::Formula::explained_variance;
    double first[L] = {};
    double second[L] = {};
    double mixed[L] = {};
    for (std::size_t row = 0; row < column.size(); ++row) {
      double weighted[L];
      for (int lane = 0; lane < L; ++lane) {
        weighted[lane] = weights[row * L + lane] * column[row];
        first[lane] += weighted[lane];
        second[lane] += weighted[lane] * column[row];
      }
      if (explains) continue;
      for (int lane = 0; lane < L; ++lane) {
        mixed[lane] += weighted[lane] * (y_[row] - totals[L + lane]);
      }
    }
    for (int lane = 0; lane < L; ++lane) {
      Spread spread{second[lane] - first[lane] * (first[lane] / totals[lane]), mixed[lane]};
      if (!(spread.squares > kDigitsKept * second[lane])) {
        spread = two_pass(column, weights + lane, L, totals[L + lane]);
      }
      const double of_y = totals[2 * L + lane];
      if (explains) {
        scores[lane] = explained(spread.squares, of_y);
      } else {
        const double product = spread.squares * of_y;
        scores[lane] = product > 0.0 ? std::min(spread.mixed * (spread.mixed / product), 1.0) : 0.0;
      }
    }
  }

 private:
  static constexpr double kDigitsKept = 1e-3;

  /// Weighted squares about the mean, and weighted products with y about its mean.
  struct Spread {
    double squares;
    double mixed;
  };

  /// A power of two that brings the values to the order of 1: squares neither overflow nor vanish,
  /// and no digit changes.
  static double unit_of(const std::vector<double>& values);
  static std::vector<double> centred(std::vector<double> values, double unit);
  /// Relative to the first row in the sample, so that constants give exactly zero.
  [[nodiscard]] Spread two_pass(const Column& column, const double* weights, int stride,
                                double mean_of_y) const;

  /// Share explained; a truth without spread is explained wholly or not at all.
  static double explained(double residual, double total) {
    if (total > 0.0) return 1.0 - residual / total;
    return residual > 0.0 ? 0.0 : 1.0;
  }

  Kind::Formula formula_;
  double unit_;
  std::vector<double> y_;       // in units, centred
  std::vector<double> values_;  // as given
};

}  // namespace bbc::detail
