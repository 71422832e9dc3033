#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <cmath>

#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr double kStability = 2.5;       // the published constant of lambda
constexpr double kLossRounding = 1e-13;  // of losses, relative
constexpr double kTie = 1e-9;            // of means of standardised differences

double sum_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum;
}

double sd_of(const std::vector<double>& values) {
  const double mean = sum_of(values) / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// Excess losses of a configuration over its competitors, each with a standard deviation of 1.
struct Excess {
  std::vector<std::vector<double>> of;  ///< competitor, row
  std::vector<double> sums;
  bool surely_worse = false;
};

Excess excess_of(const RowValues& rows, std::int64_t r, double sign) {
  Excess excess;
  const auto own = rows.of(r);
  for (std::int64_t j = 0; j < rows.n_configurations; ++j) {
    if (j == r) continue;
    const auto other = rows.of(j);
    std::vector<double> difference(own.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      difference[i] = sign * (own[i] - other[i]);
      largest = std::max({largest, std::abs(own[i]), std::abs(other[i])});
    }
    const double sd = sd_of(difference);
    const double noise = kLossRounding * largest;
    if (sd <= noise) {
      excess.surely_worse = excess.surely_worse || difference[0] > noise;
      continue;
    }
    for (double& value : difference) value /= sd;
    excess.sums.push_back(sum_of(difference));
    excess.of.push_back(std::move(difference));
  }
  return excess;
}

/// The means of the other rows.
void means_without(const Excess& excess, std::size_t row, std::vector<double>& means) {
  const auto others = static_cast<double>(excess.of.front().size() - 1);
  for (std::size_t j = 0; j < means.size(); ++j) {
    means[j] = (excess.sums[j] - excess.of[j][row]) / others;
  }
}

double lambda_of(const Excess& excess) {
  const std::size_t n = excess.of.front().size();
  std::vector<double> means(excess.of.size());
  std::vector<double> against_best(n);
  for (std::size_t i = 0; i < n; ++i) {
    means_without(excess, i, means);
    // The first of those that tie: means of rows on a lattice do, whatever their rounding.
    const double largest = *std::ranges::max_element(means);
    const auto best =
        std::ranges::find_if(means, [&](double mean) { return mean >= largest - kTie; }) -
        means.begin();
    against_best[i] = excess.of[static_cast<std::size_t>(best)][i];
  }
  const double sd = sd_of(against_best);
  return std::sqrt(static_cast<double>(n)) / (kStability * (sd > 0.0 ? sd : 1.0));
}

double statistic_of(const Excess& excess, double lambda) {
  const std::size_t n = excess.of.front().size();
  std::vector<double> means(excess.of.size());
  std::vector<double> weighted(n);
  for (std::size_t i = 0; i < n; ++i) {
    means_without(excess, i, means);
    const double largest = *std::ranges::max_element(means);
    double total = 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < means.size(); ++j) {
      const double weight = detail::exp(lambda * (means[j] - largest));
      total += weight;
      sum += weight * excess.of[j][i];
    }
    weighted[i] = sum / total;
  }
  const double mean = sum_of(weighted) / static_cast<double>(n);
  const double sd = sd_of(weighted);
  if (sd > 0.0) return std::sqrt(static_cast<double>(n)) * mean / sd;
  return mean > 0.0 ? kInfinity : -kInfinity;
}

}  // namespace

DiscreteArgmin discrete_argmin(const RowValues& rows, bool greater_is_better,
                               double confidence_level, const Control& control) {
  const detail::Arithmetic arithmetic;
  detail::check_row_values(rows);
  detail::check_n_rivals(rows.n_configurations);
  if (rows.n_rows < 3) throw_invalid("rows", "the test needs at least three");
  if (!(confidence_level > 0.0 && confidence_level < 1.0)) {
    throw_invalid("confidence_level", "must be between 0 and 1");
  }
  const double sign = greater_is_better ? -1.0 : 1.0;
  const auto n = static_cast<std::size_t>(rows.n_configurations);
  DiscreteArgmin found{std::vector<double>(n), std::vector<double>(n), std::vector<std::uint8_t>(n),
                       std::vector<double>(n)};
  const double cells = static_cast<double>(rows.values.size()) * static_cast<double>(n);
  detail::parallel_for(
      rows.n_configurations, control, 20.0 * cells,
      [&](std::int64_t r, const detail::StopFlag& stop) {
        stop.check();
        const auto place = static_cast<std::size_t>(r);
        const Excess excess = excess_of(rows, r, sign);
        double statistic = -kInfinity;
        if (!excess.of.empty()) {
          found.lambdas[place] = lambda_of(excess);
          statistic = statistic_of(excess, found.lambdas[place]);
        }
        if (excess.surely_worse) statistic = kInfinity;
        found.statistics[place] = statistic;
        found.p_values[place] =
            std::isfinite(statistic) ? normal_cdf(-statistic) : (statistic < 0.0 ? 1.0 : 0.0);
        found.possible[place] = found.p_values[place] > 1.0 - confidence_level ? 1 : 0;
      });
  return found;
}

}  // namespace bbc
