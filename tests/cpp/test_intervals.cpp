// What the intervals refuse when called from C++, and what only C++ can reach.
#include <algorithm>
#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "detail/intervals/influence.hpp"
#include "detail/intervals/score_limits.hpp"
#include "detail/support/values.hpp"

namespace {

using Flags = std::vector<std::uint8_t>;
using Values = std::vector<double>;

void check_placements() {
  const auto placed = bbc::placements(Flags{0, 1, 0, 1}, Values{1, 2, 2, 3});
  CHECK(placed.auc == 0.875);
  CHECK((placed.positive == Values{0.75, 1.0}));
  CHECK((placed.negative == Values{1.0, 0.75}));
  CHECK(check::message_of([] { (void)bbc::placements(Flags{0, 0}, Values{1, 2}); }) ==
        "is_positive: no row of the positive class, so the AUC is undefined");
  CHECK(check::message_of([] { (void)bbc::placements(Flags{0, 1}, Values{1}); }) ==
        "scores: 1 values for 2 rows");
  CHECK(check::message_of([] { (void)bbc::placements(Flags{0, 1}, Values{1, std::nan("")}); }) ==
        "scores: NaN at row 1");
}

void check_without_spread() {
  // The mean of three times 0.1 is not 0.1.
  const Values same{0.1, 0.1, 0.1};
  CHECK(bbc::detail::constant(same));
  CHECK(!bbc::detail::constant(Values{0.1, 0.1, 0.2}));
  const auto wald = bbc::wald(same, {}, {0.0, 1.0});
  CHECK(wald.standard_error == 0.0 && wald.estimate == 0.1 && !wald.warning.empty());
  // All placements fall by a third, which floats say in two ways.
  const Flags classes{0, 1, 0, 1, 0, 1};
  const auto test =
      bbc::delong_test(classes, Values{2, 2, 0, 1, 2, 3}, Values{3, 2, 1, 0, 3, 3}, {});
  CHECK(!test.difference.feasible);
}

void check_least_squares() {
  // y = 3 + 2 a - b, exactly.
  const Values design{1, 0, 0, 1, 2, 5, 4, 3, 7, 7};
  Values response;
  for (std::size_t i = 0; i < 5; ++i) response.push_back(3 + 2 * design[2 * i] - design[2 * i + 1]);
  const auto slopes = bbc::detail::least_squares(design, response, 2);
  CHECK(std::abs(slopes[0] - 2.0) < 1e-13);
  CHECK(std::abs(slopes[1] + 1.0) < 1e-13);
  const auto message =
      check::message_of([] { (void)bbc::detail::least_squares({1, 2, 2, 4, 3, 6}, {1, 2, 4}, 2); });
  CHECK_FOR(message.starts_with("n_bootstraps: 3 replicates do not determine"), message);
}

/// Against sorting, where many are equal, where few are, and where a sample misleads.
void check_order_statistics() {
  for (const std::size_t n : {1U, 2U, 30U, 255U, 256U, 1000U, 5000U}) {
    for (const std::uint32_t n_values : {1U, 3U, 40U, 0xFFFFFFFFU}) {
      for (const bool misleading : {false, true}) {
        bbc::WordStream words(n_values, 0, static_cast<std::uint32_t>(n), 0);
        Values values(n);
        for (double& value : values) value = words.below(n_values) * 0.25 - 3.0;
        // A sample takes every (n / 64)th.
        for (std::size_t i = 0; misleading && i < 64; ++i) values[i * n / 64] = i % 2 ? -1e9 : 1e12;
        Values sorted = values;
        std::sort(sorted.begin(), sorted.end());
        for (const double q : {0.0, 0.001, 0.005, 0.025, 0.1, 0.5, 0.9, 0.975, 0.995, 1.0}) {
          const double rank = std::ceil(std::nearbyint(q * static_cast<double>(n) * 1e9) / 1e9);
          const auto place = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
          CHECK(bbc::order_statistic(values, q) == sorted[place]);
        }
      }
    }
  }
}

/// 1 - 0.95 is a little more than 0.05.
void check_ranks() {
  CHECK((1.0 - 0.95) * 1000.0 > 50.0 && bbc::detail::rank_of(1.0 - 0.95, 1000) == 50);
  CHECK(bbc::detail::rank_of(0.0, 7) == 0 && bbc::detail::rank_of(0.51, 100) == 51);
  CHECK(bbc::detail::rank_of(0.511, 100) == 52 && bbc::detail::rank_of(1.0, 7) == 7);
}

void check_refusals() {
  const bbc::Confidence two_sided;
  CHECK(check::message_of([&] { (void)bbc::wilson(5, 4, two_sided); }) ==
        "n_successes: must be between 0 and 4, not 5");
  CHECK(check::message_of([&] { (void)bbc::clopper_pearson(0, 0, two_sided); }) ==
        "n_trials: must be at least 1");
  CHECK(check::message_of([] {
          (void)bbc::wilson(1, 4, {1.5, bbc::Alternative::less});
        }).starts_with("confidence_level: must be between 0 and 1"));
  CHECK(check::message_of([&] {
          (void)bbc::corrected_resampled_t(Values{1.0}, 9, 1, two_sided, {0, 1});
        }).starts_with("scores: the variance needs at least two"));
  CHECK(check::message_of([&] {
          (void)bbc::wald(Values{1.0}, two_sided, {0, 1});
        }).starts_with("losses: "));
  bbc::BootstrapSample few;
  few.replicates = Values(10, 0.5);
  CHECK(check::message_of([&] {
          (void)bbc::bootstrap_interval(few, bbc::BootstrapKind::basic, two_sided, {0, 1});
        }).find("n_bootstraps must be at least 40") != std::string::npos);
  bbc::TiltingData data;
  data.is_positive = {0, 1};
  data.columns = {1, 2, 3};
  CHECK(check::message_of([&] { (void)bbc::tilting(data, {}); }) ==
        "is_positive: must have a value per row");
  data.columns = {1, 2};
  data.selected = 1;
  CHECK(check::message_of([&] { (void)bbc::tilting(data, {}); }) ==
        "selected: there is no configuration 1");
  data.selected = 0;
  bbc::TiltingOptions upper;
  upper.confidence.alternative = bbc::Alternative::less;
  CHECK(check::message_of([&] {
          (void)bbc::mabt(data, upper);
        }).starts_with("alternative: MABT gives a lower bound only"));
  bbc::BoundData bound;
  CHECK(check::message_of([&] { (void)bbc::bound(bound, {}); }) == "is_positive: no rows");
  bound.is_positive = {0, 1};
  bound.folds = {0};
  const Values scores{1, 2};
  bound.scores = {scores.data(), 2, 1, 1, {1, 1, 1}};
  CHECK(check::message_of([&] { (void)bbc::bound(bound, {}); }) == "folds: 1 values for 2 rows");
}

}  // namespace

int main() {
  check_placements();
  check_without_spread();
  check_least_squares();
  check_order_statistics();
  check_ranks();
  check_refusals();
  return check::report();
}
