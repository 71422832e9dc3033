// Label metrics over folds and repeats by look-up against the general evaluator, for every
// instruction set.
#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/label_parts_evaluator.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

/// Rows and how they are put together.
struct Plan {
  std::int32_t n_classes;
  std::size_t n_repeats;
  std::int32_t n_folds;  ///< 0: pooled
  std::uint32_t most;    ///< of a row's counts; 0: what draws give
  std::int64_t n_configurations = 30;
};

constexpr std::int64_t kRows = 120;
constexpr std::int64_t kMany = 260;  // more configurations than are added up at a time
constexpr int kReplicates = 2;

struct Problem {
  Target target;
  std::vector<std::vector<std::int8_t>> labels;
  std::vector<Predictions> repeats;
  std::vector<std::int32_t> folds;
  ReplicateBlock block;

  Problem(const Plan& plan, std::uint64_t seed) : labels(plan.n_repeats) {
    problem::Random random(seed);
    target.kind = Target::Kind::labels;
    target.n_classes = plan.n_classes;
    const auto n_classes = static_cast<std::uint32_t>(plan.n_classes);
    for (std::int32_t k = 0; k < plan.n_classes; ++k) target.label_values.push_back(3 * k - 1);
    for (std::int64_t i = 0; i < kRows; ++i) {
      target.codes.push_back(
          static_cast<std::int32_t>(random.below(3) == 0 ? random.below(n_classes) : 0));
    }
    for (auto& own : labels) {
      for (std::int64_t i = 0; i < kRows; ++i) {
        for (std::int64_t j = 0; j < plan.n_configurations; ++j) {
          const auto code = random.below(3) == 0
                                ? static_cast<std::int32_t>(random.below(n_classes))
                                : target.codes[static_cast<std::size_t>(i)];
          own.push_back(static_cast<std::int8_t>(3 * code - 1));
        }
        // Ties, and configurations that call nothing positive.
        own[own.size() - 2] = own[own.size() - static_cast<std::size_t>(plan.n_configurations)];
        own.back() = -1;
      }
      repeats.emplace_back(View<std::int8_t>(own.data(), kRows, plan.n_configurations));
      for (std::int64_t i = 0; i < kRows && plan.n_folds > 0; ++i) {
        // Some rows are in no fold, and one fold lacks all classes but one.
        const bool sorted = target.codes[static_cast<std::size_t>(i)] == 0 && i % 2 == 0;
        const auto n_folds = static_cast<std::uint32_t>(plan.n_folds);
        const auto other = 1 + static_cast<std::int32_t>(random.below(n_folds - 1));
        folds.push_back(i % 37 == 36 ? -1 : sorted ? 0 : other);
      }
    }
    block = problem::random_block(random, kRows, kReplicates, plan.most);
  }
};

template <class M, class Kind>
void compare(const Kind& kind, const Plan& plan, std::uint64_t seed, const std::string& name) {
  const Problem problem(plan, seed);
  const Metric metric{kind};
  const EvaluatorInput input{metric, problem.target, problem.repeats, problem.folds, {}};
  if (!LabelPartsEvaluator::suits(kind, input)) return;
  const Control control{1, {}};
  const auto reference = make_columns<M>(kind, input, control);
  const problem::Answers answers(*reference, problem.block);
  const std::int64_t n = plan.n_configurations;
  const std::vector<std::int64_t> some{0, 5, 6, n / 2, n - 3, n - 1};
  std::vector<double> expected(some.size() * kReplicates);
  reference->scores_of(problem.block, some, StopFlag{}, expected.data());
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const LabelPartsEvaluator tested(kind, input, control);
    const std::string context = std::string(level) + " " + name;
    problem::check_equal(tested, answers, problem.block, context);
    std::vector<double> scores(expected.size());
    tested.scores_of(problem.block, some, StopFlag{}, scores.data());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      CHECK_FOR(check::same(scores[i], expected[i]), context + " of some");
    }
  }
}

/// Whatever two classes are scored by; of more micro averages, and what asks for shares of right
/// calls only.
void which_metrics() {
  for (const std::int32_t n_classes : {2, 3}) {
    const Problem problem({n_classes, 1, 3, 0}, 3);
    int n_suited = 0;
    for (const auto& kind : problem::confusion_metrics(1.0)) {
      const Metric metric{kind};
      const EvaluatorInput input{metric, problem.target, problem.repeats, problem.folds, {}};
      n_suited += LabelPartsEvaluator::suits(kind, input) ? 1 : 0;
      const std::vector<double> weights(kRows, 0.5);
      const EvaluatorInput weighted{metric, problem.target, problem.repeats, problem.folds,
                                    weights};
      CHECK(!LabelPartsEvaluator::suits(kind, weighted));
      // Folds of a few rows would leave most of a table empty.
      std::vector<std::int32_t> small(kRows);
      for (std::int64_t i = 0; i < kRows; ++i)
        small[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i % 40);
      const EvaluatorInput split{metric, problem.target, problem.repeats, small, {}};
      CHECK(!LabelPartsEvaluator::suits(kind, split));
    }
    CHECK_FOR(n_suited == (n_classes == 2 ? 28 : 10), std::to_string(n_suited));
  }
}

}  // namespace

int main() {
  const Plan plans[] = {{2, 1, 4, 0, kMany}, {2, 2, 0, 0},   {2, 2, 3, 0},      {2, 1, 3, 300},
                        {3, 1, 0, 0, kMany}, {3, 2, 3, 700}, {2, 1, 4, 65'535}, {4, 2, 0, 0}};
  std::uint64_t seed = 0;
  std::uint64_t place = 0;  // of the plan
  for (const Plan& plan : plans) {
    ++place;
    std::uint64_t number = 0;
    const std::string name = std::to_string(plan.n_classes) + " classes " +
                             std::to_string(plan.n_repeats) + " repeats " +
                             std::to_string(plan.n_folds) + " folds " + std::to_string(plan.most);
    for (const auto& kind : problem::confusion_metrics(plan.n_folds == 4 ? 1.0 : 0.7)) {
      ++number;
      if (plan.n_classes > 2 && kind.average == metric::Average::binary) continue;  // refused
      ++seed;
      if (!check::runs(place + number, 3)) continue;
      compare<ConfusionColumns<double>>(
          kind, plan, seed,
          name + " formula " + std::to_string(static_cast<int>(kind.formula)) + " average " +
              std::to_string(static_cast<int>(kind.average)));
    }
    // Wrong labels of repeats are otherwise one sum.
    if (plan.n_folds == 0) continue;
    for (const bool accuracy : {true, false}) {
      compare<ZeroOneColumns>(metric::ZeroOne{accuracy}, plan, ++seed, name + " labels");
    }
  }
  which_metrics();
  return check::report();
}
