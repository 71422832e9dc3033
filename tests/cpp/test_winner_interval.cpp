// The winner's interval and the argmin test on values whose answer is known.
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/scores.hpp>
#include <cmath>
#include <limits>

#include "problem.hpp"

namespace {

using namespace bbc;

RowValues rows_of(std::int64_t n_rows, const std::vector<double>& values, double step = 0.0) {
  RowValues rows{n_rows, static_cast<std::int64_t>(values.size()) / n_rows,
                 values, {},
                 step,   {-INFINITY, INFINITY},
                 {}};
  for (std::int64_t j = 0; j < rows.n_configurations; ++j) {
    double sum = 0.0;
    for (const double value : rows.of(j)) sum += value;
    rows.scores.push_back(sum / static_cast<double>(n_rows));
  }
  return rows;
}

bool near(double a, double b, double within = 1e-12) { return std::abs(a - b) <= within; }

void truncated() {
  CHECK(near(truncated_normal_cdf(0.0, 0.0, 1.0, {-1.0, 1.0}), 0.5));
  CHECK(near(truncated_normal_cdf(1.0, 0.0, 2.0, {-INFINITY, INFINITY}), normal_cdf(0.5)));
  CHECK(truncated_normal_cdf(2.0, 0.0, 1.0, {-1.0, 1.0}) == 1.0);
  CHECK(truncated_normal_cdf(-2.0, 0.0, 1.0, {-1.0, 1.0}) == 0.0);
}

/// The other score is independent, of equal variance, and more than a standard error worse.
void two_scores() {
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(i % 2 == 0 ? 1.0 : 3.0);
  for (int i = 0; i < 12; ++i) values.push_back(i / 2 % 2 == 0 ? 0.5 : 2.5);
  const RowValues rows = rows_of(12, values);
  const WinnerIntervalOptions options;
  const IntervalEstimate found = winner_interval(rows, 0, options);
  CHECK(found.feasible);
  const double error = std::sqrt(1.0 / 11.0);
  CHECK(near(found.standard_error, error));
  CHECK(check::same(winner_standard_error(rows, 0, options), found.standard_error));
  CHECK(found.interval.low < found.estimate && found.estimate < 2.0 && found.interval.high > 2.0);
  Control two_threads;
  two_threads.n_threads = 2;
  const IntervalEstimate again = winner_interval(rows, 0, options, two_threads);
  CHECK(check::same(found.interval.low, again.interval.low));
  CHECK(check::same(found.estimate, again.estimate));
}

/// Limits never lie outside the range, nor does the estimate.
void within_the_range() {
  std::vector<double> values;
  for (int i = 0; i < 12; ++i) values.push_back(i % 2 == 0 ? 1.0 : 3.0);
  for (int i = 0; i < 12; ++i) values.push_back(i / 2 % 2 == 0 ? 0.5 : 2.5);
  RowValues rows = rows_of(12, values);
  rows.range = {1.4, 2.1};
  const IntervalEstimate found = winner_interval(rows, 0, {});
  CHECK(found.estimate >= 1.4 && found.estimate <= 2.1);
  CHECK(found.interval.low >= 1.4 && found.interval.high <= 2.1);
  rows.range = {1.9, 2.1};  // the other score is 1.5
  CHECK(check::contains(check::message_of([&] { static_cast<void>(winner_interval(rows, 0, {})); }),
                        "range"));
}

/// Values and scores that contradict the shape, or are not finite.
void inconsistent_rows() {
  const auto message = [](const auto& change) {
    RowValues rows = rows_of(4, {1.0, 2.0, 3.0, 4.0, 1.5, 1.0, 3.5, 2.0});
    change(rows);
    const std::string of_interval =
        check::message_of([&] { static_cast<void>(winner_interval(rows, 0, {})); });
    CHECK(of_interval ==
          check::message_of([&] { static_cast<void>(discrete_argmin(rows, true, 0.9)); }));
    return of_interval;
  };
  CHECK(message([](RowValues& rows) { rows.values.resize(5); }) ==
        "rows: 5 values for 2 configurations of 4 rows");
  CHECK(message([](RowValues& rows) {
          rows.n_rows = 1'000'000;
        }).starts_with("rows: 8 values for 2 configurations"));
  CHECK(message([](RowValues& rows) { rows.n_configurations = 3; }) ==
        "rows: 2 scores for 3 configurations");
  CHECK(message([](RowValues& rows) { rows.values[3] = NAN; }) ==
        "rows: a value or a score is not finite");
  CHECK(message([](RowValues& rows) { rows.scores[1] = INFINITY; }) ==
        "rows: a value or a score is not finite");
  CHECK(message([](RowValues& rows) { rows.step = NAN; }).starts_with("rows: the step"));
}

void wrong_arguments() {
  const RowValues rows = rows_of(2, {1.0, 2.0});
  const auto message = [&](std::int64_t winner, const WinnerIntervalOptions& options) {
    return check::message_of([&] { static_cast<void>(winner_interval(rows, winner, options)); });
  };
  WinnerIntervalOptions options;
  CHECK(check::contains(message(1, options), "winner"));
  options.units = {0};
  CHECK(check::contains(message(0, options), "units"));
  options.units = {};
  options.n_draws = 0;
  CHECK(check::contains(message(0, options), "n_draws"));
  CHECK(check::contains(
      check::message_of([&] { static_cast<void>(discrete_argmin(rows, true, 0.9)); }), "rows"));
  CHECK(check::contains(check::message_of([&] {
                          static_cast<void>(
                              discrete_argmin(rows_of(3, {1.0, 2.0, 3.0}), true, 1.0));
                        }),
                        "confidence_level"));
}

/// Against one competitor all weight is on it: the test is that of the mean difference.
void argmin_of_two() {
  const RowValues rows = rows_of(4, {1.0, 2.0, 3.0, 4.0, 1.5, 1.0, 3.5, 2.0});
  const auto found = discrete_argmin(rows, false, 0.9);
  // Differences -.5, 1, -.5, 2: mean .5, sd sqrt(3.5 / 2) / sqrt(1.5).
  const double t = 2.0 * 0.5 / std::sqrt(4.5 / 3.0);
  CHECK(near(found.statistics[0], t));
  CHECK(near(found.statistics[1], -t));
  CHECK(near(found.p_values[0], normal_cdf(-t)));
  CHECK(near(found.lambdas[0], 2.0 / 2.5));
}

void values_of_rows() {
  const Target target = problem::labels_of(4);  // 1 0 1 0
  const std::vector<double> scores{0.9, 0.1, 0.4, 0.6, 0.9, 0.1, 0.8, 0.2};
  const View<double> view{scores.data(), 4, 2, 1, {1, 4, 1}};
  const std::vector<Predictions> repeats{view};
  const RowValues auc = row_values(target, repeats, make_metric("roc_auc"));
  CHECK(auc.scores == (std::vector<double>{0.75, 1.0}));
  // Placements 1, 1, .5, .5 around .75, twice over: each class has half of the rows.
  CHECK(auc.values == (std::vector<double>{1.25, 1.25, 0.25, 0.25, 1.0, 1.0, 1.0, 1.0}));
  CHECK(auc.step == 0.125);
  CHECK(auc.range.low == 0.0 && auc.range.high == 1.0);
  CHECK(check::contains(check::message_of([&] {
                          static_cast<void>(
                              row_values(target, repeats, make_metric("average_precision")));
                        }),
                        "metric: must be a mean over rows"));
}

}  // namespace

int main() {
  truncated();
  two_scores();
  within_the_range();
  inconsistent_rows();
  wrong_arguments();
  argmin_of_two();
  values_of_rows();
  return check::report();
}
