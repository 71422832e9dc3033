#pragma once

#include <cmath>
#include <cstdint>

namespace bbc::detail {

/// Nine decimals are kept: 1 - 0.95 in floating point must not move to the next order statistic.
inline double to_nine_decimals(double value) { return std::nearbyint(value * 1e9) / 1e9; }

/// 1-based rank of the q quantile among n.
inline std::int64_t rank_of(double q, std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(to_nine_decimals(q * static_cast<double>(n))));
}

/// Wilson's lower limit of k successes in n > 0. The upper one is its mirror image.
inline double wilson_low(double k, double n, double z) {
  const double half = z * std::sqrt(z * z / 4.0 + k * (n - k) / n);
  const double centre = k + z * z / 2.0;
  // The product of both limits is k^2 / (n (n + z^2)): no difference of near equals.
  return half > 0.0 ? k * k / n / (centre + half) : (centre - half) / (n + z * z);
}

/// Newcombe's (2006, method 5) lower limit of an AUC of m events and n others. The upper one is its
/// mirror image.
double newcombe_low(double auc, double m, double n, double z);

}  // namespace bbc::detail
