#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// Score of each configuration on each fold's own rows.
struct FoldScores {
  std::vector<double> values;  ///< (repeat, fold, configuration)
  std::int64_t n_repeats = 0;
  std::int64_t n_folds = 0;
  std::int64_t n_configurations = 0;
  std::int32_t n_classes = 0;  ///< of the truth; 0: unknown, so that ranges hold for any number

  [[nodiscard]] double operator()(std::int64_t repeat, std::int64_t fold,
                                  std::int64_t configuration) const noexcept {
    return values[static_cast<std::size_t>((repeat * n_folds + fold) * n_configurations +
                                           configuration)];
  }
};

/// `folds` is the fold of each row in each repeat (repeat * n_rows + row), codes 0 .. K - 1, and
/// `row_weights` may be empty. Throws Error naming fold and need where a fold leaves the metric
/// undefined.
[[nodiscard]] BBC_API FoldScores fold_scores(const Target& y, std::span<const Predictions> repeats,
                                             const Metric& metric,
                                             std::span<const std::int32_t> folds,
                                             const std::vector<double>& row_weights = {},
                                             const Control& control = {});

/// The same with NaN where a fold leaves the metric undefined, or has no row in a repeat. Rows of
/// fold -1 are in none.
[[nodiscard]] BBC_API FoldScores defined_fold_scores(const Target& y,
                                                     std::span<const Predictions> repeats,
                                                     const Metric& metric,
                                                     std::span<const std::int32_t> folds,
                                                     const std::vector<double>& row_weights = {},
                                                     const Control& control = {});

/// What the method of Tibshirani and Tibshirani gives: no interval.
struct TtEstimate {
  double estimate = 0.0;
  double apparent = 0.0;  ///< the winner's mean over folds
  double optimism = 0.0;
  std::int64_t winner = -1;
};

/// TT (Tibshirani and Tibshirani 2009; Tsamardinos et al. 2018, Algorithm 4): the winner by fold
/// mean, corrected by the mean over folds of the distance from each fold's best. Folds of all
/// repeats count alike. Never clipped.
[[nodiscard]] BBC_API TtEstimate tt(const FoldScores& scores, bool greater_is_better);

/// A table of fold scores and its direction.
struct DirectedScores {
  const FoldScores& scores;
  bool greater_is_better = true;
};

/// TT by a metric that does not decide: the winner, and the best of each fold, are those of
/// `deciding`; their scores are those of `reported`.
[[nodiscard]] BBC_API TtEstimate tt(DirectedScores deciding, DirectedScores reported);

/// BBC-F (Paraschakis et al. 2024, Algorithm 1): the correction with folds as the units, on a
/// matrix of fold scores. Folds of different repeats are never mixed: replicate b draws within
/// repeat b mod n_repeats. A draw of all folds leaves nothing out of bag and is redrawn. The scores
/// do not tell what draws of stratified folds hide: limits are right where folds were drawn freely,
/// or where the metric weighs the classes by itself; the truth and `correct_by_folds` mend that.
///
/// `options.metric` is the metric that the scores are of; `options.resampling.resamples` hold
/// folds. Units, strata, folds and row weights must be empty; a one-standard-error rule needs no
/// folds of its own.
[[nodiscard]] BBC_API Estimate correct_fold_scores(const FoldScores& scores,
                                                   const CorrectionOptions& options,
                                                   const Control& control = {});

/// The same with the truth of the scores' rows, of which limits hold what it tells alone
/// (`fold_score_terms`): here `options.folds` may be the folds of the rows, and units their groups.
///
/// R2 of a fold compares it with its own mean. Where `options.folds` are known and neither
/// `options.classes` nor row weights are given, (1 - R2_k) V_k is the squared error of fold k, of
/// whose truth V_k is the variance: the mean of R2_k chooses, and 1 less the mean squared error
/// over the variance of all rows is told. A constant fold is an Error.
[[nodiscard]] BBC_API Estimate correct_fold_scores(const FoldScores& scores, const Target& target,
                                                   const CorrectionOptions& options,
                                                   const Control& control = {});

/// The same on predictions, whose limits hold the variance of the classes' shares and the score
/// interval of the winner. `options.folds` are the folds that are drawn; units and row weights tell
/// which rows are independent, and how much they weigh in the scores of folds.
[[nodiscard]] BBC_API Estimate correct_by_folds(const Target& target,
                                                std::span<const Predictions> repeats,
                                                const CorrectionOptions& options,
                                                const Control& control = {});

/// The terms that those limits rest on.
[[nodiscard]] BBC_API std::vector<RateTerm> terms_of_drawn_folds(
    std::span<const Predictions> repeats, const Target& target, const CorrectionOptions& options,
    std::int64_t configuration);

}  // namespace bbc
