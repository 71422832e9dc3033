// Winners that a caller chooses, and what is read of winners, against a correction that does both.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 40;
constexpr std::int64_t kConfigurations = 6;
constexpr std::int64_t kReplicates = 90;

struct Data {
  Target target;
  CorrectionOptions options;
  std::vector<double> values;  // [row][configuration]

  explicit Data(const char* metric) : options(problem::options_of(metric, kReplicates)) {
    problem::Random random(11);
    const bool real = std::string(metric) == "r2";
    if (!real) target = problem::labels_of(kRows);
    for (std::int64_t row = 0; real && row < kRows; ++row)
      target.values.push_back(random.uniform());
    for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) values.push_back(random.uniform());
    options.resampling.seed = 5;
  }

  [[nodiscard]] std::vector<Predictions> views() const {
    return {View<double>{values.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}}};
  }
  [[nodiscard]] Estimate corrected() const { return correct(target, views(), options); }
  static Data of_errors(std::int32_t n_folds) {
    Data data("mean_squared_error");
    problem::Random random(12);
    data.target = {};
    for (std::int64_t row = 0; row < kRows; ++row) data.target.values.push_back(random.uniform());
    if (n_folds > 0) data.draw_folds(n_folds);
    return data;
  }
  void draw_folds(std::int32_t n_folds) {
    for (std::int32_t row = 0; row < kRows; ++row) {
      options.resampling.folds.push_back(row / 2 % n_folds);
    }
  }
};

std::int64_t best(std::span<const double> scores, std::span<const std::uint16_t> /*counts*/) {
  return std::ranges::max_element(scores) - scores.begin();
}

std::int64_t least(std::span<const double> scores, std::span<const std::uint16_t> /*counts*/) {
  return std::ranges::min_element(scores) - scores.begin();
}

bool same(const std::vector<double>& ours, const std::vector<double>& theirs) {
  return std::ranges::equal(ours, theirs, check::same);
}

void check_same(const Estimate& ours, const Estimate& theirs, const std::string& context) {
  CHECK_FOR(ours.winner == theirs.winner, context);
  CHECK_FOR(ours.replicate_winners == theirs.replicate_winners, context);
  CHECK_FOR(same(ours.replicates, theirs.replicates), context);
  CHECK_FOR(
      same({ours.estimate, ours.interval.low, ours.interval.high, ours.apparent, ours.optimism,
            ours.replicate_sd, ours.size_bias, ours.undefined_fold_share},
           {theirs.estimate, theirs.interval.low, theirs.interval.high, theirs.apparent,
            theirs.optimism, theirs.replicate_sd, theirs.size_bias, theirs.undefined_fold_share}),
      context);
  CHECK_FOR(ours.n_redrawn == theirs.n_redrawn, context);
  CHECK_FOR(ours.rates == theirs.rates && ours.few_events == theirs.few_events, context);
}

/// A rule that takes the best score is a correction, with and without what fewer rows do.
void rule_of_the_best() {
  for (const char* metric : {"roc_auc", "brier_score", "average_precision", "r2"}) {
    for (const std::int32_t n_folds : {0, 5, 3}) {
      Data data(metric);
      if (n_folds > 0) data.draw_folds(n_folds);
      const auto rule = data.options.metric.greater_is_better() ? best : least;
      const auto ours = correct_by_rule(data.target, data.views(), data.options, rule, {2, {}});
      check_same(ours, data.corrected(), metric + std::to_string(n_folds));
      CHECK(std::isnan(ours.size_bias) == !data.options.metric.size_dependent());
    }
  }
}

void rule_that_knows_counts() {
  const Data data("roc_auc");
  std::int64_t n_calls = 0;
  const auto rule = [&](std::span<const double> scores, std::span<const std::uint16_t> counts) {
    CHECK(scores.size() == kConfigurations && counts.size() == kRows);
    CHECK(std::accumulate(counts.begin(), counts.end(), 0) == kRows);
    CHECK(n_calls > 0 || std::ranges::count(counts, 1) == kRows);
    return n_calls++ % kConfigurations;
  };
  const auto found = correct_by_rule(data.target, data.views(), data.options, rule);
  CHECK(n_calls == 1 + kReplicates && found.winner == 0);
  CHECK(found.replicate_winners[0] == 1 && found.replicate_winners[kConfigurations] == 1);
  const auto outside = [](auto&&...) { return kConfigurations; };
  CHECK(check::message_of([&] {
          (void)correct_by_rule(data.target, data.views(), data.options, outside);
        }) == "selection: chose configuration 6 of 6");
}

/// Winners scored by the metric that chose them have the replicates of the correction.
void winners_by_their_own_metric() {
  for (const char* metric : {"brier_score", "average_precision", "r2"}) {
    const Data data(metric);
    const auto found = data.corrected();
    const ReplicateScorer scorer(data.target, data.views(), data.options, {}, MetricRole::reported);
    const Winners winners{found.replicate_winners, found.winner};
    Redraws redraws{data.target, data.options, {}};
    const auto scores = winner_scores(scorer, data.options, redraws, winners, {2, {}});
    CHECK_FOR(same(scores.replicates, found.replicates), metric);
    CHECK_FOR(same({scores.apparent, scores.size_bias}, {found.apparent, found.size_bias}), metric);
    CHECK_FOR(scores.rates == found.rates, metric);
    // The same rows by their places, of two repeats alike.
    for (int i = 0; i < 2 * kRows; ++i) redraws.places.push_back(i % kRows);
    redraws.n_repeats = 2;
    CHECK_FOR(
        same(winner_scores(scorer, data.options, redraws, winners).replicates, found.replicates),
        metric);
  }
}

/// The mean squared error as a metric of the caller's, which notes the repeats that it is asked
/// for.
OwnMetric own_error(const Data& data, std::vector<std::int64_t>* repeats = nullptr) {
  OwnMetric metric;
  metric.scores = [&data, repeats](std::span<const std::int64_t> rows,
                                   std::span<const std::int64_t> configurations,
                                   std::int64_t repeat) {
    if (repeats != nullptr) repeats->push_back(repeat);
    ScoresOfRows scores;
    for (const std::int64_t j : configurations) {
      double sum = 0.0;
      for (const std::int64_t row : rows) {
        const double error = data.values[row * kConfigurations + j] - data.target.values[row];
        sum += error * error;
      }
      scores.values.push_back(sum / static_cast<double>(rows.size()));
    }
    return scores;
  };
  std::vector<std::int64_t> rows(kRows);
  std::vector<std::int64_t> configurations(kConfigurations);
  std::iota(rows.begin(), rows.end(), 0);
  std::iota(configurations.begin(), configurations.end(), 0);
  metric.on_all_rows = metric.scores(rows, configurations, -1).values;
  metric.name = "'own'";
  return metric;
}

bool near(const std::vector<double>& ours, const std::vector<double>& theirs) {
  return std::ranges::equal(ours, theirs,
                            [](double a, double b) { return std::abs(a - b) < 1e-9; });
}

/// A metric of the caller's has the replicates of the kernel's, in a correction and in questions.
void metric_of_the_caller() {
  for (const std::int32_t n_folds : {0, 5}) {
    const Data data = Data::of_errors(n_folds);
    std::vector<std::int64_t> repeats;
    OwnMetric metric = own_error(data, &repeats);
    const auto theirs = data.corrected();
    const auto ours = correct_by_rule(data.target, metric, data.options, least);
    CHECK(ours.replicate_winners == theirs.replicate_winners && ours.winner == theirs.winner);
    CHECK(near(ours.replicates, theirs.replicates) && ours.rates.empty());
    CHECK(std::accumulate(ours.attempts.begin(), ours.attempts.end(), std::int64_t{0}) ==
          theirs.n_redrawn);
    CHECK(ours.n_redrawn == theirs.n_redrawn && theirs.attempts.empty());
    // In bag of all repeats, out of bag of the one whose folds are drawn.
    CHECK(repeats[1] == -1 && repeats[2] == (n_folds == 0 ? -1 : 0));
    const Redraws redraws{data.target, data.options, {}, 1, ours.attempts};
    const Winners winners{ours.replicate_winners, ours.winner};
    const auto scored = winner_scores(metric, data.options, redraws, winners);
    CHECK(same(scored.replicates, ours.replicates) && check::same(scored.apparent, ours.apparent));
    if (n_folds == 0) {
      const auto kernel = in_bag_scores(data.target, data.views(), data.options);
      CHECK(near(in_bag_scores(data.target, metric, data.options).replicates, kernel.replicates));
    }
    // What fewer rows do, to the scores of winners that are known, is the same from both.
    metric.size_dependent = true;
    const auto shifted = correct_by_rule(data.target, metric, data.options, least);
    CHECK(std::isnan(ours.size_bias) && std::abs(shifted.size_bias) > 0.0);
    const auto again = winner_scores(metric, data.options, redraws, winners);
    CHECK(same(again.replicates, shifted.replicates) &&
          check::same(again.size_bias, shifted.size_bias));
  }
}

/// Draws that leave it undefined are redrawn, whichever side that is on.
void undefined_metric_of_the_caller() {
  Data data = Data::of_errors(0);
  OwnMetric metric = own_error(data);
  const auto scores = metric.scores;
  metric.scores = [&](auto rows, auto configurations, auto repeat) {
    const bool in_bag = configurations.size() == kConfigurations;
    const bool defined = (std::ranges::find(rows, 0) != rows.end()) != in_bag;
    return defined ? scores(rows, configurations, repeat) : ScoresOfRows{};
  };
  const auto found = correct_by_rule(data.target, metric, data.options, least);
  CHECK(found.n_redrawn > 0 &&
        found.n_redrawn ==
            std::accumulate(found.attempts.begin(), found.attempts.end(), std::int64_t{0}));
  const auto counts =
      scoring_counts({data.target, data.options, {}, 1, found.attempts}, 0, kReplicates);
  for (std::int64_t b = 0; b < kReplicates; ++b) CHECK(counts[b * kRows] == 0);
  const auto message = [&] {
    return check::message_of(
        [&] { (void)correct_by_rule(data.target, metric, data.options, least); });
  };
  const std::string advice =
      "; use more rows, a metric that needs fewer, or draws within each class";
  data.options.redraw = false;
  CHECK(message() == "redraw: a draw leaves metric 'own' undefined at replicate 0" + advice);
  data.options.redraw = true;
  metric.scores = [](auto&&...) { return ScoresOfRows{}; };
  CHECK(message() ==
        "target: 1000 draws in a row failed: the last one leaves metric 'own' undefined at "
        "replicate 0" +
            advice);
  metric.scores = [](auto&&...) { return ScoresOfRows{{0.5, 0.5}, 0}; };
  CHECK(message() == "metric: 2 scores of 6 configurations");
  metric.scores = [](auto&&...) { return ScoresOfRows{}; };
  data.options.resampling.resamples.assign(kReplicates * kRows, 3);
  CHECK(message() == "resamples: a draw leaves metric 'own' undefined at replicate 0");
}

/// Counts of given attempts are those of the sampler, of rows and of folds.
void counts_of_attempts() {
  for (const std::int32_t n_folds : {0, 5}) {
    Data data("mean_squared_error");
    data.target = Target{};
    data.target.values.assign(kRows, 0.5);
    if (n_folds > 0) data.draw_folds(n_folds);
    Redraws redraws{data.target, data.options, {}};
    CHECK(scoring_counts(redraws, 3, 7) ==
          scoring_counts(data.target, data.options, 3, 7));  // the truth decides
    for (std::int64_t b = 0; b < kReplicates; ++b) redraws.attempts.push_back(b % 3);
    const auto counts = scoring_counts(redraws, 3, 7);
    const Sampler sampler(kRows, data.options.resampling);
    for (std::int64_t i = 0; i < 7; ++i) {
      std::vector<std::uint16_t> rows(kRows);
      std::vector<std::uint16_t> scoring(kRows);
      const auto attempt = static_cast<std::uint32_t>((3 + i) % 3);
      if (n_folds > 0) {
        sampler.draw_folds(3 + i, attempt, rows.data(), scoring.data());
      } else {
        sampler.draw(3 + i, attempt, scoring.data());
      }
      CHECK(std::equal(scoring.begin(), scoring.end(), counts.begin() + i * kRows));
    }
    redraws.attempts.pop_back();
    CHECK(check::message_of([&] { (void)scoring_counts(redraws, 0, 1); }) ==
          "attempts: need one of each replicate");
    redraws.attempts.clear();
    CHECK(check::message_of([&] { (void)scoring_counts(redraws, kReplicates - 1, 2); }) ==
          "replicates: there are 90");
  }
}

/// Where nothing was selected the estimate is the apparent score exactly, and no seed moves it.
void moments() {
  Data data("roc_auc");
  const std::vector<double> replicates{0.5, 0.75, 1.0};
  const auto of = [&](std::int64_t n) {
    return replicate_moments(replicates, 0.6, n, data.options);
  };
  CHECK(of(2).estimate == 0.75 && of(2).sd == 0.25);
  CHECK(of(2).monte_carlo_error == 0.25 / std::sqrt(3.0));
  CHECK(of(1).estimate == 0.6 && of(1).sd == 0.25 && of(1).monte_carlo_error == 0.0);
  data.options.selection = selection::Threshold{};
  CHECK(of(1).estimate == 0.75);
  data.options.selection = selection::Best{};
  data.options.size_correction = false;
  CHECK(of(1).estimate == 0.75);
  data.options.size_correction = true;
  data.options.resampling.resamples = {0};
  CHECK(of(1).estimate == 0.75);
}

void scores_in_bag() {
  const Data data("roc_auc");
  const auto found = in_bag_scores(data.target, data.views(), data.options, {2, {}});
  const ReplicateScorer scorer(data.target, data.views(), data.options);
  const auto drawn = scorer.in_bag(0, kReplicates);
  CHECK(same(found.on_all_rows, scorer.on_all_rows()) && same(found.replicates, drawn.scores));
  CHECK(found.n_redrawn == drawn.n_redrawn);
}

/// A statistic of winners is that of WinnerStatistics on the counts of the correction.
void values_of_winners() {
  const Data data("roc_auc");
  const auto found = data.corrected();
  const auto views = data.views();
  const WinnerStatistics statistics(data.target, views, data.options);
  const Statistic statistic = statistic::NetBenefit{{0.2, 0.5}};
  auto plain = data.options;
  plain.size_correction = false;
  const auto values = winner_values(statistics, statistic, plain, {data.target, data.options, {}},
                                    {found.replicate_winners, found.winner});
  const auto counts = scoring_counts(data.target, data.options, 0, kReplicates);
  CHECK(same(values, statistics.out_of_bag(statistic, 0, counts, found.replicate_winners)));
}

void set_of_possible_winners() {
  Data data("brier_score");
  const auto found = possible_winners(data.target, data.views(), data.options);
  const ReplicateScorer scorer(data.target, data.views(), data.options);
  const auto drawn = scorer.in_bag(0, kReplicates);
  CHECK(same(found.scores, scorer.on_all_rows()) && found.n_redrawn == drawn.n_redrawn);
  const auto set =
      model_confidence_set(found.scores, drawn.scores, false, data.options.confidence_level);
  CHECK(found.set.p_values == set.p_values && found.set.possible == set.possible);
  CHECK(found.winner == data.corrected().winner);
  data.options.confidence_level = 0.999;
  const auto refused = [&] { (void)possible_winners(data.target, data.views(), data.options); };
  CHECK(check::contains(check::message_of(refused), "confidence_level"));
}

void refusals() {
  const Data data("roc_auc");
  const ReplicateScorer scorer(data.target, data.views(), data.options);
  const auto message = [&](std::vector<std::int32_t> places, std::int64_t n_repeats,
                           std::size_t n) {
    return check::message_of([&] {
      (void)winner_scores(scorer, data.options,
                          {data.target, data.options, std::move(places), n_repeats},
                          {std::vector<std::int64_t>(n, 0), 0});
    });
  };
  CHECK(message({}, 1, 3) == "winners: need one of each replicate");
  CHECK(message({0, 1, 2}, 2, kReplicates) ==
        "places: need the same number of rows in each repeat");
  CHECK(message({0}, 0, kReplicates) == "places: need the same number of rows in each repeat");
  CHECK(message({0, kRows}, 1, kReplicates) == "places: there are 40 rows");
}

}  // namespace

int main() {
  rule_of_the_best();
  rule_that_knows_counts();
  winners_by_their_own_metric();
  metric_of_the_caller();
  undefined_metric_of_the_caller();
  counts_of_attempts();
  moments();
  scores_in_bag();
  values_of_winners();
  set_of_possible_winners();
  refusals();
  return check::report();
}
