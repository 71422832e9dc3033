// Statistics of winners: small samples by hand, their samples and repeats, bands, and refusals.
#include <algorithm>
#include <bbc/score_interval.hpp>
#include <bbc/winner_statistics.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace {

using namespace bbc;
using Calibration = statistic::Calibration;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool near(double value, double expected) { return std::fabs(value - expected) < 1e-12; }

struct Data {
  Target target;
  std::vector<double> scores;  // [row][configuration]
  std::int64_t n_configurations;
  CorrectionOptions options;

  Data(std::vector<std::int32_t> codes, std::vector<double> predictions)
      : scores(std::move(predictions)) {
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.codes = std::move(codes);
    n_configurations = static_cast<std::int64_t>(scores.size()) / target.n_rows();
  }
  [[nodiscard]] Predictions view() const {
    return View<double>{
        scores.data(), target.n_rows(), n_configurations, 1, {n_configurations, 1, 1}};
  }
  [[nodiscard]] WinnerStatistics statistics(std::size_t n_repeats = 1) const {
    const std::vector<Predictions> repeats(n_repeats, view());
    return {target, repeats, options, {2, {}}};
  }
};

/// Ten rows in which a risk of 1/4 means one event of four, and one of 2/3 four of six.
Data calibrated() {
  return {{1, 0, 0, 0, 1, 1, 1, 1, 0, 0},
          {.25, .25, .25, .25, 2. / 3, 2. / 3, 2. / 3, 2. / 3, 2. / 3, 2. / 3}};
}

void perfect_calibration() {
  const auto values = calibrated().statistics().on_all_rows(Calibration{4, {.25, 2. / 3}}, 0);
  CHECK(values.size() == Calibration::kScalars + 2);
  CHECK(near(values[Calibration::slope], 1.0));
  CHECK(near(values[Calibration::slope_intercept], 0.0));
  CHECK(near(values[Calibration::intercept], 0.0));
  CHECK(values[Calibration::reduced_slope] < 1.0);  // of ten rows: not the same estimate
  CHECK(near(values[Calibration::reliability], 0.0));
  CHECK(near(values[Calibration::calibration_error], 0.0));
  CHECK(near(values[Calibration::within_bins], 0.0));
  CHECK(near(values[Calibration::uncertainty], 0.25));
  CHECK(near(values[Calibration::resolution], .4 * .0625 + .6 / 36));
  CHECK(near(values[Calibration::observed_expected], 1.0));
  CHECK(values[Calibration::share_certain] == 0.0);
}

void separated_classes() {
  for (const std::vector<double>& scores :
       {std::vector<double>{.1, .2, .3, .6}, {.9, .8, .5, .5}, {.5, .5, .5, .5}}) {
    const Data data({0, 0, 1, 1}, scores);
    const auto values = data.statistics().on_all_rows(Calibration{10, {}}, 0);
    for (const auto value : {Calibration::slope, Calibration::slope_intercept,
                             Calibration::reduced_slope, Calibration::reduced_slope_intercept}) {
      CHECK(std::isnan(values[value]));
    }
    CHECK(std::isfinite(values[Calibration::intercept]));
  }
  const Data certain({0, 0, 1, 1}, {0., .4, .3, 1.});
  const auto values = certain.statistics().on_all_rows(Calibration{10, {}}, 0);
  CHECK(values[Calibration::share_certain] == 0.5);
  CHECK(std::isfinite(values[Calibration::intercept]));
}

void curves_by_hand() {
  // From the top: an event, a tie of both, another, an event.
  const Data data({1, 1, 0, 0, 1}, {.9, .5, .5, .4, .2});
  const statistic::Roc roc{{0., .25, .5, 1.}, {1. / 3, .5, 1.}, {{.5, 1.}}, {{0., 1.}}};
  const auto values = data.statistics().on_all_rows(roc, 0);
  const double expected[] = {
      1. / 3,       .5,          2. / 3, 1., 1., .75, 0., .25, (1. + .125 / .375) / 2.,
      .25 + 1. / 3, .25 + 1. / 3};
  CHECK(values.size() == 11);
  for (std::size_t i = 0; i < 11; ++i) CHECK(near(values[i], expected[i]));
  const auto precision =
      data.statistics().on_all_rows(statistic::PrecisionRecall{{1. / 3, .5, 2. / 3, .99}}, 0);
  CHECK(near(precision[0], 1.0) && near(precision[1], 1.5 / 2.0));
  CHECK(near(precision[2], 2.0 / 3.0) && near(precision[3], 2.97 / 4.97));
}

void net_benefit_by_hand() {
  const Data data({1, 1, 0, 0, 1}, {.9, .5, .5, .4, .2});
  const auto values = data.statistics().on_all_rows(statistic::NetBenefit{{.2, .5, .75}}, 0);
  const double expected[] = {.6 - .4 / 4, .4 - .2, .2, .6 - .4 / 4, .6 - .4, .6 - .4 * 3.,
                             0.,          0.,      .8, 5. / 6,      1. / 3,  1. / 3};
  for (std::size_t i = 0; i < 12; ++i) CHECK(near(values[i], expected[i]));
}

/// A replicate is scored where nothing was drawn, in its repeat if folds are drawn.
void samples_and_repeats() {
  Data data({1, 0, 1, 0, 1, 0}, {.9, .1, .8, .3, .4, .2, .3, .6, .7, .1, .2, .5});
  const statistic::NetBenefit statistic{{.35}};
  const std::vector<std::uint16_t> scoring{1, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 0};
  const std::vector<std::int64_t> winners{0, 1};
  const auto found = data.statistics().out_of_bag(statistic, 0, scoring, winners);
  const auto one = [&](std::vector<std::size_t> rows, std::size_t configuration) {
    double benefit = 0.0;
    for (const std::size_t row : rows) {
      if (data.scores[2 * row + configuration] < .35) continue;
      benefit += data.target.codes[row] == 1 ? 1.0 : -.35 / .65;
    }
    return benefit / static_cast<double>(rows.size());
  };
  CHECK(near(found[0], one({1, 2, 4, 5}, 0)) && near(found[4], one({0, 1, 5}, 1)));
  CHECK(data.statistics(3).out_of_bag(statistic, 0, scoring, winners).size() == found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(near(data.statistics(3).out_of_bag(statistic, 0, scoring, winners)[i], found[i]));
  }
  // Rows that a repeat did not predict are not in its sample.
  data.options.folds = {0, 0, -1, 0, 0, 0};
  const auto seen = data.statistics().out_of_bag(statistic, 0, scoring, winners);
  CHECK(near(seen[0], one({1, 4, 5}, 0)));
  data.options.folds = {0, 0, 0, 0, 0, 0, -1, -1, -1, -1, 0, 0};
  data.options.rotate_repeats = true;
  const auto rotated = data.statistics(2).out_of_bag(statistic, 0, scoring, winners);
  CHECK(near(rotated[0], one({1, 2, 4, 5}, 0)) && near(rotated[4], one({5}, 1)));
  data.options.folds.clear();
  data.options.rotate_repeats = false;
  data.options.row_weights = {0, 1, 1, 1, 0, 1};
  const auto weighted = data.statistics().out_of_bag(statistic, 0, scoring, winners);
  CHECK(near(weighted[0], one({1, 2, 5}, 0)) && near(weighted[4], one({1, 5}, 1)));
}

void nothing_out_of_bag() {
  const Data data({1, 0, 1, 0}, {.9, .1, .8, .3});
  const std::vector<std::uint16_t> all(4, 1);
  for (const Statistic& statistic : std::vector<Statistic>{
           Calibration{10, {.5}}, statistic::NetBenefit{{.5}},
           statistic::Roc{{.5}, {.5}, {{0., 1.}}, {{0., 1.}}}, statistic::PrecisionRecall{{.5}}}) {
    for (const double value : data.statistics().out_of_bag(statistic, 0, all, {{0}})) {
      CHECK(std::isnan(value));
    }
  }
}

void bands() {
  std::vector<double> curves;
  for (int b = 0; b < 100; ++b) {
    curves.push_back(b);
    curves.push_back(b % 2 == 0 ? -b : kNaN);
  }
  const CurveBand band = curve_band(curves, 100, .9);
  CHECK(near(band.estimates[0], 49.5) && near(band.estimates[1], -48.5));
  CHECK(band.n_undefined == (std::vector<std::int64_t>{0, 50}));
  CHECK(band.lows[0] == 4.0 && band.highs[0] == 94.0);
  CHECK(band.lows[1] == -94.0 && band.highs[1] == -4.0);
  int inside = 0;
  for (int b = 0; b < 100; ++b) {
    bool within = true;
    for (std::size_t point = 0; point < 2; ++point) {
      const double value = curves[2 * static_cast<std::size_t>(b) + point];
      within = within && !(value < band.simultaneous_lows[point]) &&
               !(value > band.simultaneous_highs[point]);
    }
    inside += within ? 1 : 0;
  }
  CHECK(inside >= 90);
  CHECK(check::contains(check::message_of([&] { (void)curve_band(curves, 3, .9); }), "shape"));
  CHECK(check::contains(check::message_of([&] { (void)curve_band(curves, 20, .99); }), "too high"));
}

/// Where some replicates end, the others go on without a jump, whatever distance was between them.
void ends() {
  std::vector<double> curves;
  for (int b = 0; b < 100; ++b) {
    const double level = b % 2 == 0 ? .1 : .5;
    for (int point = 0; point < 4; ++point) {
      const bool ended = b % 2 == 0 ? point > 1 : point == 0;
      curves.push_back(ended ? kNaN : level + .01 * point);
    }
  }
  const CurveBand band = curve_band(curves, 100, .9);
  for (std::size_t point = 0; point < 4; ++point) {
    CHECK(near(band.estimates[point], .3 + .01 * static_cast<double>(point)));
    CHECK(near(band.lows[point], .1 + .01 * static_cast<double>(point)));
    CHECK(near(band.highs[point], .5 + .01 * static_cast<double>(point)));
  }
  CHECK(band.n_undefined == (std::vector<std::int64_t>{50, 0, 50, 50}));
}

/// Two configurations of `calibrated()`, the second of which is worse.
Data two() {
  Data data = calibrated();
  std::vector<double> both;
  for (std::size_t row = 0; row < data.scores.size(); ++row) {
    both.push_back(data.scores[row]);
    both.push_back(row % 2 == 0 ? .9 : .2);
  }
  return {data.target.codes, both};
}

void shifts() {
  const Data data = two();
  const WinnerStatistics statistics = data.statistics();
  const Calibration calibration{4, {.5}};
  const auto n = static_cast<std::size_t>(n_values(calibration));
  constexpr std::int64_t kReplicates = 120;
  std::vector<std::uint16_t> scoring;
  for (std::int64_t b = 0; b < kReplicates; ++b) {
    for (std::int64_t row = 0; row < 10; ++row) {
      scoring.push_back(static_cast<std::uint16_t>((row * 7 + b * 3 + row * b) % 3 == 0 ? 0 : 1));
    }
  }
  const auto values_of = [&](const std::vector<std::int64_t>& winners) {
    return statistics.out_of_bag(calibration, 0, scoring, winners);
  };
  const auto mean = [&](const std::vector<double>& values, std::size_t value) {
    double sum = 0.0;
    for (std::size_t at = value; at < values.size(); at += n) sum += values[at];
    return sum / kReplicates;
  };
  const std::vector<std::int64_t> first(kReplicates, 0);
  // One winner: the mean is the apparent value, of means over rows what it was.
  std::vector<double> values = values_of(first);
  const double brier = mean(values, Calibration::brier_score);
  StatisticShifts alone(statistics, calibration, data.options, first, 0);
  alone.add(0, {scoring.data(), 500}, {values.data(), 50 * n});
  alone.add(50, {scoring.data() + 500, 700}, {values.data() + 50 * n, 70 * n});
  alone.take_from(values);
  const auto apparent = statistics.on_all_rows(calibration, 0);
  for (const auto value : {Calibration::reliability, Calibration::resolution,
                           Calibration::uncertainty, Calibration::calibration_error}) {
    CHECK(std::fabs(mean(values, value) - apparent[value]) < 1e-12);
  }
  CHECK(mean(values, Calibration::brier_score) == brier);
  // Others take the apparent winner's shift and what the first 50 replicates say.
  std::vector<std::int64_t> mixed = first;
  mixed[7] = 1;
  std::vector<double> both = values_of(mixed);
  const std::vector<double> as_drawn = both;
  StatisticShifts shifts(statistics, calibration, data.options, mixed, 0);
  shifts.add(0, scoring, both);
  shifts.take_from(both);
  const auto of_first = values_of(first);
  const auto of_second = values_of(std::vector<std::int64_t>(kReplicates, 1));
  const std::size_t v = Calibration::reliability;
  double apart = 0.0;
  for (std::size_t b = 0; b < StatisticShifts::kCompared; ++b) {
    apart += (of_second[b * n + v] - of_first[b * n + v]) / StatisticShifts::kCompared;
  }
  const double shift = mean(of_first, v) + apart - statistics.on_all_rows(calibration, 1)[v];
  CHECK(std::fabs(both[7 * n + v] - (as_drawn[7 * n + v] - shift)) < 1e-12);
  // As published.
  CorrectionOptions published = data.options;
  published.size_correction = false;
  std::vector<double> same = as_drawn;
  StatisticShifts none(statistics, calibration, published, mixed, 0);
  none.add(0, scoring, same);
  none.take_from(same);
  for (std::size_t i = 0; i < same.size(); ++i) {
    CHECK(same[i] == as_drawn[i] || (std::isnan(same[i]) && std::isnan(as_drawn[i])));
  }
  CHECK(check::contains(check::message_of([&] { shifts.add(5, scoring, as_drawn); }), "scoring"));
  CHECK(check::contains(check::message_of([&] { alone.take_from({}); }), "replicates"));
}

void bands_end_where_values_do() {
  std::vector<double> curves;
  for (int b = 0; b < 100; ++b) curves.push_back(b * .02);
  const std::vector<Interval> ranges{{0.0, 1.0}};
  const CurveBand band = curve_band(curves, 100, .9, {}, ranges);
  CHECK(near(band.estimates[0], .99) && band.highs[0] == 1.0 && band.simultaneous_highs[0] == 1.0);
  CHECK(band.lows[0] > 0.0);
  const std::vector<Interval> two_ranges(2);
  const auto message =
      check::message_of([&] { (void)curve_band(curves, 100, .9, {}, two_ranges); });
  CHECK(check::contains(message, "ranges"));
  const auto of_roc = value_ranges(statistic::Roc{{.1}, {}, {{.8, 1.}}, {}});
  CHECK(of_roc.size() == 3 && of_roc[0].high == 1.0 && near(of_roc[1].high, .2));
}

void refusals() {
  const auto message = [](const Statistic& statistic) {
    return check::message_of([&] { (void)n_values(statistic); });
  };
  CHECK(check::contains(message(Calibration{0, {}}), "n_bins"));
  CHECK(check::contains(message(Calibration{1, {.5, .2}}), "grid: must ascend"));
  CHECK(check::contains(message(statistic::NetBenefit{{1.}}), "thresholds"));
  CHECK(check::contains(message(statistic::Roc{{2.}, {}, {}, {}}), "false_positive_rates"));
  CHECK(check::contains(message(statistic::Roc{{}, {}, {{1., 0.}}, {}}), "specificity_ranges"));
  CHECK(check::contains(message(statistic::PrecisionRecall{{0.}}), "recalls"));
  const Data scores({1, 0}, {3., .5});
  const auto of = [&](const Statistic& statistic, std::int64_t winner) {
    return check::message_of([&] { (void)scores.statistics().on_all_rows(statistic, winner); });
  };
  CHECK(check::contains(of(Calibration{10, {}}, 0), "probabilities in [0, 1] at repeat 0, row 0"));
  CHECK(check::contains(of(statistic::NetBenefit{{.5}}, 0), "probabilities"));
  CHECK(of(statistic::Roc{{.5}, {}, {}, {}}, 0) == "no error");
  CHECK(check::contains(of(statistic::Roc{{.5}, {}, {}, {}}, 1), "configuration 1 of 1"));
  Data classes({1, 0}, {.3, .5});
  classes.target.n_classes = 3;
  CHECK(check::contains(check::message_of([&] { (void)classes.statistics(); }), "two classes"));
}

}  // namespace

int main() {
  perfect_calibration();
  separated_classes();
  curves_by_hand();
  net_benefit_by_hand();
  samples_and_repeats();
  nothing_out_of_bag();
  bands();
  ends();
  bands_end_where_values_do();
  shifts();
  refusals();
  return check::report();
}
