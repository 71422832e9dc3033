#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "detail/intervals/normal_multipliers.hpp"
#include "detail/intervals/score_limits.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr double kSame = 1e-12;  // relative: covariances, and scores that tie

/// (1 - Phi(z)) / phi(z) for z >= 0.
double mills_ratio(double z) {
  constexpr double kFar = 25.0;
  if (z < kFar) {
    return 0.5 * detail::erfc(z / std::numbers::sqrt2) *
           (std::numbers::sqrt2 / std::numbers::inv_sqrtpi) * detail::exp(0.5 * z * z);
  }
  const double y = 1.0 / (z * z);
  double sum = 0.0;  // of the asymptotic series (DLMF 7.12.1)
  for (int k = 8; k >= 1; --k) sum = (2.0 * k - 1.0) * y * (1.0 - sum);
  return (1.0 - sum) / z;
}

/// P(Z <= u | l <= Z <= h) of a standard normal Z.
double standard_truncated_cdf(double u, double l, double h) {
  if (h <= 0.0) return 1.0 - standard_truncated_cdf(-u, -h, -l);
  if (l >= 0.0) {
    // Tails relative to that at l.
    const double at_l = mills_ratio(l);
    const auto below = [&](double z) {
      if (z == kInfinity) return 1.0;
      return 1.0 - detail::exp(-0.5 * (z - l) * (z + l)) * mills_ratio(z) / at_l;
    };
    return below(u) / below(h);
  }
  const double lower = detail::normal_cdf(l);
  const double total = 1.0 - lower - detail::normal_cdf(-h);
  const double below =
      u <= 0.0 ? detail::normal_cdf(u) - lower : 1.0 - lower - detail::normal_cdf(-u);
  return below / total;
}

/// The theta with f(theta) = p, for f that falls from above p at `low` to below p at `high`.
template <class Function>
double where(const Function& f, double p, double low, double high) {
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (!(middle > low && middle < high)) return middle;
    (f(middle) > p ? low : high) = middle;
  }
}

/// A monotone scale on which scores are nearly normal. Larger is better.
class Scale {
 public:
  Scale(const WinnerIntervalOptions& options, const RowValues& rows)
      : greater_is_better_(options.greater_is_better),
        low_(options.greater_is_better ? rows.range.low : -rows.range.high),
        high_(options.greater_is_better ? rows.range.high : -rows.range.low),
        edge_(0.5 / static_cast<double>(rows.n_rows)) {
    // A loss of unknown range is taken to have none below 0 if no row has one.
    if (greater_is_better_ || high_ != kInfinity) return;
    if (std::ranges::all_of(rows.values, [](double loss) { return loss >= 0.0; })) high_ = 0.0;
  }

  [[nodiscard]] bool holds(double score) const {
    const double x = oriented(score);
    return x >= low_ && x <= high_;
  }
  [[nodiscard]] double operator()(double score) const {
    const double x = oriented(score);
    if (is_bounded()) return detail::log(share(x)) - detail::log1p(-share(x));
    if (std::isfinite(high_)) return -detail::log(high_ - x);
    if (std::isfinite(low_)) return detail::log(x - low_);
    return x;
  }
  /// Of the scale by the score, where larger is better.
  [[nodiscard]] double derivative(double score) const {
    const double x = oriented(score);
    if (is_bounded()) return 1.0 / (share(x) * (1.0 - share(x))) / (high_ - low_);
    if (std::isfinite(high_)) return 1.0 / (high_ - x);
    if (std::isfinite(low_)) return 1.0 / (x - low_);
    return 1.0;
  }
  [[nodiscard]] double score(double scaled) const {
    double x = scaled;
    if (is_bounded()) {
      x = low_ + (high_ - low_) / (1.0 + detail::exp(-scaled));
    } else if (std::isfinite(high_)) {
      x = high_ - detail::exp(-scaled);
    } else if (std::isfinite(low_)) {
      x = low_ + detail::exp(scaled);
    }
    return oriented(x);
  }

 private:
  [[nodiscard]] double oriented(double score) const { return greater_is_better_ ? score : -score; }
  [[nodiscard]] bool is_bounded() const { return std::isfinite(low_) && std::isfinite(high_); }
  /// Of the range, at least half a row from its ends.
  [[nodiscard]] double share(double x) const {
    return std::clamp((x - low_) / (high_ - low_), edge_, 1.0 - edge_);
  }

  bool greater_is_better_;
  double low_;
  double high_;
  double edge_;
};

/// The scores on their scale, larger is better, and their covariances with that of the winner.
struct Normal {
  std::vector<double> scores;
  std::vector<double> covariances;
  std::vector<double> centred;  ///< (configuration, unit)
  std::size_t n_units = 0;
  std::size_t winner = 0;
  double step = 0.0;
  double derivative = 1.0;  ///< of the scale at the winner's score
  double n_events = 0.0;    ///< AUC: rows or units of each class
  double n_others = 0.0;
  double degrees_of_freedom = 0.0;

  [[nodiscard]] double score() const { return scores[winner]; }
  [[nodiscard]] double variance() const { return covariances[winner]; }
  [[nodiscard]] double standard_error() const { return std::sqrt(variance()) / derivative; }
  [[nodiscard]] const double* column(std::size_t j) const { return centred.data() + j * n_units; }
};

/// Unit of each row, numbered by first row.
std::vector<std::size_t> unit_of_row(const RowValues& rows,
                                     const std::vector<std::int32_t>& units) {
  const auto n = static_cast<std::size_t>(rows.n_rows);
  std::vector<std::size_t> numbers(n);
  std::map<std::int32_t, std::size_t> known;
  for (std::size_t row = 0; row < n; ++row) {
    numbers[row] = units.empty() ? row : known.try_emplace(units[row], known.size()).first->second;
  }
  return numbers;
}

/// Units that have rows of a class.
double units_of_class(const RowValues& rows, const std::vector<std::size_t>& unit,
                      std::size_t n_units, bool event) {
  std::vector<std::uint8_t> has(n_units);
  for (std::size_t row = 0; row < unit.size(); ++row) {
    if ((rows.is_event[row] != 0) == event) has[unit[row]] = 1;
  }
  return static_cast<double>(std::ranges::count(has, 1));
}

Normal normal_of(const RowValues& rows, std::int64_t winner, const WinnerIntervalOptions& options,
                 const Scale& scale) {
  for (const double score : rows.scores) {
    if (!scale.holds(score)) throw_invalid("range", "does not hold the scores");
  }
  const double sign = options.greater_is_better ? 1.0 : -1.0;
  const auto unit = unit_of_row(rows, options.units);
  const auto n_rows = static_cast<double>(rows.n_rows);
  Normal normal;
  normal.n_units = *std::ranges::max_element(unit) + 1;
  normal.winner = static_cast<std::size_t>(winner);
  const auto n_units = static_cast<double>(normal.n_units);
  // Sums of squares around a mean, of n values, are too small by (n - 1) / n.
  double inflation[2] = {std::sqrt(n_units / (n_units - 1.0)), 0.0};
  inflation[1] = inflation[0];
  normal.degrees_of_freedom = n_units - 1.0;
  if (!rows.is_event.empty()) {
    normal.n_events = units_of_class(rows, unit, normal.n_units, true);
    normal.n_others = units_of_class(rows, unit, normal.n_units, false);
    normal.degrees_of_freedom = std::min(normal.n_events, normal.n_others) - 1.0;
    if (options.units.empty()) {
      inflation[0] = std::sqrt(normal.n_others / (normal.n_others - 1.0));
      inflation[1] = std::sqrt(normal.n_events / (normal.n_events - 1.0));
    }
  }
  const auto n = static_cast<std::size_t>(rows.n_configurations);
  normal.centred.assign(n * normal.n_units, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    normal.scores.push_back(scale(rows.scores[j]));
    const auto values = rows.of(static_cast<std::int64_t>(j));
    if (detail::constant(values)) continue;  // whatever the rounding of the mean
    const double slope = scale.derivative(rows.scores[j]);
    double* column = normal.centred.data() + j * normal.n_units;
    for (std::size_t row = 0; row < values.size(); ++row) {
      const double deviation = sign * values[row] - sign * rows.scores[j];
      const std::size_t own_class = rows.is_event.empty() ? 0 : rows.is_event[row];
      column[unit[row]] += deviation * inflation[own_class] * slope;
    }
  }
  const double* chosen = normal.column(normal.winner);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < normal.n_units; ++i) sum += normal.column(j)[i] * chosen[i];
    normal.covariances.push_back(sum / (n_rows * n_rows));
  }
  normal.derivative = scale.derivative(rows.scores[normal.winner]);
  normal.step = rows.step * normal.derivative;
  return normal;
}

/// Why there are too few rows or units; empty if there are enough.
std::string too_few(const Normal& normal, const RowValues& rows, bool grouped) {
  constexpr double kFewest = 10.0;
  const std::string unit = grouped ? "groups" : "rows";
  const auto few = [&](double n, const std::string& what) {
    return "the winner's interval needs at least ten " + what + ", not " +
           std::to_string(static_cast<std::int64_t>(n)) +
           "; the interval of a correction takes fewer";
  };
  const auto n_units = static_cast<double>(normal.n_units);
  if (n_units < kFewest) return few(n_units, unit);
  if (rows.is_event.empty()) return {};
  const std::string of = grouped ? "groups with " : "";
  if (normal.n_events < kFewest) return few(normal.n_events, of + "events");
  if (normal.n_others < kFewest) return few(normal.n_others, of + "rows without the event");
  return {};
}

/// Limits of a share or an AUC that is 0 or 1 without a doubt in its rows, and so has no variance;
/// none for other metrics.
std::optional<Interval> limits_at_the_end(const Normal& normal, const RowValues& rows, double score,
                                          const WinnerIntervalOptions& options) {
  const bool of_shares = rows.is_event.empty() && rows.step > 0.0;
  if ((rows.is_event.empty() && !of_shares) || (score != 0.0 && score != 1.0)) return std::nullopt;
  const bool two_sided = options.confidence.alternative == Alternative::two_sided;
  const double alpha = tail_probability(options.confidence) * (two_sided ? 2.0 : 1.0);
  // At the worst score all configurations have it, and none was chosen for it.
  const bool best = (score == 1.0) == options.greater_is_better;
  const double p = alpha / (best ? static_cast<double>(rows.n_configurations) : 1.0);
  const double within =
      of_shares ? detail::exp(detail::log(p) / static_cast<double>(normal.n_units))
                : detail::newcombe_low(1.0, normal.n_events, normal.n_others, -normal_quantile(p));
  return score == 1.0 ? Interval{within, 1.0} : Interval{0.0, 1.0 - within};
}

/// Where the winner's score would have been the best, given what does not depend on it.
Interval truncation(const Normal& normal) {
  Interval limits{-kInfinity, kInfinity};
  const double variance = normal.variance();
  for (std::size_t j = 0; j < normal.scores.size(); ++j) {
    if (j == normal.winner) continue;
    const double excess = variance - normal.covariances[j];
    if (std::abs(excess) <= kSame * variance) continue;
    const double margin = j > normal.winner ? 0.5 * normal.step : -0.5 * normal.step;
    const double rest =
        normal.scores[j] - normal.covariances[j] / variance * normal.score() - margin;
    const double limit = variance * rest / excess;
    if (excess > 0.0) {
      limits.low = std::max(limits.low, limit);
    } else {
      limits.high = std::min(limits.high, limit);
    }
  }
  return limits;
}

/// The largest |xi_c| / sd_c of each draw of xi = sum of centred values times multipliers, over the
/// root of a chi-squared number per degree of freedom: the standard deviation is estimated, too.
std::vector<double> largest_deviations(const Normal& normal, const WinnerIntervalOptions& options,
                                       const Control& control) {
  const std::size_t n = normal.n_units;
  std::vector<double> scaled;
  for (std::size_t j = 0; j < normal.scores.size(); ++j) {
    const double* column = normal.column(j);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += column[i] * column[i];
    const double length = std::sqrt(sum);
    if (length == 0.0) continue;
    for (std::size_t i = 0; i < n; ++i) scaled.push_back(column[i] / length);
  }
  std::vector<double> largest(static_cast<std::size_t>(options.n_draws));
  const auto cells = static_cast<double>(scaled.size()) * static_cast<double>(options.n_draws);
  detail::parallel_pieces(
      options.n_draws, detail::kMultiplierLanes, control, 0.3 * cells,
      [&](std::int64_t first, std::int64_t last, const detail::StopFlag& stop) {
        std::vector<double> drawn;
        const auto freedom = static_cast<std::size_t>(normal.degrees_of_freedom);
        detail::draw_multipliers(options.seed, stream::kMultipliers, first, n, drawn);
        const auto of_piece = std::span(largest).subspan(static_cast<std::size_t>(first),
                                                         static_cast<std::size_t>(last - first));
        for (std::size_t start = 0; start < scaled.size(); start += n) {
          stop.check();
          const auto sums = detail::combined(scaled.data() + start, drawn);
          for (std::size_t lane = 0; lane < of_piece.size(); ++lane) {
            of_piece[lane] = std::max(of_piece[lane], std::abs(sums[lane]));
          }
        }
        detail::draw_multipliers(options.seed, stream::kMultiplierScales, first, freedom, drawn);
        for (std::size_t lane = 0; lane < of_piece.size(); ++lane) {
          double squares = 0.0;
          for (std::size_t i = 0; i < freedom; ++i) {
            const double normal_number = drawn[i * detail::kMultiplierLanes + lane];
            squares += normal_number * normal_number;
          }
          of_piece[lane] /= std::sqrt(squares / normal.degrees_of_freedom);
        }
      });
  return largest;
}

/// Estimate and limits where larger is better; `tail` is left out on each side.
struct Solution {
  double low;
  double estimate;
  double high;
};

Solution hybrid(double x, double sd, Interval truncated, double tail, double half) {
  const auto f = [&](double theta) {
    return truncated_normal_cdf(
        x, theta, sd,
        {std::max(truncated.low, theta - half), std::min(truncated.high, theta + half)});
  };
  const auto solve = [&](double p) { return where(f, p, x - half, x + half); };
  return {solve(1.0 - tail), solve(0.5), solve(tail)};
}

void check(const RowValues& rows, std::int64_t winner, const WinnerIntervalOptions& options) {
  detail::check_row_values(rows);
  if (winner < 0 || winner >= rows.n_configurations) {
    throw_invalid("winner", "there is no configuration " + std::to_string(winner));
  }
  if (!options.units.empty() && options.units.size() != static_cast<std::size_t>(rows.n_rows)) {
    throw_invalid("units", "must be one per row");
  }
  if (options.n_draws < 1) throw_invalid("n_draws", "must be at least 1");
}

}  // namespace

double truncated_normal_cdf(double x, double mean, double sd, Interval truncated) {
  const detail::Arithmetic arithmetic;
  if (x <= truncated.low) return 0.0;
  if (x >= truncated.high) return 1.0;
  return standard_truncated_cdf((x - mean) / sd, (truncated.low - mean) / sd,
                                (truncated.high - mean) / sd);
}

IntervalEstimate winner_interval(const RowValues& rows, std::int64_t winner,
                                 const WinnerIntervalOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  check(rows, winner, options);
  const double tail = tail_probability(options.confidence);
  const Scale scale(options, rows);
  const Normal normal = normal_of(rows, winner, options, scale);
  const double score = rows.scores[static_cast<std::size_t>(winner)];
  const double sd = std::sqrt(normal.variance());
  const auto none = [&](std::string reason) {
    IntervalEstimate found = infeasible(score, std::move(reason));
    found.standard_error = normal.standard_error();
    return found;
  };
  if (auto reason = too_few(normal, rows, !options.units.empty()); !reason.empty()) {
    return none(std::move(reason));
  }
  const Alternative alternative = options.confidence.alternative;
  if (sd == 0.0) {
    const auto ends = limits_at_the_end(normal, rows, score, options);
    return ends ? with_limits(score, *ends, alternative, rows.range)
                : normal_interval(score, 0.0, options.confidence, rows.range);
  }
  const double quantile = -student_t_quantile(tail, normal.degrees_of_freedom);
  const double of_normal = -normal_quantile(tail);
  const double wider = of_normal == 0.0 ? sd : sd * quantile / of_normal;  // one side, level 1/2
  const Interval truncated = truncation(normal);
  const double x = normal.score();
  Solution found{x - quantile * sd, x, x + quantile * sd};
  // Unless no score could have made another the winner.
  if (truncated.low != -kInfinity || truncated.high != kInfinity) {
    const double near = kSame * std::max(std::abs(x), sd);
    if (x - truncated.low <= near || truncated.high - x <= near) {
      return none(
          "another configuration ties with the winner, and which of them is chosen says nothing "
          "about its performance");
    }
    const bool two_sided = alternative == Alternative::two_sided;
    const double alpha = two_sided ? 2.0 * tail : tail;
    const double beta = alpha / 10.0;
    const double rest = (alpha - beta) / (1.0 - beta);
    const double c = order_statistic(largest_deviations(normal, options, control), 1.0 - beta);
    found = hybrid(x, wider, truncated, two_sided ? 0.5 * rest : rest, c * sd);
  }
  Interval limits{scale.score(found.low), scale.score(found.high)};
  if (!options.greater_is_better) std::swap(limits.low, limits.high);
  const bool moved = found.estimate != x;
  const double estimate =
      std::clamp(moved ? scale.score(found.estimate) : score, rows.range.low, rows.range.high);
  IntervalEstimate result = with_limits(estimate, limits, alternative, rows.range);
  result.standard_error = normal.standard_error();
  return result;
}

double winner_standard_error(const RowValues& rows, std::int64_t winner,
                             const WinnerIntervalOptions& options) {
  const detail::Arithmetic arithmetic;
  check(rows, winner, options);
  return normal_of(rows, winner, options, Scale(options, rows)).standard_error();
}

}  // namespace bbc
