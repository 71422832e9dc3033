// What the number of rows does to a score: R2 divided by the variance of all rows, and the scores
// out of bag that a size shift is made of. Values computed by hand.
#include <bbc/correction.hpp>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "detail/choices/size_shift.hpp"
#include "detail/evaluation/evaluators.hpp"
#include "detail/fast/r2_evaluator.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/spread.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using detail::Choice;
using detail::ReplicateBlock;
using detail::Side;
using Values = std::vector<double>;

const Control kOneThread{1, {}};
const detail::StopFlag kNever;

bool near(double a, double b) { return std::fabs(a - b) <= 1e-12; }

void spread() {
  const detail::Spread plain(Values{1, 2, 3, 4}, {});
  CHECK(plain.unit == 1.0 && plain.variance == 1.25);
  CHECK(near(detail::Spread(Values{1, 2, 3, 4}, Values{1, 1, 0, 0}).variance, 0.25));
  CHECK(near(detail::Spread(Values{1e9, 1, 2}, Values{0, 3, 1}).variance, 0.1875));
  CHECK(detail::Spread(Values{0.1, 0.1, 0.1}, {}).variance == 0.0);
  CHECK(detail::Spread(Values{1, 2}, Values{0, 0}).variance == 0.0);
  for (const double size : {1e200, 1e-200, 1e300}) {
    const detail::Spread extreme(Values{size, 2 * size, 3 * size, 4 * size}, {});
    const double scaled = extreme.unit * size;
    CHECK(scaled > 0.2 && scaled <= 1.0);
    CHECK(near(extreme.variance / (scaled * scaled), 1.25));
  }
  CHECK(detail::has_spread(make_metric("r2")));
  CHECK(!detail::has_spread(make_metric("explained_variance")));
  CHECK(!detail::has_spread(make_metric("mean_squared_error")));
}

/// y = 1, 2, 3, 4, of variance 1.25; configuration 0 misses the last by 1, configuration 1 is the
/// mean. Replicates: every row once, without the last, and the first two twice.
struct Regression {
  Values predicted{1, 2.5, 2, 2.5, 3, 2.5, 5, 2.5};
  Metric metric = make_metric("r2");
  Target target;
  std::vector<Predictions> repeats{View<double>(predicted.data(), 4, 2)};
  ReplicateBlock block{3, 4, {1, 1, 1, 1, 1, 1, 1, 0, 2, 2, 0, 0}, {}};

  Regression() { target.values = {1, 2, 3, 4}; }

  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator(
      const std::vector<std::int32_t>& folds = {}, const Values& weights = {}) const {
    return detail::make_evaluator({metric, target, repeats, folds, weights, true}, kOneThread);
  }
  /// Of configuration 0 in all replicates but those that are skipped.
  [[nodiscard]] Values of_first(const detail::Evaluator& evaluator, Side side,
                                std::vector<int> skipped = {}) const {
    std::vector<Choice> choices(3, Choice{0.0, 0});
    for (const int lane : skipped) choices[static_cast<std::size_t>(lane)].configuration = -1;
    Values scores(3, -9.0);
    evaluator.scores_of_choices(block, side, choices.data(), kNever, scores.data());
    return scores;
  }
};

void check_r2(const Regression& given, const detail::Evaluator& evaluator) {
  CHECK(evaluator.n_configurations() == 2);
  Values scores(6);
  evaluator.scores(given.block, 0, 2, kNever, scores.data());
  const double constant = 1.0 - (2.25 + 0.25 + 0.25) / 3.0 / 1.25;
  const Values expected{0.8, 0.0, 1.0, constant, 1.0, 0.0};
  for (std::size_t i = 0; i < scores.size(); ++i) CHECK(near(scores[i], expected[i]));
  const Values in_bag = given.of_first(evaluator, Side::in_bag);
  CHECK(near(in_bag[0], 0.8) && near(in_bag[1], 1.0) && near(in_bag[2], 1.0));
  // One row left out, and two: their squared errors, by the variance of all four.
  const Values left_out = given.of_first(evaluator, Side::out_of_bag, {0});
  CHECK(left_out[0] == -9.0);
  CHECK(near(left_out[1], 1.0 - 1.0 / 1.25) && near(left_out[2], 1.0 - 0.5 / 1.25));

  Values keys(6);
  evaluator.keys(given.block, 0, 2, kNever, keys.data());
  std::vector<Choice> best(3);
  evaluator.best(given.block, kNever, best.data());
  for (std::size_t lane = 0; lane < 3; ++lane) {
    CHECK(keys[2 * lane] > keys[2 * lane + 1]);
    CHECK(best[lane].configuration == 0);
  }
  std::vector<std::int64_t> worse(2);
  evaluator.count_worse(given.block, 0, kNever, worse.data());
  CHECK((worse == std::vector<std::int64_t>{0, 3}));
}

void r2_of_all_rows() {
  const Regression given;
  check_r2(given, *given.evaluator());
  const Metric loss = make_metric("mean_squared_error");
  check_r2(given, detail::R2Evaluator(detail::make_evaluator(
                                          {loss, given.target, given.repeats, {}, {}}, kOneThread),
                                      1.25));
  // Weights 1, 1, 1, 3: mean 3, variance (4 + 1 + 0 + 3) / 6, squared error 3 / 6.
  const Values weights{1, 1, 1, 3};
  Regression weighted;
  weighted.block.row_weights = weights;
  const auto evaluator = weighted.evaluator({}, weights);
  CHECK(near(weighted.of_first(*evaluator, Side::in_bag)[0], 1.0 - 3.0 / 8.0));
  CHECK(near(weighted.of_first(*evaluator, Side::out_of_bag, {0})[1], 1.0 - 6.0 / 8.0));
}

/// Rows 1 and 2, and 3 and 4, each pair of variance 0.25.
void r2_by_fold() {
  const Regression given;
  const std::vector<std::int32_t> folds{0, 0, 1, 1};
  const auto evaluator = given.evaluator(folds);
  const Values in_bag = given.of_first(*evaluator, Side::in_bag);
  CHECK(near(in_bag[0], (1.0 + (1.0 - 0.5 / 0.25)) / 2.0));
  CHECK(near(in_bag[1], 1.0) && near(in_bag[2], 1.0));
  const Values left_out = given.of_first(*evaluator, Side::out_of_bag, {0});
  CHECK(near(left_out[1], 1.0 - 1.0 / 0.25) && near(left_out[2], 1.0 - 0.5 / 0.25));
}

void which_lose_a_shift() {
  CorrectionOptions options = problem::options_of("precision");
  CHECK(detail::loses_size_shift(options));
  options.rotate_repeats = true;
  CHECK(!detail::loses_size_shift(options));
  options.rotate_repeats = false;
  options.size_correction = false;
  CHECK(!detail::loses_size_shift(options));
  CHECK(!detail::loses_size_shift(problem::options_of("accuracy")));
  CHECK(!detail::loses_size_shift(problem::options_of("roc_auc")));
  CHECK(!detail::loses_size_shift(problem::options_of("r2")));
}

/// Truth 1, 0, 1, 0. Precision of the rows that each replicate leaves out, each counted once.
void out_of_bag() {
  const std::int8_t calls[] = {1, 1, 1, 0, 1, 0, 0, 0};
  const std::int8_t others[] = {0, 1, 0, 1, 1, 1, 1, 0};
  const std::vector<Predictions> repeats{View<std::int8_t>(calls, 4, 2),
                                         View<std::int8_t>(others, 4, 2)};
  const ReplicateBlock block{2, 4, {0, 0, 1, 3, 2, 2, 0, 0}, {}};
  CorrectionOptions options = problem::options_of("precision");
  const Target target = detail::checked_target(options.metric, problem::labels_of(4));
  const auto scores = [&](std::size_t n_repeats, std::vector<std::int64_t> configurations) {
    const std::span<const Predictions> some(repeats.data(), n_repeats);
    const detail::Evaluators evaluators(options, target, some, {}, kOneThread);
    Values found(2 * configurations.size());
    detail::out_of_bag_scores(evaluators, block, 0, configurations, kNever, found.data());
    return found;
  };
  // Configuration 0 calls rows 0, 1 and 2; configuration 1 calls row 0, and none of the last two.
  CHECK((scores(1, {0, 1}) == Values{0.5, 1.0, 1.0, 0.0}));
  CHECK((scores(1, {1}) == Values{1.0, 0.0}));
  // In turns: the second replicate is scored in the second repeat.
  options.rotate_repeats = true;
  CHECK((scores(2, {0, 1}) == Values{0.5, 1.0, 0.5, 1.0}));
}

}  // namespace

int main() {
  spread();
  r2_of_all_rows();
  r2_by_fold();
  which_lose_a_shift();
  out_of_bag();
  return check::report();
}
