#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/winners.hpp>
#include <limits>
#include <string>
#include <utility>

#include "detail/evaluation/fold_table.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

/// The limits of draws of folds, by the terms of the winner.
void take_limits(std::int32_t n_classes, const CorrectionOptions& options, Estimate& estimate) {
  // Tables of scores do not tell their classes: the range of any number of them.
  const Range range =
      options.metric.range(n_classes > 0 ? n_classes : std::numeric_limits<double>::infinity());
  static_cast<CorrectedLimits&>(estimate) =
      corrected_limits(estimate.replicates, estimate.estimate, estimate.rates,
                       {options.confidence_level, options.alternative}, range);
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

/// The term of few folds by the scores of a configuration.
std::vector<RateTerm> few_folds_of(const FoldScores& scores, std::int64_t configuration) {
  std::vector<double> own;
  for (std::int64_t i = 0; i < scores.n_repeats * scores.n_folds; ++i) {
    own.push_back(scores(0, i, configuration));
  }
  return few_folds_terms(own, scores.n_repeats, scores.n_folds);
}

/// Draws of whole folds: a fold is a row, and its score a prediction whose mean is the metric.
class FoldDraws {
 public:
  /// Keeps views of the scores.
  FoldDraws(const FoldScores& scores, const CorrectionOptions& options) : options_(options) {
    if (scores.n_folds < 2) {
      throw_invalid("folds", "BBC-F draws folds and needs at least two, not " +
                                 std::to_string(scores.n_folds));
    }
    if (!options.resampling.units.empty() || !options.resampling.strata.empty() ||
        !options.folds.empty() || !options.row_weights.empty()) {
      throw_invalid("options", "BBC-F draws whole folds, without units, strata, folds or weights");
    }
    detail::check_table(scores);
    target_.values.resize(static_cast<std::size_t>(scores.n_folds));
    for (std::int64_t repeat = 0; repeat < scores.n_repeats; ++repeat) {
      const double* data = scores.values.data() + repeat * scores.n_folds * scores.n_configurations;
      repeats_.emplace_back(View<double>{
          data, scores.n_folds, scores.n_configurations, 1, {scores.n_configurations, 1, 1}});
    }
    options_.metric = make_metric(options.metric.greater_is_better() ? "row_score" : "row_loss");
    options_.rotate_repeats = true;
    if (auto* rule = std::get_if<selection::OneStandardError>(&options_.selection)) {
      rule->folds.clear();
      for (std::int64_t i = 0; i < scores.n_repeats * scores.n_folds; ++i) {
        rule->folds.push_back(static_cast<std::int32_t>(i % scores.n_folds));
      }
    }
  }

  /// The correction of the best mean over folds.
  [[nodiscard]] Estimate corrected(const Control& control) const {
    return correct(target_, repeats_, options_, control);
  }

  /// Scores the winners of an estimate by these scores, in the place of those that chose them.
  void tell(Estimate& estimate, const Control& control) const {
    const ReplicateScorer scorer(target_, repeats_, options_, control, MetricRole::reported);
    WinnerScores told =
        winner_scores(scorer, options_, Redraws{target_, options_, {}, 1},
                      Winners{estimate.replicate_winners, estimate.winner}, control);
    estimate.replicates = std::move(told.replicates);
    const ReplicateMoments moments = replicate_moments(
        estimate.replicates, told.apparent, detail::n_configurations(repeats_[0]), options_);
    estimate.estimate = moments.estimate;
    estimate.replicate_sd = moments.sd;
    estimate.apparent = told.apparent;
    const double difference = told.apparent - estimate.estimate;
    estimate.optimism = options_.metric.greater_is_better() ? difference : 0.0 - difference;
  }

 private:
  Target target_;
  std::vector<Predictions> repeats_;
  CorrectionOptions options_;
};

/// R2 of folds as shares of that of all rows, whose mean it is: 1 - (1 - R2_k) V_k / V.
FoldScores of_all_rows(const FoldScores& scores, const Target& target,
                       std::span<const std::int32_t> folds) {
  const std::vector<double> shares =
      spread_shares(target.values, folds, scores.n_repeats, scores.n_folds);
  const auto constant = std::ranges::find(shares, 0.0);
  if (constant != shares.end()) {
    const std::int64_t place = constant - shares.begin();
    throw_invalid("target", "is constant, which leaves R2 undefined",
                  {{"repeat", place / scores.n_folds}, {"fold", place % scores.n_folds}});
  }
  FoldScores found = scores;
  for (std::size_t i = 0; i < found.values.size(); ++i) {
    const double share = shares[i / static_cast<std::size_t>(scores.n_configurations)];
    found.values[i] = 1.0 - (1.0 - found.values[i]) * share;
  }
  return found;
}

}  // namespace

Estimate correct_fold_scores(const FoldScores& scores, const CorrectionOptions& options,
                             const Control& control) {
  const detail::Arithmetic arithmetic;
  Estimate estimate = FoldDraws(scores, options).corrected(control);
  estimate.rates = few_folds_of(scores, estimate.winner);
  take_limits(scores.n_classes, options, estimate);
  return estimate;
}

Estimate correct_fold_scores(const FoldScores& scores, const Target& target,
                             const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const CorrectionOptions of_scores = without_rows(options);
  Estimate estimate = FoldDraws(scores, of_scores).corrected(control);
  if (tells_errors(options)) {
    const FoldScores shares = of_all_rows(scores, target, options.folds);
    FoldDraws(shares, of_scores).tell(estimate, control);
    estimate.rates = few_folds_of(shares, estimate.winner);
  } else {
    estimate.rates = fold_score_terms(estimate.estimate, target, options);
    const auto few = few_folds_of(scores, estimate.winner);
    estimate.rates.insert(estimate.rates.end(), few.begin(), few.end());
  }
  take_limits(target.n_classes, options, estimate);
  return estimate;
}

Estimate correct_by_folds(const Target& target, std::span<const Predictions> repeats,
                          const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  const FoldScores scores =
      fold_scores(target, repeats, options.metric, options.folds, options.row_weights, control);
  Estimate estimate = FoldDraws(scores, without_rows(options)).corrected(control);
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
