// Scores of replicates against those of single ones, and TT and corrections by several metrics: one
// decides, others are reported on its winners and replicates.
#include <algorithm>
#include <bbc/fold_scores.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <utility>

#include "problem.hpp"

namespace {

using namespace bbc;

struct Data {
  Target target;
  CorrectionOptions options;
  std::vector<double> scores;  // [row][configuration]
  static constexpr std::int64_t kRows = 24;
  static constexpr std::int64_t kConfigurations = 5;

  explicit Data(const char* metric, std::uint32_t rare = 2) {
    problem::Random random(5);
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    for (std::int64_t row = 0; row < kRows; ++row) {
      target.codes.push_back(row < 2 || random.below(rare) == 0 ? 1 : 0);
    }
    for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) {
      scores.push_back(0.125 * (1 + random.below(7)));
    }
    options.metric = make_metric(metric);
    // Scores are reported with their sign.
    if (!options.metric.greater_is_better()) options.metric.sign = -1.0;
    options.resampling.n_bootstraps = 150;
    options.resampling.seed = 3;
  }

  [[nodiscard]] std::vector<Predictions> views() const {
    return {View<double>{scores.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}}};
  }
  [[nodiscard]] ReplicateScorer scorer(MetricRole role = MetricRole::decides) const {
    return {target, views(), options, {2, {}}, role};
  }
  [[nodiscard]] double score(std::size_t row, std::int64_t configuration) const {
    return scores[row * kConfigurations + static_cast<std::size_t>(configuration)];
  }
  /// Negative Brier score of the rows' weights.
  template <class Weight>
  [[nodiscard]] double brier(const Weight& weight, std::int64_t configuration) const {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const double gap = target.codes[row] - score(row, configuration);
      sum += weight(row) * gap * gap;
      total += weight(row);
    }
    return -sum / total;
  }
  template <class Weight>
  [[nodiscard]] double auc(const Weight& weight, std::int64_t configuration) const {
    double won = 0.0;
    double all = 0.0;
    for (std::size_t a = 0; a < kRows; ++a) {
      for (std::size_t b = 0; b < kRows; ++b) {
        if (target.codes[a] == 0 || target.codes[b] == 1) continue;
        const double gap = score(a, configuration) - score(b, configuration);
        won += weight(a) * weight(b) * (gap > 0.0 ? 1.0 : gap == 0.0 ? 0.5 : 0.0);
        all += weight(a) * weight(b);
      }
    }
    return won / all;
  }
};

bool near(double value, double expected) { return std::fabs(value - expected) < 1e-13; }

auto drawn(const ReplicateScorer::Replicates& replicates, std::int64_t b) {
  return [&replicates, b](std::size_t row) -> double {
    return replicates.counts[static_cast<std::size_t>(b * Data::kRows) + row];
  };
}
auto undrawn(const ReplicateScorer::Replicates& replicates, std::int64_t b) {
  return [&replicates, b](std::size_t row) -> double {
    return replicates.counts[static_cast<std::size_t>(b * Data::kRows) + row] == 0 ? 1.0 : 0.0;
  };
}

/// Choosing the best of the scores makes a correction.
void best_is_correct() {
  const Data data("brier_score");
  const Estimate estimate = correct(data.target, data.views(), data.options, {1, {}});
  const ReplicateScorer scorer = data.scorer();
  CHECK(scorer.n_rows() == Data::kRows && scorer.n_configurations() == Data::kConfigurations);
  CHECK(scorer.n_fold_sides() == 2 * 150);  // all rows are one fold
  const auto on_all_rows = scorer.on_all_rows();
  for (std::int64_t j = 0; j < Data::kConfigurations; ++j) {
    const double expected = data.brier([](std::size_t) { return 1.0; }, j);
    CHECK(near(on_all_rows[static_cast<std::size_t>(j)], expected));
  }
  std::int64_t n_redrawn = 0;
  for (const auto& [first, n] : {std::pair<std::int64_t, std::int64_t>{0, 70}, {70, 80}}) {
    const auto replicates = scorer.in_bag(first, n);
    n_redrawn += replicates.n_redrawn;
    CHECK(replicates.first == first && replicates.n == n);
    std::vector<std::int64_t> winners;
    for (std::int64_t b = 0; b < n; ++b) {
      std::int64_t best = 0;
      const double* scores = replicates.scores.data() + b * Data::kConfigurations;
      for (std::int64_t j = 0; j < Data::kConfigurations; ++j) {
        CHECK(near(scores[j], data.brier(drawn(replicates, b), j)));
        if (scores[j] > scores[best]) best = j;
      }
      winners.push_back(best);
      CHECK(best == estimate.replicate_winners[static_cast<std::size_t>(first + b)]);
    }
    const auto out = scorer.out_of_bag(first, replicates.scoring(), winners);
    for (std::size_t b = 0; b < winners.size(); ++b) {
      const auto replicate = static_cast<std::int64_t>(b);
      CHECK(near(out.scores[b], data.brier(undrawn(replicates, replicate), winners[b])));
      CHECK(out.scores[b] == estimate.replicates[static_cast<std::size_t>(first) + b]);
    }
  }
  CHECK(n_redrawn == estimate.n_redrawn);
}

/// The Brier score decides; the AUC of its winners is undefined where a side has one class.
void another_metric_is_reported() {
  const Data deciding("brier_score", 20);
  const Data reported("roc_auc", 20);
  const auto replicates = deciding.scorer().in_bag(0, 150);
  std::vector<std::int64_t> winners;
  for (std::int64_t b = 0; b < 150; ++b) winners.push_back(b % Data::kConfigurations);
  const auto out =
      reported.scorer(MetricRole::reported).out_of_bag(0, replicates.scoring(), winners);
  int n_undefined = 0;
  for (std::size_t b = 0; b < winners.size(); ++b) {
    const auto weight = undrawn(replicates, static_cast<std::int64_t>(b));
    double of_class[2] = {};
    for (std::size_t row = 0; row < Data::kRows; ++row) {
      of_class[reported.target.codes[row]] += weight(row);
    }
    if (of_class[0] == 0.0 || of_class[1] == 0.0) {
      CHECK(std::isnan(out.scores[b]));
      ++n_undefined;
    } else {
      CHECK(near(out.scores[b], reported.auc(weight, winners[b])));
    }
  }
  CHECK(n_undefined > 0 && n_undefined < 150);
  // Where it decides, no replicate is without a value.
  const auto own = reported.scorer().in_bag(0, 150);
  CHECK(own.n_redrawn > 0);
  for (const double value : reported.scorer().out_of_bag(0, own.scoring(), winners).scores) {
    CHECK(!std::isnan(value));
  }
}

/// By fold: how many of them have no value on a side.
void undefined_folds() {
  Data data("roc_auc");
  for (std::int64_t row = 0; row < Data::kRows; ++row) {
    data.options.folds.push_back(static_cast<std::int32_t>(row % 4));
  }
  const ReplicateScorer scorer = data.scorer();
  CHECK(scorer.n_fold_sides() == 150 * 4 * 2);
  CHECK(data.scorer(MetricRole::reported).n_fold_sides() == 150 * 4);
  const auto replicates = scorer.in_bag(0, 150);
  const std::vector<std::int64_t> winners(150, 2);
  const auto out = scorer.out_of_bag(0, replicates.scoring(), winners);
  std::int64_t n_undefined[2] = {};
  for (std::int64_t b = 0; b < 150; ++b) {
    double sum = 0.0;
    int n_defined = 0;
    for (std::size_t fold = 0; fold < 4; ++fold) {
      for (const bool in_bag : {true, false}) {
        const auto weight = [&](std::size_t row) {
          if (row % 4 != fold) return 0.0;
          return in_bag ? drawn(replicates, b)(row) : undrawn(replicates, b)(row);
        };
        const double value = data.auc(weight, 2);
        n_undefined[in_bag ? 0 : 1] += std::isnan(value) ? 1 : 0;
        if (in_bag || std::isnan(value)) continue;
        sum += value;
        ++n_defined;
      }
    }
    CHECK(near(out.scores[static_cast<std::size_t>(b)], sum / n_defined));
  }
  CHECK(n_undefined[0] > 0);
  CHECK(replicates.n_undefined_folds == n_undefined[0] + n_undefined[1]);
  CHECK(out.n_undefined_folds == n_undefined[1]);
}

void refusals() {
  const Data data("roc_auc");
  const ReplicateScorer scorer = data.scorer();
  const auto replicates = scorer.in_bag(0, 2);
  const auto of_winners = [&](const std::vector<std::int64_t>& winners) {
    return check::message_of([&] { (void)scorer.out_of_bag(0, replicates.scoring(), winners); });
  };
  CHECK(of_winners({0}) == "scoring: must be that of in_bag, with a winner for each replicate");
  CHECK(of_winners({0, 5}) == "winners: configuration 5 of 5");
  CHECK(of_winners({0, -1}) == "winners: configuration -1 of 5");
  CHECK(check::message_of([&] { (void)scorer.in_bag(149, 2); }) == "replicates: there are 150");
}

/// The counts of any replicates, without predictions, are those that score them in a correction:
/// after redraws, and of folds where these are drawn.
void counts_without_predictions() {
  for (const bool two_level : {false, true}) {
    Data data("roc_auc", 12);
    for (std::int32_t row = 0; two_level && row < Data::kRows; ++row) {
      data.options.resampling.folds.push_back(row % 6);
    }
    const auto all = data.scorer().in_bag(0, 150);
    CHECK(all.n_redrawn > 0 && all.fold_counts.empty() != two_level);
    const auto expected = all.scoring();
    const auto counts = scoring_counts(data.target, data.options, 0, 150, {2, {}});
    CHECK(std::ranges::equal(counts, expected));
    const auto some = scoring_counts(data.target, data.options, 70, 3);
    CHECK(std::ranges::equal(some, expected.subspan(70 * Data::kRows, 3 * Data::kRows)));
    CHECK(scoring_counts(data.target, data.options, 150, 0).empty());
    const auto message =
        check::message_of([&] { (void)scoring_counts(data.target, data.options, 148, 3); });
    CHECK(message == "replicates: there are 150");
  }
}

/// Two folds and three configurations. The loss picks configuration 0 (means .2, .3, .3); the best
/// by loss are 1 (.1) and 0 (.1), whose scores are .6 and .9 against the winner's .7 and .9.
void tt_by_another_metric() {
  const FoldScores loss{{0.3, 0.1, 0.2, 0.1, 0.5, 0.4}, 1, 2, 3};
  const FoldScores score{{0.7, 0.6, 1.0, 0.9, 0.1, 1.0}, 1, 2, 3};
  const auto result = tt({loss, false}, {score, true});
  CHECK(result.winner == 0);
  CHECK(near(result.apparent, 0.8));
  CHECK(near(result.optimism, ((0.6 - 0.7) + 0.0) / 2.0));
  CHECK(near(result.estimate, 0.85));
  const auto reversed = tt({score, true}, {loss, false});
  CHECK(reversed.winner == 2);
  CHECK(near(reversed.apparent, 0.3) && near(reversed.optimism, 0.0));
  CHECK(check::message_of([&] { (void)tt({loss, false}, {{{0.1, 0.2}, 1, 1, 2}, true}); }) ==
        "fold_scores: two tables of different shapes");
  CHECK(check::message_of([] { (void)tt({{}, 1, 0, 2}, true); }) ==
        "fold_scores: no fold or no configuration");
}

/// The scores on all rows are worked on by all threads, and can be stopped.
void all_rows_of_many() {
  constexpr std::int64_t kRows = 1500;
  constexpr std::int64_t kColumns = 2500;
  problem::Random random(21);
  Target target;
  target.kind = Target::Kind::survival;
  target.events.assign(kRows, 1);
  for (std::int64_t i = 0; i < kRows; ++i) target.values.push_back(random.uniform());
  std::vector<double> risks;
  for (std::int64_t i = 0; i < kRows + kColumns; ++i) risks.push_back(random.uniform());
  CorrectionOptions options;
  options.metric = make_metric("concordance_index");
  options.row_weights.assign(kRows, 1.0);  // the general evaluator: a quarter of a second
  const View<double> view{risks.data(), kRows, kColumns, 1, {1, 1, 1}};
  const ReplicateScorer scorer(target, {view}, options);
  const auto stopped =
      check::message_of([&] { (void)scorer.on_all_rows({1, [](double) { return false; }}); });
  CHECK_FOR(stopped == "poll: stopped by the caller", stopped);
  CHECK(scorer.on_all_rows({3, {}}) == scorer.on_all_rows({1, {}}));
}

}  // namespace

int main() {
  best_is_correct();
  another_metric_is_reported();
  undefined_folds();
  refusals();
  counts_without_predictions();
  tt_by_another_metric();
  all_rows_of_many();
  return check::report();
}
