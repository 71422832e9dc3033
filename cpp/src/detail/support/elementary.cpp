// Logarithm and exponential function in two steps (Ziv 1991): first in double-double arithmetic,
// after a reduction by tables (Tang 1989, 1990), with an error bound that decides the rounding all
// but about once in 2^14 times; then with 256 bits. No double is closer to a half-way case than
// these can tell (Lefèvre & Muller 2001 found the closest).
#include "detail/support/elementary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "detail/support/arithmetic.hpp"
#include "detail/support/compiler.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/fixed_point.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

/// A sum of two doubles, the first of them with few digits.
struct Parts {
  double high;
  double low;
};

/// The multiple of 1 / steps below the value, and the rest.
constexpr Parts split(const FixedPoint& value, double steps) {
  const auto whole = static_cast<std::int64_t>(value.rounded() * steps);
  const double high = static_cast<double>(whole) / steps;
  return {high, (value - FixedPoint(high)).rounded()};
}

/// The upper 26 bits: products of two such numbers are exact.
double upper(double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~std::uint64_t{0x7FFFFFF});
}

/// a + b where a is zero or the larger one.
DoubleDouble quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// Both ends of the interval round to the same number.
bool is_decided(DoubleDouble value, double error) {
  return value.high + (value.low - error) == value.high + (value.low + error);
}

// ----------------------------------------------------------------------------------- tables

constexpr int kLogEntries = 256;
constexpr int kWhole = 2 * kLogEntries;
constexpr double kLogSteps = 0x1p42;  // eleven more bits, those of an exponent, fit into a double

/// log((k + 1) / k) = 2 atanh(1 / (2k + 1)).
constexpr FixedPoint log_of_step(std::uint32_t k) {
  const std::uint32_t odd = 2 * k + 1;
  FixedPoint power = FixedPoint(2.0) / odd;
  FixedPoint sum;
  for (std::uint32_t n = 1; power != FixedPoint(); n += 2) {
    sum = sum + power / n;
    power = power / (odd * odd);
  }
  return sum;
}

/// log(512 / k) at k - 256.
using WholeLogs = std::array<FixedPoint, kWhole - kLogEntries + 1>;

constexpr WholeLogs make_whole_logs() {
  WholeLogs logs;
  for (int i = kLogEntries - 1; i >= 0; --i) {
    logs[i] = logs[i + 1] + log_of_step(static_cast<std::uint32_t>(kLogEntries + i));
  }
  return logs;
}

constexpr WholeLogs kWholeLogs = make_whole_logs();
constexpr FixedPoint kLogOfTwo = kWholeLogs[0];
constexpr Parts kLogOfTwoParts = split(kLogOfTwo, kLogSteps);

struct LogTable {
  std::array<double, kLogEntries> reciprocal{};  // of about the middle of an interval
  std::array<Parts, kLogEntries> log{};          // of the reciprocal's reciprocal
};

/// Interval i holds [1 + i/256, 1 + (i + 1)/256). From kHalved on, about the square root of two,
/// numbers are halved, so that logarithms of numbers near 1 are small on both sides.
constexpr int kHalved = 106;

constexpr LogTable make_log_table() {
  LogTable table;
  for (int i = 0; i < kLogEntries; ++i) {
    const double middle = 1.0 + (i + 0.5) / kLogEntries;
    const int k = i == 0 ? kWhole : static_cast<int>(kWhole / middle + 0.5);
    table.reciprocal[i] = static_cast<double>(k) / kWhole;
    const FixedPoint& log = kWholeLogs[k - kLogEntries];
    table.log[i] = split(i < kHalved ? log : log - kLogOfTwo, kLogSteps);
  }
  return table;
}

constexpr LogTable kLog = make_log_table();

/// By Taylor's series, for |x| < 1/2.
constexpr FixedPoint exp_of_small(const FixedPoint& x) {
  constexpr int kTerms = 52;  // 2^-52 / 52! is beyond the last bit
  const FixedPoint one(1.0);
  FixedPoint sum = one;
  for (std::uint32_t n = kTerms; n > 0; --n) sum = one + x * sum / n;
  return sum;
}

constexpr int kExpEntries = 64;
constexpr double kExpSteps = 0x1p42;

struct ExpTable {
  std::array<DoubleDouble, kExpEntries> power{};  // 2^(i / 64)
  double step[3] = {};                            // log(2) / 64 in three parts, two of 36 bits
};

constexpr ExpTable make_exp_table() {
  ExpTable table;
  const FixedPoint step = kLogOfTwo / kExpEntries;
  const FixedPoint factor = exp_of_small(step);
  FixedPoint power(1.0);
  for (DoubleDouble& entry : table.power) {
    entry.high = power.rounded();
    entry.low = (power - FixedPoint(entry.high)).rounded();
    power = power * factor;
  }
  const Parts first = split(step, kExpSteps);
  const FixedPoint rest = step - FixedPoint(first.high);
  const Parts second = split(rest, kExpSteps * 0x1p36);
  table.step[0] = first.high;
  table.step[1] = second.high;
  table.step[2] = second.low;
  return table;
}

constexpr ExpTable kExp = make_exp_table();

// ------------------------------------------------------------------------------ exponential

/// exp(x) / 2^power, to about 2^-250; the power is that next to x / log(2).
FixedPoint exp_over(int power, const FixedPoint& x) {
  return exp_of_small(x - kLogOfTwo * FixedPoint(static_cast<double>(power)));
}

BBC_NEVER_INLINE double careful_exp(double x) {
  const auto power = static_cast<int>(std::nearbyint(x / std::numbers::ln2));
  return exp_over(power, FixedPoint(x)).rounded(power);
}

// ------------------------------------------------------------------------------- logarithm

/// 2^power (value.high + value.low), the value being from 1 to 2.
struct Scaled {
  DoubleDouble value;
  int power;
};

/// A positive number; one below the normal numbers has been scaled up by 2^-shift.
Scaled scaled(DoubleDouble x, int shift) {
  const auto bits = std::bit_cast<std::uint64_t>(x.high);
  const int power = static_cast<int>(bits >> 52) - 1023;
  constexpr std::uint64_t kOne = std::uint64_t{1023} << 52;
  const auto high = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | kOne);
  const double low = x.low == 0.0 ? 0.0 : x.low * power_of_two(-power);
  return {{high, low}, power + shift};
}

/// log(x) from an approximation y, by log(x) = y + log(x exp(-y)).
BBC_NEVER_INLINE double careful_log(const Scaled& x, DoubleDouble approximation) {
  const FixedPoint y = FixedPoint(approximation.high) + FixedPoint(approximation.low);
  const FixedPoint value = FixedPoint(x.value.high) + FixedPoint(x.value.low);
  const auto power = static_cast<int>(std::nearbyint(approximation.high / std::numbers::ln2));
  const FixedPoint inverse = exp_over(-power, -y);
  // The powers differ by one where the value is more than the square root of two.
  const FixedPoint ratio = power == x.power ? value * inverse : value * inverse / 2;
  const FixedPoint d = ratio - FixedPoint(1.0);  // below 2^-64
  return (y + d - d * d / 2 + d * d * d / 3).rounded();
}

BBC_ALWAYS_INLINE double log_of(const Scaled& x) {
  const auto i = static_cast<int>(std::bit_cast<std::uint64_t>(x.value.high) >> 44 & 255);
  const double power = x.power + static_cast<int>(i >= kHalved);
  const double reciprocal = kLog.reciprocal[i];
  // x = 2^power (1 + z) / reciprocal; nine bits times the upper 26 and the lower 27, all exact.
  const double of_upper = upper(x.value.high);
  DoubleDouble z;
  z.high = (reciprocal * of_upper - 1.0) + reciprocal * (x.value.high - of_upper);
  if (x.value.low != 0.0) z = two_sum(z.high, reciprocal * x.value.low);
  // log(1 + z) = z - z^2 / 2 + ..., with all digits of the first two terms.
  const double first = upper(z.high);
  const double square = first * first;
  const double rest = (z.high - first) * (z.high + first);
  const double w = z.high;
  const double cubes =
      w * w * w *
      (1.0 / 3 +
       w * (-1.0 / 4 +
            w * (1.0 / 5 + w * (-1.0 / 6 + w * (1.0 / 7 + w * (-1.0 / 8 + w * (1.0 / 9)))))));
  const double table = power * kLogOfTwoParts.high + kLog.log[i].high;  // exact
  const DoubleDouble sum = two_sum(table, w);
  const DoubleDouble next = quick_sum(sum.high, -0.5 * square);
  const double low = (cubes - 0.5 * rest) + z.low * (1.0 - w) +
                     (power * kLogOfTwoParts.low + kLog.log[i].low) + (sum.low + next.low);
  const DoubleDouble result = quick_sum(next.high, low);
  // Of the cubes, which are below w^2 / 2^8 / 3, and of all that is small.
  const double error = square * 0x1p-58 + std::fabs(result.high) * 0x1p-86;
  return is_decided(result, error) ? result.high + result.low : careful_log(x, result);
}

BBC_NEVER_INLINE double log_of_subnormal(double x) {
  return log_of(scaled({x * 0x1p54, 0.0}, -54));
}

}  // namespace

double log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -kInfinity : kNaN;
  if (x == kInfinity || x == 1.0) return x == 1.0 ? 0.0 : x;
  if (x < std::numeric_limits<double>::min()) return log_of_subnormal(x);
  return log_of(scaled({x, 0.0}, 0));
}

double log1p(double x) {
  if (!(x > -1.0)) return x == -1.0 ? -kInfinity : kNaN;
  if (x == kInfinity) return x;
  if (std::fabs(x) < 0x1p-54) return x;  // less x^2 / 2, which is below a quarter unit
  return log_of(scaled(two_sum(1.0, x), 0));
}

double exp(double x) {
  if (!(x >= -746.0)) return x < 0.0 ? 0.0 : x;
  if (x > 710.0) return kInfinity;
  if (std::fabs(x) < 0x1p-54) return 1.0;
  if (x < -708.0 || x > 709.0) return careful_exp(x);
  // x = k log(2) / 64 + r: the first product and difference are exact, and so is the second
  // product.
  constexpr double kPerStep = kExpEntries / std::numbers::ln2;
  constexpr double kRound = 0x1.8p52;  // numbers of this size are whole
  const double steps = (x * kPerStep + kRound) - kRound;
  const auto k = static_cast<int>(steps);
  DoubleDouble r = two_sum(x - steps * kExp.step[0], -steps * kExp.step[1]);
  r.low -= steps * kExp.step[2];
  const double w = r.high;
  const double first = upper(w);
  const double square = first * first;
  const double rest = (w - first) * (w + first);
  const double cubes =
      w * w * w *
      (1.0 / 6 +
       w * (1.0 / 24 + w * (1.0 / 120 + w * (1.0 / 720 + w * (1.0 / 5040 + w * (1.0 / 40320))))));
  DoubleDouble less_one = two_sum(w, 0.5 * square);  // of exp(r)
  less_one.low += (cubes + 0.5 * rest) + r.low * (1.0 + w);
  const DoubleDouble power = kExp.power[k & (kExpEntries - 1)];
  const DoubleDouble product = two_product(power.high, less_one.high);
  const DoubleDouble sum = two_sum(power.high, product.high);
  const double low =
      sum.low +
      (product.low + (power.high * less_one.low + (power.low * less_one.high + power.low)));
  const DoubleDouble result = quick_sum(sum.high, low);
  if (!is_decided(result, 0x1p-71)) return careful_exp(x);
  const auto bits = std::bit_cast<std::uint64_t>(result.high + result.low);
  const auto exponent = static_cast<std::uint64_t>(static_cast<std::int64_t>(k >> 6)) << 52;
  return std::bit_cast<double>(bits + exponent);
}

}  // namespace bbc::detail
