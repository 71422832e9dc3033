#pragma once

#include <algorithm>
#include <span>

namespace bbc::detail {

/// Whether all values are the same, so that they have no spread whatever the rounding of the mean.
inline bool constant(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

}  // namespace bbc::detail
