// What draws of folds, or within classes, do not show of a score's error.
#include <algorithm>
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "problem.hpp"

using namespace bbc;
using problem::options_of;
using Form = RateTerm::Form;

namespace {

bool near(double a, double b) { return std::fabs(a - b) < 1e-12; }

/// Eight rows, two of them positive; one row of each class is wrong.
struct Data {
  Target target;
  std::vector<std::int32_t> labels{0, 1, 1, 0, 0, 0, 0, 0};
  std::vector<Predictions> repeats{View<std::int32_t>{labels.data(), 8, 1}};

  Data() {
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.codes = {1, 1, 0, 0, 0, 0, 0, 0};
    target.label_values = {0, 1};
  }
};

std::vector<RateTerm> of(const Data& data, const CorrectionOptions& options) {
  return drawn_terms(data.repeats, data.target, options, 0);
}

void shares_of_the_classes() {
  const Data data;
  CorrectionOptions options = options_of("accuracy");
  CHECK(of(data, options).empty());  // rows are drawn freely
  options.resampling.strata = data.target.codes;
  const auto within = of(data, options);
  CHECK(within.size() == 1 && within[0].form == Form::class_shares && within[0].n == 0.0);
  // Classes are right in 1/2 and 5/6: sqrt(p (1 - p) / n) times the difference.
  const double needed = std::sqrt(0.25 * 0.75 / 8.0) * (5.0 / 6.0 - 0.5);
  CHECK(near(within[0].rate, needed));
  options.fixed_class_counts = true;
  CHECK(of(data, options).empty());
  options.fixed_class_counts = false;
  options.metric = make_metric("balanced_accuracy");
  CHECK(of(data, options).empty());
  options.resampling.resamples.assign(800, 0);  // said by the caller, not drawn within classes
  options.metric = make_metric("accuracy");
  CHECK(of(data, options).empty());
}

void shares_that_folds_show() {
  const Data data;
  CorrectionOptions options = options_of("accuracy");
  options.resampling.folds = {0, 1, 2, 0, 1, 2, 3, 4};  // some have a positive row
  const auto terms = of(data, options);
  // psi is -1/4 in the positive class and 1/12 in the other; fold means -1/12, -1/12, 1/12, ...
  CHECK(terms.size() == 1 && near(terms[0].n, std::sqrt(0.008333333333333333 / 5.0)));
  // By bins that the caller names, here the same classes by other codes.
  options.classes = {7, 7, -3, -3, -3, -3, -3, -3};
  CHECK(of(data, options) == terms);
  // Groups: of three, whose sums are -1/2, 1/6 and 1/3.
  options.resampling.units = {0, 0, 1, 1, 2, 2, 2, 2};
  const double squares = 0.25 + 1.0 / 36.0 + 1.0 / 9.0;
  CHECK(near(of(data, options)[0].rate, std::sqrt(1.5 * squares) / 8.0));
  // Any other metric by differences: the logarithm of the odds of the two classes.
  options.resampling.units.clear();
  options.metric = make_metric("precision");
  const double slope = 0.5 * 0.5;  // of 1 / (1 + e^-t) at two called rows, one of each class
  CHECK(near(of(data, options)[0].rate,
             std::sqrt(2.0 * slope * slope / 4.0 + 6.0 * slope * slope / 36.0)));
}

void few_folds() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> scores{0.1, 0.2, 0.3, 0.5, 0.5, 0.5};
  const auto terms = few_folds_terms(scores, 2, 3);
  CHECK(terms.size() == 1 && terms[0].form == Form::few_folds && terms[0].n == 3.0);
  CHECK(near(terms[0].rate, 0.05));
  CHECK(few_folds_terms(std::vector<double>{0.1, none, none}, 1, 3).empty());
  CHECK(few_folds_terms(std::vector<double>{0.1, none, 0.3}, 1, 3)[0].n == 2.0);
  CHECK(few_folds_terms(std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}, 1, 5).empty());
  const Data data;
  CorrectionOptions options = options_of("accuracy");
  options.resampling.folds = {0, 0, 0, 0, 1, 1, 1, 1};
  const auto of_two = of(data, options);
  CHECK(of_two.size() == 2 && of_two[1].n == 2.0);
  CHECK(near(of_two[1].rate, 0.5 / std::sqrt(2.0)));
}

void limits() {
  // z = 1: distances of 3 and 4 hundredths in quadrature, on the sides that are asked for.
  const Confidence both{2.0 * 0.8413447460685429 - 1.0};
  const RateTerm terms[] = {{Form::class_shares, 1.0, 0.05, 0.03}};
  const Interval range{0.0, 1.0};
  const auto wide = limits_around({0.47, 0.6}, 0.5, terms, both, range).interval;
  CHECK(std::fabs(wide.low - 0.45) < 1e-9 &&
        std::fabs(wide.high - (0.5 + std::sqrt(0.0116))) < 1e-9);
  const Confidence lower{0.8413447460685429, Alternative::greater};
  const auto one = limits_around({0.47, 1.0}, 0.5, terms, lower, range).interval;
  CHECK(std::fabs(one.low - 0.45) < 1e-9 && one.high == 1.0);
  // A limit on the wrong side of the estimate is no distance; what is shown beyond need adds none.
  const RateTerm shown[] = {{Form::class_shares, 1.0, 0.03, 0.05}};
  const auto same = limits_around({0.51, 0.6}, 0.5, shown, both, range).interval;
  CHECK(same.low == 0.5 && near(same.high, 0.6));
  CHECK(limits_around({0.2, 0.6}, 0.5, {}, both, range).interval.low == 0.2);
  // Of few folds the longer way, on either side; equal scores of folds have none of their own.
  const RateTerm equal[] = {{Form::few_folds, 1.0, 0.0, 3.0}};
  CHECK(limits_around({0.47, 0.6}, 0.5, equal, both, range).interval.low == 0.47);
  const RateTerm few[] = {{Form::few_folds, 1.0, 0.05, 3.0}};
  const auto longer = limits_around({0.47, 0.6}, 0.5, few, both, range).interval;
  const double t = 0.6826894921370859 / std::sqrt(2.0 * 0.8413447460685429 * 0.1586552539314571);
  CHECK(std::fabs(longer.low - (0.5 - t * std::sqrt(2.0 / 3.0) * 0.05)) < 1e-9);
  CHECK(near(longer.high, 0.6));
}

void scores_of_folds_of_predictions() {
  Data data;
  CorrectionOptions options = options_of("accuracy", 50);
  options.folds = {0, 1, 2, 3, 4, 0, 1, 2};
  const Estimate found = correct_by_folds(data.target, data.repeats, options);
  CHECK(found.rates == terms_of_drawn_folds(data.repeats, data.target, options, 0));
  CHECK(found.rates.back().form == Form::class_shares);
  CHECK(found.rates.front().form == Form::proportion);
  CHECK(found.interval.low >= 0.0 && found.interval.high <= 1.0);
  options.metric = make_metric("mcc");
  const auto terms = terms_of_drawn_folds(data.repeats, data.target, options, 0);
  CHECK(terms.size() == 3 && terms[0].form == Form::mcc && terms[0].rate == 0.5);
  CHECK(terms[1].n == 6.0 && terms[0].others == 0.25 && terms[0].offset == terms[2].rate);
}

void differences_of_scores() {
  const Data data;
  CorrectionOptions options = options_of("accuracy");
  CHECK(class_contributions(data.repeats, data.target, options, 0).empty());  // drawn freely
  options.resampling.folds = {0, 0, 0, 0, 1, 1, 1, 1};  // one fold has all positive rows
  const auto own = class_contributions(data.repeats, data.target, options, 0);
  const RateTerm term = of(data, options)[0];
  double squares = 0.0;
  for (const double each : own) squares += each * each;
  CHECK(own.size() == 8 && near(std::sqrt(squares), term.rate));
  CHECK(hidden_by_draws(own, own, options) == 0.0);
  CHECK(hidden_by_draws({}, {}, options) == 0.0);
  options.resampling.folds = {0, 1, 0, 0, 0, 1, 1, 1};  // of equal shares
  CHECK(near(hidden_by_draws(own, {}, options), term.rate));
  CHECK(near(hidden_by_draws({}, own, options), term.rate));
  const std::vector<double> few(3, 1.0);
  CHECK(check::contains(
      check::message_of([&] { static_cast<void>(hidden_by_draws(own, few, options)); }),
      "are of different rows"));
  options.fixed_class_counts = true;
  CHECK(class_contributions(data.repeats, data.target, options, 0).empty());
  options.fixed_class_counts = false;
  options.metric = make_metric("recall");
  CHECK(class_contributions(data.repeats, data.target, options, 0).empty());
}

void values() {
  const Data data;
  const auto right =
      detail::values_of_rows(make_metric("accuracy"), data.target, data.repeats[0], 0);
  CHECK(right && right->at(0) == 0.0 && right->at(1) == 1.0);
  CHECK(!detail::values_of_rows(make_metric("mcc"), data.target, data.repeats[0], 0));
}

}  // namespace

int main() {
  shares_of_the_classes();
  shares_that_folds_show();
  few_folds();
  limits();
  scores_of_folds_of_predictions();
  differences_of_scores();
  values();
  return check::report();
}
