#pragma once

#include <bit>
#include <cstdint>

namespace bbc::detail {

/// 2^power for a normal result.
constexpr double power_of_two(int power) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
}

/// A number below 2^31 with 256 bits after the binary point, by schoolbook arithmetic; what lies
/// beyond the last bit is dropped. Where doubles do not suffice, and at compile time.
class FixedPoint {
 public:
  constexpr FixedPoint() = default;
  /// The exact value but for bits beyond the last.
  constexpr explicit FixedPoint(double value) {
    constexpr std::uint64_t kMantissa = (std::uint64_t{1} << 52) - 1;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> 52 & 2047);
    if (exponent == 0) return;  // zero, or far beyond the last bit
    const std::uint64_t mantissa = (bits & kMantissa) | (kMantissa + 1);
    for (int i = 0; i < kLimbs; ++i) {
      const int shift = exponent - 1075 + kFraction - kBits * i;
      if (shift >= kBits || shift <= -64) continue;
      limb_[i] = static_cast<std::uint32_t>(shift >= 0 ? mantissa << shift : mantissa >> -shift);
    }
    if (value < 0.0) *this = -*this;
  }

  [[nodiscard]] constexpr bool is_negative() const { return limb_[kLimbs - 1] >> 31 != 0; }

  constexpr FixedPoint operator-() const {
    FixedPoint result;
    std::uint64_t carry = 1;
    for (int i = 0; i < kLimbs; ++i) {
      carry += static_cast<std::uint32_t>(~limb_[i]);
      result.limb_[i] = static_cast<std::uint32_t>(carry);
      carry >>= kBits;
    }
    return result;
  }

  constexpr FixedPoint operator+(const FixedPoint& other) const {
    FixedPoint sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < kLimbs; ++i) {
      carry += std::uint64_t{limb_[i]} + other.limb_[i];
      sum.limb_[i] = static_cast<std::uint32_t>(carry);
      carry >>= kBits;
    }
    return sum;
  }

  constexpr FixedPoint operator-(const FixedPoint& other) const { return *this + -other; }

  constexpr FixedPoint operator*(const FixedPoint& other) const {
    const FixedPoint a = magnitude();
    const FixedPoint b = other.magnitude();
    std::uint32_t product[2 * kLimbs] = {};
    for (int i = 0; i < kLimbs; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < kLimbs; ++j) {
        carry += product[i + j] + std::uint64_t{a.limb_[i]} * b.limb_[j];
        product[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= kBits;
      }
      product[i + kLimbs] = static_cast<std::uint32_t>(carry);
    }
    FixedPoint result;
    for (int i = 0; i < kLimbs; ++i) result.limb_[i] = product[i + kLimbs - 1];
    return is_negative() != other.is_negative() ? -result : result;
  }

  constexpr FixedPoint operator/(std::uint32_t divisor) const {
    const FixedPoint dividend = magnitude();
    FixedPoint quotient;
    std::uint64_t rest = 0;
    for (int i = kLimbs - 1; i >= 0; --i) {
      rest = rest << kBits | dividend.limb_[i];
      quotient.limb_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    return is_negative() ? -quotient : quotient;
  }

  constexpr bool operator==(const FixedPoint& other) const = default;

  /// The double nearest to this number times 2^power; half-way cases, which no irrational number
  /// is, go away from zero.
  [[nodiscard]] constexpr double rounded(int power = 0) const {
    const FixedPoint size = magnitude();
    int limb = kLimbs - 1;
    while (limb > 0 && size.limb_[limb] == 0) --limb;
    const int top = limb * kBits + std::bit_width(size.limb_[limb]) - 1;
    if (top < 0) return 0.0;
    const int unit = power - kFraction;  // the exponent of the last bit
    const int last = top + unit - 52 < -1074 ? -1074 - unit : top - 52;
    std::uint64_t mantissa = size.bits_from(last);
    if (last > 0) mantissa += size.bits_from(last - 1) & 1;
    // A product of two powers of two: one alone may not be a normal number.
    const int half = (last + unit) / 2;
    const double result =
        static_cast<double>(mantissa) * power_of_two(half) * power_of_two(last + unit - half);
    return is_negative() ? -result : result;
  }

 private:
  static constexpr int kBits = 32;
  static constexpr int kLimbs = 9;
  static constexpr int kFraction = (kLimbs - 1) * kBits;

  [[nodiscard]] constexpr FixedPoint magnitude() const { return is_negative() ? -*this : *this; }

  /// The 64 bits from this place up; there are zeros on both sides.
  [[nodiscard]] constexpr std::uint64_t bits_from(int place) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < kLimbs; ++i) {
      const int shift = kBits * i - place;
      if (shift >= 64 || shift <= -kBits) continue;
      bits |= shift >= 0 ? std::uint64_t{limb_[i]} << shift : std::uint64_t{limb_[i]} >> -shift;
    }
    return bits;
  }

  std::uint32_t limb_[kLimbs] = {};  // two's complement, the lowest first
};

}  // namespace bbc::detail
