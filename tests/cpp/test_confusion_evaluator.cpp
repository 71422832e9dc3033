// The look-up evaluator of confusion metrics of two classes against the general one, for every
// instruction set.
#include <algorithm>
#include <cmath>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/confusion_evaluator.hpp"
#include "detail/isa/confusion_kernel.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

struct Shape {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  int n_replicates;
  std::uint32_t most;
  double error_rate;
};

/// Two rows of each class come first.
Target target_of(problem::Random& random, std::int64_t n_rows) {
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 2;
  target.label_values = {-1, 1};
  for (std::int64_t i = 0; i < n_rows; ++i) {
    target.codes.push_back(i < 4 ? static_cast<std::int32_t>(i / 2) : random.uniform() < 0.3);
  }
  return target;
}

/// Replicates with a row of each class on either side.
ReplicateBlock bag_of(problem::Random& random, const Shape& shape) {
  ReplicateBlock block =
      problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    std::uint16_t* counts = block.counts.data() + lane * block.n_rows;
    counts[0] = counts[2] = 0;
    counts[1] = std::max<std::uint16_t>(counts[1], 1);
    counts[3] = std::max<std::uint16_t>(counts[3], 1);
  }
  return block;
}

void run(const metric::Confusion& kind, const Shape& shape, std::uint64_t seed) {
  problem::Random random(seed);
  const Target target = target_of(random, shape.n_rows);
  std::vector<std::int8_t> labels;
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    for (std::int64_t j = 0; j < shape.n_configurations; ++j) {
      const bool wrong = random.uniform() < shape.error_rate;
      const bool positive = (target.codes[static_cast<std::size_t>(i)] == 1) != wrong;
      // The last configuration calls nothing positive.
      labels.push_back(positive && j + 1 < shape.n_configurations ? 1 : -1);
    }
  }
  std::vector<Predictions> repeats;
  repeats.emplace_back(View<std::int8_t>{
      labels.data(), shape.n_rows, shape.n_configurations, 1, {shape.n_configurations, 1, 1}});
  const Metric metric{kind};
  const EvaluatorInput input{metric, target, repeats, {}, {}};
  CHECK(ConfusionEvaluator::suits(kind, input));
  const Control control{1, {}};
  const auto reference = make_columns<ConfusionColumns<double>>(kind, input, control);
  const ReplicateBlock block = bag_of(random, shape);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const ConfusionEvaluator tested(kind, input, control);
    problem::check_equal(tested, *reference, block,
                         std::string(level) + " formula " +
                             std::to_string(static_cast<int>(kind.formula)) + " average " +
                             std::to_string(static_cast<int>(kind.average)) + " rows " +
                             std::to_string(shape.n_rows));
  }
}

/// Scores and the count of the worse, which check_equal does not ask for.
void scores_and_counts() {
  problem::Random random(99);
  const Shape shape{60, 40, 33, 0, 0.3};
  const Target target = target_of(random, shape.n_rows);
  std::vector<std::int8_t> labels;
  for (std::int64_t i = 0; i < shape.n_rows * shape.n_configurations; ++i) {
    labels.push_back(random.below(2) == 0 ? 1 : -1);
  }
  const std::vector<Predictions> repeats{View<std::int8_t>{labels.data(), 60, 40, 1, {40, 1, 1}}};
  const ReplicateBlock block = bag_of(random, shape);
  const StopFlag never;
  for (const char* name :
       {"f_beta", "balanced_accuracy", "mcc", "kappa", "distance_to_corner", "youden_index"}) {
    const Metric metric = make_metric(name);
    const auto& kind = std::get<metric::Confusion>(metric.kind);
    const EvaluatorInput input{metric, target, repeats, {}, {}};
    const auto reference = make_columns<ConfusionColumns<double>>(kind, input, {1, {}});
    const ConfusionEvaluator tested(kind, input, {1, {}});
    std::vector<double> scores(33 * 30);
    std::vector<double> expected(scores.size());
    tested.scores(block, 5, 35, never, scores.data());
    reference->scores(block, 5, 35, never, expected.data());
    CHECK_FOR(scores == expected, name);
    std::vector<std::int64_t> worse(40);
    std::vector<std::int64_t> expected_worse(40);
    tested.count_worse(block, 7, never, worse.data());
    reference->count_worse(block, 7, never, expected_worse.data());
    CHECK_FOR(worse == expected_worse, name);
    // Without the second class on a side nothing is defined.
    ReplicateBlock one_class{1, 60, std::vector<std::uint16_t>(60), {}};
    for (std::size_t row = 0; row < 60; ++row) one_class.counts[row] = target.codes[row] == 0;
    const Choice choice{0.0, 3};
    double score = 0.0;
    tested.in_bag(one_class, &choice, never, &score);
    CHECK_FOR(std::isnan(score), name);
  }
}

/// Classes whose rows multiply to more than 2^50: shares of right calls no longer compare exactly.
void many_drawn_rows() {
  constexpr std::int64_t kRows = 1100;
  problem::Random random(17);
  Target target = target_of(random, kRows);
  for (std::size_t row = 4; row < kRows; ++row) target.codes[row] = row % 2 == 0 ? 0 : 1;
  std::vector<std::int8_t> labels;
  for (const std::int32_t code : target.codes) {
    for (int j = 0; j < 7; ++j) {
      const bool right = j < 5 && random.below(3) != 0;
      labels.push_back(right == (code == 1) ? 1 : -1);
    }
  }
  // The same numbers of right calls, of other rows.
  for (std::size_t row = 0; row < kRows; ++row) labels[7 * row + 5] = labels[7 * row + 3];
  std::swap(labels[7 * 20 + 5], labels[7 * 22 + 5]);
  std::swap(labels[7 * 21 + 5], labels[7 * 23 + 5]);
  const std::vector<Predictions> repeats{View<std::int8_t>{labels.data(), kRows, 7, 1, {7, 1, 1}}};
  ReplicateBlock block{2, kRows, std::vector<std::uint16_t>(2 * kRows, 65535), {}};
  for (std::size_t row = 0; row < 20; ++row) block.counts[row] = 0;
  for (std::size_t row = 700; row < 720; ++row) block.counts[kRows + row] = 0;
  double rows[2] = {};
  for (std::size_t row = 20; row < kRows; ++row) rows[target.codes[row]] += 65535.0;
  CHECK(rows[0] * rows[1] > 0x1p50);
  for (const char* name : {"f_beta", "balanced_accuracy", "mcc", "kappa", "youden_index"}) {
    const Metric metric = make_metric(name);
    const auto& kind = std::get<metric::Confusion>(metric.kind);
    const EvaluatorInput input{metric, target, repeats, {}, {}};
    const auto reference = make_columns<ConfusionColumns<double>>(kind, input, {1, {}});
    const ConfusionEvaluator tested(kind, input, {1, {}});
    problem::check_equal(tested, *reference, block, std::string("many drawn rows, ") + name);
  }
}

/// Counts of 64 bits compare as those of 16 bits do.
void wide_counts() {
  constexpr std::int64_t kConfigurations = 150;
  using Kind = ConfusionOrder::Kind;
  problem::Random random(5);
  ConfusionOrder order;
  order.numerator[0] = 2.0;
  order.denominator[1] = order.denominator[2] = 1.0;
  for (int lane = 0; lane < kBlock; ++lane) order.rows[0][lane] = order.rows[1][lane] = 40.0;
  std::vector<std::uint16_t> narrow[2];
  std::vector<std::int64_t> wide[2];
  for (int code = 0; code < 2; ++code) {
    // Vectors are read where lines begin.
    narrow[code].resize(kConfigurations * kBlock + 32);
    for (auto& count : narrow[code]) count = static_cast<std::uint16_t>(random.below(41));
  }
  const auto line = [](std::vector<std::uint16_t>& counts) {
    const auto past = reinterpret_cast<std::uintptr_t>(counts.data()) % 64 / 2;
    return counts.data() + (32 - past) % 32;
  };
  std::uint16_t* const lines[2] = {line(narrow[0]), line(narrow[1])};
  for (int code = 0; code < 2; ++code) {
    wide[code].assign(lines[code], lines[code] + kConfigurations * kBlock);
  }
  const ConfusionPanel<std::uint16_t> of_narrow{{lines[0], lines[1]}, 7, kConfigurations};
  const ConfusionPanel<std::int64_t> of_wide{{wide[0].data(), wide[1].data()}, 7, kConfigurations};
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const ConfusionKernel& kernel = confusion_kernel(simd_level());
    for (const Kind kind : {Kind::quotient, Kind::balanced, Kind::kappa, Kind::mcc}) {
      order.kind = kind;
      ConfusionBest best[2];
      for (auto& own : best) std::fill_n(own.value, kBlock, -1e300);
      kernel.best(order, of_narrow, &best[0]);
      kernel.best(order, of_wide, &best[1]);
      CHECK_FOR(std::equal(best[0].value, best[0].value + kBlock, best[1].value), level);
      CHECK_FOR(std::equal(best[0].where, best[0].where + kBlock, best[1].where), level);
      std::vector<std::int64_t> below[2];
      for (auto& own : below) own.resize(kConfigurations);
      kernel.below(order, of_narrow, best[0].value, below[0].data());
      kernel.below(order, of_wide, best[0].value, below[1].data());
      CHECK_FOR(below[0] == below[1], level);
      for (int lane = 0; lane < kBlock; ++lane) CHECK_FOR(best[0].where[lane] >= 7.0, level);
      CHECK_FOR(std::any_of(below[0].begin(), below[0].end(),
                            [](std::int64_t lanes) { return lanes < kBlock; }),
                level);
    }
  }
}

}  // namespace

int main() {
  using Formula = metric::Confusion::Formula;
  using metric::Average;
  const Shape small[] = {{4, 2, 1, 0, 0.5}, {20, 50, 64, 0, 0.3}};
  // Several chunks of rows, configurations that are all right, and counts beyond a byte.
  const Shape others[] = {{49, 530, 40, 0, 0.1}, {100, 70, 63, 0, 0.0}, {130, 20, 64, 300, 0.4}};
  std::uint64_t seed = 0;
  for (const metric::Confusion& kind : problem::confusion_metrics(1.5)) {
    for (const auto& shape : small) run(kind, shape, ++seed);
  }
  // One of each way of comparing configurations.
  for (const auto formula : {Formula::f_beta, Formula::balanced_accuracy, Formula::kappa,
                             Formula::mcc, Formula::distance_to_corner, Formula::youden}) {
    for (const auto& shape : others) run({formula, Average::binary, 0.3}, shape, ++seed);
  }
  scores_and_counts();
  many_drawn_rows();
  wide_counts();
  return check::report();
}
