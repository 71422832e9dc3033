// The difference between two families, where its terms can be counted by hand.
#include <bbc/difference.hpp>
#include <bbc/interval.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"

namespace {

using bbc::Alternative;
using bbc::Difference;
using bbc::DifferenceOptions;
using bbc::DrawDesign;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<double> kZeros = {0.0, 0.0};
const std::vector<double> kAhead = {1.0, 3.0};

bool near(double value, double expected) { return std::abs(value - expected) < 1e-12; }

Difference compared(const std::vector<double>& first, const std::vector<double>& second,
                    const DrawDesign& draws, const DifferenceOptions& options,
                    std::int64_t n_first = 1, std::int64_t n_second = 1) {
  const std::vector<bbc::Family> families = {{first, n_first}, {second, n_second}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  return bbc::differences(families, pairs, draws, options).at(0);
}

/// Two draws of two units leave one out or none, so the factor is 2 / 1 - 1; d = 2, se = sqrt(2)
/// and t = 2 / sqrt(2 + 4 / 2) = 1, which Cauchy's distribution exceeds with probability 1/4.
void two_units() {
  const DrawDesign draws = {2, 2};
  DifferenceOptions options{true, {0.5, Alternative::two_sided}, kInfinity};
  const Difference both = compared(kAhead, kZeros, draws, options);
  CHECK(both.estimate == 2.0);
  CHECK(near(both.standard_error, std::sqrt(2.0)));
  CHECK(both.degrees_of_freedom == 1.0);
  CHECK(near(both.p_value, 0.5));
  CHECK(near(both.interval.low, 0.0));
  CHECK(near(both.interval.high, 4.0));
  CHECK(both.first_better == 1.0);
  CHECK(both.second_better == 0.0);
  CHECK(both.infeasible.empty());
  options.confidence.alternative = Alternative::greater;
  options.confidence.level = 0.75;
  const Difference greater = compared(kAhead, kZeros, draws, options);
  CHECK(near(greater.p_value, 0.25));
  CHECK(near(greater.interval.low, 0.0));
  CHECK(greater.interval.high == kInfinity);
  options.confidence.alternative = Alternative::less;
  options.widest = 10.0;
  const Difference less = compared(kAhead, kZeros, draws, options);
  CHECK(near(less.p_value, 0.75));
  CHECK(less.interval.low == -10.0);
  CHECK(near(less.interval.high, 4.0));
}

/// Of 27 equally likely triples of draws, 3 hit one unit and 18 two.
void three_units() {
  const Difference found = compared(kAhead, kZeros, {3, 3}, {});
  CHECK(near(found.standard_error, std::sqrt(2.0 / ((3 * 0.5 + 18 * 2.0) / 21.0))));
  CHECK(found.degrees_of_freedom == 2.0);
}

void partitions_share_degrees_of_freedom() {
  const Difference found = compared(kAhead, kZeros, {5, 50, 2, true}, {});
  CHECK(near(found.degrees_of_freedom, 8.0 / (1.0 + 4.0 / 49.0)));
}

void many_units_have_the_limit() {
  const Difference exact = compared(kAhead, kZeros, {4096, 4096}, {});
  const Difference limit = compared(kAhead, kZeros, {4097, 4097}, {});
  CHECK(std::abs(exact.standard_error / limit.standard_error - 1.0) < 1e-3);
  CHECK(exact.standard_error != limit.standard_error);
}

void three_folds_are_too_few() {
  const Difference found = compared(kAhead, kZeros, {3, 60, 1, true}, {});
  CHECK(found.infeasible == bbc::too_few_folds(3));
  CHECK(found.estimate == 2.0);
  CHECK(std::isnan(found.p_value) && std::isnan(found.interval.low));
}

void losses_favour_the_smaller() {
  DifferenceOptions options;
  options.greater_is_better = false;
  const Difference found = compared(kAhead, kZeros, {9, 9}, options);
  CHECK(found.estimate == -2.0);
  CHECK(found.second_better == 1.0);
}

void rounding_is_no_difference() {
  const std::vector<double> a = {0.3, 0.3};
  const std::vector<double> b = {std::nextafter(0.3, 1.0), 0.3};
  const Difference found = compared(a, b, {9, 9}, {});
  CHECK(found.first_better == 0.0 && found.second_better == 0.0);
}

/// A difference at a limit has the p-value 1 - level, whatever is allowed to large families; and a
/// larger one that may be underestimated makes the p-value larger.
void the_interval_inverts_the_test() {
  const std::vector<double> zeros(5, 0.0);
  const std::vector<double> drawn = {0.4, -0.1, 0.3, 0.2, 0.6};
  for (const auto side : {Alternative::two_sided, Alternative::greater, Alternative::less}) {
    for (const auto& [n_first, n_second] : {std::pair{1, 1}, {1, 100}, {100, 1}, {7, 30}}) {
      const DifferenceOptions options{true, {0.9, side}, 1e3};
      const Difference found = compared(drawn, zeros, {40, 40}, options, n_first, n_second);
      for (const double limit : {found.interval.low, found.interval.high}) {
        if (std::abs(limit) == 1e3) continue;
        std::vector<double> moved = drawn;
        for (double& value : moved) value -= limit;
        const Difference there = compared(moved, zeros, {40, 40}, options, n_first, n_second);
        CHECK_FOR(std::abs(there.p_value - 0.1) < 1e-9, std::to_string(there.p_value));
      }
    }
  }
  const DifferenceOptions options{true, {0.9, Alternative::greater}, 1e3};
  const double fair = compared(drawn, zeros, {40, 40}, options).p_value;
  CHECK(compared(drawn, zeros, {40, 40}, options, 1, 100).p_value > fair);
  CHECK(compared(drawn, zeros, {40, 40}, options, 100, 1).p_value == fair);
}

void what_cannot_be_compared_is_refused() {
  const std::vector<double> three(3, 0.0);
  const auto message = [&](const std::vector<double>& first, const DrawDesign& draws,
                           std::int64_t n_configurations) {
    return check::message_of(
        [&] { static_cast<void>(compared(first, kZeros, draws, {}, n_configurations)); });
  };
  CHECK(message(kAhead, {1, 1}, 1) == "draws: a comparison needs two units");
  CHECK(check::contains(message(three, {9, 9}, 1), "families: have different numbers"));
  CHECK(message(kAhead, {9, 9}, 0) == "families: one has no configurations");
  const std::vector<bbc::Family> families = {{kZeros, 1}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  CHECK(check::contains(
      check::message_of([&] { static_cast<void>(bbc::differences(families, pairs, {9, 9}, {})); }),
      "pairs: "));
}

}  // namespace

int main() {
  two_units();
  three_units();
  partitions_share_degrees_of_freedom();
  many_units_have_the_limit();
  three_folds_are_too_few();
  losses_favour_the_smaller();
  rounding_is_no_difference();
  the_interval_inverts_the_test();
  what_cannot_be_compared_is_refused();
  return check::report();
}
