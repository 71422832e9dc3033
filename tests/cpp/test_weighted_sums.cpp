// Sums of weights, added up as they are or correctly rounded.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "detail/metrics/weighted_sums.hpp"

namespace {

using bbc::detail::LaneWeights;
using bbc::detail::rounded_sums;
using bbc::detail::sum_weights;

constexpr auto kInOrder = [](std::int64_t i) { return i; };

/// 1 is lost beside 2^53 as often as it is added; the rounded sum keeps both.
void small_terms_are_not_lost() {
  const double weights[] = {0x1p53, 1.0, 1.0, 1.0, 1.0, 1.0};  // three rows, two lanes
  const double rests[6] = {};
  double plain[2];
  sum_weights<2>(LaneWeights(weights), 3, kInOrder, plain);
  CHECK(plain[0] == 0x1p53 && plain[1] == 3.0);
  double rounded[2];
  sum_weights<2>(LaneWeights(weights, rests), 3, kInOrder, rounded);
  CHECK(rounded[0] == 0x1p53 + 2.0 && rounded[1] == 3.0);
}

/// What products lack to be exact counts in rounded sums.
void rests_count() {
  const double weights[] = {1.0, 0x1p-53};
  const double rests[] = {0.0, 0x1p-106};
  double sum = 0.0;
  sum_weights<1>(LaneWeights(weights, rests), 2, kInOrder, &sum);
  CHECK(sum == 1.0 + 0x1p-52);  // above the half-way point
  const double none[] = {0.0, 0.0};
  sum_weights<1>(LaneWeights(weights, none), 2, kInOrder, &sum);
  CHECK(sum == 1.0);  // a tie goes to the even neighbour
}

/// The sum depends on no order, also where compensation alone cannot tell, nor on how many rows are
/// added up side by side.
void order_changes_nothing() {
  const std::vector<double> terms{1e16, 1.0,  -1e16, 0x1p-60, 3.0,  -4.0, 1e-30, 7e15,  -7e15, 0.5,
                                  -0.5, 1e-5, -1e-5, 3e8,     -3e8, 2.0,  -2.0,  1e100, -1e100};
  for (const std::size_t n : {std::size_t{7}, terms.size()}) {
    double expected = 0.0;
    for (std::size_t start = 0; start < n; ++start) {
      double sum = 0.0;
      rounded_sums<1, 1>(
          static_cast<std::int64_t>(n),
          [&](std::int64_t row, int) {
            return std::array{terms[(start + static_cast<std::size_t>(row)) % n]};
          },
          &sum);
      if (start == 0) expected = sum;
      CHECK(sum == expected);
    }
    CHECK(std::fabs(expected - (0x1p-60 + 1e-30)) < 1e-45);
  }
}

}  // namespace

int main() {
  small_terms_are_not_lost();
  rests_count();
  order_changes_nothing();
  return check::report();
}
