#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"

namespace bbc {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMostSteps = 400;

void check_probability(double p) {
  if (!(p > 0.0 && p < 1.0)) {
    throw_invalid("p", "a quantile needs a probability between 0 and 1, not " + std::to_string(p));
  }
}

void check_positive(double value, const char* name) {
  if (!(value > 0.0 && std::isfinite(value))) {
    throw_invalid(name, "must be positive and finite, not " + std::to_string(value));
  }
}

/// log(Gamma(x + 1)) less Stirling's approximation: small, so that it keeps its digits where the
/// gamma functions themselves would lose them in a difference.
double stirling_error(double x) {
  double nearer = 0.0;  // the differences from x up to where the series holds
  while (x < 16.0) {
    nearer += (x + 0.5) * detail::log1p(1.0 / x) - 1.0;
    x += 1.0;
  }
  const double y = 1.0 / (x * x);
  const double series =
      1.0 / 12 - y * (1.0 / 360 -
                      y * (1.0 / 1260 -
                           y * (1.0 / 1680 - y * (1.0 / 1188 - y * (691.0 / 360360 - y / 156.0)))));
  return series / x + nearer;
}

/// x log(x / mean) + mean - x, given the difference x - mean, without its cancellation near zero.
double deviance(double x, double mean, double difference) {
  const double d = difference / (x + mean);
  if (std::abs(d) >= 0.1) return x * detail::log(x / mean) - difference;
  // log(x / mean) = 2 atanh(d), and the difference is d (x + mean).
  double sum = d * difference;
  double power = 2.0 * x * d;
  for (int k = 3; k < kMostSteps; k += 2) {
    power *= d * d;
    const double next = sum + power / k;
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

/// x^a y^b / B(a, b) with y = 1 - x and the difference a y - b x, by the saddle-point form of the
/// binomial density.
double beta_power(double x, double y, double a, double b, double difference) {
  const double n = a + b;
  const double exponent = stirling_error(n) - stirling_error(a) - stirling_error(b) -
                          deviance(a, n * x, difference) - deviance(b, n * y, -difference);
  return std::sqrt(a * b / (2.0 * std::numbers::pi * n)) * detail::exp(exponent);
}

struct Tails {
  double lower;
  double upper;
  double power;  ///< x^a y^b / B(a, b), for Newton's step
};

/// The even part of the continued fraction of the incomplete beta function (DLMF 8.17.22), by
/// Lentz's method. Written in the difference a y - b x it has no cancelling terms.
double beta_fraction(double x, double y, double a, double b, double difference) {
  double f = (1.0 + difference) / (a + 1.0);
  double c = f;
  double d = 0.0;
  for (int m = 1; m < 100'000; ++m) {
    const double k = a + 2.0 * m;
    const double even = m * (b - m) * x / ((k - 1.0) * k);
    const double numerator = even * (a + m - 1.0) * (a + b + m - 1.0) * x / ((k - 2.0) * (k - 1.0));
    const double odd = (a + m) * (1.0 + difference + m * y) + m * (1.0 + 2.0 * a + 3.0 * m);
    const double denominator = even + odd / (k * (k + 1.0));
    d = 1.0 / (denominator + numerator * d);
    c = denominator + numerator / c;
    f *= c * d;
    if (std::abs(c * d - 1.0) <= kEpsilon) break;
  }
  return 1.0 / f;
}

/// Both tails at x, given y = 1 - x separately so that neither end loses digits.
Tails beta_tails(double x, double y, double a, double b) {
  const double difference = x <= y ? a - (a + b) * x : (a + b) * y - b;
  const double power = beta_power(x, y, a, b, difference);
  if (x < (a + 1.0) / (a + b + 2.0)) {
    const double lower = power / a * beta_fraction(x, y, a, b, difference);
    return {lower, 1.0 - lower, power};
  }
  const double upper = power / b * beta_fraction(y, x, b, a, -difference);
  return {1.0 - upper, upper, power};
}

struct BetaPoint {
  double x;
  double complement;
};

/// The x <= 1/2 whose smaller tail is the one asked for: Newton on log tail against log x, kept
/// inside a shrinking bracket.
double solve_beta(double lower, double upper, double a, double b) {
  double low = 0.0;
  double high = 0.5;
  double x = std::min(0.5, a / (a + b));
  for (int step = 0; step < kMostSteps; ++step) {
    const Tails at = beta_tails(x, 1.0 - x, a, b);
    const bool by_lower = lower <= upper;
    const double excess = by_lower ? detail::log(at.lower / lower)
                                   : -detail::log(at.upper / upper);  // > 0: x too large
    if (excess > 0.0) {
      high = x;
    } else {
      low = x;
    }
    const double slope = at.power / (1.0 - x) / (by_lower ? at.lower : at.upper);
    double next = x * detail::exp(-excess / slope);
    if (!(next > low && next < high)) next = low > 0.0 ? std::sqrt(low * high) : high / 16.0;
    if (next < std::numeric_limits<double>::min()) return 0.0;
    if (std::abs(next - x) <= kEpsilon * x) return next;
    x = next;
  }
  return x;
}

BetaPoint beta_point(double lower, double upper, double a, double b) {
  const Tails middle = beta_tails(0.5, 0.5, a, b);
  const bool left = lower <= upper ? middle.lower >= lower : middle.upper <= upper;
  if (left) {
    const double x = solve_beta(lower, upper, a, b);
    return {x, 1.0 - x};
  }
  const double y = solve_beta(upper, lower, b, a);
  return {1.0 - y, y};
}

}  // namespace

double normal_cdf(double z) noexcept {
  const detail::Arithmetic arithmetic;
  return detail::normal_cdf(z);
}

double normal_quantile(double p) {
  const detail::Arithmetic arithmetic;
  check_probability(p);
  constexpr double slope_at_zero = 2.0 * std::numbers::inv_sqrtpi;
  if (std::abs(p - 0.5) <= 0.25) {
    // erf is concave on its right half, so Newton from below climbs to the root.
    const double target = std::abs(2.0 * p - 1.0);
    double u = target / slope_at_zero;
    for (int step = 0; step < kMostSteps; ++step) {
      const double change = (target - detail::erf(u)) / (slope_at_zero * detail::exp(-u * u));
      u += change;
      if (change <= kEpsilon * u) break;
    }
    return std::copysign(u * std::numbers::sqrt2, p - 0.5);
  }
  // log erfc is concave, and erfc(u) <= exp(-u^2): Newton from above descends to the root.
  const double tail = 2.0 * std::min(p, 1.0 - p);
  double u = std::sqrt(-detail::log(tail));
  for (int step = 0; step < kMostSteps; ++step) {
    const double erfc = detail::erfc(u);
    const double change = detail::log(erfc / tail) * erfc / (slope_at_zero * detail::exp(-u * u));
    u += change;
    if (-change <= kEpsilon * u) break;
  }
  return std::copysign(u * std::numbers::sqrt2, p - 0.5);
}

double student_t_cdf(double t, double degrees_of_freedom) {
  const detail::Arithmetic arithmetic;
  check_positive(degrees_of_freedom, "degrees_of_freedom");
  if (std::isnan(t)) throw_invalid("t", "must be a number");
  const double square = t * t;
  // P(|T| > t) is beta(df/2, 1/2) below df / (df + t^2); so close to zero it is one.
  if (!(square > std::numeric_limits<double>::min())) return 0.5;
  if (!std::isfinite(square)) return t > 0.0 ? 1.0 : 0.0;
  const double sum = degrees_of_freedom + square;
  const Tails tails =
      beta_tails(degrees_of_freedom / sum, square / sum, 0.5 * degrees_of_freedom, 0.5);
  return t > 0.0 ? 1.0 - 0.5 * tails.lower : 0.5 * tails.lower;
}

double student_t_quantile(double p, double degrees_of_freedom) {
  const detail::Arithmetic arithmetic;
  check_probability(p);
  check_positive(degrees_of_freedom, "degrees_of_freedom");
  if (p == 0.5) return 0.0;
  // t^2 / (t^2 + df) is beta(1/2, df/2), and P(|T| > t) is its upper tail.
  const double both_tails = 2.0 * std::min(p, 1.0 - p);
  const BetaPoint point =
      beta_point(std::abs(2.0 * p - 1.0), both_tails, 0.5, 0.5 * degrees_of_freedom);
  return std::copysign(std::sqrt(degrees_of_freedom * point.x / point.complement), p - 0.5);
}

double beta_cdf(double x, double a, double b) {
  const detail::Arithmetic arithmetic;
  check_positive(a, "a");
  check_positive(b, "b");
  if (!(x > 0.0)) return 0.0;
  if (!(x < 1.0)) return 1.0;
  return beta_tails(x, 1.0 - x, a, b).lower;
}

double beta_quantile(double p, double a, double b) {
  const detail::Arithmetic arithmetic;
  check_probability(p);
  check_positive(a, "a");
  check_positive(b, "b");
  return beta_point(p, 1.0 - p, a, b).x;
}

}  // namespace bbc
