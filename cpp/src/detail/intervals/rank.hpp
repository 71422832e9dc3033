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

}  // namespace bbc::detail
