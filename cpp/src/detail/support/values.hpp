#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace bbc {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace bbc

namespace bbc::detail {

/// Whether all values are the same, so that they have no spread whatever the rounding of the mean.
inline bool constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

/// Sorts values and keeps each once.
template <class T>
void sort_distinct(std::vector<T>& values) {
  std::ranges::sort(values);
  const auto rest = std::ranges::unique(values);
  values.erase(rest.begin(), rest.end());
}

/// A copy of the caller's memory, which another thread or process may write to during the call:
/// what was checked once is what is used.
template <class T>
[[nodiscard]] std::vector<T> owned(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace bbc::detail
