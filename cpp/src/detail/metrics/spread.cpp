#include "detail/metrics/spread.hpp"

#include <algorithm>
#include <cmath>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

Spread::Spread(std::span<const double> values, std::span<const double> row_weights) {
  constexpr double kSmall = 1e-100;
  constexpr double kLarge = 1e100;
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  if (largest > 0.0 && (largest < kSmall || largest > kLarge)) {
    unit = std::ldexp(1.0, std::min(-std::ilogb(largest), 1023));
  }
  const auto weight = [&](std::size_t row) { return row_weights.empty() ? 1.0 : row_weights[row]; };
  // Relative to the first row that counts, so that a constant has no variance at all.
  double origin = 0.0;
  double sum = 0.0;
  double mean = 0.0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!(weight(row) > 0.0)) continue;
    if (sum == 0.0) origin = unit * values[row];
    sum += weight(row);
    mean += weight(row) * (unit * values[row] - origin);
  }
  if (!(sum > 0.0)) return;
  mean /= sum;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double difference = (unit * values[row] - origin) - mean;
    variance += weight(row) * (difference * difference);
  }
  variance /= sum;
}

bool has_spread(const Metric& metric) {
  const auto* moments = std::get_if<metric::Moments>(&metric.kind);
  return moments != nullptr && moments->formula == metric::Moments::Formula::r2;
}

}  // namespace bbc::detail
