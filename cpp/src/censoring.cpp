#include <algorithm>
#include <bbc/censoring.hpp>
#include <bbc/error.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

/// A number as it is written in an error.
std::string shown(double number) {
  std::string text = std::to_string(number);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

double inverse(double probability, double time) {
  if (probability > 0.0) return 1.0 / probability;
  throw_invalid("time", "no row is followed beyond " + shown(time) +
                            ", so that the censoring weights are infinite: choose an earlier time");
}

/// G(t-).
double just_before(const CensoringSurvival& censoring, double time) {
  const auto& times = censoring.times;
  const auto first = std::lower_bound(times.begin(), times.end(), time) - times.begin();
  return first == 0 ? 1.0 : censoring.survival[static_cast<std::size_t>(first) - 1];
}

/// G(t).
double right_beyond(const CensoringSurvival& censoring, double time) {
  const auto& times = censoring.times;
  const auto after = std::upper_bound(times.begin(), times.end(), time) - times.begin();
  return after == 0 ? 1.0 : censoring.survival[static_cast<std::size_t>(after) - 1];
}

/// Of an estimate that somebody wrote down, too.
void check(const CensoringSurvival& censoring) {
  if (censoring.times.size() != censoring.survival.size()) {
    throw_invalid("censoring", "must have a probability for each of its times");
  }
}

/// G(t-) of each row at its own time.
std::vector<double> before_own(const Target& survival, const CensoringSurvival& censoring) {
  check(censoring);
  std::vector<double> uncensored;
  uncensored.reserve(survival.values.size());
  for (const double time : survival.values) uncensored.push_back(just_before(censoring, time));
  return uncensored;
}

void check(const Target& target) {
  if (target.kind != Target::Kind::survival || target.events.size() != target.values.size()) {
    throw_invalid("target", "censoring weights need events and times");
  }
}

Target with_weights(const Target& survival, std::span<const double> uncensored) {
  check(survival);
  if (uncensored.size() != survival.values.size()) {
    throw_invalid("uncensored", "must have one probability per row");
  }
  Target target = survival;
  target.event_weights.assign(survival.values.size(), 0.0);
  return target;
}

/// Refuses a survival curve that rises by more than rounding.
void check_never_rises(std::span<const double> times, const View<double>& predictions,
                       std::int64_t row, std::int64_t configuration) {
  constexpr double kRounding = 1e-8;
  for (std::int64_t k = 1; k < predictions.n_outputs; ++k) {
    const double earlier = predictions(row, configuration, k - 1);
    const double later = predictions(row, configuration, k);
    if (!(later - earlier > kRounding)) continue;
    const auto place = static_cast<std::size_t>(k);
    throw Error(ErrorCode::invalid_argument, "predictions",
                "the probability of survival rises from " + shown(earlier) + " at time " +
                    shown(times[place - 1]) + " to " + shown(later) + " at time " +
                    shown(times[place]),
                {{"row", row}, {"configuration", configuration}},
                "these may be probabilities of the event (1 - S), or the times in reverse order");
  }
}

/// What each time stands for in the mean over the span of the times.
std::vector<double> trapezoids(std::span<const double> times) {
  if (times.size() == 1) return {1.0};
  std::vector<double> shares;
  const double span = times.back() - times.front();
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double from = times[k == 0 ? 0 : k - 1];
    const double to = times[std::min(k + 1, times.size() - 1)];
    shares.push_back((to - from) / (2.0 * span));
  }
  return shares;
}

/// The mean of each row's losses over the repeats that predicted it; NaN if none did.
std::vector<double> mean_losses(std::span<const Predictions> losses, std::int64_t configuration,
                                std::span<const std::int32_t> folds, std::size_t n_rows) {
  std::vector<double> sum(n_rows, 0.0);
  std::vector<double> n_predicted(n_rows, 0.0);
  std::vector<double> own;
  for (std::size_t repeat = 0; repeat < losses.size(); ++repeat) {
    detail::read_values(losses[repeat], configuration, {}, own);
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (!folds.empty() && folds[repeat * n_rows + row] < 0) continue;
      sum[row] += own[row];
      n_predicted[row] += 1.0;
    }
  }
  for (std::size_t row = 0; row < n_rows; ++row) sum[row] /= n_predicted[row];
  return sum;
}

void check(std::span<const Predictions> losses, std::int64_t configuration,
           const CurveDesign& design) {
  const std::size_t n = design.row_times.size();
  const auto fits = [n](std::size_t size) { return size == 0 || size == n; };
  if (n == 0 || design.times.empty() || design.weights.size() != n * design.times.size()) {
    throw_invalid("weights", "must be one per row and time");
  }
  if (!fits(design.row_weights.size()) || !fits(design.units.size()) ||
      (!design.folds.empty() && design.folds.size() != n * losses.size())) {
    throw_invalid("design", "must have a value for each row");
  }
  const auto is_no_unit = [n](std::int32_t unit) {
    return unit < 0 || static_cast<std::size_t>(unit) >= n;
  };
  if (std::ranges::any_of(design.units, is_no_unit)) {
    throw_invalid("units", "must be from 0 to the number of rows less one");
  }
  for (const Predictions& repeat : losses) {
    if (detail::n_rows(repeat) != static_cast<std::int64_t>(n)) {
      throw_invalid("losses", "must be one per row");
    }
    if (configuration < 0 || configuration >= detail::n_configurations(repeat)) {
      throw_invalid("configuration", "there is none of number " + std::to_string(configuration));
    }
  }
}

/// The unit of each row, by a number below the number of rows.
std::vector<std::size_t> units_of(const CurveDesign& design) {
  std::vector<std::size_t> units(design.row_times.size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  for (std::size_t row = 0; row < design.units.size(); ++row) {
    units[row] = static_cast<std::size_t>(design.units[row]);
  }
  return units;
}

/// The losses of one curve for all rows, and what estimating it costs their weighted sum.
struct CurveLosses {
  std::vector<double> of_row;
  double cost = 0.0;
};

CurveLosses curve_losses(const CurveDesign& design, const std::vector<double>& row_weights,
                         const std::vector<std::size_t>& units) {
  const std::size_t n_rows = units.size();
  const std::size_t n_times = design.times.size();
  CurveLosses found{std::vector<double>(n_rows, 0.0)};
  for (std::size_t k = 0; k < n_times; ++k) {
    const auto weight = [&](std::size_t row) {
      return row_weights[row] * design.weights[row * n_times + k];
    };
    const auto outcome = [&](std::size_t row) {
      return design.row_times[row] > design.times[k] ? 1.0 : 0.0;
    };
    double total = 0.0;
    double survived = 0.0;
    for (std::size_t row = 0; row < n_rows; ++row) {
      total += weight(row);
      survived += weight(row) * outcome(row);
    }
    if (!(total > 0.0)) continue;
    const double curve = survived / total;
    std::vector<double> residuals(n_rows, 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double error = outcome(row) - curve;
      residuals[units[row]] += weight(row) * error;
      found.of_row[row] += design.weights[row * n_times + k] * (error * error);
    }
    for (const double sum : residuals) found.cost += sum * sum / total;
  }
  return found;
}

}  // namespace

double CensoringSurvival::before(double time) const {
  const detail::Arithmetic arithmetic;
  check(*this);
  return just_before(*this, time);
}

double CensoringSurvival::beyond(double time) const {
  const detail::Arithmetic arithmetic;
  check(*this);
  return right_beyond(*this, time);
}

CensoringSurvival censoring_survival(const Target& survival, std::span<const double> row_weights) {
  const detail::Arithmetic arithmetic;
  check(survival);
  const std::size_t n = survival.values.size();
  const std::vector<double> weights = detail::relative_weights(
      {row_weights.begin(), row_weights.end()}, static_cast<std::int64_t>(n));
  const auto weight = [&](std::size_t row) { return weights.empty() ? 1.0 : weights[row]; };
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto moment = [&](std::size_t row) {
    return std::pair(survival.values[row], survival.events[row] == 0);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return moment(a) < moment(b); });
  // Sums from the end, so that what is left at the last time is not a difference.
  std::vector<double> at_risk(n + 1, 0.0);
  for (std::size_t i = n; i-- > 0;) at_risk[i] = at_risk[i + 1] + weight(rows[i]);
  CensoringSurvival estimate;
  double uncensored = 1.0;
  for (std::size_t i = 0; i < n;) {
    std::size_t end = i;
    while (end < n && moment(rows[end]) == moment(rows[i])) ++end;
    if (survival.events[rows[i]] == 0 && at_risk[i] > at_risk[end]) {
      uncensored *= at_risk[end] / at_risk[i];
      estimate.times.push_back(survival.values[rows[i]]);
      estimate.survival.push_back(uncensored);
    }
    i = end;
  }
  return estimate;
}

Target uno_target(const Target& survival, const CensoringSurvival& censoring, double tau) {
  const detail::Arithmetic arithmetic;
  return uno_target(survival, before_own(survival, censoring), tau);
}

Target uno_target(const Target& survival, std::span<const double> uncensored, double tau) {
  const detail::Arithmetic arithmetic;
  Target target = with_weights(survival, uncensored);
  for (std::size_t row = 0; row < target.values.size(); ++row) {
    const double time = target.values[row];
    if (time >= tau) target.events[row] = 0;
    if (target.events[row] == 0) continue;
    const double own = inverse(uncensored[row], time);
    target.event_weights[row] = own * own;
  }
  return target;
}

Target dynamic_auc_target(const Target& survival, const CensoringSurvival& censoring, double time) {
  const detail::Arithmetic arithmetic;
  return dynamic_auc_target(survival, before_own(survival, censoring), time);
}

Target dynamic_auc_target(const Target& survival, std::span<const double> uncensored, double time) {
  const detail::Arithmetic arithmetic;
  constexpr double kInNoPair = -1.0;
  constexpr double kCase = 0.0;
  constexpr double kControl = 1.0;
  Target target = with_weights(survival, uncensored);
  for (std::size_t row = 0; row < target.values.size(); ++row) {
    const double own = survival.values[row];
    const bool is_case = own <= time && survival.events[row] != 0;
    target.events[row] = is_case ? 1 : 0;
    target.values[row] = own > time ? kControl : is_case ? kCase : kInNoPair;
    if (is_case) target.event_weights[row] = inverse(uncensored[row], own);
  }
  return target;
}

std::vector<double> brier_weights(const Target& survival, const CensoringSurvival& censoring,
                                  std::span<const double> times) {
  const detail::Arithmetic arithmetic;
  check(censoring);
  std::vector<double> beyond;
  beyond.reserve(survival.values.size() * times.size());
  for (std::size_t row = 0; row < survival.values.size(); ++row) {
    for (const double time : times) beyond.push_back(right_beyond(censoring, time));
  }
  return brier_weights(survival, before_own(survival, censoring), beyond, times);
}

std::vector<double> brier_weights(const Target& survival, std::span<const double> uncensored,
                                  std::span<const double> uncensored_beyond,
                                  std::span<const double> times) {
  const detail::Arithmetic arithmetic;
  check(survival);
  if (times.empty()) throw_invalid("times", "are none");
  if (uncensored.size() != survival.values.size() ||
      uncensored_beyond.size() != uncensored.size() * times.size()) {
    throw_invalid("uncensored", "must have one probability per row, and one per row and time");
  }
  const std::vector<double> shares = trapezoids(times);
  std::vector<double> weights;
  weights.reserve(survival.values.size() * times.size());
  for (std::size_t row = 0; row < survival.values.size(); ++row) {
    const double own = survival.values[row];
    for (std::size_t k = 0; k < times.size(); ++k) {
      double weight = 0.0;
      if (own > times[k]) {
        weight = inverse(uncensored_beyond[row * times.size() + k], times[k]);
      } else if (survival.events[row] != 0) {
        weight = inverse(uncensored[row], own);
      }
      weights.push_back(weight * shares[k]);
    }
  }
  return weights;
}

std::vector<double> brier_losses(std::span<const double> row_times, std::span<const double> weights,
                                 std::span<const double> times, const View<double>& predictions) {
  const detail::Arithmetic arithmetic;
  const auto n_times = static_cast<std::int64_t>(times.size());
  if (predictions.n_rows != static_cast<std::int64_t>(row_times.size()) ||
      predictions.n_outputs != n_times || weights.size() != row_times.size() * times.size()) {
    throw_invalid("predictions", "must have one survival probability per row and time");
  }
  detail::check_strides(predictions);
  std::vector<double> losses;
  losses.reserve(row_times.size() * static_cast<std::size_t>(predictions.n_configurations));
  for (std::int64_t j = 0; j < predictions.n_configurations; ++j) {
    for (std::int64_t row = 0; row < predictions.n_rows; ++row) {
      check_never_rises(times, predictions, row, j);
      double loss = 0.0;
      for (std::int64_t k = 0; k < n_times; ++k) {
        const auto place = static_cast<std::size_t>(k);
        const double survived = row_times[static_cast<std::size_t>(row)] > times[place] ? 1.0 : 0.0;
        const double error = survived - predictions(row, j, k);
        loss += weights[static_cast<std::size_t>(row * n_times + k)] * (error * error);
      }
      losses.push_back(loss);
    }
  }
  return losses;
}

CurveComparison against_curve(std::span<const Predictions> losses, std::int64_t configuration,
                              const CurveDesign& design) {
  const detail::Arithmetic arithmetic;
  check(losses, configuration, design);
  const std::size_t n_rows = design.row_times.size();
  const auto own = mean_losses(losses, configuration, design.folds, n_rows);
  std::vector<double> weights = detail::relative_weights(
      design.row_weights, static_cast<std::int64_t>(n_rows), /*even_power=*/true);
  if (weights.empty()) weights.assign(n_rows, 1.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (std::isnan(own[row])) weights[row] = 0.0;
  }
  const std::vector<std::size_t> units = units_of(design);
  const CurveLosses curve = curve_losses(design, weights, units);
  CurveComparison found;
  double total = 0.0;
  std::vector<double> differences(n_rows, 0.0);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (weights[row] == 0.0) continue;
    total += weights[row];
    found.score += weights[row] * own[row];
    found.curve_score += weights[row] * curve.of_row[row];
    differences[units[row]] += weights[row] * (own[row] - curve.of_row[row]);
  }
  if (!(total > 0.0)) return {};
  double squares = 0.0;
  for (const double difference : differences) squares += difference * difference;
  constexpr double kCosts = 3.0;
  constexpr double kSharedRows = 2.0;
  constexpr double kQuantile = 2.3263478740408408;  // of the normal distribution, at .99
  const double excess = found.score - found.curve_score - kCosts * curve.cost;
  found.worse = excess > kQuantile * std::sqrt(kSharedRows * squares);
  found.score /= total;
  found.curve_score /= total;
  return found;
}

}  // namespace bbc
