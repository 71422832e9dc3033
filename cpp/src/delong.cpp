#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <cmath>
#include <string>

#include "detail/metrics/ties.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr Interval kAucRange{0.0, 1.0};
constexpr Interval kDifferenceRange{-1.0, 1.0};

double mean(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double covariance(std::span<const double> first, std::span<const double> second) {
  const double first_mean = mean(first);
  const double second_mean = mean(second);
  double sum = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    sum += (first[i] - first_mean) * (second[i] - second_mean);
  }
  return sum / static_cast<double>(first.size() - 1);
}

/// The covariance of two AUCs; the variance of one when both are the same.
double auc_covariance(const Placements& first, const Placements& second) {
  return covariance(first.positive, second.positive) / static_cast<double>(first.positive.size()) +
         covariance(first.negative, second.negative) / static_cast<double>(first.negative.size());
}

/// Why DeLong's variance does not exist; empty if it does.
std::string too_few(const Placements& placed) {
  if (placed.positive.size() >= 2 && placed.negative.size() >= 2) return {};
  return std::string("the ") + (placed.positive.size() < 2 ? "positive" : "negative") +
         " class has one row, and DeLong's variance needs two of each class";
}

/// Zero exactly when no placement varies, whatever the rounding of the means.
double auc_variance(const Placements& placed) {
  if (detail::constant(placed.positive) && detail::constant(placed.negative)) return 0.0;
  return auc_covariance(placed, placed);
}

/// Placements of one class are multiples of 1 / (2 n_others), and so are their differences: rounded
/// to these, equal differences are equal floats.
std::vector<double> difference_of(std::span<const double> first, std::span<const double> second,
                                  std::size_t n_others) {
  const double steps = 2.0 * static_cast<double>(n_others);
  std::vector<double> difference(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    difference[i] = std::nearbyint((first[i] - second[i]) * steps) / steps;
  }
  return difference;
}

Placements difference_of(const Placements& first, const Placements& second) {
  Placements difference;
  difference.positive = difference_of(first.positive, second.positive, first.negative.size());
  difference.negative = difference_of(first.negative, second.negative, first.positive.size());
  difference.auc = first.auc - second.auc;
  return difference;
}

Placements placed_in(const std::vector<std::uint8_t>& is_positive,
                     const std::vector<double>& scores) {
  const auto order = detail::checked_order(scores, is_positive.size());
  const auto n_positive = static_cast<std::int64_t>(
      std::ranges::count_if(is_positive, [](std::uint8_t flag) { return flag != 0; }));
  const auto n_negative = static_cast<std::int64_t>(is_positive.size()) - n_positive;
  if (n_positive == 0 || n_negative == 0) {
    const std::string lacking = n_positive == 0 ? "positive" : "negative";
    throw_undefined("no row of the " + lacking + " class, so the AUC is undefined", {},
                    "is_positive");
  }
  std::vector<double> placed(is_positive.size());
  std::int64_t positive_below = 0;
  std::int64_t negative_below = 0;
  std::int64_t twice_right = 0;
  detail::for_each_tie(order, [&](std::span<const std::int32_t> tied) {
    std::int64_t positive = 0;
    for (const std::int32_t row : tied) positive += is_positive[row] != 0 ? 1 : 0;
    const auto negative = static_cast<std::int64_t>(tied.size()) - positive;
    const std::int64_t of_positive = 2 * negative_below + negative;
    const std::int64_t of_negative = 2 * (n_positive - positive_below) - positive;
    for (const std::int32_t row : tied) {
      placed[row] = is_positive[row] != 0
                        ? static_cast<double>(of_positive) / static_cast<double>(2 * n_negative)
                        : static_cast<double>(of_negative) / static_cast<double>(2 * n_positive);
    }
    twice_right += positive * of_positive;
    positive_below += positive;
    negative_below += negative;
  });
  Placements result;
  result.positive.reserve(static_cast<std::size_t>(n_positive));
  result.negative.reserve(static_cast<std::size_t>(n_negative));
  for (std::size_t row = 0; row < placed.size(); ++row) {
    (is_positive[row] != 0 ? result.positive : result.negative).push_back(placed[row]);
  }
  result.auc = static_cast<double>(twice_right) /
               (2.0 * static_cast<double>(n_positive) * static_cast<double>(n_negative));
  return result;
}

}  // namespace

Placements placements(std::span<const std::uint8_t> is_positive, std::span<const double> scores) {
  const detail::Arithmetic arithmetic;
  detail::check_n_scores(scores.size(), is_positive.size());
  return placed_in(detail::owned(is_positive), detail::owned(scores));
}

IntervalEstimate delong(std::span<const std::uint8_t> is_positive, std::span<const double> scores,
                        const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  const Placements placed = placements(is_positive, scores);
  if (auto reason = too_few(placed); !reason.empty()) {
    return infeasible(placed.auc, std::move(reason));
  }
  return normal_interval(placed.auc, std::sqrt(auc_variance(placed)), confidence, kAucRange);
}

IntervalEstimate hanley_mcneil(double auc, std::int64_t n_positive, std::int64_t n_negative,
                               const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  if (n_positive < 1 || n_negative < 1)
    throw_invalid("n_positive, n_negative", "must be at least 1");
  const double q1 = auc / (2.0 - auc);
  const double q2 = 2.0 * auc * auc / (1.0 + auc);
  const auto positive = static_cast<double>(n_positive);
  const auto negative = static_cast<double>(n_negative);
  const double variance = (auc * (1.0 - auc) + (positive - 1.0) * (q1 - auc * auc) +
                           (negative - 1.0) * (q2 - auc * auc)) /
                          (positive * negative);
  return normal_interval(auc, std::sqrt(std::max(variance, 0.0)), confidence, kAucRange);
}

IntervalEstimate hanley_mcneil_paraschakis2024(double auc, std::int64_t n_correct,
                                               std::int64_t n_other, const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  if (n_correct < 1 || n_other < 1) {
    return infeasible(auc, std::string("the published formula divides by the number of ") +
                               (n_correct < 1 ? "correct calls" : "other rows") +
                               ", which is zero");
  }
  const double q1 = auc / (2.0 - auc);
  const double q2 = 2.0 * auc * auc / (1.0 + auc);
  const auto correct = static_cast<double>(n_correct);
  const auto other = static_cast<double>(n_other);
  const double variance =
      (auc * (1.0 - auc) + (correct + 1.0) * (q1 - auc * auc) + (other - 1.0) * (q2 - auc * auc)) /
      (correct * other);
  return normal_interval(auc, std::sqrt(std::max(variance, 0.0)), confidence, kAucRange);
}

DelongTest delong_test(std::span<const std::uint8_t> is_positive, std::span<const double> first,
                       std::span<const double> second, const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  for (const std::size_t n : {first.size(), second.size()}) {
    detail::check_n_scores(n, is_positive.size());
  }
  const auto classes = detail::owned(is_positive);  // one truth of both
  const Placements first_placed = placed_in(classes, detail::owned(first));
  const Placements second_placed = placed_in(classes, detail::owned(second));
  const Placements difference = difference_of(first_placed, second_placed);
  DelongTest test;
  test.first_auc = first_placed.auc;
  test.second_auc = second_placed.auc;
  if (auto reason = too_few(difference); !reason.empty()) {
    test.difference = infeasible(difference.auc, std::move(reason));
    return test;
  }
  const double error = std::sqrt(auc_variance(difference));
  if (error == 0.0 && difference.auc != 0.0) {
    test.difference = infeasible(
        difference.auc, "the placements differ by a constant, so the difference has no variance");
    return test;
  }
  test.difference = normal_interval(difference.auc, error, confidence, kDifferenceRange);
  test.z = error == 0.0 ? 0.0 : difference.auc / error;
  switch (confidence.alternative) {
    case Alternative::two_sided:
      test.p_value = 2.0 * normal_cdf(-std::abs(test.z));
      break;
    case Alternative::greater:
      test.p_value = normal_cdf(-test.z);
      break;
    case Alternative::less:
      test.p_value = normal_cdf(test.z);
      break;
  }
  return test;
}

}  // namespace bbc
