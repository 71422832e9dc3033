// Every metric under every plan, on every instruction set: the road that is decided is the one that
// is taken, and has the bits of the general evaluator, which compares all keys. What the general
// one is compared with stands in by_formula.hpp.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "detail/evaluation/column_part.hpp"
#include "detail/evaluation/road.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/fast/confusion_evaluator.hpp"
#include "detail/fast/label_parts_evaluator.hpp"
#include "detail/fast/multiclass_auc_evaluator.hpp"
#include "detail/fast/r2_evaluator.hpp"
#include "detail/fast/rough_scores.hpp"
#include "detail/fast/rough_search.hpp"
#include "detail/fast/row_loss_evaluator.hpp"
#include "detail/fast/weighed_errors_evaluator.hpp"
#include "detail/fast/zero_one_evaluator.hpp"
#include "detail/isa/rough_kernel.hpp"
#include "every_problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;
using every::Kind;
using every::Look;
using every::Plan;
using every::Problem;
using every::Shape;
using every::Weights;

const Control kOneThread{1, {}};
const StopFlag kNever;

/// All that the driver asks of an evaluator.
struct Answers {
  std::string error;
  std::vector<Choice> winners;
  std::vector<double> keys;
  std::vector<double> scores;
  std::vector<double> some;
  std::vector<double> out_of_bag;
  std::vector<double> in_bag;
  std::vector<std::int64_t> worse;

  void ask(const Evaluator& evaluator, const ReplicateBlock& block) {
    const std::int64_t last = evaluator.n_configurations();
    const std::int64_t first = last / 3;
    const auto n = static_cast<std::size_t>(block.n_replicates);
    keys.resize(n * static_cast<std::size_t>(last - first));
    scores.resize(keys.size());
    evaluator.keys(block, first, last, kNever, keys.data());
    evaluator.scores(block, first, last, kNever, scores.data());
    const std::set<std::int64_t> rising{0, last / 2, last - 1};
    const std::vector<std::int64_t> configurations(rising.begin(), rising.end());
    some.resize(n * configurations.size());
    evaluator.scores_of(block, configurations, kNever, some.data());
    worse.resize(static_cast<std::size_t>(last));
    evaluator.count_worse(block, last / 2, kNever, worse.data());
  }
};

/// The winners in all keys, and their scores among those of all configurations.
Answers in_full(const Evaluator& evaluator, const ReplicateBlock& block) {
  Answers answers;
  answers.error = check::message_of([&] {
    answers.ask(evaluator, block);
    const std::int64_t n = evaluator.n_configurations();
    answers.winners.resize(static_cast<std::size_t>(block.n_replicates));
    evaluator.Evaluator::best_among(block, 0, n, kNever, answers.winners.data());
    ReplicateBlock left_out = block;
    for (auto& count : left_out.counts) count = count == 0 ? 1 : 0;
    std::vector<double> scores(static_cast<std::size_t>(block.n_replicates * n));
    const auto of_winners = [&](const ReplicateBlock& side, std::vector<double>& own) {
      evaluator.scores(side, 0, n, kNever, scores.data());
      for (std::int64_t lane = 0; lane < block.n_replicates; ++lane) {
        const Choice& winner = answers.winners[static_cast<std::size_t>(lane)];
        own.push_back(scores[static_cast<std::size_t>(lane * n + winner.configuration)]);
      }
    };
    of_winners(block, answers.in_bag);
    of_winners(left_out, answers.out_of_bag);
  });
  return answers;
}

/// The same as an evaluator finds them: in one panel and in two, and scores of winners alone.
Answers by_road(const Evaluator& evaluator, const ReplicateBlock& block) {
  Answers answers;
  answers.error = check::message_of([&] {
    const auto n = static_cast<std::size_t>(block.n_replicates);
    const std::int64_t last = evaluator.n_configurations();
    const std::int64_t middle = (last + 1) / 2;
    answers.winners.resize(n);
    evaluator.best(block, kNever, answers.winners.data());
    std::vector<Choice> panels[2] = {std::vector<Choice>(n), std::vector<Choice>(n)};
    evaluator.best_among(block, 0, middle, kNever, panels[0].data());
    if (middle < last) evaluator.best_among(block, middle, last, kNever, panels[1].data());
    for (std::size_t lane = 0; lane < n; ++lane) {
      const bool second = beats(panels[1][lane], panels[0][lane]);
      const Choice& winner = panels[second ? 1 : 0][lane];
      CHECK(winner.configuration == answers.winners[lane].configuration);
    }
    answers.ask(evaluator, block);
    answers.out_of_bag.assign(n, -7.0);
    answers.in_bag.assign(n, -7.0);
    std::vector<Choice> scored = answers.winners;
    scored[n / 2].configuration = -1;  // a replicate to be skipped
    evaluator.out_of_bag(block, scored.data(), kNever, answers.out_of_bag.data());
    evaluator.in_bag(block, scored.data(), kNever, answers.in_bag.data());
    CHECK(answers.in_bag[n / 2] == -7.0);
    const Choice& skipped = answers.winners[n / 2];
    const int lane = static_cast<int>(n / 2);
    const ReplicateBlock one = block.lanes(&lane, 1);
    evaluator.out_of_bag(one, &skipped, kNever, &answers.out_of_bag[n / 2]);
    evaluator.in_bag(one, &skipped, kNever, &answers.in_bag[n / 2]);
  });
  return answers;
}

bool same(const std::vector<double>& found, const std::vector<double>& expected) {
  return std::ranges::equal(found, expected, [](double a, double b) {
    return check::same(a, b) || (std::isnan(a) && std::isnan(b));
  });
}

void check_equal(const Answers& found, const Answers& expected, const std::string& context) {
  if (found.error != "no error" || expected.error != "no error") {
    CHECK_FOR((found.error == "no error") == (expected.error == "no error"),
              context + ": " + found.error + " / " + expected.error);
    return;
  }
  for (std::size_t lane = 0; lane < expected.winners.size(); ++lane) {
    const Choice& winner = expected.winners[lane];
    CHECK_FOR(found.winners[lane].configuration == winner.configuration, context + " winner");
    CHECK_FOR(check::same(found.winners[lane].key, winner.key), context + " key of the winner");
  }
  CHECK_FOR(same(found.keys, expected.keys), context + " keys");
  CHECK_FOR(same(found.scores, expected.scores), context + " scores");
  CHECK_FOR(same(found.some, expected.some), context + " scores of some");
  CHECK_FOR(same(found.out_of_bag, expected.out_of_bag), context + " out of bag");
  CHECK_FOR(same(found.in_bag, expected.in_bag), context + " in bag");
  CHECK_FOR(found.worse == expected.worse, context + " worse");
}

/// Whether an evaluator is that of a road; that of squared errors stands within R2's.
bool is_of(Road road, const Evaluator& evaluator) {
  const auto is = [&]<class E>() { return dynamic_cast<const E*>(&evaluator) != nullptr; };
  switch (road) {
    case Road::errors:
      return is.operator()<ZeroOneEvaluator>();
    case Road::weighed_errors:
      return is.operator()<WeighedErrorsEvaluator>();
    case Road::class_errors:
      return is.operator()<ConfusionEvaluator>();
    case Road::part_errors:
      return is.operator()<LabelPartsEvaluator>();
    case Road::losses:
      return is.operator()<RowLossEvaluator>() || is.operator()<R2Evaluator>();
    case Road::pairs:
    case Road::time_pairs:
      return is.operator()<AucEvaluator>();
    case Road::class_pairs:
      return is.operator()<MulticlassAucEvaluator>();
    case Road::filter:
      break;
  }
  return !is.operator()<ZeroOneEvaluator>() && !is.operator()<WeighedErrorsEvaluator>() &&
         !is.operator()<ConfusionEvaluator>() && !is.operator()<LabelPartsEvaluator>() &&
         !is.operator()<RowLossEvaluator>() && !is.operator()<AucEvaluator>() &&
         !is.operator()<MulticlassAucEvaluator>();
}

/// Exact scores are within the bounds of rough ones, which the choice of a few hardly shows.
template <class M>
void check_bounds(const EvaluatorInput& input, const ReplicateBlock& block,
                  const Evaluator& general, const std::string& context) {
  // Means of entries are added up by the evaluator.
  if constexpr (requires { &Rough<M>::add; } && !AlwaysLinear<M>) {
    const auto& kind = std::get<typename M::Kind>(input.metric.kind);
    const M exact(kind, input.target);
    const Rough<M> rough(kind, input.target, exact);
    std::vector<std::int32_t> rows(static_cast<std::size_t>(block.n_rows));
    std::iota(rows.begin(), rows.end(), 0);
    RoughWeights weights;
    weights.take(block, rows);
    const RoughRows all{weights.from(0), block.n_rows, weights.exact()};
    const RoughKernel& kernel = rough_kernel(simd_level());
    const auto shared = rough.shared(kernel, all);
    const std::int64_t n = std::min<std::int64_t>(general.n_configurations(), 30);
    std::vector<double> scores(static_cast<std::size_t>(n * block.n_replicates));
    general.scores(block, 0, n, kNever, scores.data());
    for (std::int64_t j = 0; j < n; ++j) {
      const auto column = rough.prepare(exact, exact.prepare(input.repeats, j, {}));
      const auto* pointer = &column;
      RoughScores found;
      rough.add(kernel, all, shared, {&pointer, 1}, &found);
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const double score = scores[static_cast<std::size_t>(lane * n + j)];
        if (!std::isfinite(score)) continue;
        const double wrong = std::fabs(found.of[lane] - score);
        CHECK_FOR(!(wrong > found.error[lane]), context + " bound " + std::to_string(j));
      }
    }
  }
}

struct Bounds {
  const EvaluatorInput& input;
  const ReplicateBlock& block;
  const Evaluator& general;
  const std::string& context;

  template <class M>
  void check() const {
    check_bounds<M>(input, block, general, context);
  }
  void operator()(const metric::ZeroOne& /*kind*/) const {}
  void operator()(const metric::Confusion& /*kind*/) const {
    if (kind_of(input.row_weights) == WeightKind::real) {
      check<ConfusionColumns<DoubleDouble>>();
    } else {
      check<ConfusionColumns<double>>();
    }
  }
  void operator()(const metric::RowLoss& /*kind*/) const { check<RowLossColumns>(); }
  void operator()(const metric::Moments& /*kind*/) const {
    if (!input.fixed_spread) check<MomentsColumns>();
  }
  void operator()(const metric::Auc& /*kind*/) const { check<AucColumns>(); }
  void operator()(const metric::AveragePrecision& /*kind*/) const {
    check<AveragePrecisionColumns>();
  }
  void operator()(const metric::MulticlassAuc& /*kind*/) const { check<MulticlassAucColumns>(); }
  void operator()(const metric::Spearman& /*kind*/) const { check<SpearmanColumns>(); }
  void operator()(const metric::Concordance& /*kind*/) const { check<ConcordanceColumns>(); }
};

/// The roads that were compared.
std::set<Road> taken;

void compare(const Kind& kind, const Plan& plan, const Shape& shape, Look look,
             std::uint64_t seed) {
  const Problem given(kind, plan, shape, look, seed);
  const EvaluatorInput input = given.input();
  const Road road = road_of(input);
  std::unique_ptr<Evaluator> general;
  const std::string refused =
      check::message_of([&] { general = make_evaluator(input, Road::filter, kOneThread); });
  taken.insert(road);
  CHECK_FOR(general == nullptr || is_of(Road::filter, *general), given.context());
  Answers expected;
  if (general != nullptr) expected = in_full(*general, given.block);
  const bool has_bounds = expected.error == "no error" && input.folds.empty() &&
                          input.repeats.size() == 1 && RoughWeights::suit(input.row_weights);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const std::string context = given.context() + " " + level;
    if (has_bounds) {
      std::visit(Bounds{input, given.block, *general, context}, input.metric.kind);
    }
    if (general != nullptr && road == Road::filter) {
      check_equal(by_road(*general, given.block), expected, context);
      continue;
    }
    std::unique_ptr<Evaluator> tested;
    const std::string message =
        check::message_of([&] { tested = make_evaluator(input, kOneThread); });
    CHECK_FOR(message == refused, context + ": " + message);
    if (tested == nullptr || general == nullptr) continue;
    CHECK_FOR(is_of(road, *tested), context);
    check_equal(by_road(*tested, given.block), expected, context);
  }
  // What is asked first of a general evaluator is whether all keys choose as its filter does.
  if (general != nullptr && road != Road::filter) {
    check_equal(by_road(*general, given.block), expected, given.context() + " general");
  }
}

void all_metrics_and_plans() {
  // Few rows; parts that fill tables; counts
  // beyond a byte; and beyond what products of their sums hold.
  constexpr Shape kShapes[] = {{24, 7, 64}, {150, 40, 3}, {150, 21, 17, 300}, {40, 9, 9, 1000}};
  std::uint64_t number = 0;
  std::uint64_t place = 0;  // of kind, plan and shape
  for (const Kind& kind : every::all_kinds()) {
    for (const Plan& plan : every::kPlans) {
      for (const Shape& shape : kShapes) {
        ++place;
        for (const Look look : every::kLooks) {
          ++number;
          if (check::runs(place + 5 * static_cast<std::uint64_t>(look), 30)) {
            compare(kind, plan, shape, look, number);
          }
        }
      }
    }
  }
  CHECK(taken.size() == static_cast<std::size_t>(Road::filter) + 1);
}

/// A metric of each road, in shapes at which its loops change.
void shapes_of_roads() {
  const auto kind = [](const char* name, std::int32_t n_classes = 2) {
    return Kind{make_metric(name), n_classes};
  };
  constexpr Plan kPooled{"pooled"};
  constexpr Plan kRepeats{"repeats", 3};
  const struct {
    Kind kind;
    Plan plan;
    Road road;
  } cases[] = {
      {kind("accuracy", 4), kPooled, Road::errors},
      {kind("zero_one_loss"), kRepeats, Road::errors},
      {kind("accuracy", 3), {"two weights", 1, 0, Weights::two}, Road::weighed_errors},
      {kind("zero_one_loss"), {"weights of repeats", 3, 0, Weights::few}, Road::weighed_errors},
      {kind("accuracy"), {"weights of groups", 1, 0, Weights::wide, true}, Road::weighed_errors},
      {kind("accuracy"), {"whole weights", 2, 0, Weights::integers}, Road::weighed_errors},
      {kind("f_beta"), kPooled, Road::class_errors},
      {kind("mcc"), kPooled, Road::class_errors},
      {kind("balanced_accuracy"), kPooled, Road::class_errors},
      {kind("f_beta"), kRepeats, Road::part_errors},
      {kind("kappa"), {"folds", 1, 4}, Road::part_errors},
      {kind("mean_squared_error"), kPooled, Road::losses},
      {kind("mean_absolute_error"), kRepeats, Road::losses},
      {kind("roc_auc"), kPooled, Road::pairs},
      {kind("roc_auc"), {"folds of repeats", 2, 5}, Road::pairs},
      {kind("roc_auc_ovo", 3), kPooled, Road::class_pairs},
      {kind("concordance_index"), kRepeats, Road::time_pairs},
  };
  // Whole groups, chunks and lines of rows and one more; panels of configurations; sums that need
  // words of 16, 32 and 64 bits; programs of several segments; every row once.
  constexpr Shape kShapes[] = {
      {8, 2, 64},        {9, 63, 17},       {48, 65, 64},   {49, 530, 10},    {127, 23, 5},
      {128, 23, 64},     {129, 7, 64},      {257, 7, 63},   {60, 30, 20, 15}, {60, 30, 20, 16},
      {60, 30, 20, 255}, {60, 30, 20, 256}, {7, 4100, 2},   {100, 2100, 3},   {40, 5, 2, 65'535},
      {2500, 60, 2},     {23'000, 2, 3},    {40'000, 2, 9}, {200, 9, 1}};
  std::uint64_t seed = 0;
  std::uint64_t place = 0;
  for (const auto& one : cases) {
    ++place;
    for (const Shape& shape : kShapes) {
      ++seed;
      for (const Look look : {Look::plain, Look::ties, Look::near}) {
        if (shape.n_rows < 2 * one.kind.n_classes) continue;
        if (!check::runs(place + seed + 2 * static_cast<std::uint64_t>(look), 6)) continue;
        compare(one.kind, one.plan, shape, look, seed);
      }
      const Problem given(one.kind, one.plan, shape, Look::plain, seed);
      if (shape.n_rows > 300) CHECK_FOR(road_of(given.input()) == one.road, given.context());
    }
  }
}

/// Classes whose rows multiply to more than 2^50: shares of right calls no longer compare exactly.
void many_drawn_rows() {
  constexpr std::int64_t kRows = 1100;
  problem::Random random(17);
  const Target target = problem::labels_of(kRows);
  std::vector<std::int8_t> labels;
  for (const std::int32_t code : target.codes) {
    for (int j = 0; j < 7; ++j) {
      const bool right = j < 5 && random.below(3) != 0;
      labels.push_back(right == (code == 1) ? 1 : 0);
    }
  }
  // The same numbers of right calls, of other rows.
  for (std::size_t row = 0; row < kRows; ++row) labels[7 * row + 5] = labels[7 * row + 3];
  std::swap(labels[7 * 20 + 5], labels[7 * 22 + 5]);
  std::swap(labels[7 * 21 + 5], labels[7 * 23 + 5]);
  Target with_labels = target;
  with_labels.label_values = {0, 1};
  const std::vector<Predictions> repeats{View<std::int8_t>(labels.data(), kRows, 7)};
  ReplicateBlock block{2, kRows, std::vector<std::uint16_t>(2 * kRows, 65535), {}};
  for (std::size_t row = 0; row < 20; ++row) block.counts[row] = 0;
  for (std::size_t row = 700; row < 720; ++row) block.counts[kRows + row] = 0;
  for (const char* name : {"balanced_accuracy", "mcc", "kappa"}) {
    const Metric metric = make_metric(name);
    const EvaluatorInput input{metric, with_labels, repeats, {}, {}};
    const Answers expected = in_full(*make_evaluator(input, Road::filter, kOneThread), block);
    Choice winners[2];
    make_evaluator(input, kOneThread)->best(block, kNever, winners);
    for (std::size_t lane = 0; lane < 2; ++lane) {
      CHECK_FOR(winners[lane].configuration == expected.winners[lane].configuration, name);
      CHECK_FOR(check::same(winners[lane].key, expected.winners[lane].key), name);
    }
  }
}

/// Rows of one weight are counted more than 2^26 times, whose products with it are rounded.
void many_repeats() {
  const Plan plan{"many repeats", 1000, 0, Weights::two};
  compare({make_metric("accuracy")}, plan, {100, 3, 2, 5000}, Look::plain, 1);
}

/// Without a class that the metric needs on a side, there is no score.
void undefined() {
  const Target target = problem::labels_of(120);
  const std::vector<std::int8_t> labels(120);
  ReplicateBlock block{1, 120, std::vector<std::uint16_t>(120), {}};
  for (std::size_t row = 1; row < 120; row += 2) block.counts[row] = 1;
  const std::vector<Predictions> views{View<std::int8_t>(labels.data(), 120, 1),
                                       View<std::int8_t>(labels.data(), 120, 1)};
  for (const char* name : {"recall", "balanced_accuracy", "distance_to_corner", "youden_index"}) {
    const Metric metric = make_metric(name);
    Target with_labels = target;
    with_labels.label_values = {0, 1};
    for (const std::size_t n_repeats : {1U, 2U}) {
      const std::span<const Predictions> repeats(views.data(), n_repeats);
      const auto evaluator = make_evaluator({metric, with_labels, repeats, {}, {}}, kOneThread);
      const Choice choice{0.0, 0};
      double score = 0.0;
      evaluator->in_bag(block, &choice, kNever, &score);
      CHECK_FOR(std::isnan(score), name);
    }
  }
}

}  // namespace

int main() {
  many_drawn_rows();
  many_repeats();
  undefined();
  shapes_of_roads();
  all_metrics_and_plans();
  return check::report();
}
