// What statistics of winners are made of: logistic regressions, local regression, and a sample.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "detail/statistics/fits.hpp"
#include "detail/statistics/statistics.hpp"
#include "detail/support/elementary.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

bool near(double value, double expected, double tolerance = 1e-10) {
  return std::fabs(value - expected) < tolerance;
}

/// Two values of the predictor: the fit goes through the observed log odds of both.
void two_groups() {
  const LogisticData data{
      {-1., -1., -1., 3., 3., 3., 3.}, {1., 1., 2., 1., 1., 1., 5.}, {1, 0, 0, 0, 0, 0, 1}};
  const auto fit = fit_line(data);
  const double low = detail::log(1. / 3);
  const double high = detail::log(5. / 3);
  CHECK(near(fit.likelihood.slope, (high - low) / 4));
  CHECK(near(fit.likelihood.intercept, low + (high - low) / 4));
  CHECK(fit.reduced.slope > 0.0 && fit.reduced.slope < fit.likelihood.slope);
  // In a saturated model Firth's estimate adds half an event and half a non-event to each group.
  LogisticData rows{{}, {}, {}};
  for (const int event : {1, 0, 0}) {
    rows.predictor.push_back(0.);
    rows.is_event.push_back(static_cast<std::uint8_t>(event));
  }
  for (const int event : {1, 1, 1, 0}) {
    rows.predictor.push_back(2.);
    rows.is_event.push_back(static_cast<std::uint8_t>(event));
  }
  rows.weight.assign(7, 4.0);  // weights count relative to each other
  const auto reduced = fit_line(rows).reduced;
  CHECK(near(reduced.intercept, detail::log(1.5 / 2.5)));
  CHECK(near(reduced.slope, (detail::log(3.5 / 1.5) - detail::log(1.5 / 2.5)) / 2));
}

/// The intercept alone, without offset: the log odds, and with half a row more of each class.
void intercepts() {
  const LogisticData data{{0., 0., 0., 0.}, {1., 1., 1., 1.}, {1, 0, 0, 0}};
  const auto fit = fit_intercept(data);
  CHECK(near(fit.likelihood, detail::log(1. / 3)) && near(fit.reduced, detail::log(1.5 / 3.5)));
  const LogisticData far{{-700., 30., -30., 700.}, {1., 1., 1., 1.}, {1, 0, 0, 0}};
  CHECK(std::isfinite(fit_intercept(far).likelihood));
  const LogisticData one_class{{0., 1.}, {1., 1.}, {1, 1}};
  CHECK(std::isnan(fit_intercept(one_class).likelihood));
  CHECK(std::isnan(fit_line(one_class).likelihood.slope));
  const LogisticData none{};
  CHECK(std::isnan(fit_intercept(none).reduced) && std::isnan(fit_line(none).reduced.slope));
}

/// Nearly separated classes have a steep line all the same.
void steep_lines() {
  LogisticData data;
  for (int i = -20; i <= 20; ++i) {
    data.predictor.push_back(10. * i);
    data.weight.push_back(1.);
    data.is_event.push_back(i > 0 || i == -1 ? 1 : 0);
  }
  const auto fit = fit_line(data);
  CHECK(fit.likelihood.slope > 0.05 && std::isfinite(fit.likelihood.slope));
  CHECK(fit.reduced.slope > 0.02 && fit.reduced.slope < fit.likelihood.slope);
}

void local_lines() {
  SortedPoints points;
  for (int i = 0; i <= 20; ++i) {
    points.x.push_back(0.05 * i);
    points.y.push_back(0.2 + 0.5 * 0.05 * i);
    points.weight.push_back(1. + i % 3);
  }
  for (const double place : {0., .03, .5, .77, 1.}) {  // a line is what it is
    CHECK(near(local_linear(points, place, .75), .2 + .5 * place));
  }
  CHECK(std::isnan(local_linear(points, -.01, .75)) && std::isnan(local_linear(points, 1.1, .75)));
  const SortedPoints tied{{.2, .5, .5, .5, .5, .5, .5, .5, .9},
                          {0., 1., 0., 1., 0., 0., 0., 0., 1.},
                          {1., 1., 1., 1., 1., 1., 1., 1., 1.}};
  CHECK(near(local_linear(tied, .5, .75), 2. / 7));
  CHECK(std::isnan(local_linear({{.2, .8}, {0., 1.}, {1., 1.}}, .5, .75)));  // as far, both
  CHECK(std::isnan(local_linear(SortedPoints{}, .5, .75)));
}

/// Tied predictions share a bin, and only rows of the sample count.
void a_sample() {
  const std::vector<std::uint8_t> events{1, 0, 1, 0, 1};
  const std::vector<double> predictions{.2, .2, .2, .8, .8};
  std::vector<double> logits;
  for (const double p : predictions) logits.push_back(detail::log(p / (1. - p)));
  const std::vector<double> weights{1., 1., 1., 1., 0.};
  std::vector<std::int32_t> rows(4);
  std::iota(rows.begin(), rows.end(), 0);
  const Sample sample{rows, rows, events.data(), predictions.data(), logits.data(), weights.data()};
  std::vector<double> values(statistic::Calibration::kScalars);
  evaluate(statistic::Calibration{4, {}}, sample, values);
  using Calibration = statistic::Calibration;
  CHECK(near(values[Calibration::brier_score], (.64 + .04 + .64 + .64) / 4));
  CHECK(near(values[Calibration::calibration_error], (3 * (2. / 3 - .2) + .8) / 4));
  CHECK(near(values[Calibration::within_bins], 0.));
  std::vector<double> benefit(4);
  evaluate(statistic::NetBenefit{{.5}}, sample, benefit);
  CHECK(near(benefit[0], -.25));
  double sensitivity = 0.;
  evaluate(statistic::Roc{{.5}, {}, {}, {}}, sample, {&sensitivity, 1});
  CHECK(near(sensitivity, 0.));
  double precision = 0.;
  evaluate(statistic::PrecisionRecall{{1.}}, sample, {&precision, 1});
  CHECK(near(precision, .5));
}

}  // namespace

int main() {
  two_groups();
  intercepts();
  steep_lines();
  local_lines();
  a_sample();
  return check::report();
}
