#include <array>
#include <cmath>
#include <numbers>

#include "detail/support/arithmetic.hpp"
#include "detail/support/double_double.hpp"
#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

constexpr double kSmall = 0.5;

/// Taylor's series of erf.
double erf_of_small(double x) {
  constexpr int kTerms = 14;
  double power = 1.0;
  double sum = 1.0;
  for (int n = 1; n < kTerms; ++n) {
    power *= -x * x / n;
    sum += power / (2 * n + 1);
  }
  return 2.0 * std::numbers::inv_sqrtpi * x * sum;
}

constexpr double kStep = 0.5;

/// exp(-(n step)^2) from n = 1 on, as far as it counts beside 1.
using Bell = std::array<double, 12>;

Bell make_bell() {
  Bell bell;
  for (std::size_t i = 0; i < bell.size(); ++i) {
    const double t = kStep * static_cast<double>(i + 1);
    bell[i] = exp(-t * t);
  }
  return bell;
}

/// The trapezoidal rule for erfc(x) = 2 x / pi exp(-x^2) times the integral of exp(-t^2) / (t^2 +
/// x^2) over t > 0, less the residue at the pole t = i x (Hunter & Regan 1972). For x >= 1/2.
double erfc_of_large(double x) {
  if (x > 27.5) return 0.0;
  static const Bell bell = make_bell();
  double sum = 0.5 / (x * x);
  for (std::size_t i = 0; i < bell.size(); ++i) {
    const double t = kStep * static_cast<double>(i + 1);
    sum += bell[i] / (t * t + x * x);
  }
  const DoubleDouble square = two_product(x, x);
  const double of_square = exp(-square.high);  // less what the square was rounded by
  const double integral = 2.0 * kStep * std::numbers::inv_pi * x * sum;
  const double rule = (of_square - of_square * square.low) * integral;
  const double pole = std::numbers::pi / kStep;
  return x < pole ? rule - 2.0 / (exp(2.0 * pole * x) - 1.0) : rule;
}

}  // namespace

double erf(double x) {
  if (std::fabs(x) <= kSmall) return erf_of_small(x);
  return std::copysign(1.0 - erfc_of_large(std::fabs(x)), x);
}

double erfc(double x) {
  if (std::fabs(x) <= kSmall) return 1.0 - erf_of_small(x);
  return x > 0.0 ? erfc_of_large(x) : 2.0 - erfc_of_large(-x);
}

}  // namespace bbc::detail
