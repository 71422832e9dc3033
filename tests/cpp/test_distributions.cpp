// Quantiles against mpmath with 40 digits, and against their own inverses.
#include <bbc/interval.hpp>
#include <cmath>
#include <numbers>
#include <string>

#include "check.hpp"

namespace {

constexpr double kTolerance = 1e-13;

bool near(double value, double expected) {
  return std::abs(value - expected) <= kTolerance * std::abs(expected);
}

struct Case {
  double p;
  double a;
  double b;
  double expected;
};

void check_normal() {
  const Case cases[] = {{1e-10, 0, 0, -6.3613409024040561991},
                        {0.05, 0, 0, -1.644853626951472688},
                        {0.3, 0, 0, -0.52440051270804081597},
                        {0.51, 0, 0, 0.025068908258711058033}};
  for (const Case& c : cases) {
    CHECK_FOR(near(bbc::normal_quantile(c.p), c.expected), std::to_string(c.p));
    CHECK_FOR(near(bbc::normal_cdf(c.expected), c.p), std::to_string(c.p));
  }
  CHECK(bbc::normal_quantile(0.5) == 0.0);
  CHECK(near(bbc::normal_quantile(0.975), -bbc::normal_quantile(0.025)));
}

void check_student() {
  const Case cases[] = {{0.025, 1, 0, -12.706204736174703938},
                        {0.05, 4.5, 0, -2.0655758888785247936},
                        {0.975, 29, 0, 2.0452296421327038745},
                        {1e-8, 3, 0, -479.52506957973828093}};
  for (const Case& c : cases) {
    CHECK_FOR(near(bbc::student_t_quantile(c.p, c.a), c.expected), std::to_string(c.p));
  }
  for (const Case& c : cases) {
    CHECK_FOR(near(bbc::student_t_cdf(c.expected, c.a), c.p), std::to_string(c.p));
    CHECK_FOR(near(bbc::student_t_cdf(-c.expected, c.a), 1.0 - c.p), std::to_string(c.p));
  }
  CHECK(near(bbc::student_t_cdf(1.0, 1.0), 0.75));
  CHECK(near(bbc::student_t_cdf(2.0, 2.0), 0.5 + 1.0 / std::sqrt(6.0)));
  CHECK(near(bbc::student_t_cdf(1e-8, 1.0), 0.5 + 1e-8 * std::numbers::inv_pi));
  for (const double t : {0.0, 1e-200, -1e-200}) CHECK(bbc::student_t_cdf(t, 3.0) == 0.5);
  CHECK(bbc::student_t_cdf(-1e200, 3.0) == 0.0);
  CHECK(bbc::student_t_cdf(1e200, 3.0) == 1.0);
  CHECK(bbc::student_t_quantile(0.5, 7.0) == 0.0);
  // The normal distribution is the limit.
  CHECK(std::abs(bbc::student_t_quantile(0.975, 1e9) - bbc::normal_quantile(0.975)) < 1e-8);
}

void check_beta() {
  const Case cases[] = {{0.025, 1, 100, 0.00025314603297742064807},
                        {0.05, 30, 1000, 0.021061694426475566408},
                        {0.975, 23, 2, 0.98974365871874984765},
                        {0.5, 0.5, 0.5, 0.5}};
  for (const Case& c : cases) {
    CHECK_FOR(near(bbc::beta_quantile(c.p, c.a, c.b), c.expected), std::to_string(c.p));
  }
  for (const double a : {0.5, 1.0, 3.0, 40.0, 1e4, 1e6}) {
    for (const double b : {0.5, 2.0, 77.0, 1e5}) {
      double before = 0.0;
      for (const double p : {1e-9, 0.001, 0.025, 0.3, 0.5, 0.9, 0.999}) {
        const double x = bbc::beta_quantile(p, a, b);
        const auto where = std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(p);
        CHECK_FOR(x > before || x == 1.0, where);
        // Near 1 the grid of doubles is coarser than the distribution.
        const double spacing = 1.0 - std::nextafter(1.0, 0.0);
        const bool coarse = bbc::beta_cdf(x - spacing, a, b) < p * (1.0 - 1e-11);
        CHECK_FOR(coarse || std::abs(bbc::beta_cdf(x, a, b) / p - 1.0) < 1e-11, where);
        before = x;
      }
    }
  }
  CHECK(bbc::beta_cdf(0.0, 2.0, 3.0) == 0.0);
  CHECK(bbc::beta_cdf(1.0, 2.0, 3.0) == 1.0);
}

void check_refusals() {
  for (const double p : {0.0, 1.0, -0.5, std::nan("")}) {
    CHECK(check::message_of([&] { (void)bbc::normal_quantile(p); }).starts_with("p: "));
    CHECK(check::message_of([&] { (void)bbc::beta_quantile(p, 1.0, 1.0); }).starts_with("p: "));
  }
  CHECK(check::message_of([] {
          (void)bbc::student_t_quantile(0.1, 0.0);
        }).starts_with("degrees_of_freedom: must be positive"));
  CHECK(check::message_of([] {
          (void)bbc::beta_quantile(0.1, -1.0, 1.0);
        }).starts_with("a: must be positive"));
}

}  // namespace

int main() {
  check_normal();
  check_student();
  check_beta();
  check_refusals();
  return check::report();
}
