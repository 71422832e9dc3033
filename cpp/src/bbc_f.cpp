#include <algorithm>
#include <bbc/bbc_f.hpp>
#include <bbc/drawn_terms.hpp>
#include <bbc/error.hpp>
#include <bbc/fold_score_terms.hpp>
#include <bbc/score_interval.hpp>
#include <limits>
#include <string>

#include "detail/evaluation/fold_table.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

/// The limits of draws of folds, by the terms of the winner.
void take_limits(std::int32_t n_classes, const CorrectionOptions& options, Estimate& estimate) {
  // Tables of scores do not tell their classes: the range of any number of them.
  const Range range =
      options.metric.range(n_classes > 0 ? n_classes : std::numeric_limits<double>::infinity());
  detail::take_limits(corrected_limits(estimate.replicates, estimate.estimate, estimate.rates,
                                       {options.confidence_level, options.alternative}, range),
                      estimate);
}

/// The options to draw folds, without what is known of their rows.
CorrectionOptions without_rows(const CorrectionOptions& options) {
  CorrectionOptions of_scores = options;
  of_scores.folds.clear();
  of_scores.row_weights.clear();
  of_scores.classes.clear();
  of_scores.resampling.units.clear();
  return of_scores;
}

}  // namespace

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
  std::vector<double> own;
  for (std::int64_t i = 0; i < scores.n_repeats * scores.n_folds; ++i) {
    own.push_back(scores(0, i, estimate.winner));
  }
  estimate.rates = few_folds_terms(own, scores.n_repeats, scores.n_folds);
  take_limits(scores.n_classes, options, estimate);
  return estimate;
}

Estimate correct_fold_scores(const FoldScores& scores, const Target& target,
                             const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  Estimate estimate = correct_fold_scores(scores, without_rows(options), control);
  const auto terms = fold_score_terms(estimate.estimate, target, options);
  estimate.rates.insert(estimate.rates.begin(), terms.begin(), terms.end());
  take_limits(target.n_classes, options, estimate);
  return estimate;
}

Estimate correct_by_folds(const Target& target, std::span<const Predictions> repeats,
                          const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const FoldScores scores =
      fold_scores(target, repeats, options.metric, options.folds, options.row_weights, control);
  Estimate estimate = correct_fold_scores(scores, without_rows(options), control);
  estimate.rates = terms_of_drawn_folds(repeats, target, options, estimate.winner);
  take_limits(target.n_classes, options, estimate);
  return estimate;
}

std::vector<RateTerm> terms_of_drawn_folds(std::span<const Predictions> repeats,
                                           const Target& target, const CorrectionOptions& options,
                                           std::int64_t configuration) {
  const detail::Arithmetic arithmetic;
  CorrectionOptions drawn = options;
  drawn.resampling.folds = options.folds;
  drawn.resampling.resamples.clear();
  // The score of all rows that a repeat predicted.
  for (std::int32_t& fold : drawn.folds) fold = std::min(fold, 0);
  return rate_terms(repeats, target, drawn, configuration);
}

}  // namespace bbc
