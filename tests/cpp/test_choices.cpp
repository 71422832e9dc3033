// Rules that choose a cut-off or an ensemble: they agree with simple rules where these are the
// same, on every thread count and instruction set, and the filters lose no best choice.
#include <bbc/correction.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "detail/choices/choice_rule.hpp"
#include "detail/choices/correct_choice.hpp"
#include "detail/choices/cut_filter.hpp"
#include "detail/choices/cut_formula.hpp"
#include "detail/choices/cut_search.hpp"
#include "detail/choices/derived_columns.hpp"
#include "detail/choices/greedy_ensemble.hpp"
#include "detail/choices/loss_filter.hpp"
#include "detail/isa/cut_walk.hpp"
#include "detail/resampling/summary.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 90;
constexpr std::int64_t kConfigurations = 9;

/// Scores between 0 and 1 with ties, worse from column to column; the last is the first.
std::vector<double> scores_of(const Target& target, std::uint64_t seed) {
  problem::Random random(seed);
  std::vector<double> scores;
  for (std::int64_t row = 0; row < kRows; ++row) {
    const double truth = target.codes[static_cast<std::size_t>(row)];
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      const double noise = 0.3 + 0.07 * static_cast<double>(j);
      const double score = (1.0 - noise) * truth + noise * random.uniform();
      scores.push_back(std::floor(16.0 * score) / 16.0);
    }
    scores.back() = scores[static_cast<std::size_t>(row * kConfigurations)];
  }
  return scores;
}

Predictions view_of(const std::vector<double>& scores) {
  return View<double>{scores.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}};
}

bool same(const Estimate& a, const Estimate& b) {
  return a.replicates == b.replicates && a.replicate_winners == b.replicate_winners &&
         a.apparent == b.apparent && a.winner == b.winner && a.weights == b.weights &&
         a.replicate_thresholds == b.replicate_thresholds &&
         a.selection_frequency == b.selection_frequency;
}

/// An ensemble of one is the best configuration.
void ensembles_of_one() {
  const Target target = problem::labels_of(kRows);
  const auto scores = scores_of(target, 1);
  const Predictions view = view_of(scores);
  for (const char* metric : {"brier_score", "log_loss", "roc_auc", "average_precision"}) {
    CorrectionOptions options = problem::options_of(metric, 150);
    const Estimate best = correct(target, {&view, 1}, options);
    for (const Selection& rule :
         {Selection(selection::TopK{1}), Selection(selection::GreedyEnsemble{1})}) {
      options.selection = rule;
      const Estimate one = correct(target, {&view, 1}, options);
      CHECK_FOR(one.replicates == best.replicates, metric);
      CHECK_FOR(one.replicate_winners == best.replicate_winners, metric);
      CHECK_FOR(one.apparent == best.apparent && one.winner == best.winner, metric);
      CHECK_FOR(one.interval.low == best.interval.low, metric);
      CHECK_FOR(one.weights[static_cast<std::size_t>(one.winner)] == 1.0, metric);
    }
  }
}

void equal_bits_everywhere() {
  const Target target = problem::labels_of(kRows);
  const auto scores = scores_of(target, 2);
  const Predictions view = view_of(scores);
  const struct {
    const char* metric;
    Selection rule;
  } cases[] = {{"f_beta", selection::Threshold{}},
               {"accuracy", selection::Threshold{}},
               {"kappa", selection::Threshold{}},
               {"mcc", selection::Threshold{}},
               {"brier_score", selection::GreedyEnsemble{6}},
               {"log_loss", selection::GreedyEnsemble{6}},
               {"roc_auc", selection::GreedyEnsemble{3}},
               {"roc_auc", selection::TopK{4}}};
  for (const auto& one : cases) {
    CorrectionOptions options = problem::options_of(one.metric, 150);
    options.selection = one.rule;
    problem::set_level("avx512");
    const Estimate expected = correct(target, {&view, 1}, options, {1, {}});
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      CHECK_FOR(same(correct(target, {&view, 1}, options, {3, {}}), expected),
                std::string(one.metric) + " " + level);
    }
    problem::set_level("avx512");
  }
}

/// The filters agree with the search that they shorten, with ties and without.
void filters_lose_nothing(double apart) {
  const Target target = problem::labels_of(kRows);
  auto scores = scores_of(target, 3);
  problem::Random noise(10);
  for (double& score : scores) score += apart * noise.uniform();
  const Predictions view = view_of(scores);
  problem::Random random(4);
  const auto block = problem::random_block(random, kRows, detail::kBlock);
  for (const std::string_view name : metric_names()) {
    const std::string metric(name);
    CorrectionOptions options = problem::options_of(metric.c_str());
    const bool of_labels = std::holds_alternative<metric::ZeroOne>(options.metric.kind) ||
                           std::holds_alternative<metric::Confusion>(options.metric.kind);
    // Its square root is of none of the forms that are filtered.
    if (!of_labels || metric == "distance_to_corner") continue;
    options.selection = selection::Threshold{};
    const detail::ChoiceInput input{options, target, {&view, 1}, {}};
    const auto rule = detail::make_threshold_rule(input, {});
    std::vector<detail::Derivation> chosen(detail::kBlock);
    rule->choose(block, {}, chosen.data());
    // With folds of all rows nothing is filtered, and the formula is the same.
    CorrectionOptions by_fold = options;
    by_fold.folds.assign(kRows, 0);
    const detail::ChoiceInput unfiltered{by_fold, target, {&view, 1}, {}};
    CHECK(detail::CutFilter::make(input) && !detail::CutFilter::make(unfiltered));
    const auto slow = detail::make_threshold_rule(unfiltered, {});
    std::vector<detail::Derivation> expected(detail::kBlock);
    slow->choose(block, {}, expected.data());
    for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
      CHECK_FOR(chosen[lane].members == expected[lane].members, metric);
      CHECK_FOR(chosen[lane].threshold == expected[lane].threshold, metric);
    }
  }
}

/// Plain sums and products of probabilities leave the best addition among the candidates.
void losses_are_filtered_rightly() {
  const Target target = problem::labels_of(kRows);
  const auto scores = scores_of(target, 8);
  const Predictions view = view_of(scores);
  problem::Random random(9);
  const auto block = problem::random_block(random, kRows, detail::kBlock);
  for (const char* metric : {"brier_score", "log_loss"}) {
    const CorrectionOptions options = problem::options_of(metric);
    const detail::ChoiceInput input{options, target, {&view, 1}, {}};
    const detail::GreedyEnsembleRule rule({12}, input, {});
    std::vector<detail::Derivation> chosen(detail::kBlock);
    rule.choose(block, {}, chosen.data());
    CorrectionOptions by_fold = options;
    by_fold.folds.assign(kRows, 0);
    const detail::ChoiceInput unfiltered{by_fold, target, {&view, 1}, {}};
    CHECK(detail::LossFilter::make(input) && !detail::LossFilter::make(unfiltered));
    const detail::GreedyEnsembleRule slow({12}, unfiltered, {});
    std::vector<detail::Derivation> expected(detail::kBlock);
    slow.choose(block, {}, expected.data());
    int n_equal = 0;
    for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
      n_equal += chosen[lane].members == expected[lane].members ? 1 : 0;
    }
    // Sums are exact in one and means are rounded in the other: ties between them are possible.
    CHECK_FOR(n_equal >= detail::kBlock - 2, std::string(metric) + std::to_string(n_equal));
  }
}

/// Pairs of one replicate are those that the evaluator counts, with ties, repeats and large counts.
void additions_by_auc_are_the_same(double steps) {
  const Target target = problem::labels_of(kRows);
  std::vector<double> scores[2] = {scores_of(target, 11), scores_of(target, 12)};
  for (auto& repeat : scores) {
    for (double& score : repeat) score = steps > 0.0 ? std::round(steps * score) : score;
  }
  const std::vector<Predictions> views{view_of(scores[0]), view_of(scores[1])};
  problem::Random random(13);
  auto block = problem::random_block(random, kRows, detail::kBlock);
  for (std::int64_t row = 0; row < kRows; ++row) block.counts[detail::at(row)] *= 700;
  for (const std::size_t n_repeats : {1, 2}) {
    const std::span<const Predictions> repeats(views.data(), n_repeats);
    const CorrectionOptions options = problem::options_of("roc_auc");
    const detail::ChoiceInput input{options, target, repeats, {}};
    const detail::GreedyEnsembleRule rule({9}, input, {});
    std::vector<detail::Derivation> chosen(detail::kBlock);
    rule.choose(block, {}, chosen.data());
    CorrectionOptions by_fold = options;
    by_fold.folds.assign(kRows * n_repeats, 0);
    const detail::ChoiceInput unfiltered{by_fold, target, repeats, {}};
    CHECK(detail::AucAdditions::make(input) && !detail::AucAdditions::make(unfiltered));
    const detail::GreedyEnsembleRule slow({9}, unfiltered, {});
    std::vector<detail::Derivation> expected(detail::kBlock);
    slow.choose(block, {}, expected.data());
    int n_equal = 0;
    for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
      n_equal += chosen[lane].members == expected[lane].members ? 1 : 0;
    }
    // Means over two repeats are rounded in one of them.
    CHECK_FOR(n_equal >= detail::kBlock - (n_repeats == 1 ? 0 : 2), std::to_string(n_equal));
  }
}

/// Other metrics have no search of their own.
void additions_of_metrics() {
  const Target target = problem::labels_of(kRows);
  const auto scores = scores_of(target, 14);
  const Predictions view = view_of(scores);
  for (const char* metric : {"brier_score", "log_loss", "roc_auc", "average_precision"}) {
    const CorrectionOptions options = problem::options_of(metric);
    const auto additions = detail::make_additions({options, target, {&view, 1}, {}});
    CHECK_FOR((additions == nullptr) == (std::string(metric) == "average_precision"), metric);
  }
}

void derived_columns() {
  const Target target = problem::labels_of(kRows);
  CHECK(detail::largest_member({{3, 1, 1, 3, 2}, 0.0}) == 1);
  CHECK(!detail::reads_labels(make_metric("roc_auc")) &&
        detail::reads_labels(make_metric("f_beta")));
  const auto scores = scores_of(target, 5);
  const Predictions view = view_of(scores);
  const detail::Derivation pair{{0, 1}, 0.0};
  const detail::DerivedColumns mean(make_metric("roc_auc"), target, {&view, 1}, {&pair, 1}, false);
  const auto& averaged = std::get<View<double>>(mean.repeats()[0]);
  const detail::Derivation at_half{{2}, 0.5};
  const detail::DerivedColumns cut(make_metric("f_beta"), target, {&view, 1}, {&at_half, 1}, true);
  const auto& labels = std::get<View<std::int32_t>>(cut.repeats()[0]);
  for (std::int64_t row = 0; row < kRows; ++row) {
    const double* own = scores.data() + row * kConfigurations;
    CHECK(averaged(row, 0) == (own[0] + own[1]) / 2.0);
    CHECK(labels(row, 0) == (own[2] > 0.5 ? 1 : 0));
  }
}

void refusals() {
  const Target target = problem::labels_of(kRows);
  const auto scores = scores_of(target, 6);
  const Predictions view = view_of(scores);
  CorrectionOptions options = problem::options_of("roc_auc");
  const auto message = [&](const Selection& rule) {
    options.selection = rule;
    return check::message_of([&] { (void)correct(target, {&view, 1}, options); });
  };
  using check::contains;
  CHECK(contains(message(selection::TopK{10}), "top_k averages 10 of 9"));
  CHECK(contains(message(selection::TopK{0}), "top_k averages 0 of 9"));
  for (const std::int64_t n_rounds : {std::int64_t{0}, std::int64_t{1} << 60}) {
    CHECK(contains(message(selection::GreedyEnsemble{n_rounds}),
                   "n_rounds: must be between 1 and 1000000, not " + std::to_string(n_rounds)));
  }
  CHECK(contains(message(selection::Threshold{}), "needs a metric of labels"));
  options.selection = selection::TopK{2};
  CHECK(contains(check::message_of([&] { const Correction correction(target, options); }),
                 "all configurations at once"));
  options.rotate_repeats = true;
  CHECK(contains(message(selection::TopK{2}), "scores of folds"));
  options.rotate_repeats = false;
  const std::vector<double> huge(scores.size(), 1e308);
  const Predictions large = view_of(huge);
  CHECK(contains(check::message_of([&] { (void)correct(target, {&large, 1}, options); }),
                 "overflows"));
  options.metric = make_metric("f_beta");
  Target three = target;
  three.n_classes = 3;
  three.codes[0] = 2;
  options.selection = selection::Threshold{};
  options.metric = make_metric("accuracy");
  CHECK(contains(check::message_of([&] { (void)correct(three, {&view, 1}, options); }),
                 "two classes"));
}

}  // namespace

int main() {
  ensembles_of_one();
  equal_bits_everywhere();
  filters_lose_nothing(0.0);
  filters_lose_nothing(1e-3);
  losses_are_filtered_rightly();
  additions_of_metrics();
  additions_by_auc_are_the_same(0.0);
  additions_by_auc_are_the_same(4.0);
  derived_columns();
  refusals();
  return check::report();
}
