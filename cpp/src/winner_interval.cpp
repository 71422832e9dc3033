#include <algorithm>
#include <bbc/distributions.hpp>
#include <bbc/error.hpp>
#include <bbc/streams.hpp>
#include <bbc/winner_interval.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include "detail/intervals/normal_multipliers.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/constant.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/error_function.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
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

/// The scores, larger is better, and their covariances with that of the winner.
struct Normal {
  std::vector<double> scores;
  std::vector<double> covariances;
  std::vector<double> centred;  ///< (configuration, unit)
  std::size_t n_units = 0;
  std::size_t winner = 0;

  [[nodiscard]] double score() const { return scores[winner]; }
  [[nodiscard]] double variance() const { return covariances[winner]; }
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

Normal normal_of(const RowValues& rows, std::int64_t winner, const WinnerIntervalOptions& options) {
  const double sign = options.greater_is_better ? 1.0 : -1.0;
  const auto unit = unit_of_row(rows, options.units);
  const auto n_rows = static_cast<double>(rows.n_rows);
  Normal normal;
  normal.n_units = *std::ranges::max_element(unit) + 1;
  normal.winner = static_cast<std::size_t>(winner);
  const auto n = static_cast<std::size_t>(rows.n_configurations);
  normal.centred.assign(n * normal.n_units, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    normal.scores.push_back(sign * rows.scores[j]);
    const auto values = rows.of(static_cast<std::int64_t>(j));
    if (detail::constant(values)) continue;  // whatever the rounding of the mean
    double* column = normal.centred.data() + j * normal.n_units;
    for (std::size_t row = 0; row < values.size(); ++row) {
      column[unit[row]] += sign * values[row] - normal.scores[j];
    }
  }
  const double* chosen = normal.column(normal.winner);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < normal.n_units; ++i) sum += normal.column(j)[i] * chosen[i];
    normal.covariances.push_back(sum / (n_rows * n_rows));
  }
  return normal;
}

/// Where the winner's score would have been the best, given what does not depend on it.
Interval truncation(const Normal& normal, double step) {
  Interval limits{-kInfinity, kInfinity};
  const double variance = normal.variance();
  for (std::size_t j = 0; j < normal.scores.size(); ++j) {
    if (j == normal.winner) continue;
    const double excess = variance - normal.covariances[j];
    if (std::abs(excess) <= kSame * variance) continue;
    const double margin = j > normal.winner ? 0.5 * step : -0.5 * step;
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

/// The largest |xi_c| / sd_c of each draw of xi = sum of centred values times multipliers.
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
      });
  return largest;
}

/// Estimate and limits where larger is better; `tail` is left out on each side.
struct Solution {
  double low;
  double estimate;
  double high;
};

Solution conditional(double x, double sd, Interval truncated, double tail) {
  const auto f = [&](double theta) { return truncated_normal_cdf(x, theta, sd, truncated); };
  const auto solve = [&](double p) {
    double width = sd;
    while (!(f(x - width) > p && f(x + width) < p)) width *= 2.0;
    return where(f, p, x - width, x + width);
  };
  return {solve(1.0 - tail), solve(0.5), solve(tail)};
}

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
  if (rows.n_rows < 1 || rows.n_configurations < 1) throw_invalid("rows", "there are none");
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
  const Normal normal = normal_of(rows, winner, options);
  const double score = rows.scores[static_cast<std::size_t>(winner)];
  const double sd = std::sqrt(normal.variance());
  const Interval truncated = truncation(normal, rows.step);
  const bool chosen_anyway = truncated.low == -kInfinity && truncated.high == kInfinity;
  // Without variance, and where no score could have made another the winner.
  if (sd == 0.0 || chosen_anyway) {
    return normal_interval(score, sd, options.confidence, options.range);
  }
  const double x = normal.score();
  const double near = kSame * std::max(std::abs(x), sd);
  if (x - truncated.low <= near || truncated.high - x <= near) {
    return infeasible(score,
                      "another configuration ties with the winner, and which of them is chosen "
                      "says nothing about its performance");
  }
  Solution found{};
  if (options.method == WinnerIntervalOptions::Method::conditional) {
    found = conditional(x, sd, truncated, tail);
  } else {
    const bool two_sided = options.confidence.alternative == Alternative::two_sided;
    const double alpha = two_sided ? 2.0 * tail : tail;
    const double beta = alpha / 10.0;
    const double rest = (alpha - beta) / (1.0 - beta);
    const double c = order_statistic(largest_deviations(normal, options, control), 1.0 - beta);
    found = hybrid(x, sd, truncated, two_sided ? 0.5 * rest : rest, c * sd);
  }
  if (!options.greater_is_better) found = {-found.high, -found.estimate, -found.low};
  const double estimate = std::clamp(found.estimate, options.range.low, options.range.high);
  IntervalEstimate result =
      with_limits(estimate, {found.low, found.high}, options.confidence.alternative, options.range);
  result.standard_error = sd;
  return result;
}

}  // namespace bbc
