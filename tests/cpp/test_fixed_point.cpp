// Numbers with 256 bits after the point: exact where the bits suffice.
#include <limits>

#include "check.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/fixed_point.hpp"

namespace {

using bbc::detail::FixedPoint;

constexpr double kTiny = 0x1p-256;

void numbers_come_back() {
  for (const double value : {0.0, 1.0, -1.0, 0.1, -0.1, 745.25, 0x1.fffffffffffffp+30, 0x1p-200,
                             -0x1.123456789abcdp-190, kTiny, -kTiny}) {
    CHECK(FixedPoint(value).rounded() == value);
    CHECK(FixedPoint(value).is_negative() == (value < 0.0));
  }
  CHECK(FixedPoint(0.75 * kTiny).rounded() == 0.0);
}

void arithmetic_is_exact() {
  const FixedPoint a(0x1.123456789abcdp-3);
  const FixedPoint b(-0x1.fedcba9876543p+5);
  CHECK(a + b == b + a && a - b == -(b - a) && (a + b) - b == a);
  CHECK(a * b == b * a && a * -b == -(a * b) && -a * -b == a * b);
  // All 106 bits of a product: what its head leaves out is the rest.
  const double head = (a * b).rounded();
  const auto [product, rest] =
      bbc::detail::two_product(0x1.123456789abcdp-3, -0x1.fedcba9876543p+5);
  CHECK(head == product && (a * b - FixedPoint(head)).rounded() == rest);
  CHECK((FixedPoint(1.0) / 3 + FixedPoint(1.0) / 3 + FixedPoint(1.0) / 3 + FixedPoint(kTiny)) ==
        FixedPoint(1.0));
  CHECK((FixedPoint(-7.0) / 2).rounded() == -3.5);
}

void rounding_is_to_nearest() {
  const FixedPoint one(1.0);
  CHECK((one + FixedPoint(0x1p-53) - FixedPoint(kTiny)).rounded() == 1.0);
  CHECK((one + FixedPoint(0x1p-53) + FixedPoint(kTiny)).rounded() == 1.0 + 0x1p-52);
  CHECK((FixedPoint(2.0) - FixedPoint(kTiny)).rounded() == 2.0);
  CHECK((-one - FixedPoint(0x1p-53) - FixedPoint(kTiny)).rounded() == -1.0 - 0x1p-52);
}

void powers_scale() {
  const FixedPoint one(1.0);
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  CHECK(FixedPoint(1.5).rounded(1023) == 0x1.8p1023);
  CHECK(FixedPoint(1.5).rounded(1024) == std::numeric_limits<double>::infinity());
  // Rounded once: 1.5 units and a bit are two, half a unit less a bit is none.
  CHECK((FixedPoint(1.5) + FixedPoint(kTiny)).rounded(-1074) == 2.0 * kSmallest);
  CHECK((FixedPoint(0.5) - FixedPoint(kTiny)).rounded(-1074) == 0.0);
  CHECK((FixedPoint(0.5) + FixedPoint(kTiny)).rounded(-1074) == kSmallest);
  CHECK((one + FixedPoint(0x1p-53)).rounded(-1023) == 0x1p-1023);
}

}  // namespace

int main() {
  numbers_come_back();
  arithmetic_is_exact();
  rounding_is_to_nearest();
  powers_scale();
  return check::report();
}
