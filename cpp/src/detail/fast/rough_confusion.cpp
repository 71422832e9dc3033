#include <algorithm>

#include "detail/fast/rough_scores.hpp"

namespace bbc::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

RoughConfusion::RoughConfusion(const metric::Confusion& kind, const Target& target)
    : kind_(kind),
      ratio_(confusion_ratio(kind)),
      n_classes_(target.n_classes),
      rows_of_class_(static_cast<std::size_t>(target.n_classes)) {
  if (is_mean_of_recalls(kind.formula)) kind_.average = metric::Average::macro;
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    rows_of_class_[static_cast<std::size_t>(target.codes[row])].push_back(
        static_cast<std::int32_t>(row));
  }
}

RoughConfusion::Shared RoughConfusion::shared(const RoughKernel& kernel,
                                              const RoughRows& rows) const {
  Shared totals(static_cast<std::size_t>((n_classes_ + 1) * kBlock), 0.0);
  double* all = totals.data() + n_classes_ * kBlock;
  for (std::int32_t k = 0; k < n_classes_; ++k) {
    const auto& own = rows_of_class_[static_cast<std::size_t>(k)];
    double* of_class = totals.data() + k * kBlock;
    kernel.add_rows(own.data(), static_cast<std::int64_t>(own.size()), rows.weights, of_class);
    for (int lane = 0; lane < kBlock; ++lane) all[lane] += of_class[lane];
  }
  return totals;
}

void RoughConfusion::count(const RoughKernel& kernel, const RoughRows& rows, const Shared& totals,
                           const Column& column, double* right, double* predicted) const {
  std::fill_n(right, n_classes_ * kBlock, 0.0);
  std::fill_n(predicted, n_classes_ * kBlock, 0.0);
  double rest[kBlock];
  std::int32_t truth = -1;
  for (const ConfusionCell& cell : column.cells) {
    if (cell.truth != truth) {
      truth = cell.truth;
      std::copy_n(totals.data() + truth * kBlock, kBlock, rest);
    }
    double sum[kBlock] = {};
    if (cell.implied) {
      std::copy_n(rest, kBlock, sum);
    } else {
      kernel.add_rows(column.rows.data() + cell.begin, cell.end - cell.begin, rows.weights, sum);
      for (int lane = 0; lane < kBlock; ++lane) rest[lane] -= sum[lane];
    }
    double* called = predicted + cell.predicted * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) called[lane] += sum[lane];
    if (cell.predicted != cell.truth) continue;
    double* hits = right + cell.truth * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) hits[lane] += sum[lane];
  }
}

namespace {

/// A value and a bound of its error.
struct Around {
  double value;
  double error;
};

/// A ratio of numbers that are not negative; 0 where the denominator is 0.
inline Around quotient(Around numerator, Around denominator) {
  const double value = denominator.value > 0.0 ? numerator.value / denominator.value : 0.0;
  const double error = (numerator.error + std::fabs(value) * denominator.error) /
                       (denominator.value - denominator.error) * 1.001;
  const bool known = denominator.error < 0.5 * denominator.value;
  const bool nothing = denominator.value == 0.0 && denominator.error == 0.0;
  return {value, nothing ? 0.0 : known ? error : kInfinity};
}

}  // namespace

void RoughConfusion::evaluate(const double* right, const double* predicted, const Shared& totals,
                              double e, RoughScores& scores) const {
  using Formula = metric::Confusion::Formula;
  const double* all = totals.data() + n_classes_ * kBlock;
  const auto total = [&](int k, int lane) {
    return totals[static_cast<std::size_t>(k * kBlock + lane)];
  };
  const auto covariance = [&](int lane) {
    Around both{0.0, 0.0};
    double expected = 0.0;
    double hits = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      hits += right[k * kBlock + lane];
      expected += total(k, lane) * predicted[k * kBlock + lane];
    }
    both.value = hits * all[lane] - expected;
    both.error = 4.0 * e * (hits * all[lane] + expected);
    return both;
  };
  switch (kind_.formula) {
    case Formula::mcc:
      for (int lane = 0; lane < kBlock; ++lane) {
        const Around both = covariance(lane);
        double called = 0.0;
        double truth = 0.0;
        double called_before = 0.0;
        double truth_before = 0.0;
        for (int k = 0; k < n_classes_; ++k) {
          called += predicted[k * kBlock + lane] * called_before;
          truth += total(k, lane) * truth_before;
          called_before += predicted[k * kBlock + lane];
          truth_before += total(k, lane);
        }
        const double root = 2.0 * std::sqrt(called) * std::sqrt(truth);
        const double value = root > 0.0 ? both.value / root : 0.0;
        scores.of[lane] = value;
        scores.error[lane] =
            root > 0.0 ? 1.01 * (both.error / root + 8.0 * e * std::fabs(value)) : 0.0;
      }
      return;
    case Formula::kappa:
      for (int lane = 0; lane < kBlock; ++lane) {
        double expected = 0.0;
        for (int k = 0; k < n_classes_; ++k) {
          expected += total(k, lane) * predicted[k * kBlock + lane];
        }
        const double pairs = all[lane] * all[lane];
        const Around ratio =
            quotient(covariance(lane), {pairs - expected, 4.0 * e * (pairs + expected)});
        scores.of[lane] = ratio.value;
        scores.error[lane] = ratio.error;
      }
      return;
    case Formula::distance_to_corner:
      for (int lane = 0; lane < kBlock; ++lane) {
        const double missed = 1.0 - right[kBlock + lane] / total(1, lane);
        const double false_calls = 1.0 - right[lane] / total(0, lane);
        scores.of[lane] = std::sqrt(missed * missed + false_calls * false_calls);
        scores.error[lane] = 4.0 * e;
      }
      return;
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
    case Formula::youden:
    case Formula::balanced_accuracy:
      break;
  }
  const bool binary = kind_.average == metric::Average::binary;
  const bool micro = kind_.average == metric::Average::micro;
  const bool weighted = kind_.average == metric::Average::weighted;
  for (int lane = 0; lane < kBlock; ++lane) {
    Around sum{0.0, 0.0};
    Around micro_numerator{0.0, 0.0};
    Around micro_denominator{0.0, 0.0};
    for (int k = binary ? 1 : 0; k < n_classes_; ++k) {
      const int at = k * kBlock + lane;
      const double others = all[lane] - total(k, lane);
      const double called = predicted[at] - right[at];
      // Terms of a form, and sums of the sizes of what they are differences of.
      const double form[ConfusionRatio::kTerms] = {right[at], total(k, lane), predicted[at], others,
                                                   others - called};
      const double size[ConfusionRatio::kTerms] = {right[at], total(k, lane), predicted[at],
                                                   all[lane] + total(k, lane),
                                                   2.0 * all[lane] + 2.0 * predicted[at]};
      Around numerator{0.0, 0.0};
      Around denominator{0.0, 0.0};
      for (int i = 0; i < ConfusionRatio::kTerms; ++i) {
        numerator.value += ratio_.numerator[i] * form[i];
        numerator.error += 2.0 * e * std::fabs(ratio_.numerator[i]) * size[i];
        denominator.value += ratio_.denominator[i] * form[i];
        denominator.error += 2.0 * e * std::fabs(ratio_.denominator[i]) * size[i];
      }
      if (micro) {
        micro_numerator.value += numerator.value;
        micro_numerator.error += numerator.error;
        micro_denominator.value += denominator.value;
        micro_denominator.error += denominator.error;
        continue;
      }
      const Around ratio = quotient(numerator, denominator);
      const double share = weighted ? total(k, lane) : 1.0;
      sum.value += share * ratio.value;
      sum.error += share * (ratio.error + 2.0 * e * ratio.value);
    }
    if (micro) sum = quotient(micro_numerator, micro_denominator);
    const double parts = binary || micro ? 1.0 : weighted ? all[lane] : n_classes_;
    scores.of[lane] = sum.value / parts;
    scores.error[lane] = 1.01 * sum.error / parts + 4.0 * e * sum.value / parts;
    if (kind_.formula == Formula::youden) {
      scores.of[lane] = 2.0 * scores.of[lane] - 1.0;
      scores.error[lane] = 2.0 * scores.error[lane] + 4.0 * e;
    }
  }
}

void RoughConfusion::add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
                         std::span<const Column* const> columns, RoughScores* scores) const {
  const auto size = static_cast<std::size_t>(n_classes_ * kBlock);
  std::vector<double> right(size);
  std::vector<double> predicted(size);
  // Differences of sums that are exact are so, too.
  const double error = (rows.exact ? 0.0 : kRoughSum) + rough_rounding(rows.n);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    count(kernel, rows, shared, *columns[i], right.data(), predicted.data());
    evaluate(right.data(), predicted.data(), shared, error, scores[i]);
  }
}

}  // namespace bbc::detail
