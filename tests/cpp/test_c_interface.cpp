// What the structs of the C interface say, in the kernel's words.
#include <bbc/c.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <variant>
#include <vector>

#include "check.hpp"
#include "detail/c_interface/problem.hpp"

namespace {

using namespace bbc::detail;

const std::vector<std::int64_t> kLabels = {7, 3, 3, 7};

bbc_problem problem_of_labels() {
  bbc_problem problem = default_problem();
  problem.metric = "accuracy";
  problem.n_rows = static_cast<std::int64_t>(kLabels.size());
  problem.labels = kLabels.data();
  return problem;
}

void the_positive_label_is_the_last_class() {
  bbc_problem problem = problem_of_labels();
  const bbc::Target larger = make_target(problem);
  CHECK((larger.label_values == std::vector<std::int64_t>{3, 7}));
  CHECK((larger.codes == std::vector<std::int32_t>{1, 0, 0, 1}));
  CHECK(!has_reversed_classes(larger));
  problem.positive_label = &kLabels[1];
  const bbc::Target smaller = make_target(problem);
  CHECK((smaller.label_values == std::vector<std::int64_t>{7, 3}));
  CHECK((smaller.codes == std::vector<std::int32_t>{0, 1, 1, 0}));
  CHECK(has_reversed_classes(smaller));
}

void class_scores_follow_the_classes() {
  const std::vector<double> scores = {0.1, 0.9, 0.2, 0.8};  // two rows, one configuration
  const void* repeats[] = {scores.data()};
  bbc_predictions given = default_predictions();
  given.struct_size = sizeof given;
  given.repeats = repeats;
  given.n_repeats = 1;
  given.n_rows = 2;
  given.n_configurations = 1;
  given.n_outputs = 2;
  const bbc_predictions block = checked_block(&given);
  for (const bool reversed : {false, true}) {
    const auto views = make_repeats(block, reversed);
    const auto& view = std::get<bbc::View<double>>(views.at(0));
    CHECK(view.data[0] == (reversed ? 0.9 : 0.1));
    CHECK(view.data[view.strides[0] + view.strides[2]] == (reversed ? 0.2 : 0.8));
  }
}

void folds_are_numbered_by_their_first_row() {
  bbc_problem problem = problem_of_labels();
  const std::vector<std::int32_t> folds = {9, -2, 9, -2, 5, 5, 0, 5};
  problem.folds = folds.data();
  CHECK((make_options(problem, 2).folds == std::vector<std::int32_t>{0, 1, 0, 1, 0, 0, 1, 0}));
}

void a_choice_has_a_name_and_a_size() {
  using namespace bbc::selection;
  bbc_problem problem = problem_of_labels();
  const auto made = [&](const char* rule, std::int64_t size) {
    problem.selection = rule;
    problem.selection_size = size;
    return make_options(problem, 1).selection;
  };
  CHECK(made(nullptr, 0) == bbc::Selection(Best{}));
  CHECK(made("best", 0) == bbc::Selection(Best{}));
  CHECK(made("best_threshold", 0) == bbc::Selection(Threshold{}));
  CHECK(made("greedy_ensemble", 0) == bbc::Selection(GreedyEnsemble{25}));
  CHECK(made("greedy_ensemble", 3) == bbc::Selection(GreedyEnsemble{3}));
  CHECK(made("top_k", 2) == bbc::Selection(TopK{2}));
  const auto refusal = [&](const char* rule, std::int64_t size) {
    return check::message_of([&] { static_cast<void>(made(rule, size)); });
  };
  CHECK(refusal("median", 0) ==
        "selection: must be \"best\", \"best_threshold\", \"greedy_ensemble\", \"top_k\" or "
        "\"rungs\"");
  CHECK(refusal("best_threshold", 2) == "selection_size: is for greedy_ensemble and top_k");
  CHECK(refusal("greedy_ensemble", 1'000'001) == "selection_size: must be at most 1000000");
  CHECK(refusal("top_k", -1) == "selection_size: must not be negative");
}

void counts_of_classes_are_fixed_where_draws_keep_them() {
  bbc_problem problem = problem_of_labels();
  const auto fixed = [&](const char* counts) {
    problem.class_counts = counts;
    return make_options(problem, 1).fixed_class_counts;
  };
  const auto refusal = [&](const char* counts) {
    return check::message_of([&] { static_cast<void>(fixed(counts)); });
  };
  CHECK(!fixed(nullptr) && !fixed("sampled"));
  CHECK(refusal("drawn") == "class_counts: must be \"sampled\" or \"fixed\"");
  CHECK(refusal("fixed") ==
        "class_counts: \"fixed\" has no effect where rows are drawn freely; `strata` draw within "
        "classes");
  const std::vector<std::int32_t> codes = {4, 1, 4, 1};
  problem.strata = codes.data();
  CHECK(fixed("fixed") && !fixed("sampled"));
  CHECK(make_options(problem, 1).classes.empty());
  problem.drawn_folds = codes.data();
  CHECK(fixed("fixed"));
  CHECK(make_options(problem, 1).classes == codes);
  problem.strata = nullptr;
  CHECK(fixed("fixed"));  // within the labels
  problem.labels = nullptr;
  CHECK(refusal("fixed") ==
        "class_counts: \"fixed\" needs classes, the truth has none: say them by `strata`");
}

/// Programs of the version before cut-offs and ensembles have shorter structs.
void an_older_program_has_no_choice() {
  const std::vector<double> scores = {0.9, 0.2, 0.4, 0.1, 0.3, 0.8, 0.7, 0.6};  // by row
  const void* repeats[] = {scores.data()};
  bbc_predictions given;
  bbc_predictions_init(&given, sizeof given);
  given.repeats = repeats;
  given.n_repeats = 1;
  given.n_rows = 4;
  given.n_configurations = 2;
  bbc_problem problem;
  bbc_problem_init(&problem, offsetof(bbc_problem, selection));
  problem.metric = "roc_auc";
  problem.n_rows = 4;
  problem.labels = kLabels.data();
  problem.n_bootstraps = 50;
  bbc_result result;
  std::memset(&result, 0x5A, sizeof result);
  const bbc_result before = result;
  bbc_result_init(&result, offsetof(bbc_result, threshold));
  CHECK(bbc_correct(&problem, &given, &result) == BBC_OK);
  const std::size_t n = offsetof(bbc_result, threshold);
  CHECK(std::memcmp(reinterpret_cast<const char*>(&result) + n,
                    reinterpret_cast<const char*>(&before) + n, sizeof result - n) == 0);
}

void a_refusal_begins_with_the_member() {
  CHECK(check::message_of([] { require(false, "member", "must be given"); }) ==
        "member: must be given");
  bbc_problem problem = problem_of_labels();
  for (const int n_threads : {-1, 1 << 20}) {
    problem.n_threads = n_threads;
    CHECK(check::message_of([&] { static_cast<void>(make_control(problem)); }) ==
          "n_threads: must be between 0 and 32768, not " + std::to_string(n_threads));
  }
}

}  // namespace

int main() {
  the_positive_label_is_the_last_class();
  class_scores_follow_the_classes();
  folds_are_numbered_by_their_first_row();
  a_choice_has_a_name_and_a_size();
  counts_of_classes_are_fixed_where_draws_keep_them();
  an_older_program_has_no_choice();
  a_refusal_begins_with_the_member();
  return check::report();
}
