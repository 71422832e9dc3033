// What the truth alone tells of scores of folds.
#include <bbc/bbc_f.hpp>
#include <bbc/fold_score_terms.hpp>
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

}  // namespace

int main() {
  rates();
  shares();
  shares_of_rows();
  limits_of_scores();
  return check::report();
}
