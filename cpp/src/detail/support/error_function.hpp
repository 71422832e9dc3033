#pragma once

#include <numbers>

namespace bbc::detail {

/// The error function, to a few units in the last place, by basic operations: see elementary.hpp.
[[nodiscard]] double erf(double x);

/// 1 - erf(x), to a few units in the last place also where it is small.
[[nodiscard]] double erfc(double x);

/// The normal distribution function.
[[nodiscard]] inline double normal_cdf(double z) { return 0.5 * erfc(-z / std::numbers::sqrt2); }

}  // namespace bbc::detail
