#pragma once

namespace bbc::detail {

// Functions of the C library differ in the last bit from one library, version and processor to the
// next. These are made of basic operations, which IEEE 754 defines to the bit.

/// Correctly rounded natural logarithm.
[[nodiscard]] double log(double x);

/// Correctly rounded logarithm of 1 + x.
[[nodiscard]] double log1p(double x);

/// Correctly rounded exponential function.
[[nodiscard]] double exp(double x);

}  // namespace bbc::detail
