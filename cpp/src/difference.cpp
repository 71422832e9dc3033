#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "detail/metrics/column_reader.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr double kMeanRounding = 1e-12;  // of means over repeats, folds or rows
// In bag, scores have twice the variance that they have on all rows, so replicates select worse
// configurations. With normal skills of sd x standard errors, the loss is
// E[max of C] x^2 (1/sqrt(x^2 + 1) - 1/sqrt(x^2 + 2)) standard errors of one configuration, at most
// .158 E[max of C]; the difference of two configurations has sqrt(2) times that standard error.
constexpr double kPessimism = 0.112;

/// Winners are nearly equal if their contributions differ by so little of their own sizes, in
/// squares: the correlation is then above 1 - kNearlyEqual.
constexpr double kNearlyEqual = 0.2;

/// left_out_factor, computed once for the pairs of a call, which draw as many: it takes up to 6 ms.
double known_left_out_factor(std::int64_t n_drawn) {
  thread_local std::int64_t known = -1;
  thread_local double factor = 0.0;
  if (known != n_drawn) {
    factor = left_out_factor(n_drawn);
    known = n_drawn;
  }
  return factor;
}

/// Of the variance that the replicates show. A partition of n units into K folds has K - 1 degrees
/// of freedom of n - 1; those of two random partitions overlap by (K - 1) / (n - 1).
double degrees_of_freedom(const DrawDesign& draws) {
  const std::int64_t at_most = std::max<std::int64_t>(1, draws.n_units - 1);
  const auto within = static_cast<double>(std::min(draws.n_drawn - 1, at_most));
  const auto most = static_cast<double>(at_most);
  const auto repeats = static_cast<double>(draws.n_repeats);
  return repeats * within / (1.0 + (repeats - 1.0) * within / most);
}

/// By how many standard errors a family of so many configurations may be underestimated. The
/// expected maximum of C normal variables is Blom's approximation.
double pessimism(std::int64_t n_configurations) {
  const auto count = static_cast<double>(n_configurations);
  return kPessimism * normal_quantile((count - 0.375) / (count + 0.25));
}

double root_of_squares(double a, double b) {
  const double larger = std::max(std::abs(a), std::abs(b));
  if (larger == 0.0) return 0.0;
  const double ratio = std::min(std::abs(a), std::abs(b)) / larger;
  return larger * std::sqrt(1.0 + ratio * ratio);
}

/// A t test of a difference whose families may be underestimated by so many standard errors.
class TTest {
 public:
  TTest(double freedom, Alternative alternative, double first, double second)
      : freedom_(freedom), alternative_(alternative), first_(first), second_(second) {}

  /// The largest p-value that pessimism allows.
  [[nodiscard]] double p_value(double statistic) const {
    switch (alternative_) {
      case Alternative::greater:
        return beyond(statistic - second_);
      case Alternative::less:
        return beyond(-statistic - first_);
      case Alternative::two_sided:
        break;
    }
    const double shift = std::max(first_, second_);
    const double distance = std::abs(statistic);
    return std::min(1.0, beyond(distance - shift) + beyond(distance + shift));
  }

  /// The statistic whose p-value is 1 - `level`, in the direction of the alternative.
  [[nodiscard]] double critical_value(const Confidence& confidence) const {
    const double nominal = -student_t_quantile(tail_probability(confidence), freedom_);
    const double shift = std::max(first_, second_);
    if (!(shift > 0.0)) return std::max(0.0, nominal);
    const double sign = alternative_ == Alternative::less ? -1.0 : 1.0;
    double low = nominal;
    double high = nominal + shift;
    for (;;) {  // the p-value falls in between
      const double middle = low + 0.5 * (high - low);
      if (middle <= low || middle >= high) return std::max(0.0, high);
      (p_value(sign * middle) > 1.0 - confidence.level ? low : high) = middle;
    }
  }

 private:
  [[nodiscard]] double beyond(double statistic) const {
    return student_t_cdf(-statistic, freedom_);
  }

  double freedom_;
  Alternative alternative_;
  double first_;
  double second_;
};

/// All differences that the test does not reject.
Interval interval_of(const Difference& difference, double critical, std::int64_t n_units,
                     const DifferenceOptions& options) {
  const double shrunk = 1.0 - critical * critical / static_cast<double>(n_units);
  const double half =
      shrunk > 0.0 ? critical * difference.standard_error / std::sqrt(shrunk) : kInfinity;
  const Alternative side = options.confidence.alternative;
  const double widest = options.range.high - options.range.low;
  return {side == Alternative::less ? -widest : std::max(-widest, difference.estimate - half),
          side == Alternative::greater ? widest : std::min(widest, difference.estimate + half)};
}

struct StandardError {
  double value = 0.0;
  double degrees_of_freedom = 0.0;
};

/// Of the difference between the winners, and of the replicates where these are nearly equal.
StandardError standard_error_of(const Family& first, const Family& second, const DrawDesign& draws,
                                const StandardError& of_replicates) {
  const double factor = std::sqrt(1.0 + draws.overlap);
  if (first.influence == nullptr || second.influence == nullptr) {
    return {factor * of_replicates.value, of_replicates.degrees_of_freedom};
  }
  double own = 0.0;
  double apart = 0.0;
  for (std::size_t unit = 0; unit < first.influence->values.size(); ++unit) {
    const double u = first.influence->values[unit];
    const double v = second.influence->values[unit];
    own += u * u + v * v;
    apart += (u - v) * (u - v);
  }
  StandardError found{factor * std::sqrt(apart),
                      std::min(first.influence->n_effective, second.influence->n_effective) - 1.0};
  if (apart <= kNearlyEqual * own) found.value = std::max(found.value, of_replicates.value);
  return found;
}

/// Why there is no standard error; empty if there is one.
std::string infeasible_of(const Family& first, const Family& second) {
  for (const Family* family : {&first, &second}) {
    if (family->influence != nullptr && !family->influence->infeasible.empty()) {
      return family->influence->infeasible;
    }
  }
  return "";
}

/// The mean difference and the shares of the replicates; the differences replace `paired`.
Difference describe(const Family& first, const Family& second, bool greater_is_better,
                    std::vector<double>& paired) {
  const std::size_t n = first.replicates.size();
  paired.resize(n);
  std::int64_t n_first = 0;
  std::int64_t n_second = 0;
  for (std::size_t b = 0; b < n; ++b) {
    const double a = first.replicates[b];
    const double c = second.replicates[b];
    paired[b] = greater_is_better ? a - c : 0.0 - (a - c);
    const double rounding = kMeanRounding * std::max(std::abs(a), std::abs(c));
    if (paired[b] > rounding) ++n_first;
    if (paired[b] < -rounding) ++n_second;
  }
  const auto count = static_cast<double>(n);
  Difference result;
  result.estimate = detail::rounded_mean(paired);
  result.first_better = static_cast<double>(n_first) / count;
  result.second_better = static_cast<double>(n_second) / count;
  return result;
}

void check(std::span<const Family> families, std::span<const FamilyPair> pairs,
           const DrawDesign& draws) {
  if (draws.n_drawn < 2 || draws.n_units < 2 || draws.n_repeats < 1) {
    throw_invalid("draws", "a comparison needs two units");
  }
  if (!(draws.overlap >= 0.0)) throw_invalid("overlap", "must not be negative");
  const auto n = static_cast<std::int64_t>(families.size());
  std::size_t n_contributing = 0;
  for (const Family& family : families) {
    if (family.replicates.empty() ||
        family.replicates.size() != families.front().replicates.size()) {
      throw_invalid("families", "have different numbers of replicates, or none");
    }
    if (!std::ranges::all_of(family.replicates, [](double v) { return std::isfinite(v); })) {
      throw_invalid("families", "a replicate is not finite");
    }
    if (family.n_configurations < 1) throw_invalid("families", "one has no configurations");
    const Influence* influence = family.influence;
    if (influence == nullptr || !influence->infeasible.empty()) continue;
    if (influence->values.size() != n_contributing) {
      if (n_contributing > 0) {
        throw_invalid("families", "the contributions of their units are of different lengths");
      }
      n_contributing = influence->values.size();
    }
    if (!(influence->n_effective >= 2.0)) {
      throw_invalid("families", "their contributions must rest on two units");
    }
  }
  for (const FamilyPair& pair : pairs) {
    if (std::min(pair.first, pair.second) < 0 || std::max(pair.first, pair.second) >= n) {
      throw_invalid("pairs", "one is of a family that is not there");
    }
    if (!(pair.hidden >= 0.0 && std::isfinite(pair.hidden))) {
      throw_invalid("pairs", "one hides an error that is no number");
    }
  }
}

/// Whether two configurations have the same predictions.
bool same_predictions(std::span<const Predictions> repeats, std::int64_t one, std::int64_t other,
                      std::int64_t n_rows) {
  return std::ranges::all_of(repeats, [&](const Predictions& repeat) {
    return std::visit(
        [&](const auto& view) {
          for (std::int64_t row = 0; row < n_rows; ++row) {
            for (std::int64_t output = 0; output < view.n_outputs; ++output) {
              if (view(row, one, output) != view(row, other, output)) return false;
            }
          }
          return true;
        },
        repeat);
  });
}

/// Few rows, by which most configurations differ already: a number that copies share.
double sum_of_rows(const Predictions& repeat, std::int64_t configuration, std::int64_t n_rows) {
  return std::visit(
      [&](const auto& view) {
        double sum = 0.0;
        for (std::int64_t row = 0; row < n_rows; ++row) {
          for (std::int64_t output = 0; output < view.n_outputs; ++output) {
            sum += static_cast<double>(row + 1) *
                   static_cast<double>(view(row, configuration, output));
          }
        }
        return sum;
      },
      repeat);
}

}  // namespace

std::int64_t n_distinct(std::span<const Predictions> repeats) {
  const detail::Arithmetic arithmetic;
  if (repeats.empty()) throw_invalid("predictions", "are none");
  constexpr std::int64_t kFew = 64;
  const std::int64_t n_rows = detail::n_rows(repeats[0]);
  std::map<double, std::vector<std::int64_t>> found;
  std::int64_t n = 0;
  for (std::int64_t j = 0; j < detail::n_configurations(repeats[0]); ++j) {
    double sum = sum_of_rows(repeats[0], j, std::min(kFew, n_rows));
    if (std::isnan(sum)) sum = 0.0;
    std::vector<std::int64_t>& alike = found[sum];
    if (std::ranges::any_of(alike, [&](std::int64_t other) {
          return same_predictions(repeats, j, other, n_rows);
        })) {
      continue;
    }
    alike.push_back(j);
    ++n;
  }
  return n;
}

double training_overlap(double n_folds, std::int64_t n_repeats) {
  const detail::Arithmetic arithmetic;
  constexpr double kUsualFolds = 5.0;
  const double folds = n_folds == 0.0 ? kUsualFolds : n_folds;
  if (folds <= 1.0) return 0.0;
  return n_repeats > 1 ? folds / (folds - 1.0) : 1.0;
}

std::vector<Difference> differences(std::span<const Family> given,
                                    std::span<const FamilyPair> given_pairs,
                                    const DrawDesign& draws, const DifferenceOptions& options) {
  const detail::Arithmetic arithmetic;
  const auto pairs = detail::owned(given_pairs);
  auto families = detail::owned(given);
  std::vector<std::vector<double>> replicates;
  for (Family& family : families) {
    replicates.push_back(detail::owned(family.replicates));
    family.replicates = replicates.back();
  }
  check(families, pairs, draws);
  const std::string by_design = draws.of_folds ? too_few_folds(draws.n_drawn) : "";
  const double spread = by_design.empty() ? std::sqrt(known_left_out_factor(draws.n_drawn)) : kNaN;
  const double freedom = degrees_of_freedom(draws);
  std::vector<Difference> found;
  std::vector<double> paired;
  // Of family sizes and degrees of freedom.
  std::map<std::tuple<std::int64_t, std::int64_t, double>, double> critical_values;
  for (const FamilyPair& pair : pairs) {
    const Family& first = families[static_cast<std::size_t>(pair.first)];
    const Family& second = families[static_cast<std::size_t>(pair.second)];
    Difference& own =
        found.emplace_back(describe(first, second, options.greater_is_better, paired));
    const std::string infeasible = by_design.empty() ? infeasible_of(first, second) : by_design;
    if (!infeasible.empty()) {
      own.infeasible = infeasible;
      own.standard_error = own.degrees_of_freedom = own.p_value = kNaN;
      own.interval = {kNaN, kNaN};
      continue;
    }
    const double shown = detail::standard_deviation(paired, own.estimate) / spread;
    const StandardError error =
        standard_error_of(first, second, draws, {root_of_squares(shown, pair.hidden), freedom});
    const TTest test(error.degrees_of_freedom, options.confidence.alternative,
                     pessimism(first.n_configurations), pessimism(second.n_configurations));
    // Contributions of constant rows are rounding.
    own.standard_error = error.value > kMeanRounding * std::abs(own.estimate) ? error.value : 0.0;
    own.degrees_of_freedom = error.degrees_of_freedom;
    const auto [critical, is_new] = critical_values.try_emplace(
        {first.n_configurations, second.n_configurations, error.degrees_of_freedom});
    if (is_new) critical->second = test.critical_value(options.confidence);
    own.interval = interval_of(own, critical->second, draws.n_units, options);
    const double about_zero = root_of_squares(
        own.standard_error, own.estimate / std::sqrt(static_cast<double>(draws.n_units)));
    const bool same = std::ranges::all_of(paired, [](double value) { return value == 0.0; });
    own.p_value = same ? 1.0 : test.p_value(about_zero > 0.0 ? own.estimate / about_zero : 0.0);
  }
  return found;
}

}  // namespace bbc
