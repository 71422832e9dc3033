// What the truth alone tells of scores of folds.
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>

#include "check.hpp"
#include "detail/intervals/class_shares.hpp"
#include "problem.hpp"

using namespace bbc;
using check::message_of;
using problem::options_of;
using Form = RateTerm::Form;

namespace {

bool near(double a, double b) { return std::fabs(a - b) < 1e-12; }

/// Ten rows, two of them positive.
Target truth() {
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 2;
  target.codes = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  return target;
}

void rates() {
  CorrectionOptions options = options_of("accuracy");
  const auto all = fold_score_terms(0.7, truth(), options);
  CHECK(all.size() == 1 && all[0].form == Form::proportion && all[0].n == 10.0);
  options.resampling.units = {0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  CHECK(near(fold_score_terms(0.7, truth(), options)[0].n, 100.0 / 36.0));
  options.metric = make_metric("roc_auc");
  const auto auc = fold_score_terms(0.7, truth(), options);
  CHECK(auc[0].n == 1.0 && near(auc[0].others, 64.0 / 32.0));
  options.metric = make_metric("youden_index", {.sign = -1.0});
  const auto youden = fold_score_terms(-0.4, truth(), options);
  CHECK(youden[0].form == Form::balanced && youden[0].weight == -2.0 && youden[0].offset == 1.0);
  CHECK(near(youden[0].rate, 0.7));
  options.metric = make_metric("mcc");
  CHECK(fold_score_terms(0.7, truth(), options).empty());
}

void shares() {
  CorrectionOptions options = options_of("log_loss");
  // All loss in the two positive rows: 0.5 / 0.2.
  const auto free = fold_score_terms(0.5, truth(), options);
  CHECK(free.size() == 1 && free[0].form == Form::class_shares && free[0].n == 0.0);
  CHECK(near(free[0].rate, 2.5 * std::sqrt(0.16 / 10.0)));
  // Within [0, 1] they have 1, and the others 0.3 / 0.8.
  options.metric = make_metric("brier_score");
  CHECK(near(fold_score_terms(0.5, truth(), options)[0].rate, 0.625 * std::sqrt(0.16 / 10.0)));
  // Folds of five rows, of which one has both: their means differ by 0.4 delta.
  options.folds = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
  CHECK(near(fold_score_terms(0.5, truth(), options)[0].n, 0.625 * std::sqrt(0.08 / 2.0)));
  options.metric = make_metric("f_beta");
  const auto f1 = fold_score_terms(0.5, truth(), options);
  CHECK(f1.size() == 2 && f1[0].form == Form::f_beta && f1[0].n == 2.0 && f1[0].others == 1.0);
  CHECK(near(f1[1].rate, 0.25 / 0.16 * std::sqrt(0.16 / 10.0)));
  options.folds.pop_back();
  CHECK(!message_of([&] { (void)fold_score_terms(0.5, truth(), options); }).empty());
}

void shares_of_rows() {
  const std::vector<double> contributions{0.3, -0.1, -0.1, -0.1};
  const std::vector<double> weights(4, 1.0);
  const detail::ClassShares own{contributions, weights};
  CHECK(near(own.needed({}), std::sqrt(0.12)));
  const std::vector<std::int32_t> units{5, 5, 2, 2};
  CHECK(near(own.needed(units), std::sqrt(2.0 * 0.08)));
  CHECK(own.needed(std::vector<std::int32_t>(4, 1)) == 0.0);  // one group
  CHECK(own.shown({}) == 0.0);
  // The row in no fold counts in neither; means of one row each, of which four would be the sum.
  const std::vector<std::int32_t> folds{0, 1, -1, -1, 0, 0, 1, 1};
  CHECK(near(own.shown(folds), std::sqrt((1.28 / 2.0 + 0.32 / 2.0) / 2.0)));
  CHECK(detail::Numbered(folds, true).of_row[2] == -1 && detail::Numbered(folds).n == 3);
}

void limits_of_scores() {
  const FoldScores scores{{0.1, 0.2, 0.1, 0.3, 0.2, 0.1, 0.2, 0.2, 0.3, 0.2}, 1, 5, 2};
  CorrectionOptions options = options_of("brier_score", 200);
  const Estimate alone = correct_fold_scores(scores, options);
  options.folds = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  const Estimate told = correct_fold_scores(scores, truth(), options);
  CHECK(told.replicates == alone.replicates && told.winner == alone.winner);
  CHECK(told.interval.low < alone.interval.low && told.interval.high > alone.interval.high);
  CHECK(told.rates == fold_score_terms(told.estimate, truth(), options));
}

void what_tells() {
  for (const char* name :
       {"accuracy", "roc_auc", "recall", "balanced_accuracy", "r2", "log_loss"}) {
    CHECK_FOR(truth_tells(make_metric(name), 0), name);
  }
  for (const char* name : {"mcc", "average_precision", "explained_variance"}) {
    CHECK_FOR(!truth_tells(make_metric(name), 0), name);
  }
  CHECK(!truth_tells(make_metric("balanced_accuracy"), 3) &&
        truth_tells(make_metric("accuracy"), 3));
  CorrectionOptions options = options_of("r2");
  Target numbers;
  numbers.values = {1.0, 2.0, 3.0, 4.0};
  CHECK(!tells_errors(options) && !truth_tells(numbers, options));  // of unknown folds
  options.folds = {0, 0, 1, 1};
  CHECK(tells_errors(options) && truth_tells(numbers, options));
  options.row_weights = {1.0, 1.0, 1.0, 2.0};
  CHECK(!tells_errors(options));
  options = options_of("mean_squared_error");
  CHECK(!truth_tells(numbers, options));
  options.classes = {0, 0, 1, 1};
  CHECK(truth_tells(numbers, options));
}

void r2_of_all_rows() {
  const std::vector<double> values{1.0, 3.0, 2.0, 6.0, 0.0, 12.0};
  const std::vector<std::int32_t> folds{0, 0, 1, 1, 2, 2, 1, 1, 0, 0, -1, 2};
  const auto shares = spread_shares(values, folds, 2, 3);
  const double all = 49.0 / 3.0;
  CHECK(near(shares[0], 1.0 / all) && near(shares[1], 4.0 / all) && near(shares[2], 36.0 / all));
  CHECK(near(shares[3], 4.0 / all) && near(shares[4], 1.0 / all) && shares[5] == 0.0);
  std::vector<double> large = values;
  for (double& value : large) value *= 1e200;
  CHECK(near(spread_shares(large, folds, 2, 3)[1], 4.0 / all));
  CHECK(!message_of([&] { (void)spread_shares(values, folds, 1, 3); }).empty());
  CHECK(!message_of([&] { (void)spread_shares(values, folds, 2, 2); }).empty());
  // The second configuration has the better mean, and the larger squared error in the last fold.
  const FoldScores scores{{0.5, 0.4, 0.5, 0.4, 0.5, 0.9}, 1, 3, 2};
  CorrectionOptions options = options_of("r2", 200);
  Target target;
  target.values = values;
  options.folds = {0, 0, 1, 1, 2, 2};
  const Estimate told = correct_fold_scores(scores, target, options);
  CHECK(told.replicate_winners ==
        correct_fold_scores(scores, options_of("r2", 200)).replicate_winners);
  CHECK(told.winner == 1 && near(told.apparent, 1.0 - (0.6 + 0.6 * 4.0 + 0.1 * 36.0) / 3.0 / all));
  CHECK(near(told.optimism, told.apparent - told.estimate));
  CHECK(told.rates.size() == 1 && told.rates[0].form == Form::few_folds);
  CHECK(told.interval.low < told.estimate && told.interval.high > told.estimate);
  options.folds = {0, 0, 1, 1, 0, 0};
  CHECK(message_of([&] { (void)correct_fold_scores(scores, target, options); }).find("constant") !=
        std::string::npos);
}

}  // namespace

int main() {
  rates();
  shares();
  shares_of_rows();
  limits_of_scores();
  what_tells();
  r2_of_all_rows();
  return check::report();
}
