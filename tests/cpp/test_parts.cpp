// Small parts that everything rests on: exact sums, the search for a possible draw, threads.
#include <algorithm>
#include <atomic>
#include <bbc/control.hpp>
#include <cmath>
#include <stdexcept>

#include "detail/resampling/two_sides.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/parallel.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

void exact_sums() {
  const double halves[] = {1e300, 0.5, -1e300, 0x1p-1074, 1.0, -0x1p-1074};
  CHECK(rounded_sum(halves, 6) == 1.5);
  // Half to even: the small term decides which way a tie goes.
  const double tie[] = {1.0, 0x1p-53, 0x1p-110};
  CHECK(rounded_sum(tie, 2) == 1.0);
  CHECK(rounded_sum(tie, 3) == 1.0 + 0x1p-52);
  problem::Random random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> values;
    std::vector<double> weights;
    std::vector<double> expanded;
    for (int i = 0; i < 40; ++i) {
      values.push_back(std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(120))));
      weights.push_back(random.below(5));
      expanded.insert(expanded.end(), static_cast<std::size_t>(weights.back()), values.back());
    }
    const auto n = static_cast<std::int64_t>(expanded.size());
    const double sum = rounded_sum(expanded.data(), n);
    CHECK(rounded_weighted_sum(values.data(), weights.data(), 40, 1) == sum);
    std::reverse(expanded.begin(), expanded.end());
    CHECK(rounded_sum(expanded.data(), n) == sum);
    // What is left after the rounded sum is taken away is less than its rounding error.
    expanded.push_back(-sum);
    CHECK(std::fabs(rounded_sum(expanded.data(), n + 1)) <= std::fabs(sum) * 0x1p-53);
  }
}

/// Every split of a few units, for a property of random pairs.
void two_sides() {
  problem::Random random(4);
  for (int round = 0; round < 3000; ++round) {
    const std::int64_t n = 2 + random.below(6);
    const std::uint32_t rarity = 1 + random.below(12);
    std::vector<std::uint8_t> pairs(static_cast<std::size_t>(n * n));
    for (auto& pair : pairs) pair = random.below(rarity) == 0 ? 1 : 0;
    const auto defined = [&](const std::vector<std::uint8_t>& used) {
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j <= i; ++j) {  // j == i: a unit that is defined by itself
          const bool both = used[static_cast<std::size_t>(i)] && used[static_cast<std::size_t>(j)];
          if (both && pairs[static_cast<std::size_t>(i * n + j)] != 0) return true;
        }
      }
      return false;
    };
    if (!defined(std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1))) continue;
    bool possible = false;
    for (std::uint32_t split = 0; split < 1U << n; ++split) {
      std::vector<std::uint8_t> one(static_cast<std::size_t>(n));
      std::vector<std::uint8_t> other(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < n; ++i) {
        one[static_cast<std::size_t>(i)] = split >> i & 1U;
        other[static_cast<std::size_t>(i)] = one[static_cast<std::size_t>(i)] == 0 ? 1 : 0;
      }
      possible = possible || (defined(one) && defined(other));
    }
    CHECK_FOR(both_sides_possible(n, defined) == possible, "round " + std::to_string(round));
  }
}

void threads() {
  for (const int n_threads : {1, 2, 7}) {
    for (const double expected : {0.0, 1e9}) {
      std::vector<std::atomic<int>> done(100);
      parallel_for(100, {n_threads, {}}, expected,
                   [&](std::int64_t i, const StopFlag&) { ++done[static_cast<std::size_t>(i)]; });
      CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
      std::string caught;
      try {
        parallel_for(100, {n_threads, {}}, expected, [](std::int64_t i, const StopFlag&) {
          if (i == 42) throw std::runtime_error("task 42");
        });
      } catch (const std::runtime_error& error) {
        caught = error.what();
      }
      CHECK(caught == "task 42");
    }
    const Control stop_at_once{n_threads, [](double) { return false; }};
    const auto message = check::message_of([&] {
      parallel_for(2, stop_at_once, 1e9, [](std::int64_t, const StopFlag& stop) {
        for (;;) stop.check();
      });
    });
    CHECK_FOR(message == "poll: stopped by the caller", message);
  }
}

}  // namespace

int main() {
  exact_sums();
  two_sides();
  threads();
  return check::report();
}
