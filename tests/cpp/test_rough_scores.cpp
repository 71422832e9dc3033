// Rough scores decide nothing: the best by them is the best of all keys, and exact scores are
// within their bounds, for every metric that has them, plan and instruction set.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/evaluation/column_part.hpp"
#include "detail/fast/multiclass_auc_evaluator.hpp"
#include "detail/fast/rough_scores.hpp"
#include "detail/fast/rough_search.hpp"
#include "detail/isa/rough_kernel.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

struct Shape {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::size_t n_repeats;
  int n_replicates;
  std::uint32_t most;
};
constexpr Shape kShapes[] = {{9, 5, 1, 64, 0},
                             {40, 30, 2, 17, 0},
                             {60, 21, 1, 64, 4000},
                             {300, 13, 1, 9, 0},
                             {150, 30, 1, 10, 65000}};

enum class Weights { none, integers, any, unequal, tiny };
constexpr Weights kWeights[] = {Weights::none, Weights::integers, Weights::any, Weights::unequal,
                                Weights::tiny};

std::vector<double> draw_weights(problem::Random& random, Weights kind, std::int64_t n_rows) {
  if (kind == Weights::none) return {};
  std::vector<double> weights;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    const double uniform = random.uniform();
    weights.push_back(kind == Weights::integers  ? random.below(4)
                      : kind == Weights::any     ? uniform
                      : kind == Weights::unequal ? std::ldexp(1.0, -static_cast<int>(30 * uniform))
                                                 : (row == 0 ? 1.0 : 1e-300 * uniform));
  }
  weights[0] += 0.5;
  return scale_by_power_of_two(weights, n_rows);
}

enum class Values { smooth, ties, huge, constant };
constexpr Values kValues[] = {Values::smooth, Values::ties, Values::huge, Values::constant};

/// A truth of each kind, and predictions of it.
struct Data {
  Target classes;
  Target real;
  Target survival;                                // with weights of events
  std::vector<std::vector<std::int32_t>> labels;  // of each repeat, (row, configuration)
  std::vector<std::vector<double>> values;        // the same
  std::vector<std::vector<double>> scores;        // (row, configuration, class)

  Data(problem::Random& random, const Shape& shape, std::int32_t n_classes, Values kind) {
    classes.kind = Target::Kind::labels;
    classes.n_classes = n_classes;
    real.kind = Target::Kind::real;
    const auto number = [&] {
      const double uniform = random.uniform();
      if (kind == Values::ties) return std::floor(4.0 * uniform);
      if (kind == Values::huge) return std::ldexp(uniform, 800);
      return kind == Values::constant ? 0.25 : uniform;
    };
    for (std::int64_t row = 0; row < shape.n_rows; ++row) {
      classes.codes.push_back(static_cast<std::int32_t>(row) % n_classes);
      real.values.push_back(kind == Values::ties ? std::floor(4.0 * random.uniform())
                                                 : random.uniform() - 0.5);
      survival.events.push_back(row == 0 || random.below(3) > 0 ? 1 : 0);
      survival.event_weights.push_back(kind == Values::huge
                                           ? std::ldexp(1.0, -20 * static_cast<int>(row % 3))
                                           : 1.0 + random.below(3));
    }
    survival.kind = Target::Kind::survival;
    survival.values = real.values;
    for (double& time : survival.values) time += 1.0;
    for (std::size_t repeat = 0; repeat < shape.n_repeats; ++repeat) {
      labels.emplace_back();
      values.emplace_back();
      scores.emplace_back();
      for (std::int64_t row = 0; row < shape.n_rows; ++row) {
        for (std::int64_t j = 0; j < shape.n_configurations; ++j) {
          const auto at = static_cast<std::size_t>(row);
          const bool wrong = kind != Values::constant && random.below(3) == 0;
          labels[repeat].push_back(
              wrong ? static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n_classes)))
              : kind == Values::constant ? 0
                                         : classes.codes[at]);
          values[repeat].push_back((kind == Values::constant ? 0.0 : real.values[at]) + number());
          for (std::int32_t k = 0; k < n_classes; ++k) scores[repeat].push_back(number());
        }
      }
    }
  }
};

template <class M>
void check_bounds(const Metric& metric, const EvaluatorInput& input, const ReplicateBlock& block,
                  const Evaluator& evaluator, const std::string& context) {
  // Means of entries are added up by the evaluator.
  if constexpr (requires { &Rough<M>::add; } && !AlwaysLinear<M>) {
    if (!input.folds.empty() || input.repeats.size() > 1) return;
    if (!RoughWeights::suit(input.row_weights)) return;
    const auto& kind = std::get<typename M::Kind>(metric.kind);
    const M exact(kind, input.target);
    const Rough<M> rough(kind, input.target, exact);
    std::vector<std::int32_t> rows;
    for (std::int64_t row = 0; row < block.n_rows; ++row) {
      rows.push_back(static_cast<std::int32_t>(row));
    }
    RoughWeights weights;
    weights.take(block, rows);
    const RoughRows all{weights.from(0), block.n_rows, weights.exact()};
    const RoughKernel& kernel = rough_kernel(simd_level());
    const auto shared = rough.shared(kernel, all);
    const std::int64_t n = evaluator.n_configurations();
    std::vector<double> scores(static_cast<std::size_t>(n * block.n_replicates));
    evaluator.scores(block, 0, n, StopFlag{}, scores.data());
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

/// One replicate alone scores as it does beside others, on both sides.
void check_choices(const Evaluator& evaluator, ReplicateBlock block, const std::string& context) {
  const StopFlag never;
  const std::int64_t n = evaluator.n_configurations();
  std::vector<Choice> choices;
  for (int lane = 0; lane < block.n_replicates; ++lane) choices.push_back({0.0, lane % n});
  std::vector<double> expected(static_cast<std::size_t>(n * block.n_replicates));
  for (const Side side : {Side::in_bag, Side::out_of_bag}) {
    std::vector<double> scores(choices.size());
    evaluator.scores_of_choices(block, side, choices.data(), never, scores.data());
    if (side == Side::out_of_bag) {
      for (auto& count : block.counts) count = count == 0 ? 1 : 0;
    }
    evaluator.scores(block, 0, n, never, expected.data());
    for (std::size_t lane = 0; lane < choices.size(); ++lane) {
      const double one = expected[lane * static_cast<std::size_t>(n) +
                                  static_cast<std::size_t>(choices[lane].configuration)];
      CHECK_FOR(check::same(scores[lane], one) || (std::isnan(scores[lane]) && std::isnan(one)),
                context + " alone " + std::to_string(lane));
    }
  }
}

template <class M>
void check_metric(const Metric& metric, const Target& target,
                  const std::vector<Predictions>& repeats, const std::vector<std::int32_t>& folds,
                  const std::vector<double>& weights, ReplicateBlock block, bool fixed_spread,
                  const std::string& context) {
  block.row_weights = weights;
  const EvaluatorInput input{metric, target, repeats, folds, weights, fixed_spread};
  const StopFlag never;
  const typename M::Kind kind = [&] {
    if constexpr (std::is_same_v<M, R2Columns>) {
      return R2Columns::Kind{};
    } else {
      return std::get<typename M::Kind>(metric.kind);
    }
  }();
  const std::string got = check::message_of([&] {
    const auto made = make_columns<M>(kind, input, {1, {}});
    const Evaluator& evaluator = *made;
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      Choice tested[kBlock];
      Choice expected[kBlock];
      std::string overflows;
      std::string expected_overflows;
      overflows = check::message_of([&] { evaluator.best(block, never, tested); });
      expected_overflows = check::message_of([&] {
        evaluator.Evaluator::best_among(block, 0, evaluator.n_configurations(), never, expected);
      });
      CHECK_FOR((overflows == "no error") == (expected_overflows == "no error"),
                context + overflows);
      if (overflows != "no error" || expected_overflows != "no error") continue;
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        CHECK_FOR(tested[lane].configuration == expected[lane].configuration &&
                      check::same(tested[lane].key, expected[lane].key),
                  context + " " + level + " replicate " + std::to_string(lane));
      }
      if constexpr (!std::is_same_v<M, R2Columns>) {
        check_bounds<M>(metric, input, block, evaluator, context + " " + level);
      }
      // Some in rising order, as the effect of size asks for them.
      const std::vector<std::int64_t> some{0, 1, evaluator.n_configurations() - 1};
      std::vector<double> scores(some.size() * static_cast<std::size_t>(block.n_replicates));
      std::vector<double> same(scores.size());
      evaluator.scores_of(block, some, never, scores.data());
      evaluator.Evaluator::scores_of(block, some, never, same.data());
      for (std::size_t i = 0; i < same.size(); ++i) {
        CHECK_FOR(check::same(scores[i], same[i]), context + " score " + std::to_string(i));
      }
      if constexpr (SumsEntries<M>) check_choices(evaluator, block, context + " " + level);
    }
  });
  static_cast<void>(got);  // what a metric refuses, it refuses before anything is rough
}

void run(const Shape& shape, std::int32_t n_classes, Values values, Weights weighting,
         std::int32_t n_folds, std::uint64_t seed) {
  problem::Random random(seed);
  const Data data(random, shape, n_classes, values);
  const auto weights = draw_weights(random, weighting, shape.n_rows);
  ReplicateBlock block =
      problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
  // Defined in every replicate: the first rows have every class.
  for (int lane = 0; lane < shape.n_replicates; ++lane) {
    for (std::int64_t row = 0; row < 2 * n_classes && row < shape.n_rows; ++row) {
      ++block.counts[static_cast<std::size_t>(lane * shape.n_rows + row)];
    }
  }
  std::vector<std::int32_t> folds;
  for (std::int64_t i = 0; n_folds > 0 && i < shape.n_rows * std::int64_t(shape.n_repeats); ++i) {
    folds.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n_folds))));
  }
  std::vector<Predictions> labels;
  std::vector<Predictions> numbers;
  std::vector<Predictions> of_classes;
  for (std::size_t repeat = 0; repeat < shape.n_repeats; ++repeat) {
    labels.emplace_back(
        View<std::int32_t>(data.labels[repeat].data(), shape.n_rows, shape.n_configurations));
    numbers.emplace_back(
        View<double>(data.values[repeat].data(), shape.n_rows, shape.n_configurations));
    of_classes.emplace_back(
        View<double>(data.scores[repeat].data(), shape.n_rows, shape.n_configurations, n_classes));
  }
  const std::string context = std::to_string(shape.n_rows) + " rows, values " +
                              std::to_string(static_cast<int>(values)) + ", weights " +
                              std::to_string(static_cast<int>(weighting)) + ", folds " +
                              std::to_string(n_folds) + ", metric ";
  const auto one = [&]<class M>(const Metric& metric, const Target& target,
                                const std::vector<Predictions>& repeats, const char* name,
                                bool fixed_spread = false) {
    check_metric<M>(metric, target, repeats, folds, weights, block, fixed_spread, context + name);
  };
  const bool real_weights = kind_of(weights) == WeightKind::real;
  one.operator()<ZeroOneColumns>({metric::ZeroOne{.accuracy = true}}, data.classes, labels, "0-1");
  for (const auto& kind : problem::confusion_metrics(0.7)) {
    const Metric metric{kind};
    using Formula = metric::Confusion::Formula;
    const bool of_two =
        kind.formula == Formula::distance_to_corner || kind.formula == Formula::youden;
    if (n_classes > 2 && (of_two || kind.average == metric::Average::binary)) continue;
    if (real_weights) {
      one.operator()<ConfusionColumns<DoubleDouble>>(metric, data.classes, labels, "confusion");
    } else {
      one.operator()<ConfusionColumns<double>>(metric, data.classes, labels, "confusion");
    }
  }
  const std::vector<Predictions>& scores = n_classes == 2 ? numbers : of_classes;
  if (n_classes == 2) {
    one.operator()<AucColumns>({metric::Auc{}}, data.classes, scores, "AUC");
    one.operator()<AveragePrecisionColumns>({metric::AveragePrecision{}}, data.classes, scores,
                                            "average precision");
    one.operator()<ConcordanceColumns>({metric::Concordance{}}, data.survival, numbers, "Uno's C");
    Target unweighted = data.survival;
    unweighted.event_weights.clear();
    one.operator()<ConcordanceColumns>({metric::Concordance{}}, unweighted, numbers, "C-index");
    for (const bool root : {false, true}) {
      for (const auto kind : {metric::RowLoss::Kind::squared, metric::RowLoss::Kind::given}) {
        if (root && kind == metric::RowLoss::Kind::given) continue;
        one.operator()<RowLossColumns>({metric::RowLoss{.kind = kind, .root = root}}, data.real,
                                       numbers, root ? "root" : "loss");
      }
    }
    using Formula = metric::Moments::Formula;
    for (const auto formula :
         {Formula::r2, Formula::explained_variance, Formula::squared_pearson}) {
      one.operator()<MomentsColumns>({metric::Moments{formula}}, data.real, numbers, "moments");
    }
    one.operator()<R2Columns>({metric::Moments{Formula::r2}}, data.real, numbers, "R2", true);
    one.operator()<SpearmanColumns>({metric::Spearman{}}, data.real, numbers, "Spearman");
    return;
  }
  using Scheme = metric::MulticlassAuc::Scheme;
  for (const auto scheme : {Scheme::ovr, Scheme::ovo}) {
    for (const bool weighted : {false, true}) {
      const metric::MulticlassAuc kind{scheme, weighted};
      const Metric metric{kind};
      one.operator()<MulticlassAucColumns>(metric, data.classes, scores, "classes");
      const EvaluatorInput input{metric, data.classes, scores, folds, weights};
      if (!MulticlassAucEvaluator::suits(input)) continue;
      const auto reference = make_columns<MulticlassAucColumns>(kind, input, {1, {}});
      for (const char* level : problem::levels()) {
        problem::set_level(level);
        const MulticlassAucEvaluator tested(kind, input, {1, {}});
        problem::check_equal(tested, *reference, block, context + "classes " + level);
        CHECK(road_of(tested) == "pairs" && road_of(*reference) == "filter");
      }
    }
  }
}

/// What may be the best is kept, and what is not a number is.
void search() {
  RoughSearch search;
  search.begin();
  RoughScores scores{};
  const auto take = [&](std::int64_t configuration, double score, double error) {
    std::fill_n(scores.of, kBlock, score);
    std::fill_n(scores.error, kBlock, error);
    search.take(configuration, scores, 2);
  };
  take(4, 1.0, 0.1);
  take(2, 1.2, 0.1);
  take(7, 0.5, 0.1);
  take(9, std::nan(""), 0.0);
  std::vector<std::int64_t> asked;
  const Choice best = search.best(1, [&](std::int64_t configuration) {
    asked.push_back(configuration);
    return 1.0;
  });
  CHECK(best.configuration == 2);
  CHECK(asked == std::vector<std::int64_t>({9, 2, 4}));
  CHECK(RoughWeights::suit({}));
  const std::vector<double> small{1.0, 1e-300};
  CHECK(!RoughWeights::suit(small));
}

}  // namespace

int main() {
  search();
  std::uint64_t seed = 0;
  std::uint64_t place = 0;  // of the shape
  for (const Shape& shape : kShapes) {
    for (const std::int32_t n_classes : {2, 3}) {
      for (const Values values : kValues) {
        for (const Weights weights : kWeights) {
          for (const std::int32_t n_folds : {0, 2}) {
            ++seed;
            const auto others = static_cast<std::uint64_t>(values) +
                                static_cast<std::uint64_t>(weights) +
                                static_cast<std::uint64_t>(n_classes + n_folds / 2);
            if (check::runs(place + others, 3)) {
              run(shape, n_classes, values, weights, n_folds, seed);
            }
          }
        }
      }
    }
    ++place;
  }
  return check::report();
}
