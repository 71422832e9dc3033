// Replicates and what is made of them, step by step: redraws, folds, repeats that rotate, the rule
// of one standard error, and the estimate.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/estimate.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/scores.hpp>
#include <cmath>

#include "detail/evaluation/evaluators.hpp"
#include "detail/evaluation/fold_table.hpp"
#include "detail/evaluation/selection_rule.hpp"
#include "detail/resampling/replicates.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

constexpr std::int64_t kRows = 20;
constexpr std::int64_t kConfigurations = 4;

bool near(double value, double expected) { return std::fabs(value - expected) < 1e-13; }

struct Data {
  Target target;
  CorrectionOptions options;
  std::vector<double> values[2];  // [repeat][row * kConfigurations + configuration]

  explicit Data(const char* metric, std::int32_t n_positive = 3) {
    problem::Random random(8);
    options.metric = make_metric(metric);
    options.resampling.n_bootstraps = 100;
    options.resampling.seed = 1;
    const bool of_labels = std::holds_alternative<metric::Auc>(options.metric.kind);
    target.kind = of_labels ? Target::Kind::labels : Target::Kind::real;
    target.n_classes = of_labels ? 2 : 0;
    for (std::int32_t row = 0; row < kRows; ++row) {
      if (of_labels) target.codes.push_back(row % 6 == 0 && row / 6 < n_positive ? 1 : 0);
      target.values.push_back(of_labels ? 0.0 : 0.5 * random.below(7));
    }
    for (auto& of_repeat : values) {
      for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) {
        of_repeat.push_back(0.5 * random.below(7));
      }
    }
  }
  [[nodiscard]] std::vector<Predictions> views(std::size_t n_repeats = 1) const {
    std::vector<Predictions> views;
    for (std::size_t r = 0; r < n_repeats; ++r) {
      views.emplace_back(
          View<double>{values[r].data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}});
    }
    return views;
  }
  /// Mean squared error of some rows.
  template <class Counts>
  [[nodiscard]] double squared(std::size_t repeat, std::int64_t j, const Counts& counts) const {
    double sum = 0.0;
    double n = 0.0;
    for (std::int64_t row = 0; row < kRows; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const double gap =
          target.values[at] - values[repeat][static_cast<std::size_t>(row * kConfigurations + j)];
      sum += counts(at) * gap * gap;
      n += counts(at);
    }
    return sum / n;
  }
};

bool both_classes(const Target& target, const std::vector<std::uint16_t>& counts, bool in_bag) {
  bool seen[2] = {};
  for (std::size_t row = 0; row < counts.size(); ++row) {
    if ((counts[row] > 0) == in_bag) seen[target.codes[row]] = true;
  }
  return seen[0] && seen[1];
}

void redrawn_until_defined() {
  const Data data("roc_auc");
  const Sampler sampler(kRows, data.options.resampling);
  for (const RequiredSides required_sides : {RequiredSides::both_sides, RequiredSides::in_bag}) {
    const Replicates replicates(data.target, data.options, required_sides);
    Replicates::Drawn draw;
    replicates.draw(0, 5, draw);  // is written over
    std::int64_t n_redrawn = 0;
    replicates.draw(30, 50, draw);
    for (int lane = 0; lane < 50; ++lane) {
      std::vector<std::uint16_t> counts(kRows);
      for (std::uint32_t attempt = 0;; ++attempt, ++n_redrawn) {
        sampler.draw(30 + lane, attempt, counts.data());
        if (both_classes(data.target, counts, true) &&
            (required_sides == RequiredSides::in_bag || both_classes(data.target, counts, false))) {
          break;
        }
      }
      CHECK(std::equal(counts.begin(), counts.end(), draw.block.replicate(lane)));
    }
    CHECK(n_redrawn > 0 && draw.n_redrawn == n_redrawn && draw.block.n_replicates == 50);
    CHECK(replicates.n_fold_sides() == (required_sides == RequiredSides::both_sides ? 200 : 100));
    CHECK(replicates.all_rows().counts == std::vector<std::uint16_t>(kRows, 1));
  }
}

void impossible_or_forbidden() {
  const auto message = [](const Data& data) {
    return check::message_of([&] {
      (void)Replicates(data.target, data.options, RequiredSides::both_sides).draw(0, 64);
    });
  };
  CHECK(message(Data("roc_auc", 1)).find("class 1 has 1 row, so it is never both in bag") !=
        std::string::npos);
  // Two different true values on one side leave none for the other.
  Data one_differs("spearman");
  one_differs.target.values.assign(kRows, 0.0);
  one_differs.target.values[3] = 1.0;
  CHECK(message(one_differs).find("no draw leaves one on either side") != std::string::npos);
  Data data("roc_auc");
  data.options.redraw = false;
  CHECK(message(data).find("leaves the metric undefined") != std::string::npos);
  data.options.redraw = true;
  data.options.resampling.n_bootstraps = 1;
  data.options.resampling.resamples.assign(kRows, 0);
  CHECK(check::message_of([&] {
          (void)Replicates(data.target, data.options, RequiredSides::both_sides).draw(0, 1);
        }) ==
        "resamples: a draw leaves the metric undefined in bag, where it needs a row of every class "
        "at "
        "replicate 0");
  for (std::int32_t row = 0; row < kRows; ++row) {
    data.options.resampling.resamples[static_cast<std::size_t>(row)] = row;
  }
  CHECK(check::message_of([&] {
          (void)Replicates(data.target, data.options, RequiredSides::both_sides).draw(0, 1);
        }) == "resamples: a draw leaves nothing out of bag at replicate 0");
  data.options.resampling = {};
  data.options.row_weights.assign(kRows, 0.0);
  CHECK(message(data) == "row_weights: is zero in every row");
}

void undefined_folds_are_counted() {
  Data data("roc_auc", 4);
  for (std::int32_t row = 0; row < kRows; ++row) data.options.folds.push_back(row / 6 % 3);
  const Replicates replicates(data.target, data.options, RequiredSides::both_sides);
  const auto draw = replicates.draw(0, 60);
  std::int64_t expected = 0;
  for (int lane = 0; lane < 60; ++lane) {
    for (std::int32_t fold = 0; fold < 3; ++fold) {
      for (const bool in_bag : {true, false}) {
        bool seen[2] = {};
        for (std::size_t row = 0; row < kRows; ++row) {
          const bool is_drawn = draw.block.replicate(lane)[row] > 0;
          if (data.options.folds[row] == fold && is_drawn == in_bag) {
            seen[data.target.codes[row]] = true;
          }
        }
        expected += seen[0] && seen[1] ? 0 : 1;
      }
    }
  }
  CHECK(expected > 0 && draw.n_undefined_folds == expected);
  CHECK(replicates.n_fold_sides() == 100 * 3 * 2);
}

/// Replicate b belongs to repeat b mod 2.
void repeats_rotate() {
  Data data("mean_squared_error");
  data.options.rotate_repeats = true;
  const auto views = data.views(2);
  const Evaluators evaluators(data.options, data.target, views, {}, {1, {}});
  problem::Random random(4);
  const ReplicateBlock block = problem::random_block(random, kRows, 7);
  std::vector<int> served(7);
  evaluators.visit(
      block, block, 5,
      [&](const Evaluators::Share& own, const ReplicateBlock& share, const ReplicateBlock&) {
        const int* lanes = own.lanes;
        CHECK(&own.in_bag == &own.out_of_bag);
        for (int i = 0; i < share.n_replicates; ++i) {
          ++served[static_cast<std::size_t>(lanes[i])];
          const auto repeat = static_cast<std::size_t>((5 + lanes[i]) % 2);
          std::vector<Choice> choices(static_cast<std::size_t>(share.n_replicates), {0.0, 2});
          std::vector<double> scores(choices.size());
          own.in_bag.in_bag(share, choices.data(), StopFlag{}, scores.data());
          const auto counts = [&](std::size_t row) -> double {
            return block.replicate(lanes[i])[row];
          };
          CHECK(near(scores[static_cast<std::size_t>(i)], data.squared(repeat, 2, counts)));
        }
      });
  CHECK(served == std::vector<int>(7, 1));
  CHECK(evaluators.all_repeats().n_configurations() == kConfigurations);
}

void scores_of_folds() {
  Data data("mean_squared_error");
  std::vector<std::int32_t> folds;
  for (std::int32_t i = 0; i < 2 * kRows; ++i) folds.push_back(i % 7 == 6 ? -1 : i % 3);
  data.options.row_weights.assign(kRows, 0.5);
  data.options.row_weights[4] = 2.0;
  const auto views = data.views(2);
  const FoldScores scores = fold_scores(data.target, views, data.options.metric, folds,
                                        data.options.row_weights, {2, {}});
  CHECK(scores.n_repeats == 2 && scores.n_folds == 3);
  for (std::size_t repeat = 0; repeat < 2; ++repeat) {
    for (std::int32_t fold = 0; fold < 3; ++fold) {
      const auto weight = [&](std::size_t row) {
        return folds[repeat * kRows + row] == fold ? data.options.row_weights[row] : 0.0;
      };
      for (std::int64_t j = 0; j < kConfigurations; ++j) {
        CHECK(near(scores(static_cast<std::int64_t>(repeat), fold, j),
                   data.squared(repeat, j, weight)));
      }
    }
  }
  const Data ranked("roc_auc");
  const auto of_ranked = ranked.views();
  std::vector<std::int32_t> lacking(kRows, 1);
  for (std::size_t row = 1; row < 5; ++row) lacking[row] = 0;
  CHECK(check::message_of([&] {
          (void)fold_scores(ranked.target, of_ranked, ranked.options.metric, lacking);
        }) == "folds: the metric needs a row of class 1 at repeat 0, fold 0");
  // A row that weighs nothing is no row of its class.
  std::vector<double> weights(kRows, 1.0);
  weights[0] = 0.0;
  std::vector<std::int32_t> halves(kRows, 1);
  for (std::size_t row = 0; row < 5; ++row) halves[row] = 0;
  CHECK(check::message_of([&] {
          (void)fold_scores(ranked.target, of_ranked, ranked.options.metric, halves, weights);
        }).starts_with("folds: the metric needs a row of class 1"));
  const FoldTable table(ranked.target, of_ranked, ranked.options.metric, lacking, {}, {1, {}});
  CHECK(!table.is_defined(0, 0) && table.is_defined(0, 1));
  // A fold without rows has no score; who needs every fold's says so.
  for (std::int32_t& fold : lacking) fold *= 2;
  const FoldTable gap(ranked.target, of_ranked, ranked.options.metric, lacking, {}, {1, {}});
  CHECK(!gap.is_defined(0, 1) && gap.is_defined(0, 2));
  std::vector<std::int32_t> first_empty(kRows, 1);
  CHECK(check::message_of([&] {
          (void)fold_scores(ranked.target, of_ranked, ranked.options.metric, first_empty);
        }) == "folds: no rows at repeat 0, fold 0");
  CHECK(check::message_of([&] {
          (void)fold_scores(ranked.target, of_ranked, ranked.options.metric, {{0, 1}});
        }) == "folds: 2 values for 1 repeats of 20 rows");
}

void scores_on_all_rows() {
  const Data data("mean_squared_error");
  const auto views = data.views(2);
  const Scores scores = score(data.target, views, data.options.metric, {}, {});
  std::int64_t best = 0;
  const auto once = [](std::size_t) { return 1.0; };
  for (std::int64_t j = 0; j < kConfigurations; ++j) {
    const double expected = 0.5 * (data.squared(0, j, once) + data.squared(1, j, once));
    CHECK(near(scores.values[static_cast<std::size_t>(j)], expected));
    if (scores.values[static_cast<std::size_t>(j)] <
        scores.values[static_cast<std::size_t>(best)]) {
      best = j;
    }
  }
  CHECK(scores.winner == best);
  const Data one_class("roc_auc", 0);
  const Scores undefined =
      score(one_class.target, one_class.views(), one_class.options.metric, {}, {});
  CHECK(undefined.winner == -1 && std::isnan(undefined.values[0]));
}

/// The least complex configuration whose score is within the standard error of the best's folds.
void one_standard_error() {
  Data data("mean_squared_error");
  std::vector<std::int32_t> folds;
  for (std::int32_t row = 0; row < kRows; ++row) folds.push_back(row % 5);
  // The first is best; two are as simple, of which the better one is second to none.
  data.options.selection = selection::OneStandardError{{9.0, 1.0, 1.0, 4.0}, folds};
  problem::Random random(3);
  for (std::int64_t row = 0; row < kRows; ++row) {
    const double truth = data.target.values[static_cast<std::size_t>(row)];
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      const double noise = 1.0 + 0.03 * static_cast<double>(j);
      data.values[0][static_cast<std::size_t>(row * kConfigurations + j)] =
          truth + noise * (random.uniform() < 0.5 ? -1.0 : 1.0) * (0.5 + random.uniform());
    }
  }
  const auto views = data.views();
  const Evaluators evaluators(data.options, data.target, views, {}, {1, {}});
  const ReplicateBlock all{1, kRows, std::vector<std::uint16_t>(kRows, 1), {}};
  const SelectionRule rule(data.options, data.target, views, evaluators.all_repeats(), all,
                           {1, {}});
  const auto once = [](std::size_t) { return 1.0; };
  std::int64_t best = 0;
  for (std::int64_t j = 1; j < kConfigurations; ++j) {
    if (data.squared(0, j, once) < data.squared(0, best, once)) best = j;
  }
  double mean = 0.0;
  double squares = 0.0;
  for (std::int32_t fold = 0; fold < 5; ++fold) {
    const double value =
        data.squared(0, best, [&](std::size_t row) { return folds[row] == fold ? 1.0 : 0.0; });
    mean += value / 5.0;
    squares += value * value;
  }
  const double margin = std::sqrt((squares - 5.0 * mean * mean) / 4.0 / 5.0);
  const ReplicateBlock block = problem::random_block(random, kRows, 40);
  std::vector<Choice> choices(40);
  rule.choose(evaluators.all_repeats(), block, 0, evaluators.all_repeats().n_configurations(),
              StopFlag{}, choices.data());
  std::vector<int> n_chosen(kConfigurations);
  for (int lane = 0; lane < 40; ++lane) {
    const auto counts = [&](std::size_t row) -> double { return block.replicate(lane)[row]; };
    std::vector<double> losses;
    for (std::int64_t j = 0; j < kConfigurations; ++j) losses.push_back(data.squared(0, j, counts));
    const double enough = *std::min_element(losses.begin(), losses.end()) + margin;
    std::int64_t expected = losses[0] <= enough ? 0 : 3;
    if (losses[3] <= enough) expected = 3;
    if (losses[1] <= enough) expected = 1;
    if (losses[2] <= enough && (expected != 1 || losses[2] < losses[1])) expected = 2;
    CHECK(choices[static_cast<std::size_t>(lane)].configuration == expected);
    ++n_chosen[static_cast<std::size_t>(expected)];
  }
  CHECK(n_chosen[1] > 0 && n_chosen[2] > 0);
}

/// Mean, spread and order statistics of the replicates; apparent less or more the optimism.
void estimates() {
  for (const double sign : {1.0, -1.0}) {
    Data data("mean_squared_error");
    data.options.metric.sign = sign;
    const auto views = data.views();
    const Estimate estimate = correct(data.target, views, data.options, {2, {}});
    double mean = 0.0;
    double squares = 0.0;
    for (const double value : estimate.replicates) mean += value / 100.0;
    for (const double value : estimate.replicates) squares += (value - mean) * (value - mean);
    CHECK(near(estimate.estimate, mean) && near(estimate.replicate_sd, std::sqrt(squares / 99.0)));
    std::vector<double> sorted = estimate.replicates;
    std::sort(sorted.begin(), sorted.end());
    CHECK(estimate.interval.low == sorted[2] && estimate.interval.high == sorted[97]);
    CHECK(near(estimate.optimism, sign * (estimate.estimate - estimate.apparent)));
    const Scores scores = score(data.target, views, data.options.metric, {}, {});
    CHECK(estimate.winner == scores.winner);
    CHECK(near(estimate.apparent, scores.values[static_cast<std::size_t>(scores.winner)]));
    CHECK(estimate.undefined_fold_share == 0.0);
    // A correction from its own state.
    Correction correction(data.target, data.options);
    correction.add(views, 0);
    Correction other(data.target, data.options);
    other.merge(correction.state());
    CHECK(other.finish().replicates == estimate.replicates);
  }
}

/// BBC-F: replicate b draws folds of repeat b mod 2, and leaves one out at least.
void fold_draws() {
  const FoldScores scores{{0.9, 0.5, 0.1, 0.6, 0.2, 0.3, 0.8, 0.1, 0.4, 0.9, 0.3, 0.2}, 2, 3, 2};
  CorrectionOptions options;
  options.metric = make_metric("accuracy");
  options.resampling.n_bootstraps = 60;
  const Estimate estimate = correct_fold_scores(scores, options, {1, {}});
  const Sampler sampler(3, options.resampling);
  for (std::int64_t b = 0; b < 60; ++b) {
    std::vector<std::uint16_t> counts(3);
    for (std::uint32_t attempt = 0;
         std::count(counts.begin(), counts.end(), 0) == 0 || attempt == 0; ++attempt) {
      sampler.draw(b, attempt, counts.data());
    }
    double in_bag[2] = {};
    double out[2] = {};
    double n_out = 0.0;
    for (std::int64_t fold = 0; fold < 3; ++fold) {
      const auto count = counts[static_cast<std::size_t>(fold)];
      n_out += count == 0 ? 1.0 : 0.0;
      for (std::int64_t j = 0; j < 2; ++j) {
        in_bag[j] += count * scores(b % 2, fold, j);
        out[j] += count == 0 ? scores(b % 2, fold, j) : 0.0;
      }
    }
    const int winner = in_bag[1] > in_bag[0] + 1e-12 ? 1 : 0;
    CHECK(estimate.replicate_winners[static_cast<std::size_t>(b)] == winner);
    CHECK(near(estimate.replicates[static_cast<std::size_t>(b)], out[winner] / n_out));
  }
}

}  // namespace

int main() {
  redrawn_until_defined();
  impossible_or_forbidden();
  undefined_folds_are_counted();
  repeats_rotate();
  scores_of_folds();
  scores_on_all_rows();
  one_standard_error();
  estimates();
  fold_draws();
  return check::report();
}
