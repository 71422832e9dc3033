// The difference between two families, where its terms can be counted by hand.
#include <bbc/inference.hpp>
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
const DifferenceOptions kUnbounded{true, {}, {-kInfinity, kInfinity}};
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
  DifferenceOptions options{true, {0.5, Alternative::two_sided}, {-kInfinity, kInfinity}};
  const Difference both = compared(kAhead, kZeros, draws, options);
  CHECK(both.estimate == 2.0);
  CHECK(near(both.standard_error, std::sqrt(2.0)));
  CHECK(both.degrees_of_freedom == 1.0);
  CHECK(near(both.p_value, 0.5));
  // What the pair says that replicates hide is added in squares: sqrt(2 + 7) = 3.
  const std::vector<bbc::Family> families = {{kAhead, 1}, {kZeros, 1}};
  const std::vector<bbc::FamilyPair> hiding = {{0, 1, std::sqrt(7.0)}};
  CHECK(near(bbc::differences(families, hiding, draws, options)[0].standard_error, 3.0));
  const std::vector<bbc::FamilyPair> wrong = {{0, 1, -1.0}};
  CHECK(check::contains(check::message_of([&] {
                          static_cast<void>(bbc::differences(families, wrong, draws, options));
                        }),
                        "hides an error"));
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
  options.range = {0.0, 10.0};
  const Difference less = compared(kAhead, kZeros, draws, options);
  CHECK(near(less.p_value, 0.75));
  CHECK(less.interval.low == -10.0);
  CHECK(near(less.interval.high, 4.0));
}

/// Of 27 equally likely triples of draws, 3 hit one unit and 18 two.
void three_units() {
  const Difference found = compared(kAhead, kZeros, {3, 3}, kUnbounded);
  CHECK(near(found.standard_error, std::sqrt(2.0 / ((3 * 0.5 + 18 * 2.0) / 21.0))));
  CHECK(found.degrees_of_freedom == 2.0);
}

void partitions_share_degrees_of_freedom() {
  const Difference found = compared(kAhead, kZeros, {5, 50, 2, true}, kUnbounded);
  CHECK(near(found.degrees_of_freedom, 8.0 / (1.0 + 4.0 / 49.0)));
}

void many_units_have_the_limit() {
  const Difference exact = compared(kAhead, kZeros, {4096, 4096}, kUnbounded);
  const Difference limit = compared(kAhead, kZeros, {4097, 4097}, kUnbounded);
  CHECK(std::abs(exact.standard_error / limit.standard_error - 1.0) < 1e-3);
  CHECK(exact.standard_error != limit.standard_error);
}

void three_folds_are_too_few() {
  const Difference found = compared(kAhead, kZeros, {3, 60, 1, true}, kUnbounded);
  CHECK(found.infeasible == bbc::too_few_folds(3));
  CHECK(found.estimate == 2.0);
  CHECK(std::isnan(found.p_value) && std::isnan(found.interval.low));
}

void losses_favour_the_smaller() {
  DifferenceOptions options = kUnbounded;
  options.greater_is_better = false;
  const Difference found = compared(kAhead, kZeros, {9, 9}, options);
  CHECK(found.estimate == -2.0);
  CHECK(found.second_better == 1.0);
}

void rounding_is_no_difference() {
  const std::vector<double> a = {0.3, 0.3};
  const std::vector<double> b = {std::nextafter(0.3, 1.0), 0.3};
  const Difference found = compared(a, b, {9, 9}, kUnbounded);
  CHECK(found.first_better == 0.0 && found.second_better == 0.0);
}

/// A difference at a limit has the p-value 1 - level, whatever is allowed to large families; and a
/// larger one that may be underestimated makes the p-value larger.
void the_interval_inverts_the_test() {
  const std::vector<double> zeros(5, 0.0);
  const std::vector<double> drawn = {0.4, -0.1, 0.3, 0.2, 0.6};
  for (const auto side : {Alternative::two_sided, Alternative::greater, Alternative::less}) {
    for (const auto& [n_first, n_second] : {std::pair{1, 1}, {1, 100}, {100, 1}, {7, 30}}) {
      const DifferenceOptions options{true, {0.9, side}, {0.0, 1e3}};
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
  const DifferenceOptions options{true, {0.9, Alternative::greater}, {0.0, 1e3}};
  const double fair = compared(drawn, zeros, {40, 40}, options).p_value;
  CHECK(compared(drawn, zeros, {40, 40}, options, 1, 100).p_value > fair);
  CHECK(compared(drawn, zeros, {40, 40}, options, 100, 1).p_value == fair);
}

Difference of_winners(const std::vector<double>& u, const std::vector<double>& v,
                      const DrawDesign& draws, double n_effective = 9.0) {
  const bbc::Influence first{u, n_effective, ""};
  const bbc::Influence second{v, n_effective, ""};
  const std::vector<bbc::Family> families = {{kAhead, 1, &first}, {kZeros, 1, &second}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  return bbc::differences(families, pairs, draws, kUnbounded).at(0);
}

/// Three and four are five apart; shared training rows count once more; the replicates, whose
/// standard error is sqrt(2) for two units, count where the winners are nearly equal only.
void winners_rows_give_the_standard_error() {
  const std::vector<double> u = {3.0, 0.0};
  const std::vector<double> v = {0.0, 4.0};
  const Difference alone = of_winners(u, v, {2, 9});
  CHECK(near(alone.standard_error, 5.0));
  CHECK(alone.degrees_of_freedom == 8.0);
  CHECK(near(of_winners(u, v, {2, 9, 1, false, 1.0}).standard_error, 5.0 * std::sqrt(2.0)));
  CHECK(near(of_winners(u, u, {2, 9}).standard_error, std::sqrt(2.0)));
  CHECK(near(of_winners(u, {2.0, 1.0}, {2, 9}).standard_error, std::sqrt(2.0)));
  CHECK(near(of_winners({9.0, 0.0}, {6.0, 0.0}, {2, 9}).standard_error, 3.0));
  const DrawDesign shared = {2, 2, 1, false, 3.0};
  CHECK(near(compared(kAhead, kZeros, shared, kUnbounded).standard_error, 2.0 * std::sqrt(2.0)));
}

void families_that_never_differ_have_the_p_value_one() {
  const bbc::Influence first{{1.0, 0.0}, 9.0, ""};
  const bbc::Influence second{{0.0, 1.0}, 9.0, ""};
  const std::vector<bbc::Family> families = {{kAhead, 1, &first}, {kAhead, 1, &second}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  DifferenceOptions options = kUnbounded;
  options.confidence.alternative = Alternative::greater;
  const Difference found = bbc::differences(families, pairs, {9, 9}, options).at(0);
  CHECK(found.p_value == 1.0);
  CHECK(found.standard_error > 0.0);
}

void too_few_rows_give_a_reason() {
  const bbc::Influence none{{}, 1.0, "one row"};
  const std::vector<bbc::Family> families = {{kAhead, 1, &none}, {kZeros, 1, &none}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  const Difference found = bbc::differences(families, pairs, {9, 9}, kUnbounded).at(0);
  CHECK(found.infeasible == "one row");
  CHECK(found.estimate == 2.0);
  CHECK(std::isnan(found.standard_error));
  const std::vector<double> one = {1.0};
  CHECK(check::contains(
      check::message_of([&] { static_cast<void>(of_winners(kAhead, one, {9, 9})); }),
      "different lengths"));
  CHECK(check::contains(
      check::message_of([&] { static_cast<void>(of_winners(kAhead, kZeros, {9, 9}, 1.0)); }),
      "two units"));
  CHECK(check::contains(check::message_of([&] {
                          static_cast<void>(of_winners(kAhead, kZeros, {9, 9, 1, false, -1.0}));
                        }),
                        "overlap"));
}

void shared_training_rows() {
  CHECK(bbc::training_overlap(10, 1) == 1.0);
  CHECK(near(bbc::training_overlap(10, 3), 10.0 / 9.0));
  CHECK(bbc::training_overlap(0, 1) == 1.0);
  CHECK(near(bbc::training_overlap(0, 2), 1.25));
  CHECK(bbc::training_overlap(1, 1) == 0.0);
}

/// A view of columns one behind the other.
bbc::Predictions columns_of(const std::vector<double>& values, std::int64_t n_rows) {
  const auto n = static_cast<std::int64_t>(values.size()) / n_rows;
  return bbc::View<double>{values.data(), n_rows, n, 1, {1, n_rows, 0}};
}

void copies_count_once() {
  const std::vector<double> values = {1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 3.0, 1.0};
  const std::vector<bbc::Predictions> once = {columns_of(values, 2)};
  CHECK(bbc::n_distinct(once) == 3);
  const std::vector<double> other = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  const std::vector<bbc::Predictions> twice = {columns_of(values, 2), columns_of(other, 2)};
  CHECK(bbc::n_distinct(twice) == 4);
}

/// Squared errors 0, 1, 4, 9 have the mean 3.5, and n / (n - 1) = 4 / 3.
void influence_of_a_mean() {
  bbc::Target target;
  target.values = {0.0, 0.0, 0.0, 0.0};
  const std::vector<double> predictions = {0.0, 1.0, 2.0, 3.0};
  const std::vector<bbc::Predictions> repeats = {columns_of(predictions, 4)};
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("mean_squared_error");
  const bbc::Influence rows = bbc::influence(target, repeats, options, 0);
  const double factor = std::sqrt(4.0 / 3.0) / 4.0;
  for (const std::size_t row : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const double loss = predictions[row] * predictions[row];
    CHECK(near(rows.values[row], factor * (loss - 3.5)));
  }
  CHECK(rows.n_effective == 4.0);
  options.resampling.units = {0, 1, 0, 1};
  const bbc::Influence groups = bbc::influence(target, repeats, options, 0);
  CHECK(groups.values.size() == 2);
  CHECK(near(groups.values[0], std::sqrt(2.0) * (0.0 + 4.0 - 7.0) / 4.0));
  options.resampling.units = {0, 0, 0, 0};
  CHECK(!bbc::influence(target, repeats, options, 0).infeasible.empty());
}

/// Two events, at .2 and .9, and two others, at .1 and .5: placements 1/2, 1 and 1, 1/2.
void influence_of_an_auc() {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.codes = {1, 1, 0, 0};
  target.n_classes = 2;
  const std::vector<double> predictions = {0.2, 0.9, 0.1, 0.5};
  const std::vector<bbc::Predictions> repeats = {columns_of(predictions, 4)};
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("roc_auc");
  const bbc::Influence rows = bbc::influence(target, repeats, options, 0);
  const double value = std::sqrt(2.0) * 0.25 / 2.0;
  CHECK(near(rows.values[0], -value) && near(rows.values[1], value));
  CHECK(near(rows.values[2], value) && near(rows.values[3], -value));
  CHECK(rows.n_effective == 2.0);
}

void what_cannot_be_compared_is_refused() {
  const std::vector<double> three(3, 0.0);
  const auto message = [&](const std::vector<double>& first, const DrawDesign& draws,
                           std::int64_t n_configurations) {
    return check::message_of(
        [&] { static_cast<void>(compared(first, kZeros, draws, kUnbounded, n_configurations)); });
  };
  CHECK(message(kAhead, {1, 1}, 1) == "draws: a comparison needs two units");
  CHECK(check::contains(message(three, {9, 9}, 1), "families: have different numbers"));
  CHECK(message(kAhead, {9, 9}, 0) == "families: one has no configurations");
  const std::vector<bbc::Family> families = {{kZeros, 1}};
  const std::vector<bbc::FamilyPair> pairs = {{0, 1}};
  CHECK(check::contains(check::message_of([&] {
                          static_cast<void>(bbc::differences(families, pairs, {9, 9}, kUnbounded));
                        }),
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
  winners_rows_give_the_standard_error();
  families_that_never_differ_have_the_p_value_one();
  too_few_rows_give_a_reason();
  shared_training_rows();
  copies_count_once();
  influence_of_a_mean();
  influence_of_an_auc();
  what_cannot_be_compared_is_refused();
  return check::report();
}
