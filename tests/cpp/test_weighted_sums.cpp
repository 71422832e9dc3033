// Sums of weights, added up as they are or correctly rounded.
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "detail/metrics/weighted_sums.hpp"

namespace {

using bbc::detail::DoubleDouble;
using bbc::detail::ExactSum;
using bbc::detail::LaneWeights;
using bbc::detail::rounded_sums;
using bbc::detail::split_by_unit;
using bbc::detail::sum_weights;
using bbc::detail::whole_product;

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

/// Sums of weights that were split by a unit are exact, whatever the order, also beside others that
/// are a billion times as large, and whatever shares the unit.
void split_weights_add_up_exactly() {
  constexpr std::int64_t kRows = 1000;
  std::vector<double> weights;
  std::vector<double> rests;
  std::uint64_t state = 1;
  const auto random = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state >> 11U) * 0x1p-53;
  };
  ExactSum high[2];
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (int lane = 0; lane < 2; ++lane) {
      const double weight = random() * (row % 10 == 0 ? 1e9 : 1.0);
      const DoubleDouble product = whole_product(static_cast<double>(row % 7), weight);
      weights.push_back(product.high);
      rests.push_back(product.low);
      high[lane].add(product.high);
      high[lane].add(product.low);
    }
  }
  split_by_unit<2>(kRows, weights.data(), rests.data());
  DoubleDouble sums[2];
  sum_weights<2>(LaneWeights(weights.data(), rests.data()), kRows, kInOrder, sums);
  DoubleDouble backwards[2];
  sum_weights<2>(
      LaneWeights(weights.data(), rests.data()), kRows,
      [](std::int64_t i) { return kRows - 1 - i; }, backwards);
  for (int lane = 0; lane < 2; ++lane) {
    CHECK(sums[lane].high == backwards[lane].high && sums[lane].low == backwards[lane].low);
    // What is left of the exact sum when both are taken away is nothing.
    high[lane].add(-sums[lane].high);
    high[lane].add(-sums[lane].low);
    CHECK(high[lane].round() == 0.0);
  }
}

/// A weight below the unit is positive still.
void small_weights_are_positive() {
  double weights[] = {1.0, 1e-20, 0.0};
  double rests[] = {0.0, 0.0, 0.0};
  split_by_unit<1>(3, weights, rests);
  const LaneWeights split(weights, rests);
  CHECK(weights[1] == 0.0 && rests[1] == 1e-20);
  CHECK(split.positive(0) && split.positive(1) && !split.positive(2));
}

}  // namespace

int main() {
  small_terms_are_not_lost();
  rests_count();
  order_changes_nothing();
  split_weights_add_up_exactly();
  small_weights_are_positive();
  return check::report();
}
