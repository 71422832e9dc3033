// Scores of folds by hand: all of them, or NaN where a fold leaves the metric undefined.
#include <bbc/fold_scores.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace {

using namespace bbc;

/// Eight rows, two configurations, two repeats: the second one of reversed scores.
struct Data {
  Target target;
  std::vector<double> scores{.1, .9, .2, .8, .3, .7, .4, .6,  // [row][configuration]
                             .5, .5, .6, .4, .7, .3, .8, .2};
  std::vector<double> reversed;

  Data() : reversed(scores) {
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.label_values = {0, 1};
    target.codes = {0, 1, 1, 0, 0, 1, 1, 1};
    for (double& score : reversed) score = 1.0 - score;
  }
  [[nodiscard]] std::vector<Predictions> views() const {
    const auto view = [](const std::vector<double>& values) {
      return View<double>{values.data(), 8, 2, 1, {2, 1, 1}};
    };
    return {view(scores), view(reversed)};
  }
};

/// The first repeat has folds 0 1 0 1 2 2 2 -: fold 0 has rows 0 and 2, fold 1 rows 1 and 3, fold 2
/// rows 4, 5 and 6; row 7 is in none. The second repeat has no row in fold 2, and one class in
/// fold 0.
const std::vector<std::int32_t> kFolds{0, 1, 0, 1, 2, 2, 2, -1, 1, 0, 0, 1, 1, 0, 1, 1};

void undefined_folds_are_nan() {
  const Data data;
  const Metric auc = make_metric("roc_auc");
  const FoldScores found = defined_fold_scores(data.target, data.views(), auc, kFolds);
  CHECK(found.n_repeats == 2 && found.n_folds == 3 && found.n_configurations == 2);
  CHECK(found.values.size() == 12);
  // Scores of configuration 0 rise by row, those of configuration 1 fall.
  const double expected[2][3][2] = {{{1.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}},
                                    {{NAN, NAN}, {0.0, 1.0}, {NAN, NAN}}};
  for (int fold = 0; fold < 3; ++fold) {
    for (int j = 0; j < 2; ++j) CHECK(found(0, fold, j) == expected[0][fold][j]);
  }
  // Rows 0, 3, 4, 6 and 7 of classes 0, 0, 0, 1 and 1, from the highest score to the lowest.
  CHECK(found(1, 1, 0) == expected[1][1][0] && found(1, 1, 1) == expected[1][1][1]);
  for (int j = 0; j < 2; ++j) CHECK(std::isnan(found(1, 0, j)) && std::isnan(found(1, 2, j)));
  CHECK(check::message_of([&] { (void)fold_scores(data.target, data.views(), auc, kFolds); }) ==
        "folds: the metric needs a row of class 0 at repeat 1, fold 0");
}

void defined_folds_are_those_of_fold_scores() {
  const Data data;
  const std::vector<double> weights{1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 1.0, 0.25};
  const std::vector<std::int32_t> folds{0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1};
  for (const char* name : {"roc_auc", "brier_score"}) {
    const Metric metric = make_metric(name);
    const auto all = fold_scores(data.target, data.views(), metric, folds, weights);
    const auto defined = defined_fold_scores(data.target, data.views(), metric, folds, weights);
    CHECK_FOR(all.values == defined.values, name);
  }
  // A fold whose rows of a class weigh nothing lacks that class.
  const std::vector<double> none{0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0};
  const auto found =
      defined_fold_scores(data.target, data.views(), make_metric("roc_auc"), folds, none);
  CHECK(std::isnan(found(0, 0, 0)) && !std::isnan(found(0, 1, 0)));
}

void folds_of_too_few_rows() {
  const Data data;
  const std::vector<std::int32_t> folds{0, 1};
  CHECK(check::message_of([&] {
          (void)defined_fold_scores(data.target, data.views(), make_metric("roc_auc"), folds);
        }) == "folds: 2 values for 2 repeats of 8 rows");
}

}  // namespace

int main() {
  undefined_folds_are_nan();
  defined_folds_are_those_of_fold_scores();
  folds_of_too_few_rows();
  return check::report();
}
