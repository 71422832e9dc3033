#pragma once

#include <bit>
#include <cstdint>

namespace bbc::detail {

/// An unevaluated sum of two doubles, about 106 significant bits (Dekker 1971; Knuth, TAOCP 2,
/// 4.2.2). Sums of ratios of counts are kept so until they are rounded once: equal rational
/// numbers then give equal doubles, and ties are found whatever the order of the terms.
struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;

  [[nodiscard]] double rounded() const { return high + low; }
};

/// The upper 26 significant bits: times an integer below 2^26 both halves stay exact.
inline double upper_half(double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~std::uint64_t{0x7FFFFFF});
}

inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

inline DoubleDouble two_product(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1.0;
  const double a_scaled = kSplit * a;
  const double a_high = a_scaled - (a_scaled - a);
  const double a_low = a - a_high;
  const double b_scaled = kSplit * b;
  const double b_high = b_scaled - (b_scaled - b);
  const double b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// The same where a is a whole number of at most 26 bits, in half the operations.
inline DoubleDouble whole_product(double a, double b) {
  const double b_high = upper_half(b);
  const double of_high = a * b_high;
  const double of_low = a * (b - b_high);
  const double product = of_high + of_low;
  return {product, of_low - (product - of_high)};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = two_sum(a.high, b.high);
  return two_sum(sum.high, sum.low + (a.low + b.low));
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + DoubleDouble{-b.high, -b.low};
}

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble numerator, double denominator) {
  const double quotient = numerator.high / denominator;
  const DoubleDouble product = two_product(quotient, denominator);
  const double rest = ((numerator.high - product.high) - product.low) + numerator.low;
  return two_sum(quotient, rest / denominator);
}

inline DoubleDouble operator/(DoubleDouble numerator, DoubleDouble denominator) {
  const double quotient = numerator.high / denominator.high;
  const DoubleDouble rest = numerator - DoubleDouble{quotient} * denominator;
  return two_sum(quotient, rest.high / denominator.high);
}

/// The ratio of two exact numbers.
inline DoubleDouble ratio(double numerator, double denominator) {
  return DoubleDouble{numerator, 0.0} / denominator;
}

inline DoubleDouble ratio(DoubleDouble numerator, DoubleDouble denominator) {
  return numerator / denominator;
}

inline DoubleDouble squared(DoubleDouble a) {
  const DoubleDouble square = two_product(a.high, a.high);
  return two_sum(square.high, square.low + 2.0 * a.high * a.low);
}

}  // namespace bbc::detail
