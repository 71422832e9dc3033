#pragma once

#include <cmath>

#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/weighted_sums.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Rows of one (true, predicted) pair: rows [begin, end) of a column.
struct ConfusionCell {
  std::int32_t truth;
  std::int32_t predicted;
  std::int32_t begin;
  std::int32_t end;
  bool implied;  ///< not summed: what the other cells leave of the class
};

/// One configuration: its rows by cell, in row order within a cell; the cells of a class together.
struct ConfusionColumn {
  std::vector<std::int32_t> rows;
  std::vector<ConfusionCell> cells;
};

/// With integer weights (`implied`) the largest cell of each class needs no rows.
[[nodiscard]] ConfusionColumn confusion_column(const std::vector<std::int32_t>& truth,
                                               const std::vector<std::int32_t>& predicted,
                                               bool implied);

/// A class's ratio is a quotient of two linear forms in (right calls, rows of the class, calls of
/// the class, all rows).
struct ConfusionRatio {
  double numerator[4];
  double denominator[4];
};
[[nodiscard]] ConfusionRatio confusion_ratio(const metric::Confusion& kind);

/// Column metric: any function of the confusion matrix. Keys are the formula, without what all
/// configurations share, rounded once: equal rational numbers tie.
class ConfusionColumns {
 public:
  using Kind = metric::Confusion;
  using Column = ConfusionColumn;
  static constexpr bool kTails = true;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& kind, std::size_t n_repeats, bool real_weights) {
    // Keys of metrics under a root are squares, whose mean over repeats says nothing.
    const bool rooted =
        kind.formula == Kind::Formula::mcc || kind.formula == Kind::Formula::distance_to_corner;
    return !real_weights && (n_repeats == 1 || !rooted);
  }

  ConfusionColumns(const Kind& kind, const Target& target, bool real_weights);

  /// Rows of each class, then all.
  [[nodiscard]] int n_totals() const { return n_classes_ + 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const;

  template <int L>
  void totals(const LaneWeights& weights, double* totals) const {
    for (std::size_t k = 0; k < rows_of_class_.size(); ++k) {
      const auto& rows = rows_of_class_[k];
      sum_weights<L>(
          weights, static_cast<std::int64_t>(rows.size()),
          [&](std::int64_t i) { return std::int64_t{rows[static_cast<std::size_t>(i)]}; },
          totals + k * L);
    }
    sum_weights<L>(
        weights, target_.n_rows(), [](std::int64_t i) { return i; },
        totals + rows_of_class_.size() * L);
  }

  template <int L>
  void keys(const Column& column, const LaneWeights& weights, const double* totals,
            double* keys) const {
    const Counts<L> counts(*this, column, weights, totals);
    for (int lane = 0; lane < L; ++lane) {
      const DoubleDouble key = this->key(counts, totals, lane);
      keys[lane] = key.high;
      keys[L + lane] = key.low;
    }
  }

  template <int L>
  void scores(const Column& column, const LaneWeights& weights, const double* totals,
              double* scores) const {
    const Counts<L> counts(*this, column, weights, totals);
    for (int lane = 0; lane < L; ++lane) scores[lane] = score(counts, totals, lane);
  }

  /// The key from counts that are known already: `counts.right` and `counts.predicted` are calls
  /// [class * C::kLanes + lane], and so are the totals.
  template <class C>
  [[nodiscard]] DoubleDouble key(const C& counts, const double* totals, int lane) const {
    constexpr int L = C::kLanes;
    switch (kind_.formula) {
      case Kind::Formula::mcc: {
        const Covariances c = covariances(counts, totals, lane);
        if (!(c.predicted > 0.0)) return {};
        const DoubleDouble square = two_product(c.both, c.both < 0.0 ? -c.both : c.both);
        return square / c.predicted;
      }
      case Kind::Formula::kappa: {
        const Quotient q = kappa(counts, totals, lane);
        return ratio(q.numerator, q.denominator);
      }
      case Kind::Formula::distance_to_corner: {
        const double missed = totals[L + lane] - counts.right[L + lane];
        const double false_calls = totals[lane] - counts.right[lane];
        const DoubleDouble distance =
            squared(ratio(missed, totals[L + lane])) + squared(ratio(false_calls, totals[lane]));
        return {0.0 - distance.high, 0.0 - distance.low};
      }
      default:
        break;
    }
    if (kind_.average == metric::Average::binary) {
      const Quotient q = guarded(quotient(counts, totals, 1, lane));
      return ratio(q.numerator, q.denominator);
    }
    if (kind_.average == metric::Average::micro) {
      const Quotient q = micro(counts, totals, lane);
      return ratio(q.numerator, q.denominator);
    }
    DoubleDouble sum;
    for (int k = 0; k < n_classes_; ++k) {
      const Quotient q = guarded(quotient(counts, totals, k, lane));
      const double share = kind_.average == metric::Average::weighted ? totals[k * L + lane] : 1.0;
      sum = sum + ratio(share * q.numerator, q.denominator);
    }
    return sum;
  }

  /// As scikit-learn computes it, operation by operation where its sums are exact.
  template <class C>
  [[nodiscard]] double score(const C& counts, const double* totals, int lane) const;

 private:
  /// Right calls and calls of each class.
  template <int L>
  class Counts {
   public:
    static constexpr int kLanes = L;

    Counts(const ConfusionColumns& metric, const Column& column, const LaneWeights& weights,
           const double* totals) {
      const auto size = static_cast<std::size_t>(metric.n_classes_ * L);
      right = small_;
      if (metric.n_classes_ > kSmall) {
        large_.resize(2 * size);
        right = large_.data();
      }
      predicted = right + size;
      double rest[L] = {};
      std::int32_t truth = -1;
      for (const ConfusionCell& cell : column.cells) {
        if (cell.truth != truth) {
          truth = cell.truth;
          for (int lane = 0; lane < L; ++lane) rest[lane] = totals[truth * L + lane];
        }
        double sum[L] = {};
        if (cell.implied) {
          for (int lane = 0; lane < L; ++lane) sum[lane] = rest[lane];
        } else {
          const std::int32_t* rows = column.rows.data() + cell.begin;
          sum_weights<L>(
              weights, cell.end - cell.begin, [&](std::int64_t i) { return std::int64_t{rows[i]}; },
              sum);
          for (int lane = 0; lane < L; ++lane) rest[lane] -= sum[lane];
        }
        for (int lane = 0; lane < L; ++lane) predicted[cell.predicted * L + lane] += sum[lane];
        if (cell.predicted != truth) continue;
        for (int lane = 0; lane < L; ++lane) right[truth * L + lane] = sum[lane];
      }
    }
    Counts(const Counts&) = delete;
    Counts& operator=(const Counts&) = delete;

    double* right;
    double* predicted;

   private:
    static constexpr int kSmall = 4;
    double small_[2 * kSmall * L] = {};
    std::vector<double> large_;
  };

  struct Quotient {
    double numerator;
    double denominator;
  };

  /// The ratio of a class; 0 / 1 where scikit-learn's zero_division has a say.
  template <class C>
  [[nodiscard]] Quotient quotient(const C& counts, const double* totals, int k, int lane) const {
    const double form[4] = {counts.right[k * C::kLanes + lane], totals[k * C::kLanes + lane],
                            counts.predicted[k * C::kLanes + lane],
                            totals[n_classes_ * C::kLanes + lane]};
    Quotient q{0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
      q.numerator += ratio_.numerator[i] * form[i];
      q.denominator += ratio_.denominator[i] * form[i];
    }
    return q;
  }
  static Quotient guarded(Quotient q) { return q.denominator > 0.0 ? q : Quotient{0.0, 1.0}; }

  /// Covariances of truth and prediction as indicator vectors, times n squared: Gorodkin 2004.
  struct Covariances {
    double both;
    double predicted;
    double truth;
  };
  /// Variances are sums over pairs of classes rather than n squared less squares: nothing cancels,
  /// so that with sample weights, too, the variance of one class alone is exactly zero.
  template <class C>
  [[nodiscard]] Covariances covariances(const C& counts, const double* totals, int lane) const {
    constexpr int L = C::kLanes;
    double right = 0.0;
    double both = 0.0;
    double predicted = 0.0;
    double truth = 0.0;
    double predicted_before = 0.0;  // in the classes so far
    double truth_before = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      const double of_truth = totals[k * L + lane];
      const double of_prediction = counts.predicted[k * L + lane];
      right += counts.right[k * L + lane];
      both += of_truth * of_prediction;
      predicted += of_prediction * predicted_before;
      truth += of_truth * truth_before;
      predicted_before += of_prediction;
      truth_before += of_truth;
    }
    const double n = totals[n_classes_ * L + lane];
    return {right * n - both, 2.0 * predicted, 2.0 * truth};
  }

  template <class C>
  [[nodiscard]] Quotient kappa(const C& counts, const double* totals, int lane) const {
    constexpr int L = C::kLanes;
    double right = 0.0;
    double expected = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      right += counts.right[k * L + lane];
      expected += totals[k * L + lane] * counts.predicted[k * L + lane];
    }
    const double n = totals[n_classes_ * L + lane];
    return guarded({n * right - expected, n * n - expected});
  }

  template <class C>
  [[nodiscard]] Quotient micro(const C& counts, const double* totals, int lane) const {
    Quotient sum{0.0, 0.0};
    for (int k = 0; k < n_classes_; ++k) {
      const Quotient q = quotient(counts, totals, k, lane);
      sum.numerator += q.numerator;
      sum.denominator += q.denominator;
    }
    return guarded(sum);
  }

  Kind kind_;
  ConfusionRatio ratio_;
  std::int32_t n_classes_;
  bool real_weights_;
  Target target_;
  std::vector<std::vector<std::int32_t>> rows_of_class_;
};

template <class C>
double ConfusionColumns::score(const C& counts, const double* totals, int lane) const {
  constexpr int L = C::kLanes;
  const auto value = [](Quotient q) { return q.numerator / q.denominator; };
  switch (kind_.formula) {
    case Kind::Formula::mcc: {
      const Covariances c = covariances(counts, totals, lane);
      const double product = c.predicted * c.truth;
      return product > 0.0 ? c.both / std::sqrt(product) : 0.0;
    }
    case Kind::Formula::kappa:
      return value(kappa(counts, totals, lane));
    case Kind::Formula::distance_to_corner: {
      const double missed = 1.0 - counts.right[L + lane] / totals[L + lane];
      const double false_calls = 1.0 - counts.right[lane] / totals[lane];
      return std::sqrt(missed * missed + false_calls * false_calls);
    }
    default:
      break;
  }
  if (kind_.average == metric::Average::binary) {
    return value(guarded(quotient(counts, totals, 1, lane)));
  }
  if (kind_.average == metric::Average::micro) return value(micro(counts, totals, lane));
  const bool weighted = kind_.average == metric::Average::weighted;
  double sum = 0.0;
  for (int k = 0; k < n_classes_; ++k) {
    const double of_class = value(guarded(quotient(counts, totals, k, lane)));
    sum += weighted ? of_class * totals[k * L + lane] : of_class;
  }
  return sum / (weighted ? totals[n_classes_ * L + lane] : n_classes_);
}

}  // namespace bbc::detail
