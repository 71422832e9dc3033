// Pseudo-values of the probability of an event, and the calibration that they are the truth of.
#include <bbc/censoring.hpp>
#include <bbc/winner_statistics.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "detail/statistics/statistics.hpp"
#include "detail/support/elementary.hpp"

namespace {

using namespace bbc;
using statistic::SurvivalCalibration;

bool near(double value, double expected, double tolerance = 1e-12) {
  return std::fabs(value - expected) < tolerance;
}

Target survival_of(std::vector<std::uint8_t> events, std::vector<double> times) {
  Target target;
  target.kind = Target::Kind::survival;
  target.events = std::move(events);
  target.values = std::move(times);
  return target;
}

/// By hand: events at 1 and 3, censored at 2, followed beyond 4.
void by_hand() {
  const Target target = survival_of({1, 0, 1, 0}, {1., 2., 3., 5.});
  const double survived = 3. / 4 * 1. / 2;
  CHECK(near(event_probability(target, 4.), 1 - survived));
  CHECK(near(event_probability(target, .5), 0.));
  CHECK(near(event_probability(target, 1.), 1. / 4));
  const auto values = pseudo_event_probabilities(target, 4.);
  const double without[] = {1. / 2, 2. / 3 * 1. / 2, 2. / 3, 2. / 3 * 0.};
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(near(values[row], 4 * (1 - survived) - 3 * (1 - without[row])));
  }
}

/// Without censoring they are the outcomes, and weights count rows.
void outcomes_and_weights() {
  const Target all = survival_of({1, 1, 1, 1, 1}, {1., 2., 2., 3., 4.});
  const auto values = pseudo_event_probabilities(all, 2.);
  for (std::size_t row = 0; row < 5; ++row) CHECK(near(values[row], row < 3 ? 1. : 0.));
  const Target once = survival_of({1, 0, 1, 0}, {1., 2., 3., 5.});
  const Target twice = survival_of({1, 0, 0, 1, 1, 0}, {1., 2., 2., 3., 3., 5.});
  const std::vector<double> weights{1., 2., 2., 1.};
  CHECK(near(event_probability(once, 4., weights), event_probability(twice, 4.)));
  const std::vector<double> none{0., 1., 1., 1.};
  const auto weighted = pseudo_event_probabilities(once, 4., none);
  CHECK(near(weighted[0], event_probability(once, 4., none)));
}

void refuses() {
  const Target classes{};
  CHECK(
      check::contains(check::message_of([&] { (void)event_probability(classes, 1.); }), "events"));
}

/// Values of a calibration of some risks, all rows weighing alike.
std::vector<double> values_of(const std::vector<double>& risks, const std::vector<double>& outcomes,
                              const std::vector<double>& grid) {
  std::vector<std::int32_t> rows(risks.size());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<double> weights(risks.size(), 1.);
  const detail::Sample sample{rows,    rows,           nullptr,        risks.data(),
                              nullptr, weights.data(), outcomes.data()};
  const SurvivalCalibration statistic{grid};
  std::vector<double> values(static_cast<std::size_t>(n_values(statistic)));
  detail::evaluate(statistic, sample, values);
  return values;
}

/// Two risks: the line goes through the mean outcome of both.
void two_groups() {
  const auto cloglog = [](double p) { return detail::log(-detail::log1p(-p)); };
  const auto values = values_of({.2, .2, .2, .6, .6}, {.1, .7, -.2, .9, .3}, {.2, .6});
  const double slope = (cloglog(.6) - cloglog(.2)) / (cloglog(.6) - cloglog(.2));
  CHECK(near(values[SurvivalCalibration::slope], slope, 1e-9));
  CHECK(near(values[SurvivalCalibration::slope_intercept], 0., 1e-9));
  CHECK(near(values[SurvivalCalibration::intercept], 0., 1e-9));
  CHECK(near(values[SurvivalCalibration::observed_expected], 1.));
  CHECK(values[SurvivalCalibration::share_certain] == 0.);
  const auto turned = values_of({.2, .2, .6, .6}, {.5, .5, .3, .3}, {});
  CHECK(near(turned[SurvivalCalibration::slope],
             (cloglog(.3) - cloglog(.5)) / (cloglog(.6) - cloglog(.2)), 1e-9));
}

/// Risks of 0 and 1 have no complementary log-log; without events there is no line.
void certain_and_undefined() {
  const auto values = values_of({0., .2, .5, 1.}, {.4, .2, .5, .7}, {});
  CHECK(near(values[SurvivalCalibration::slope], 1., 1e-9));
  CHECK(near(values[SurvivalCalibration::share_certain], .5));
  CHECK(near(values[SurvivalCalibration::observed_expected], 1.8 / 1.7));
  CHECK(std::isnan(values_of({.2, .5, .7}, {0., 0., 0.}, {})[SurvivalCalibration::slope]));
  CHECK(std::isnan(values_of({.3, .3, .3}, {0., 1., 1.}, {})[SurvivalCalibration::slope]));
}

/// The truth of this statistic is numbers, and of the others classes.
void truths() {
  const std::vector<double> risks{.2, .5, .7};
  const Predictions view = View<double>{risks.data(), 3, 1, 1, {1, 3, 1}};
  Target numbers;
  numbers.kind = Target::Kind::real;
  numbers.values = {.1, .4, .9};
  const WinnerStatistics statistics(numbers, std::vector<Predictions>{view}, {});
  CHECK(!std::isnan(statistics.on_all_rows(SurvivalCalibration{{}}, 0)[0]));
  CHECK(statistics.rates(SurvivalCalibration{{.5}}, 0).size() ==
        static_cast<std::size_t>(SurvivalCalibration::kScalars) + 1);
  const auto refused =
      check::message_of([&] { (void)statistics.on_all_rows(statistic::PrecisionRecall{{.5}}, 0); });
  CHECK(check::contains(refused, "two classes"));
}

}  // namespace

int main() {
  by_hand();
  outcomes_and_weights();
  refuses();
  two_groups();
  certain_and_undefined();
  truths();
  return check::report();
}
