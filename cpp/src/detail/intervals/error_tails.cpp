#include "detail/intervals/error_tails.hpp"

#include <algorithm>
#include <bbc/philox.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "detail/intervals/class_shares.hpp"
#include "detail/intervals/score_limits.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

constexpr std::uint32_t kTailDraws = 1000;
constexpr double kFewestUnits = 20.0;
constexpr double kOfNormalErrors = 3.0;  // kurtosis
/// Errors are alike if they differ by less than this share of them, which rounding may explain.
constexpr double kAlike = 1e-9;

using TailForm = RateTerm::Form;

/// How the metric depends on the mean of squared errors; nothing if it does not.
std::optional<TailForm> form_of(const Metric& metric) {
  if (has_spread(metric)) return TailForm::mean_of_squares;
  const auto* loss = std::get_if<metric::RowLoss>(&metric.kind);
  if (loss == nullptr || loss->kind != metric::RowLoss::Kind::squared) return std::nullopt;
  return loss->root ? TailForm::root_of_squares : TailForm::mean_of_squares;
}

bool draws_freely_from_all_rows(const CorrectionOptions& options) {
  const Resampling& draws = options.resampling;
  const bool pooled = std::ranges::all_of(options.folds, [](auto fold) { return fold <= 0; });
  return pooled && !options.rotate_repeats && draws.folds.empty() && draws.strata.empty() &&
         draws.resamples.empty();
}

/// The squared errors of the rows with weight that a repeat predicted, means over these repeats.
struct SquaredErrors {
  std::vector<double> values;  ///< times the square of the unit
  std::vector<double> weights;
  std::vector<double> truth;
  std::vector<std::int32_t> groups;  ///< empty: none
  double unit = 0.0;                 ///< a power of two; 0 if there is no error or one overflows

  SquaredErrors(std::span<const Predictions> repeats, const Target& target,
                const CorrectionOptions& options, std::int64_t configuration) {
    const std::size_t n = target.values.size();
    const auto given = relative_weights(options.row_weights, target.n_rows());
    const auto predicted = [&](std::size_t repeat, std::size_t row) {
      return options.folds.empty() || options.folds[repeat * n + row] >= 0;
    };
    std::vector<std::vector<double>> errors(repeats.size());
    double largest = 0.0;
    for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
      read_values(repeats[repeat], configuration, {}, errors[repeat]);
      for (std::size_t row = 0; row < n; ++row) {
        double& error = errors[repeat][row];
        error -= target.values[row];
        if (predicted(repeat, row)) largest = std::max(largest, std::fabs(error));
      }
    }
    if (largest > 0.0 && std::isfinite(largest)) {
      unit = std::ldexp(1.0, std::min(-std::ilogb(largest), 1023));
    }
    for (std::size_t row = 0; row < n; ++row) {
      double sum = 0.0;
      double count = 0.0;
      for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
        if (!predicted(repeat, row)) continue;
        const double error = unit * errors[repeat][row];
        sum += error * error;
        count += 1.0;
      }
      const double weight = given.empty() ? 1.0 : given[row];
      if (!(weight > 0.0 && count > 0.0)) continue;
      values.push_back(sum / count);
      weights.push_back(weight);
      truth.push_back(target.values[row]);
      if (!options.resampling.units.empty()) groups.push_back(options.resampling.units[row]);
    }
  }

  [[nodiscard]] bool has_two_values() const {
    const auto other = std::ranges::find_if(truth, [&](double y) { return y != truth[0]; });
    return std::all_of(other, truth.end(), [&](double y) { return y == truth[0] || y == *other; });
  }
};

/// (sum w)^2 / sum w^2.
double kish_number(std::span<const double> weights) {
  double sum = 0.0;
  double squares = 0.0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return sum * sum / squares;
}

/// Of errors, by their squares; none unless it is above that of normal errors by three standard
/// errors.
std::optional<double> large_kurtosis(const SquaredErrors& errors) {
  constexpr double kStandardErrors = 3.0;
  constexpr double kOfKurtosis = 24.0;  // n times the variance of that of n normal errors
  double total = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (std::size_t row = 0; row < errors.values.size(); ++row) {
    const double value = errors.values[row];
    total += errors.weights[row];
    first += errors.weights[row] * value;
    second += errors.weights[row] * (value * value);
  }
  const double mean = first / total;
  const double kurtosis = second / total / (mean * mean);
  const double standard_error = std::sqrt(kOfKurtosis / kish_number(errors.weights));
  if (!(kurtosis > kOfNormalErrors + kStandardErrors * standard_error)) return std::nullopt;
  return kurtosis;
}

/// Rows or groups, by the sums of w v and of w over their rows.
struct ErrorUnits {
  std::vector<double> sums;
  std::vector<double> weights;

  explicit ErrorUnits(const SquaredErrors& errors) {
    std::vector<double> products(errors.values.size());
    for (std::size_t row = 0; row < products.size(); ++row) {
      products[row] = errors.weights[row] * errors.values[row];
    }
    sums = sums_by_unit(products, errors.groups);
    weights = sums_by_unit(errors.weights, errors.groups);
  }

  struct Moments {
    double mean = 0.0;
    double deviation = 0.0;  ///< 0 if all are alike
  };
  /// The mean of v and the standard deviation of a unit about it, of m units numbered by `unit`.
  template <class Unit>
  [[nodiscard]] Moments moments(std::size_t m, const Unit& unit) const {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      sum += sums[unit(i)];
      total += weights[unit(i)];
    }
    const double mean = sum / total;
    double squares = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      const double difference = sums[unit(i)] - mean * weights[unit(i)];
      squares += difference * difference;
    }
    const auto n = static_cast<double>(m);
    const double deviation = std::sqrt(squares / n) / (total / n);
    return {mean, deviation > kAlike * mean ? deviation : 0.0};
  }
};

/// How far above the estimate draws of m of the units put the mean, largest first; infinite where
/// all units of a draw are alike. Empty if all are.
std::vector<double> tail_distances(const ErrorUnits& units, double m, std::uint64_t seed) {
  const std::size_t n = units.sums.size();
  const auto all = units.moments(n, [](std::size_t i) { return i; });
  if (!(all.deviation > 0.0)) return {};
  std::vector<std::size_t> drawn(static_cast<std::size_t>(m));
  std::vector<double> distances;
  for (std::uint32_t draw = 0; draw < kTailDraws; ++draw) {
    WordStream words(seed, stream::kErrorTails, draw, 0);
    for (std::size_t& unit : drawn) unit = words.below(static_cast<std::uint32_t>(n));
    const auto own = units.moments(drawn.size(), [&](std::size_t i) { return drawn[i]; });
    const double t = std::sqrt(m) * (own.mean - all.mean) / own.deviation;
    distances.push_back(own.deviation > 0.0
                            ? -t * (all.deviation / std::sqrt(static_cast<double>(n)))
                            : std::numeric_limits<double>::infinity());
  }
  std::ranges::sort(distances, std::greater{});
  return distances;
}

/// The root of the sum of two squares, of which the second has the sign of its root.
double root_beyond(double root, double other) {
  const double larger = std::max(root, std::fabs(other));
  if (!(larger > 0.0)) return 0.0;
  const double ratio = other / larger;
  const double square = root / larger * (root / larger) + std::copysign(ratio * ratio, other);
  return larger * std::sqrt(std::max(0.0, square));
}

}  // namespace

std::vector<RateTerm> tail_terms(std::span<const Predictions> repeats, const Target& target,
                                 const CorrectionOptions& options, std::int64_t configuration) {
  const auto form = form_of(options.metric);
  if (!form || !draws_freely_from_all_rows(options)) return {};
  const SquaredErrors errors(repeats, target, options, configuration);
  if (!(errors.unit > 0.0) || errors.truth.empty() || errors.has_two_values()) return {};
  std::vector<RateTerm> terms;
  const auto kurtosis = large_kurtosis(errors);
  if (kurtosis) terms.push_back({.form = TailForm::long_tails, .rate = *kurtosis});
  const ErrorUnits units(errors);
  const double n = kish_number(units.weights);
  if (n < kFewestUnits) return terms;
  const double m =
      std::nearbyint(kurtosis ? std::sqrt(n) : detail::exp(2.0 / 3.0 * detail::log(n)));
  const Spread spread(errors.truth, errors.weights);
  for (const double distance : tail_distances(units, m, options.resampling.seed)) {
    RateTerm term;
    term.form = *form;
    if (has_spread(options.metric)) {
      const double ratio = spread.unit / errors.unit;
      term.weight = -1.0;
      term.rate = distance * ratio * ratio / spread.variance;
    } else if (*form == TailForm::root_of_squares) {
      term.rate = std::copysign(std::sqrt(std::fabs(distance)), distance) / errors.unit;
    } else {
      term.rate = distance / errors.unit / errors.unit;
    }
    terms.push_back(term);
  }
  return terms;
}

void reach_tails(std::span<const RateTerm> terms, double estimate, const Confidence& confidence,
                 Interval range, CorrectedLimits& limits) {
  std::vector<double> distances;
  bool of_root = false;
  bool upwards = true;
  for (const RateTerm& term : terms) {
    if (term.form == TailForm::long_tails) limits.kurtosis = term.rate;
    if (term.form != TailForm::mean_of_squares && term.form != TailForm::root_of_squares) continue;
    of_root = term.form == TailForm::root_of_squares;
    upwards = term.weight > 0.0;
    distances.push_back(term.rate);
  }
  if (distances.empty()) return;
  if (confidence.alternative == (upwards ? Alternative::greater : Alternative::less)) return;
  const double tail = tail_probability(confidence);
  const auto n_alike = static_cast<double>(
      std::ranges::count_if(distances, [](double distance) { return std::isinf(distance); }));
  // More would move the order statistic by a tenth of the probability beyond the limit.
  constexpr double kTenth = 0.1;
  const auto n = static_cast<std::int64_t>(distances.size());
  limits.alike_errors = to_nine_decimals(n_alike - kTenth * tail * static_cast<double>(n)) > 0.0;
  if (limits.alike_errors) return;
  const auto rank = std::clamp<std::int64_t>(rank_of(tail, n), 1, n);
  const double distance = distances[static_cast<std::size_t>(rank - 1)];
  const double side = upwards ? 1.0 : -1.0;
  const double limit =
      of_root ? side * root_beyond(std::fabs(estimate), distance) : estimate + side * distance;
  if (upwards) {
    limits.interval.high = std::min(range.high, std::max(limits.interval.high, limit));
  } else {
    limits.interval.low = std::max(range.low, std::min(limits.interval.low, limit));
  }
}

}  // namespace bbc::detail
