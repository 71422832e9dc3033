#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/fold_scores.hpp>

namespace bbc {

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
