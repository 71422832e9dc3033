#include <bbc/bbc_f.hpp>
#include <bbc/error.hpp>
#include <limits>
#include <string>

#include "detail/evaluation/fold_table.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {

Estimate correct_fold_scores(const FoldScores& scores, const CorrectionOptions& options,
                             const Control& control) {
  const detail::Arithmetic arithmetic;
  if (scores.n_folds < 2) {
    throw_invalid(
        "folds", "BBC-F draws folds and needs at least two, not " + std::to_string(scores.n_folds));
  }
  if (!options.resampling.units.empty() || !options.resampling.strata.empty() ||
      !options.folds.empty() || !options.row_weights.empty()) {
    throw_invalid("options", "BBC-F draws whole folds, without units, strata, folds or weights");
  }
  detail::check_table(scores);
  // A fold is a row, and its score a prediction whose mean over rows is the metric.
  Target target;
  target.values.resize(static_cast<std::size_t>(scores.n_folds));
  std::vector<Predictions> repeats;
  for (std::int64_t repeat = 0; repeat < scores.n_repeats; ++repeat) {
    const double* data = scores.values.data() + repeat * scores.n_folds * scores.n_configurations;
    repeats.emplace_back(View<double>{
        data, scores.n_folds, scores.n_configurations, 1, {scores.n_configurations, 1, 1}});
  }
  CorrectionOptions of_folds = options;
  of_folds.metric = make_metric(options.metric.greater_is_better() ? "row_score" : "row_loss");
  of_folds.rotate_repeats = true;
  if (auto* rule = std::get_if<selection::OneStandardError>(&of_folds.selection)) {
    rule->folds.clear();
    for (std::int64_t i = 0; i < scores.n_repeats * scores.n_folds; ++i) {
      rule->folds.push_back(static_cast<std::int32_t>(i % scores.n_folds));
    }
  }
  Estimate estimate = correct(target, repeats, of_folds, control);
  if (options.alternative != Alternative::two_sided) {
    // Tables of scores do not tell their classes: the range of any number of them.
    const double n_classes =
        scores.n_classes > 0 ? scores.n_classes : std::numeric_limits<double>::infinity();
    const Range range = options.metric.range(n_classes);
    (options.alternative == Alternative::greater ? estimate.interval.high : estimate.interval.low) =
        options.alternative == Alternative::greater ? range.high : range.low;
  }
  estimate.infeasible = too_few_folds(scores.n_folds);
  if (!estimate.infeasible.empty()) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    estimate.interval = {kNone, kNone};
  }
  return estimate;
}

}  // namespace bbc
