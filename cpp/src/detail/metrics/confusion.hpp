#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "detail/metrics/confusion_counts.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Beyond it the products of a key overflow: fast evaluators leave it to the general one, which
/// says so.
inline constexpr double kMostBeta = 1e100;

/// A class's ratio is a quotient of two linear forms in (rows of the class called right, rows of
/// the class, calls of the class, other rows, other rows not called so). No form cancels.
struct ConfusionRatio {
  static constexpr int kTerms = 5;
  using Form = std::array<double, kTerms>;
  Form numerator;
  Form denominator;
};
[[nodiscard]] ConfusionRatio confusion_ratio(const metric::Confusion& kind);

/// Column metric: any function of the confusion matrix. `Number` holds sums of weights exactly:
/// double for integer weights, DoubleDouble for real ones.
///
/// Keys are the formula, rounded once, so that equal rational numbers tie. Those of integer weights
/// leave out what all configurations share.
template <class Number>
class ConfusionColumns {
 public:
  using Kind = metric::Confusion;
  using Column = ConfusionColumn;
  static constexpr bool kTails = true;
  static constexpr bool kReal = std::is_same_v<Number, DoubleDouble>;

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& kind, std::size_t n_repeats, bool /*real_weights*/) {
    switch (kind.formula) {
      // Keys of metrics under a root are squares, whose mean over repeats says nothing.
      case Kind::Formula::mcc:
      case Kind::Formula::distance_to_corner:
        return n_repeats == 1;
      case Kind::Formula::kappa:
      case Kind::Formula::quadratic_kappa:
      case Kind::Formula::linear_kappa:
      case Kind::Formula::youden:
      case Kind::Formula::balanced_accuracy:
#define BBC_RATIO(formula, ...) case Kind::Formula::formula:
#include <bbc/metrics.inc>
        break;
    }
    return true;
  }

  ConfusionColumns(const Kind& kind, const Target& target);

  /// Rows of each class, then all; of real weights what these lack to be exact behind them.
  [[nodiscard]] int n_totals() const { return (kReal ? 2 : 1) * (n_classes_ + 1); }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const;

  template <int L>
  void totals(const LaneWeights& weights, double* totals) const {
    const auto put = [&](std::size_t k, std::int64_t n_rows, const auto& row) {
      Number sums[L] = {};
      sum_weights<L>(weights, n_rows, row, sums);
      for (int lane = 0; lane < L; ++lane) {
        double* total = totals + static_cast<std::int64_t>(k) * L + lane;
        if constexpr (kReal) {
          *total = sums[lane].high;
          total[(n_classes_ + 1) * L] = sums[lane].low;
        } else {
          *total = sums[lane];
        }
      }
    };
    for (std::size_t k = 0; k < rows_of_class_.size(); ++k) {
      const auto& rows = rows_of_class_[k];
      put(k, static_cast<std::int64_t>(rows.size()),
          [&](std::int64_t i) { return std::int64_t{rows[static_cast<std::size_t>(i)]}; });
    }
    put(rows_of_class_.size(), target_.n_rows(), [](std::int64_t i) { return i; });
  }

  template <int L>
  void keys(const Column& column, const LaneWeights& weights, const double* totals,
            double* keys) const {
    const ConfusionCounts<Number, L> counts(n_classes_, column, weights, totals, kind_.formula);
    for (int lane = 0; lane < L; ++lane) {
      const DoubleDouble key = this->key(counts, totals, lane);
      keys[lane] = key.high;
      keys[L + lane] = key.low;
    }
  }

  template <int L>
  void scores(const Column& column, const LaneWeights& weights, const double* totals,
              double* scores) const {
    const ConfusionCounts<Number, L> counts(n_classes_, column, weights, totals, kind_.formula);
    for (int lane = 0; lane < L; ++lane) scores[lane] = value(counts, totals, lane);
  }

  /// The score from counts that are known already, as `key` takes them.
  template <class C>
  [[nodiscard]] double value(const C& counts, const double* totals, int lane) const {
    if constexpr (kReal) {
      return score(key(counts, totals, lane).rounded());
    } else {
      return score(counts, totals, lane);
    }
  }

  /// The key from counts that are known already: `counts.right` and `counts.predicted` are calls
  /// [class * C::kLanes + lane], and so are the totals.
  template <class C>
  [[nodiscard]] DoubleDouble key(const C& counts, const double* totals, int lane) const {
    switch (kind_.formula) {
      case Kind::Formula::mcc: {
        const Covariances c = covariances(counts, totals, lane);
        if (!positive(c.predicted)) return {};
        if constexpr (kReal) {
          const Number size = positive(c.both) ? c.both : Number{} - c.both;
          return c.both * size / c.predicted / c.truth;
        } else {
          return two_product(c.both, c.both < 0.0 ? -c.both : c.both) / c.predicted;
        }
      }
      case Kind::Formula::kappa: {
        const Quotient q = kappa(counts, totals, lane);
        return ratio(q.numerator, q.denominator);
      }
      case Kind::Formula::quadratic_kappa:
      case Kind::Formula::linear_kappa: {
        const Quotient q = weighted_kappa(counts, totals, lane);
        return ratio(q.numerator, q.denominator);
      }
      case Kind::Formula::distance_to_corner: {
        const auto miss_rate = [&](int k) {
          return ratio(missed(counts, totals, k, lane), total(totals, k, lane, C::kLanes));
        };
        const DoubleDouble distance = squared(miss_rate(1)) + squared(miss_rate(0));
        return {0.0 - distance.high, 0.0 - distance.low};
      }
#define BBC_RATIO(formula, ...) case Kind::Formula::formula:
#include <bbc/metrics.inc>
      case Kind::Formula::youden:  // ordered as the balanced accuracy
      case Kind::Formula::balanced_accuracy:
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
    const bool weighted = kind_.average == metric::Average::weighted;
    DoubleDouble sum;
    for (int k = 0; k < n_classes_; ++k) {
      const Quotient q = guarded(quotient(counts, totals, k, lane));
      const Number share = weighted ? total(totals, k, lane, C::kLanes) : Number{1.0};
      sum = sum + ratio(share * q.numerator, q.denominator);
    }
    if constexpr (kReal) {
      return sum / (weighted ? total(totals, n_classes_, lane, C::kLanes)
                             : Number{static_cast<double>(n_classes_)});
    } else {
      return sum;
    }
  }

  /// As scikit-learn computes it, operation by operation where its sums are exact.
  template <class C>
  [[nodiscard]] double score(const C& counts, const double* totals, int lane) const;

  /// The same of all lanes, those of a plain quotient side by side.
  template <class C>
  void scores(const C& counts, const double* totals, double* scores) const {
    const bool is_quotient =
        kind_.average == metric::Average::binary && traits_of(kind_.formula).is_ratio;
    if (!is_quotient) {
      for (int lane = 0; lane < C::kLanes; ++lane) scores[lane] = score(counts, totals, lane);
      return;
    }
    for (int lane = 0; lane < C::kLanes; ++lane) {
      const Quotient q = guarded(quotient(counts, totals, 1, lane));
      scores[lane] = q.numerator / q.denominator;
    }
  }

 private:
  static bool positive(double value) { return value > 0.0; }
  static bool positive(DoubleDouble value) { return value.high > 0.0; }
  /// A difference whose terms add up to `magnitude`: what rounding leaves of zero is zero.
  static double difference(double a, double b) { return a - b; }
  static DoubleDouble difference(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble value = a - b;
    return std::fabs(value.high) > 0x1p-80 * (a.high + b.high) ? value : DoubleDouble{};
  }

  [[nodiscard]] Number total(const double* totals, int k, int lane, int n_lanes) const {
    const double* total = totals + k * n_lanes + lane;
    if constexpr (kReal) {
      return {*total, total[(n_classes_ + 1) * n_lanes]};
    } else {
      return *total;
    }
  }

  template <class C>
  [[nodiscard]] Number missed(const C& counts, const double* totals, int k, int lane) const {
    if constexpr (kReal) {
      return counts.missed[k * C::kLanes + lane];
    } else {
      return totals[k * C::kLanes + lane] - counts.right[k * C::kLanes + lane];
    }
  }

  struct Quotient {
    Number numerator;
    Number denominator;
  };

  /// The ratio of a class; 0 / 1 where scikit-learn's zero_division has a say.
  template <class C>
  [[nodiscard]] Quotient quotient(const C& counts, const double* totals, int k, int lane) const {
    const int at = k * C::kLanes + lane;
    const Number right = counts.right[at];
    const Number predicted = counts.predicted[at];
    Number others{};
    Number others_right{};
    if constexpr (kReal) {
      for (int j = 0; j < n_classes_; ++j) {
        if (j != k) others = others + total(totals, j, lane, C::kLanes);
      }
      others_right = counts.others[at];
    } else {
      others = totals[n_classes_ * C::kLanes + lane] - totals[at];
      others_right = others - (predicted - right);
    }
    const Number form[ConfusionRatio::kTerms] = {right, total(totals, k, lane, C::kLanes),
                                                 predicted, others, others_right};
    return {of_form(ratio_.numerator, form), of_form(ratio_.denominator, form)};
  }
  static Number of_form(const ConfusionRatio::Form& factors, const Number* terms) {
    Number sum{};
    for (int i = 0; i < ConfusionRatio::kTerms; ++i) {
      if (factors[i] != 0.0) sum = sum + Number{factors[i]} * terms[i];
    }
    return sum;
  }
  static Quotient guarded(Quotient q) {
    return positive(q.denominator) ? q : Quotient{Number{}, Number{1.0}};
  }

  /// Covariances of truth and prediction as indicator vectors, times n squared: Gorodkin 2004.
  struct Covariances {
    Number both;
    Number predicted;
    Number truth;
  };
  /// Variances are sums over pairs of classes rather than n squared less squares: nothing cancels,
  /// so that with sample weights, too, the variance of one class alone is exactly zero.
  template <class C>
  [[nodiscard]] Covariances covariances(const C& counts, const double* totals, int lane) const {
    constexpr int L = C::kLanes;
    Number right{};
    Number expected{};
    Number predicted{};
    Number truth{};
    Number predicted_before{};  // in the classes so far
    Number truth_before{};
    for (int k = 0; k < n_classes_; ++k) {
      const Number of_truth = total(totals, k, lane, L);
      const Number of_prediction = counts.predicted[k * L + lane];
      right = right + counts.right[k * L + lane];
      expected = expected + of_truth * of_prediction;
      predicted = predicted + of_prediction * predicted_before;
      truth = truth + of_truth * truth_before;
      predicted_before = predicted_before + of_prediction;
      truth_before = truth_before + of_truth;
    }
    const Number n = total(totals, n_classes_, lane, L);
    return {difference(right * n, expected), Number{2.0} * predicted, Number{2.0} * truth};
  }

  template <class C>
  [[nodiscard]] Quotient kappa(const C& counts, const double* totals, int lane) const {
    constexpr int L = C::kLanes;
    Number right{};
    Number expected{};
    for (int k = 0; k < n_classes_; ++k) {
      right = right + counts.right[k * L + lane];
      expected = expected + total(totals, k, lane, L) * counts.predicted[k * L + lane];
    }
    const Number n = total(totals, n_classes_, lane, L);
    return guarded({difference(n * right, expected), difference(n * n, expected)});
  }

  /// Of two classes every wrong call is one step away.
  template <class C>
  [[nodiscard]] Quotient weighted_kappa(const C& counts, const double* totals, int lane) const {
    if constexpr (requires { counts.apart; }) {
      constexpr int L = C::kLanes;
      if (n_classes_ > 2) {
        StepsUp<Number> from_truth(kind_.formula);
        StepsUp<Number> from_call(kind_.formula);
        Number expected{};
        for (int k = 0; k < n_classes_; ++k) {
          const Number of_truth = total(totals, k, lane, L);
          const Number of_prediction = counts.predicted[k * L + lane];
          expected = expected + of_prediction * from_truth.sum() + of_truth * from_call.sum();
          from_truth.add(of_truth);
          from_call.add(of_prediction);
        }
        const Number n = total(totals, n_classes_, lane, L);
        return guarded({difference(expected, n * counts.apart[lane]), expected});
      }
    }
    return kappa(counts, totals, lane);
  }

  template <class C>
  [[nodiscard]] Quotient micro(const C& counts, const double* totals, int lane) const {
    Quotient sum{};
    for (int k = 0; k < n_classes_; ++k) {
      const Quotient q = quotient(counts, totals, k, lane);
      sum.numerator = sum.numerator + q.numerator;
      sum.denominator = sum.denominator + q.denominator;
    }
    return guarded(sum);
  }

  /// The value whose key this is, with real weights.
  [[nodiscard]] double score(double key) const {
    switch (kind_.formula) {
      case Kind::Formula::mcc:
        return key < 0.0 ? -std::sqrt(-key) : std::sqrt(key);
      case Kind::Formula::youden:
        return 2.0 * key - 1.0;
      case Kind::Formula::distance_to_corner:
        return std::sqrt(0.0 - key);
      case Kind::Formula::kappa:
      case Kind::Formula::quadratic_kappa:
      case Kind::Formula::linear_kappa:
      case Kind::Formula::balanced_accuracy:
#define BBC_RATIO(formula, ...) case Kind::Formula::formula:
#include <bbc/metrics.inc>
        break;
    }
    return key;
  }

  Kind kind_;
  ConfusionRatio ratio_;
  std::int32_t n_classes_;
  Target target_;
  std::vector<std::vector<std::int32_t>> rows_of_class_;
};

template <class Number>
template <class C>
double ConfusionColumns<Number>::score(const C& counts, const double* totals, int lane) const {
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
    case Kind::Formula::quadratic_kappa:
    case Kind::Formula::linear_kappa:
      return value(weighted_kappa(counts, totals, lane));
    case Kind::Formula::distance_to_corner: {
      const double missed = 1.0 - counts.right[L + lane] / totals[L + lane];
      const double false_calls = 1.0 - counts.right[lane] / totals[lane];
      return std::sqrt(missed * missed + false_calls * false_calls);
    }
#define BBC_RATIO(formula, ...) case Kind::Formula::formula:
#include <bbc/metrics.inc>
    case Kind::Formula::youden:
    case Kind::Formula::balanced_accuracy:
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
  if (kind_.formula == Kind::Formula::youden) return sum - 1.0;
  return sum / (weighted ? totals[n_classes_ * L + lane] : n_classes_);
}

}  // namespace bbc::detail
