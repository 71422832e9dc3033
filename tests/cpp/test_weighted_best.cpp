// Sums of sample weights: the grid's choice is that of comparing all keys, for every instruction
// set.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/zero_one.hpp"
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

constexpr Shape kShapes[] = {
    {2, 3, 1, 64, 0},    {7, 47, 2, 17, 0},    {20, 50, 1, 64, 0},    {100, 97, 1, 9, 0},
    {1100, 48, 1, 3, 0}, {60, 20, 2, 5, 4000}, {40, 30, 1, 4, 65000},
};

enum class Weights { integers, few, any, unequal, tiny };

std::vector<double> draw(problem::Random& random, Weights kind, std::int64_t n_rows) {
  std::vector<double> weights;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    switch (kind) {
      case Weights::integers:
        weights.push_back(random.below(4));
        break;
      case Weights::few:  // sums that differ in their last bits or not at all
        weights.push_back(0.1 * (1 + random.below(3)) + 0.2);
        break;
      case Weights::any:
        weights.push_back(random.uniform());
        break;
      case Weights::unequal:
        weights.push_back(std::pow(10.0, -12.0 * random.uniform()));
        break;
      case Weights::tiny:
        weights.push_back(row == 0 ? 1.0 : 1e-300 * random.uniform());
        break;
    }
  }
  weights[0] += 0.5;
  return scale_by_power_of_two(weights, n_rows);
}

template <class M>
void check(const Metric& metric, const Target& target, const std::vector<Predictions>& repeats,
           const std::vector<double>& weights, ReplicateBlock drawn, const std::string& context) {
  drawn.row_weights = weights;
  const EvaluatorInput input{metric, target, repeats, {}, weights};
  const StopFlag never;
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const auto evaluator = make_columns<M>(std::get<typename M::Kind>(metric.kind), input, {1, {}});
    Choice tested[kBlock];
    Choice expected[kBlock];
    evaluator->best(drawn, never, tested);
    evaluator->Evaluator::best_among(drawn, 0, evaluator->n_configurations(), never, expected);
    for (int lane = 0; lane < drawn.n_replicates; ++lane) {
      CHECK_FOR(tested[lane].configuration == expected[lane].configuration &&
                    check::same(tested[lane].key, expected[lane].key),
                context + " " + level + " replicate " + std::to_string(lane));
    }
  }
}

template <class T>
std::vector<Predictions> views(const std::vector<std::vector<T>>& blocks, const Shape& shape) {
  std::vector<Predictions> views;
  for (const auto& block : blocks) {
    views.emplace_back(View<T>{
        block.data(), shape.n_rows, shape.n_configurations, 1, {shape.n_configurations, 1, 1}});
  }
  return views;
}

void labels(const Shape& shape, Weights kind, std::uint64_t seed) {
  problem::Random random(seed);
  const auto n_cells = static_cast<std::size_t>(shape.n_rows * shape.n_configurations);
  std::vector<std::vector<std::int64_t>> blocks(shape.n_repeats);
  for (auto& block : blocks) {
    for (std::size_t i = 0; i < n_cells; ++i) block.push_back(random.below(2));
  }
  Target target = problem::labels_of(static_cast<std::size_t>(shape.n_rows));
  target.label_values = {0, 1};
  const auto weights = draw(random, kind, shape.n_rows);
  const ReplicateBlock drawn =
      problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
  for (const char* name : {"accuracy", "zero_one_loss"}) {
    check<ZeroOneColumns>(make_metric(name), target, views(blocks, shape), weights, drawn,
                          std::string(name) + " " + std::to_string(seed));
  }
}

void losses(const Shape& shape, Weights kind, std::uint64_t seed) {
  problem::Random random(seed);
  const auto n_cells = static_cast<std::size_t>(shape.n_rows * shape.n_configurations);
  for (const double size : {1.0, 1e-200, 1e280}) {
    std::vector<std::vector<double>> blocks(shape.n_repeats);
    for (auto& block : blocks) {
      for (std::size_t i = 0; i < n_cells; ++i) {
        // Eighths, so that sums of integers tie, and some a last bit away.
        const double eighths = std::round(8.0 * random.uniform()) / 8.0;
        const bool exact = random.below(3) > 0;
        block.push_back(size * (exact ? eighths : eighths + 0x1p-52 * random.below(3)));
      }
    }
    Target target;
    target.values.assign(static_cast<std::size_t>(shape.n_rows), 0.0);
    const auto weights = draw(random, kind, shape.n_rows);
    const ReplicateBlock drawn =
        problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
    for (const bool greater : {false, true}) {
      metric::RowLoss given{metric::RowLoss::Kind::given};
      given.greater_is_better = greater;
      check<RowLossColumns>(Metric{given}, target, views(blocks, shape), weights, drawn,
                            "loss " + std::to_string(seed) + (greater ? " greater" : ""));
    }
  }
}

}  // namespace

int main() {
  std::uint64_t seed = 0;
  for (const auto& shape : kShapes) {
    for (const Weights kind :
         {Weights::integers, Weights::few, Weights::any, Weights::unequal, Weights::tiny}) {
      labels(shape, kind, ++seed);
      losses(shape, kind, ++seed);
    }
  }
  problem::set_level("avx512");
  return check::report();
}
