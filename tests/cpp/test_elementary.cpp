// Logarithms and exponentials: special values, order, and results that are known exactly. That all
// are correctly rounded is tested against decimal arithmetic (tests/contract/test_elementary.py).
#include <cmath>
#include <limits>
#include <string>

#include "check.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/values.hpp"

namespace {

using bbc::kInfinity;
using bbc::kNaN;
using bbc::detail::exp;
using bbc::detail::log;
using bbc::detail::log1p;

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

void special_values() {
  CHECK(log(0.0) == -kInfinity && log(-0.0) == -kInfinity && log(kInfinity) == kInfinity);
  CHECK(std::isnan(log(-1.0)) && std::isnan(log(kNaN)) && std::isnan(log(-kInfinity)));
  CHECK(log(1.0) == 0.0 && !std::signbit(log(1.0)));
  CHECK(log(kSmallest) == -0x1.74385446d71c3p+9);
  CHECK(log(kLargest) == 0x1.62e42fefa39efp+9);
  CHECK(log1p(-1.0) == -kInfinity && log1p(kInfinity) == kInfinity);
  CHECK(std::isnan(log1p(-1.5)) && std::isnan(log1p(kNaN)));
  CHECK(log1p(0.0) == 0.0 && !std::signbit(log1p(0.0)) && std::signbit(log1p(-0.0)));
  CHECK(log1p(kSmallest) == kSmallest && log1p(-kSmallest) == -kSmallest);
  CHECK(log1p(kLargest) == log(kLargest));
  CHECK(exp(0.0) == 1.0 && exp(-0.0) == 1.0 && exp(kSmallest) == 1.0);
  CHECK(exp(kInfinity) == kInfinity && exp(-kInfinity) == 0.0 && std::isnan(exp(kNaN)));
  CHECK(exp(-kLargest) == 0.0 && exp(kLargest) == kInfinity);
}

/// The last arguments whose results are finite, and not zero.
void ends() {
  CHECK(exp(0x1.62e42fefa39efp+9) < kInfinity);
  CHECK(exp(std::nextafter(0x1.62e42fefa39efp+9, kInfinity)) == kInfinity);
  CHECK(exp(-0x1.74910d52d3051p+9) == kSmallest);
  CHECK(exp(std::nextafter(-0x1.74910d52d3051p+9, -kInfinity)) == 0.0);
}

/// A correctly rounded function is monotone, also between the intervals of its tables.
void order() {
  for (int i = 1; i < 600; ++i) {
    double x = i / 256.0;
    for (int step = 0; step < 8; ++step) x = std::nextafter(x, 0.0);
    for (int step = 0; step < 16; ++step) {
      const double next = std::nextafter(x, kInfinity);
      CHECK_FOR(log(x) <= log(next), std::to_string(i));
      CHECK_FOR(log1p(x) <= log1p(next), std::to_string(i));
      CHECK_FOR(exp(x) <= exp(next) && exp(-x) >= exp(-next), std::to_string(i));
      x = next;
    }
  }
}

void powers_of_two() {
  for (int power = -1074; power < 1024; ++power) {
    const double x = std::ldexp(1.0, power);
    CHECK_FOR(std::fabs(log(x) - power * 0x1.62e42fefa39efp-1) <= std::fabs(power) * 0x1p-52,
              std::to_string(power));
    CHECK_FOR(std::fabs(exp(log(x)) / x - 1.0) < 0x1p-42 || power < -1000, std::to_string(power));
  }
}

}  // namespace

int main() {
  special_values();
  ends();
  order();
  powers_of_two();
  return check::report();
}
