#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <cstddef>

#include "detail/intervals/score_limits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

using detail::rank_of;

/// The defined replicates at one point, ascending.
std::vector<double> defined_at(std::span<const double> replicates, std::size_t point,
                               std::size_t n_points) {
  std::vector<double> values;
  for (std::size_t i = point; i < replicates.size(); i += n_points) {
    if (!std::isnan(replicates[i])) values.push_back(replicates[i]);
  }
  return values;
}

/// Replicates that end within the curve, continued beyond their first and last point by the mean
/// step of those that have both points, within the range of all values: what ends does not move the
/// mean of the others. Without gaps the replicates stay as they are.
std::vector<double> continued(std::span<const double> replicates, std::size_t n_points) {
  std::vector<double> values(replicates.begin(), replicates.end());
  double lowest = kInfinity;
  double highest = -lowest;
  bool ends = false;
  for (const double value : values) {
    ends = ends || std::isnan(value);
    if (std::isnan(value)) continue;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  if (!ends || n_points < 2) return values;
  std::vector<double> steps(n_points, kNaN);  // from the point before
  std::vector<double> own;
  for (std::size_t point = 1; point < n_points; ++point) {
    own.clear();
    for (std::size_t i = point; i < replicates.size(); i += n_points) {
      const double step = replicates[i] - replicates[i - 1];
      if (!std::isnan(step)) own.push_back(step);
    }
    if (!own.empty()) steps[point] = detail::rounded_mean(own);
  }
  const auto clamped = [&](double value) {
    return std::isnan(value) ? value : std::clamp(value, lowest, highest);
  };
  for (std::size_t start = 0; start < values.size(); start += n_points) {
    const std::span<double> row(values.data() + start, n_points);
    for (std::size_t point = 1; point < n_points; ++point) {
      if (std::isnan(row[point])) row[point] = clamped(row[point - 1] + steps[point]);
    }
    for (std::size_t point = n_points - 1; point > 0; --point) {
      if (std::isnan(row[point - 1])) row[point - 1] = clamped(row[point] - steps[point]);
    }
  }
  return values;
}

/// NaN stays.
double within(double value, const Interval& range) {
  if (value < range.low) return range.low;
  return value > range.high ? range.high : value;
}

}  // namespace

CurveBand curve_band(std::span<const double> given_replicates, std::int64_t n_replicates,
                     double confidence_level, std::span<const std::vector<RateTerm>> rates,
                     std::span<const Interval> ranges) {
  const detail::Arithmetic arithmetic;
  const auto given = detail::owned(given_replicates);  // whose NaN are counted
  if (n_replicates < 1 || given.size() % static_cast<std::size_t>(n_replicates) != 0) {
    throw_invalid("replicates", "must be of shape (n_replicates, n_points)");
  }
  check_confidence_level(confidence_level, Alternative::two_sided, n_replicates);
  const double tail = tail_probability({confidence_level, Alternative::two_sided});
  const auto rows = static_cast<std::size_t>(n_replicates);
  const std::size_t n_points = given.size() / rows;
  const std::vector<double> replicates = continued(given, n_points);
  if (!rates.empty() && rates.size() != n_points) throw_invalid("rates", "must be one per point");
  if (!ranges.empty() && ranges.size() != n_points)
    throw_invalid("ranges", "must be one per point");
  const double z = -normal_quantile(tail);
  CurveBand band;
  for (auto* values : {&band.estimates, &band.lows, &band.highs, &band.simultaneous_lows,
                       &band.simultaneous_highs}) {
    values->assign(n_points, kNaN);
  }
  std::vector<std::vector<double>> sorted(n_points);
  // How deep a replicate lies among all at the point where it lies the least deep: its rank from
  // the nearer end, as if all were defined.
  std::vector<double> depths(rows, kInfinity);
  for (std::size_t point = 0; point < n_points; ++point) {
    auto& values = sorted[point];
    const auto n_given = static_cast<std::int64_t>(defined_at(given, point, n_points).size());
    band.n_undefined.push_back(n_replicates - n_given);
    if (n_given == 0) continue;
    values = defined_at(replicates, point, n_points);
    const auto n = static_cast<std::int64_t>(values.size());
    band.estimates[point] = detail::rounded_mean(values);
    if (!ranges.empty()) band.estimates[point] = within(band.estimates[point], ranges[point]);
    std::sort(values.begin(), values.end());
    const auto at = [&](std::int64_t rank) {
      return values[static_cast<std::size_t>(std::clamp<std::int64_t>(rank, 1, n) - 1)];
    };
    band.lows[point] = at(rank_of(tail, n));
    band.highs[point] = at(rank_of(1.0 - tail, n));
    for (std::size_t b = 0; b < rows; ++b) {
      const double value = replicates[b * n_points + point];
      if (std::isnan(value)) continue;
      const auto up_to = std::upper_bound(values.begin(), values.end(), value) - values.begin();
      const auto from = values.end() - std::lower_bound(values.begin(), values.end(), value);
      const auto depth = static_cast<double>(std::min<std::ptrdiff_t>(up_to, from));
      depths[b] =
          std::min(depths[b], depth * static_cast<double>(n_replicates) / static_cast<double>(n));
    }
  }
  std::sort(depths.begin(), depths.end());
  // All but floor((1 - level) B) replicates are at least as deep as this one.
  const std::int64_t n_outside = n_replicates - rank_of(confidence_level, n_replicates);
  const double deep = depths[static_cast<std::size_t>(n_outside)];
  const double rank =
      std::max(1.0, std::min(deep, static_cast<double>(rank_of(tail, n_replicates))));
  for (std::size_t point = 0; point < n_points; ++point) {
    const auto& values = sorted[point];
    if (values.empty()) continue;
    const auto n = static_cast<std::int64_t>(values.size());
    const auto own = std::clamp<std::int64_t>(rank_of(rank / static_cast<double>(n_replicates), n),
                                              1, (n + 1) / 2);
    band.simultaneous_lows[point] = values[static_cast<std::size_t>(own - 1)];
    band.simultaneous_highs[point] = values[static_cast<std::size_t>(n - own)];
    if (rates.empty() || rates[point].empty()) continue;
    const Interval score = score_interval(band.estimates[point], rates[point], z);
    const Interval whole = score_interval(band.estimates[point], rates[point], z, Reach::curve);
    band.lows[point] = std::min(band.lows[point], score.low);
    band.highs[point] = std::max(band.highs[point], score.high);
    band.simultaneous_lows[point] =
        std::min({band.simultaneous_lows[point], band.lows[point], whole.low});
    band.simultaneous_highs[point] =
        std::max({band.simultaneous_highs[point], band.highs[point], whole.high});
  }
  for (auto* limits :
       {&band.lows, &band.highs, &band.simultaneous_lows, &band.simultaneous_highs}) {
    for (std::size_t point = 0; point < ranges.size(); ++point) {
      (*limits)[point] = within((*limits)[point], ranges[point]);
    }
  }
  return band;
}

}  // namespace bbc
