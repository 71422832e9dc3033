// Corrections rung by rung: where the rows of a rung are, what is refused, and the same bits for
// every thread count, instruction set and language.
#include <bbc/c.h>

#include <algorithm>
#include <bbc/correction.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "detail/choices/correct_choice.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 90;
constexpr std::int64_t kConfigurations = 9;

/// Six configurations stop after 30 rows, two more after 60.
std::vector<std::uint8_t> pattern() {
  std::vector<std::uint8_t> predicted;
  for (std::int64_t row = 0; row < kRows; ++row) {
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      predicted.push_back(row < 30 || (row < 60 && j > 5) || j > 7 || j == 6 ? 1 : 0);
    }
  }
  return predicted;
}

std::vector<double> scores_with_holes(const std::vector<std::uint8_t>& predicted) {
  problem::Random random(5);
  std::vector<double> scores;
  for (const std::uint8_t there : predicted) {
    const double score = std::floor(16.0 * random.uniform()) / 16.0;
    scores.push_back(there != 0 ? score : std::numeric_limits<double>::quiet_NaN());
  }
  return scores;
}

void rungs_are_found() {
  const auto predicted = pattern();
  const auto found = find_rungs(predicted, kRows, kConfigurations, {}, {});
  for (std::int64_t row = 0; row < kRows; ++row) {
    CHECK(found.of_row[static_cast<std::size_t>(row)] == row / 30);
    CHECK(found.scores[static_cast<std::size_t>(row)] == 1);
  }
  CHECK((found.reached == std::vector<std::int32_t>{1, 1, 1, 1, 1, 1, 3, 2, 3}));
  const auto burnt = find_rungs(predicted, kRows, kConfigurations, {}, {}, {0.5, {}});
  CHECK(burnt.scores[0] == 0 && burnt.scores[30] == 1);
  const auto chosen = find_rungs(predicted, kRows, kConfigurations, {}, {}, {0.25, {1}});
  CHECK(chosen.scores[0] == 1 && chosen.scores[30] == 0 && chosen.scores[60] == 1);
  std::vector<std::int32_t> units;
  for (std::int32_t row = 0; row < kRows; ++row) units.push_back(row % 45);
  const auto fresh = find_rungs(predicted, kRows, kConfigurations, {}, units);
  CHECK(fresh.scores[44] == 1 && fresh.scores[45] == 0 && fresh.scores[89] == 0);
}

void what_is_no_search_is_refused() {
  const auto message = [](const std::vector<std::uint8_t>& predicted,
                          const std::vector<std::int32_t>& of_row, const RungOptions& options) {
    return check::message_of([&] {
      static_cast<void>(find_rungs(predicted, kRows, kConfigurations, of_row, {}, options));
    });
  };
  auto back = pattern();
  back[static_cast<std::size_t>(80 * kConfigurations)] = 1;      // configuration 0 comes back
  back[static_cast<std::size_t>(80 * kConfigurations + 8)] = 0;  // and 8 is not there
  CHECK(message(back, {}, {}).find("predictions: are missing in no common order of rungs") == 0);
  auto nothing = pattern();
  for (std::int64_t j = 0; j < kConfigurations; ++j) {
    nothing[static_cast<std::size_t>(7 * kConfigurations + j)] = 0;
  }
  CHECK(message(nothing, {}, {}).find("predictions: are missing in all configurations") == 0);
  CHECK(message(pattern(), std::vector<std::int32_t>(kRows, 0), {}).find("rungs: must hold rows") ==
        0);
  CHECK(message(pattern(), {1, 2}, {}).find("rungs: has 2 values") == 0);
  CHECK(message(pattern(), {}, {0.25, {3}})
            .find("choose_only: names a rung that no row has at rung 3") == 0);
  CHECK(message(pattern(), {}, {-0.1, {}}).find("burn: must be") == 0);
  CHECK(message(pattern(), {}, {0.25, {0, 1, 2}}).find("rungs: leave no row to score") == 0);
}

void bits_are_the_same_everywhere() {
  const auto predicted = pattern();
  const auto scores = scores_with_holes(predicted);
  const std::vector<Predictions> repeats = {View<double>{scores.data(), kRows, kConfigurations}};
  const Target target = problem::labels_of(kRows);
  for (const char* metric : {"brier_score", "roc_auc"}) {
    auto options = problem::options_of(metric, 200);
    options.selection = find_rungs(predicted, kRows, kConfigurations, {}, {});
    Control alone;
    alone.n_threads = 1;
    problem::set_level("portable");
    const Estimate expected = correct(target, repeats, options, alone);
    CHECK(expected.replicates.size() == 200);
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      for (const int n_threads : {1, 4}) {
        Control control;
        control.n_threads = n_threads;
        const Estimate found = correct(target, repeats, options, control);
        CHECK(found.replicates == expected.replicates);
        CHECK(found.replicate_winners == expected.replicate_winners);
        CHECK(found.apparent == expected.apparent && found.winner == expected.winner);
      }
    }
    for (const std::int64_t winner : expected.replicate_winners) CHECK(winner == 6 || winner == 8);
  }
}

/// Streams of configurations rest on this.
void what_rungs_chose_stands_for_all() {
  const auto predicted = pattern();
  const auto scores = scores_with_holes(predicted);
  const std::vector<Predictions> repeats = {View<double>{scores.data(), kRows, kConfigurations}};
  std::vector<std::int32_t> of_row;
  for (std::int64_t row = 0; row < kRows; ++row)
    of_row.push_back(static_cast<std::int32_t>(row / 30));
  for (const char* metric : {"brier_score", "roc_auc"}) {
    auto options = problem::options_of(metric, 10);
    options.confidence_level = 0.5;
    options.selection = find_rungs(predicted, kRows, kConfigurations, of_row, {});
    const Estimate all = correct(problem::labels_of(kRows), repeats, options);
    const std::vector<std::int64_t>& left = all.rung_choices;
    CHECK(left.size() < static_cast<std::size_t>(kConfigurations));
    CHECK(std::count(left.begin(), left.end(), all.winner) == 1);
    std::vector<double> fewer;
    std::vector<std::uint8_t> there;
    for (std::int64_t row = 0; row < kRows; ++row) {
      for (const std::int64_t j : left) {
        fewer.push_back(scores[static_cast<std::size_t>(row * kConfigurations + j)]);
        there.push_back(predicted[static_cast<std::size_t>(row * kConfigurations + j)]);
      }
    }
    const auto n_left = static_cast<std::int64_t>(left.size());
    options.selection = find_rungs(there, kRows, n_left, of_row, {});
    const std::vector<Predictions> some = {View<double>{fewer.data(), kRows, n_left}};
    const Estimate found = correct(problem::labels_of(kRows), some, options);
    CHECK(found.replicates == all.replicates);
    CHECK(left[static_cast<std::size_t>(found.winner)] == all.winner);
    for (std::size_t b = 0; b < all.replicate_winners.size(); ++b) {
      CHECK(left[static_cast<std::size_t>(found.replicate_winners[b])] == all.replicate_winners[b]);
    }
  }
}

void c_asks_for_the_same() {
  const auto predicted = pattern();
  const auto scores = scores_with_holes(predicted);
  const std::vector<Predictions> repeats = {View<double>{scores.data(), kRows, kConfigurations}};
  const Target target = problem::labels_of(kRows);
  auto options = problem::options_of("roc_auc", 100);
  options.selection = find_rungs(predicted, kRows, kConfigurations, {}, {}, {0.25, {0}});
  const Estimate expected = correct(target, repeats, options);

  std::vector<std::int64_t> labels;
  for (const std::int32_t code : target.codes) labels.push_back(code);
  const void* arrays[] = {scores.data()};
  bbc_predictions given;
  bbc_predictions_init(&given, sizeof given);
  given.repeats = arrays;
  given.n_repeats = 1;
  given.n_rows = kRows;
  given.n_configurations = kConfigurations;
  bbc_problem problem;
  bbc_problem_init(&problem, sizeof problem);
  CHECK(problem.burn == 0.25);
  problem.metric = "roc_auc";
  problem.n_rows = kRows;
  problem.labels = labels.data();
  problem.n_bootstraps = 100;
  problem.selection = "rungs";
  problem.predicted = predicted.data();
  const std::int32_t first = 0;
  problem.choose_only = &first;
  problem.n_choose_only = 1;
  std::vector<double> replicates(100);
  bbc_result result;
  bbc_result_init(&result, sizeof result);
  result.replicates = replicates.data();
  CHECK(bbc_correct(&problem, &given, &result) == BBC_OK);
  CHECK(replicates == expected.replicates);
  CHECK(result.winner == expected.winner && result.apparent == expected.apparent);
  problem.predicted = nullptr;
  CHECK(bbc_correct(&problem, &given, &result) != BBC_OK);
  CHECK(std::string(result.message) == "predicted: is needed by \"rungs\"");
}

void what_rungs_cannot_score_is_refused() {
  const auto predicted = pattern();
  const auto scores = scores_with_holes(predicted);
  const Predictions view = View<double>{scores.data(), kRows, kConfigurations};
  const Target target = problem::labels_of(kRows);
  const auto refusal = [&](const char* metric, const std::vector<Predictions>& repeats,
                           const std::vector<std::int32_t>& folds) {
    auto options = problem::options_of(metric);
    options.selection = find_rungs(predicted, kRows, kConfigurations, {}, {});
    options.folds = folds;
    const Control control;
    return check::message_of(
        [&] { static_cast<void>(detail::correct_rungs(target, repeats, options, control)); });
  };
  CHECK(refusal("average_precision", {view}, {}).find("metric: rung by rung takes") == 0);
  CHECK(refusal("roc_auc", {view, view}, {}) == "predictions: rungs are of one repeat");
  Target sorted = target;  // one class in each rung
  for (std::size_t row = 0; row < sorted.codes.size(); ++row) sorted.codes[row] = row < 30 ? 0 : 1;
  auto of_pairs = problem::options_of("roc_auc", 100);
  of_pairs.selection = find_rungs(predicted, kRows, kConfigurations, {}, {});
  CHECK(check::message_of([&] {
          static_cast<void>(correct(sorted, std::vector<Predictions>{view}, of_pairs));
        }).find("rungs: hold no two rows") == 0);
  std::vector<std::int32_t> folds;
  for (std::int32_t row = 0; row < kRows; ++row) folds.push_back(row % 3);
  CHECK(refusal("roc_auc", {view}, folds).find("folds: a metric cannot be averaged") == 0);
}

}  // namespace

int main() {
  rungs_are_found();
  what_is_no_search_is_refused();
  bits_are_the_same_everywhere();
  what_rungs_chose_stands_for_all();
  c_asks_for_the_same();
  what_rungs_cannot_score_is_refused();
  return check::report();
}
