// TT by hand, BBC-F's bounds on its arguments, and rules that refuse blocks.
#include <algorithm>
#include <bbc/bbc.hpp>
#include <cmath>

#include "detail/support/double_double.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using problem::options_of;

/// Three folds, two configurations: losses, winner 0 by .2 against .3.
FoldScores losses() { return {{0.1, 0.5, 0.2, 0.25, 0.3, 0.15}, 1, 3, 2}; }

void tt_by_hand() {
  const auto result = tt(losses(), false);
  CHECK(result.winner == 0);
  CHECK(std::abs(result.apparent - 0.2) < 1e-15);
  CHECK(std::abs(result.optimism - 0.05) < 1e-15);
  CHECK(std::abs(result.estimate - 0.25) < 1e-15);
  const auto as_scores = tt(losses(), true);
  CHECK(as_scores.winner == 1);
  CHECK(std::abs(as_scores.estimate - (0.3 - 0.05)) < 1e-15);
}

void folds_are_never_all_drawn() {
  const auto estimate = correct_fold_scores(losses(), options_of("zero_one_loss", 200));
  CHECK(estimate.winner == 0);
  CHECK(estimate.n_redrawn > 0);
  const auto message = check::message_of([] {
    static_cast<void>(correct_fold_scores({{0.1, 0.2}, 1, 1, 2}, options_of("zero_one_loss", 200)));
  });
  CHECK(message.starts_with("folds: BBC-F draws folds"));
}

void few_folds_have_students_t() {
  // t of 2 degrees of freedom: (2 p - 1) sqrt(2 / (1 - (2 p - 1)^2)).
  for (const auto alternative : {Alternative::two_sided, Alternative::greater, Alternative::less}) {
    auto options = options_of("zero_one_loss", 200);
    options.alternative = alternative;
    const double u = alternative == Alternative::two_sided ? 0.95 : 0.9;
    const auto three = correct_fold_scores({{0.1, 0.5, 0.2, 0.45, 0.3, 0.4}, 1, 3, 2}, options);
    const double half = u * std::sqrt(2.0 / (1.0 - u * u)) * std::sqrt(2.0 / 3.0) * 0.1;
    const bool below = alternative != Alternative::less;
    const bool above = alternative != Alternative::greater;
    CHECK(three.replicates.size() == 200);
    const double low = below ? std::max(0.0, three.estimate - half) : 0.0;
    const double high = above ? std::min(1.0, three.estimate + half) : 1.0;
    CHECK(std::abs(three.interval.low - low) < 1e-12);
    CHECK(std::abs(three.interval.high - high) < 1e-12);
  }
  CHECK(too_few_folds(2) == "an interval from draws of folds needs at least 4 folds, not 2");
  CHECK(too_few_folds(4).empty());
}

/// The same scores in another order: added up as they come, the second sum is the larger one.
void means_of_folds_tie() {
  const FoldScores scores{{0.3, 0.1, 0.2, 0.2, 0.1, 0.3}, 1, 3, 2};
  CHECK((0.3 + 0.2) + 0.1 < (0.1 + 0.2) + 0.3);
  CHECK(tt(scores, true).winner == 0);
  CHECK(correct_fold_scores(scores, options_of("accuracy", 200)).winner == 0);
  const double third = 1.0 / 3.0;
  const FoldScores ratios{{0.25, third, 0.25, third / 2.0}, 1, 2, 2};
  CHECK(tt(ratios, true).winner == 0);
  CHECK(correct_fold_scores(ratios, options_of("accuracy", 200)).winner == 0);
}

void complexity_needs_all_configurations() {
  Target target;
  target.values = {0.0, 1.0, 2.0, 3.0};
  const double values[] = {0.0, 1.1, 2.2, 2.9, 0.1, 1.1, 2.2, 3.1};
  const Predictions both = View<double>{values, 4, 2, 1, {1, 4, 1}};
  auto options = options_of("mean_squared_error", 200);
  options.selection = selection::OneStandardError{{2.0, 1.0}, {0, 0, 1, 1}};
  CHECK(correct(target, {&both, 1}, options).winner == 1);
  const auto message = check::message_of([&] { Correction(target, options).add({&both, 1}, 2); });
  CHECK(message.starts_with("selection: the rule needs all configurations"));
  options.selection = selection::Best{};
  CHECK(correct(target, {&both, 1}, options).winner == 0);
}

/// 1/10 + 7/10 and 4/10 + 4/10 differ in float64; as ratios they tie.
void equal_ratios_tie() {
  using detail::ratio;
  CHECK(0.1 + 0.7 != 0.4 + 0.4);
  CHECK((ratio(1, 10) + ratio(7, 10)).rounded() == (ratio(4, 10) + ratio(4, 10)).rounded());
}

}  // namespace

int main() {
  tt_by_hand();
  folds_are_never_all_drawn();
  few_folds_have_students_t();
  means_of_folds_tie();
  complexity_needs_all_configurations();
  equal_ratios_tie();
  return check::report();
}
