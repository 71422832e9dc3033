#include <algorithm>

#include "detail/fast/rough_scores.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {

RoughConfusion::RoughConfusion(const metric::Confusion& kind, const Target& target)
    : kind_(kind),
      ratio_(confusion_ratio(kind)),
      n_classes_(target.n_classes),
      rows_of_class_(static_cast<std::size_t>(target.n_classes)) {
  kind_.average = average_of(kind);
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
                           const Column& column, double* right, double* predicted,
                           double* apart) const {
  std::fill_n(right, n_classes_ * kBlock, 0.0);
  std::fill_n(predicted, n_classes_ * kBlock, 0.0);
  std::fill_n(apart, kBlock, 0.0);
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
    if (cell.predicted != cell.truth) {
      const double distance = detail::apart(kind_.formula, cell.truth, cell.predicted);
      for (int lane = 0; lane < kBlock; ++lane) apart[lane] += distance * sum[lane];
      continue;
    }
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

/// What was counted of one class: a value per lane.
struct OfClass {
  const double* right;
  const double* total;
  const double* predicted;
  const double* all;  ///< rows of all classes
};

/// What was counted of all classes, [class][lane], and what its errors are a share of.
struct Counted {
  const double* right;
  const double* predicted;
  const double* totals;
  int n_classes;
  double e;

  /// Rows of all classes.
  [[nodiscard]] const double* all() const { return totals + n_classes * kBlock; }
};

/// Right calls beyond those expected of independent calls, in pairs of rows; in loops over lanes.
struct Agreement {
  alignas(64) double covariance[kBlock];
  alignas(64) double error[kBlock];
  alignas(64) double expected[kBlock] = {};

  explicit Agreement(const Counted& counted) {
    const double* all = counted.all();
    double hits[kBlock] = {};
    for (int k = 0; k < counted.n_classes * kBlock; k += kBlock) {
      for (int lane = 0; lane < kBlock; ++lane) {
        hits[lane] += counted.right[k + lane];
        expected[lane] += counted.totals[k + lane] * counted.predicted[k + lane];
      }
    }
    for (int lane = 0; lane < kBlock; ++lane) {
      const double pairs = hits[lane] * all[lane];
      covariance[lane] = pairs - expected[lane];
      error[lane] = 4.0 * counted.e * (pairs + expected[lane]);
    }
  }
};

/// Matthews' correlation.
void correlate(const Counted& counted, RoughScores& scores) {
  const Agreement own(counted);
  // Sums over pairs of classes.
  double called[kBlock] = {};
  double truth[kBlock] = {};
  double called_before[kBlock] = {};
  double truth_before[kBlock] = {};
  for (int k = 0; k < counted.n_classes * kBlock; k += kBlock) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const double calls = counted.predicted[k + lane];
      const double rows = counted.totals[k + lane];
      called[lane] += calls * called_before[lane];
      truth[lane] += rows * truth_before[lane];
      called_before[lane] += calls;
      truth_before[lane] += rows;
    }
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    const double root = 2.0 * std::sqrt(called[lane] * truth[lane]);
    const bool defined = root > 0.0;
    const double inverse = 1.0 / (defined ? root : 1.0);
    const double value = own.covariance[lane] * inverse;
    const double error = 1.01 * (own.error[lane] * inverse + 8.0 * counted.e * std::fabs(value));
    scores.of[lane] = defined ? value : 0.0;
    scores.error[lane] = defined ? error : 0.0;
  }
}

/// Cohen's kappa.
void agree(const Counted& counted, RoughScores& scores) {
  const Agreement own(counted);
  const double* all = counted.all();
  for (int lane = 0; lane < kBlock; ++lane) {
    const double pairs = all[lane] * all[lane];
    const double expected = own.expected[lane];
    const Around ratio = quotient({own.covariance[lane], own.error[lane]},
                                  {pairs - expected, 4.0 * counted.e * (pairs + expected)});
    scores.of[lane] = ratio.value;
    scores.error[lane] = ratio.error;
  }
}

/// Weighted kappa: sums of terms that are not negative, whose errors are shares of them.
void agree_by_distance(const Counted& counted, const double* apart,
                       metric::Confusion::Formula formula, RoughScores& scores) {
  const double* all = counted.all();
  for (int lane = 0; lane < kBlock; ++lane) {
    StepsUp<double> from_truth(formula);
    StepsUp<double> from_call(formula);
    double expected = 0.0;
    for (int k = 0; k < counted.n_classes; ++k) {
      const double truth = counted.totals[k * kBlock + lane];
      const double called = counted.predicted[k * kBlock + lane];
      expected += called * from_truth.sum() + truth * from_call.sum();
      from_truth.add(truth);
      from_call.add(called);
    }
    const double wrong = all[lane] * apart[lane];
    const double share = 4.0 * counted.e + 0x1p-50 * counted.n_classes;
    const Around ratio =
        quotient({expected - wrong, share * (expected + wrong)}, {expected, share * expected});
    scores.of[lane] = ratio.value;
    scores.error[lane] = ratio.error;
  }
}

/// The same of all lanes: in loops over lanes alone, of which compilers make vectors.
struct Arounds {
  alignas(64) double value[kBlock];
  alignas(64) double error[kBlock];

  void clear() {
    std::fill_n(value, kBlock, 0.0);
    std::fill_n(error, kBlock, 0.0);
  }

  /// Adds a linear form. Sums of terms that are differences have errors of the sizes of these.
  void add(const ConfusionRatio::Form& form, const OfClass& own, double e) {
    const auto add_term = [&](double factor, const auto& term, const auto& size) {
      if (factor == 0.0) return;
      const double wrong = 2.0 * e * std::fabs(factor);
      for (int lane = 0; lane < kBlock; ++lane) {
        value[lane] += factor * term(lane);
        error[lane] += wrong * size(lane);
      }
    };
    const auto of = [](const double* numbers) { return [=](int lane) { return numbers[lane]; }; };
    add_term(form[0], of(own.right), of(own.right));
    add_term(form[1], of(own.total), of(own.total));
    add_term(form[2], of(own.predicted), of(own.predicted));
    add_term(
        form[3], [&](int lane) { return own.all[lane] - own.total[lane]; },
        [&](int lane) { return own.all[lane] + own.total[lane]; });
    add_term(
        form[4],
        [&](int lane) {
          return (own.all[lane] - own.total[lane]) - (own.predicted[lane] - own.right[lane]);
        },
        [&](int lane) { return 2.0 * own.all[lane] + 2.0 * own.predicted[lane]; });
  }

  /// The quotients, as `quotient` says, by one division.
  void divide(const Arounds& denominator) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const double divisor = denominator.value[lane];
      const double inverse = 1.0 / (divisor > 0.0 ? divisor : 1.0);
      const double ratio = divisor > 0.0 ? value[lane] * inverse : 0.0;
      const double missed = denominator.error[lane];
      const double relative = missed * inverse;
      // 1 / (1 - r) <= 1 + 2 r up to one half.
      const double wrong =
          (error[lane] + std::fabs(ratio) * missed) * inverse * (1.001 + 2.002 * relative);
      const bool known = missed < 0.5 * divisor;
      const bool nothing = divisor == 0.0 && missed == 0.0;
      value[lane] = ratio;
      error[lane] = nothing ? 0.0 : known ? wrong : kInfinity;
    }
  }
};

}  // namespace

void RoughConfusion::evaluate(const double* right, const double* predicted, const double* apart,
                              const Shared& totals, double e, RoughScores& scores) const {
  using Formula = metric::Confusion::Formula;
  const double* all = totals.data() + n_classes_ * kBlock;
  switch (kind_.formula) {
    case Formula::mcc:
      correlate({right, predicted, totals.data(), n_classes_, e}, scores);
      return;
    case Formula::kappa:
      agree({right, predicted, totals.data(), n_classes_, e}, scores);
      return;
    case Formula::quadratic_kappa:
    case Formula::linear_kappa:
      agree_by_distance({right, predicted, totals.data(), n_classes_, e}, apart, kind_.formula,
                        scores);
      return;
    case Formula::distance_to_corner:
      for (int lane = 0; lane < kBlock; ++lane) {
        const double missed = 1.0 - right[kBlock + lane] / totals[at(kBlock + lane)];
        const double false_calls = 1.0 - right[lane] / totals[at(lane)];
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
  Arounds sum;
  Arounds numerator;
  Arounds denominator;
  sum.clear();
  for (int k = binary ? 1 : 0; k < n_classes_; ++k) {
    if (!micro || k == 0) {
      numerator.clear();
      denominator.clear();
    }
    const OfClass own{right + k * kBlock, totals.data() + k * kBlock, predicted + k * kBlock, all};
    numerator.add(ratio_.numerator, own, e);
    denominator.add(ratio_.denominator, own, e);
    if (micro) continue;
    numerator.divide(denominator);
    for (int lane = 0; lane < kBlock; ++lane) {
      const double share = weighted ? own.total[lane] : 1.0;
      sum.value[lane] += share * numerator.value[lane];
      sum.error[lane] += share * (numerator.error[lane] + 2.0 * e * numerator.value[lane]);
    }
  }
  if (micro) {
    numerator.divide(denominator);
    sum = numerator;
  }
  for (int lane = 0; lane < kBlock; ++lane) {
    const double parts = binary || micro ? 1.0 : weighted ? all[lane] : n_classes_;
    scores.of[lane] = sum.value[lane] / parts;
    scores.error[lane] = (1.01 * sum.error[lane] + 4.0 * e * sum.value[lane]) / parts;
  }
  if (kind_.formula != Formula::youden) return;
  for (int lane = 0; lane < kBlock; ++lane) {
    scores.of[lane] = 2.0 * scores.of[lane] - 1.0;
    scores.error[lane] = 2.0 * scores.error[lane] + 4.0 * e;
  }
}

void RoughConfusion::add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
                         std::span<const Column* const> columns, RoughScores* scores) const {
  const auto size = static_cast<std::size_t>(n_classes_ * kBlock);
  std::vector<double> right(size);
  std::vector<double> predicted(size);
  double apart[kBlock];
  // Differences of sums that are exact are so, too.
  const double error = (rows.exact ? 0.0 : kRoughSum) + rough_rounding(rows.n);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    count(kernel, rows, shared, *columns[i], right.data(), predicted.data(), apart);
    evaluate(right.data(), predicted.data(), apart, shared, error, scores[i]);
  }
}

}  // namespace bbc::detail
