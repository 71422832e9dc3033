#pragma once

#include <numbers>

namespace bbc::detail {

// Functions of the C library differ in the last bit from one library, version and processor to the
// next. These are made of basic operations, which IEEE 754 defines to the bit.

/// Correctly rounded natural logarithm.
[[nodiscard]] double log(double x);

/// Correctly rounded logarithm of 1 + x.
[[nodiscard]] double log1p(double x);

/// Correctly rounded exponential function.
[[nodiscard]] double exp(double x);

/// The error function, to a few units in the last place.
[[nodiscard]] double erf(double x);

/// 1 - erf(x), to a few units in the last place also where it is small.
[[nodiscard]] double erfc(double x);

/// The normal distribution function.
[[nodiscard]] inline double normal_cdf(double z) { return 0.5 * erfc(-z / std::numbers::sqrt2); }

}  // namespace bbc::detail
