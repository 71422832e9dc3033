#include <algorithm>
#include <bbc/difference.hpp>
#include <bbc/distributions.hpp>
#include <bbc/error.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostUnits = 4096;  // from here on the factor is e - 1 to less than .001
constexpr double kRounding = 1e-12;        // of means over repeats, folds or rows
// In bag, scores have twice the variance that they have on all rows, so replicates select worse
// configurations. With normal skills of sd x standard errors, the loss is
// E[max of C] x^2 (1/sqrt(x^2 + 1) - 1/sqrt(x^2 + 2)) standard errors of one configuration, at most
// .158 E[max of C]; the difference of two configurations has sqrt(2) times that standard error.
constexpr double kPessimism = 0.112;

/// E[N / M] - 1 for M of N units never drawn, given M > 0, where all N are drawn.
double left_out_factor(std::int64_t n_drawn) {
  if (n_drawn > kMostUnits) return std::numbers::e - 1.0;
  const auto n = static_cast<double>(n_drawn);
  // share[j]: probability that the draws so far hit j units.
  std::vector<double> share(static_cast<std::size_t>(n_drawn) + 1, 0.0);
  share[0] = 1.0;
  for (std::int64_t draw = 0; draw < n_drawn; ++draw) {
    for (std::int64_t j = draw + 1; j > 0; --j) {
      const auto at = static_cast<std::size_t>(j);
      share[at] = share[at] * static_cast<double>(j) / n +
                  share[at - 1] * static_cast<double>(n_drawn - (j - 1)) / n;
    }
    share[0] = 0.0;
  }
  double weighted = 0.0;
  double total = 0.0;
  for (std::int64_t j = 1; j < n_drawn; ++j) {
    const double own = share[static_cast<std::size_t>(j)];
    weighted += own * (n / static_cast<double>(n_drawn - j) - 1.0);
    total += own;
  }
  return weighted / total;
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
  return {side == Alternative::less ? -options.widest
                                    : std::max(-options.widest, difference.estimate - half),
          side == Alternative::greater ? options.widest
                                       : std::min(options.widest, difference.estimate + half)};
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
    const double rounding = kRounding * std::max(std::abs(a), std::abs(c));
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
  const auto n = static_cast<std::int64_t>(families.size());
  for (const Family& family : families) {
    if (family.replicates.empty() ||
        family.replicates.size() != families.front().replicates.size()) {
      throw_invalid("families", "have different numbers of replicates, or none");
    }
    if (family.n_configurations < 1) throw_invalid("families", "one has no configurations");
  }
  for (const FamilyPair& pair : pairs) {
    if (std::min(pair.first, pair.second) < 0 || std::max(pair.first, pair.second) >= n) {
      throw_invalid("pairs", "one is of a family that is not there");
    }
  }
}

}  // namespace

std::vector<Difference> differences(std::span<const Family> families,
                                    std::span<const FamilyPair> pairs, const DrawDesign& draws,
                                    const DifferenceOptions& options) {
  const detail::Arithmetic arithmetic;
  check(families, pairs, draws);
  const std::string infeasible = draws.of_folds ? too_few_folds(draws.n_drawn) : "";
  const double spread = infeasible.empty() ? std::sqrt(left_out_factor(draws.n_drawn)) : kNaN;
  const double freedom = degrees_of_freedom(draws);
  std::vector<Difference> found;
  std::vector<double> paired;
  std::map<std::pair<std::int64_t, std::int64_t>, double> critical_values;  // of family sizes
  for (const FamilyPair& pair : pairs) {
    const Family& first = families[static_cast<std::size_t>(pair.first)];
    const Family& second = families[static_cast<std::size_t>(pair.second)];
    Difference& own =
        found.emplace_back(describe(first, second, options.greater_is_better, paired));
    if (!infeasible.empty()) {
      own.infeasible = infeasible;
      own.standard_error = own.degrees_of_freedom = own.p_value = kNaN;
      own.interval = {kNaN, kNaN};
      continue;
    }
    const TTest test(freedom, options.confidence.alternative, pessimism(first.n_configurations),
                     pessimism(second.n_configurations));
    own.standard_error = detail::standard_deviation(paired, own.estimate) / spread;
    own.degrees_of_freedom = freedom;
    const auto [critical, is_new] =
        critical_values.try_emplace({first.n_configurations, second.n_configurations});
    if (is_new) critical->second = test.critical_value(options.confidence);
    own.interval = interval_of(own, critical->second, draws.n_units, options);
    const double about_zero = root_of_squares(
        own.standard_error, own.estimate / std::sqrt(static_cast<double>(draws.n_units)));
    own.p_value = test.p_value(about_zero > 0.0 ? own.estimate / about_zero : 0.0);
  }
  return found;
}

}  // namespace bbc
