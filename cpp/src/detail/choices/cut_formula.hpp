#pragma once

#include <variant>

#include "detail/metrics/confusion.hpp"

namespace bbc::detail {

/// The two-class confusion matrix of one part's rows, as ConfusionColumns reads it.
template <class Number>
struct CutCounts {
  static constexpr int kLanes = 1;

  Number right[2] = {};
  Number predicted[2] = {};
  Number missed[2] = {};
  Number others[2] = {};

  /// From rows of each class that are cut off (called class 0) and those that are not.
  CutCounts(const Number* below, const Number* above) {
    right[0] = others[1] = below[0];
    right[1] = others[0] = above[1];
    predicted[0] = below[0] + below[1];
    predicted[1] = above[0] + above[1];
    missed[0] = above[0];
    missed[1] = below[1];
  }
};

/// A label metric's formula on the counts of a part: keys and scores of ZeroOneColumns and
/// ConfusionColumns. `Number` holds sums of weights exactly.
template <class Number>
class CutFormula {
 public:
  static constexpr bool kReal = std::is_same_v<Number, DoubleDouble>;

  CutFormula(const Metric& metric, const Target& target) {
    if (const auto* kind = std::get_if<metric::ZeroOne>(&metric.kind)) {
      accuracy_ = kind->accuracy;
    } else {
      confusion_.emplace_back(std::get<metric::Confusion>(metric.kind), target);
    }
  }

  /// Sums that do not depend on the cut, of rows of each class.
  static constexpr int kTotals = 6;
  static void totals(const Number* of_class, double* totals) {
    const Number of[3] = {of_class[0], of_class[1], of_class[0] + of_class[1]};
    for (int k = 0; k < 3; ++k) {
      if constexpr (kReal) {
        totals[k] = of[k].high;
        totals[3 + k] = of[k].low;
      } else {
        totals[k] = of[k];
      }
    }
  }

  /// Larger is better; keys of parts add up.
  [[nodiscard]] DoubleDouble key(const CutCounts<Number>& counts, const double* totals) const {
    return confusion_.empty() ? right(counts) : confusion_[0].key(counts, totals, 0);
  }

  /// The formula's value.
  [[nodiscard]] double score(const CutCounts<Number>& counts, const double* totals) const {
    if (!confusion_.empty()) return confusion_[0].value(counts, totals, 0);
    const double key = right(counts).rounded();
    return (accuracy_ ? key : 0.0 - key) / totals[2];
  }

 private:
  static DoubleDouble exact(double value) { return {value, 0.0}; }
  static DoubleDouble exact(DoubleDouble value) { return value; }

  [[nodiscard]] DoubleDouble right(const CutCounts<Number>& counts) const {
    if (accuracy_) return exact(counts.right[0] + counts.right[1]);
    const DoubleDouble wrong = exact(counts.missed[0] + counts.missed[1]);
    return {0.0 - wrong.high, 0.0 - wrong.low};
  }

  bool accuracy_ = false;
  std::vector<ConfusionColumns<Number>> confusion_;  // one, or none for the 0-1 loss
};

}  // namespace bbc::detail
