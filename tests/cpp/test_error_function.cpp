// The error function against mpmath with 40 digits, on both sides of each change of method.
#include <cmath>
#include <limits>
#include <string>

#include "check.hpp"
#include "detail/support/elementary.hpp"

namespace {

using bbc::detail::erf;
using bbc::detail::erfc;

constexpr double kTolerance = 1e-15;

struct Case {
  double x;
  double erf;
  double erfc;
};

constexpr Case kCases[] = {
    {1e-300, 1.1283791670955126022e-300, 1.0},
    {1e-9, 1.1283791670955126438e-9, 0.9999999988716208329},
    {0.1, 0.1124629160182848984, 0.8875370839817151016},
    {0.4999, 0.52041199516138659028, 0.47958800483861340972},
    {0.5, 0.52049987781304653768, 0.47950012218695346232},
    {0.5001, 0.52058775167688073235, 0.47941224832311926765},
    {0.9, 0.79690821242283213966, 0.20309178757716786034},
    {1.5, 0.96610514647531072707, 0.033894853524689272933},
    {2.7, 0.99986566726005947581, 0.00013433273994052419237},
    {4.3, 0.99999999880652820628, 1.1934717937220431741e-9},
    {5.9, 0.9999999999999999281, 7.1904097835504777249e-17},
    {6.2831, 0.99999999999999999936, 6.3550848043033460974e-19},
    {6.2832, 0.99999999999999999937, 6.3470052229863335766e-19},
    {9.0, 1.0, 4.1370317465138102381e-37},
    {15.25, 1.0, 3.6865151492308134658e-103},
    {26.0, 1.0, 5.6631924088561428465e-296},
};

bool near(double value, double expected) {
  return std::fabs(value - expected) <= kTolerance * std::fabs(expected);
}

void values() {
  for (const Case& c : kCases) {
    CHECK_FOR(near(erf(c.x), c.erf) && erf(-c.x) == -erf(c.x), std::to_string(c.x));
    CHECK_FOR(near(erfc(c.x), c.erfc) && near(erfc(-c.x), 1.0 + c.erf), std::to_string(c.x));
  }
}

void ends() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(erf(0.0) == 0.0 && std::signbit(erf(-0.0)) && erfc(0.0) == 1.0);
  CHECK(erf(kInfinity) == 1.0 && erf(-kInfinity) == -1.0);
  CHECK(erfc(kInfinity) == 0.0 && erfc(-kInfinity) == 2.0 && erfc(28.0) == 0.0);
  CHECK(std::isnan(erf(std::nan(""))) && std::isnan(erfc(std::nan(""))));
}

}  // namespace

int main() {
  values();
  ends();
  return check::report();
}
