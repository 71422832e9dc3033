#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/fold_scores.hpp>

namespace bbc {

/// BBC-F (Paraschakis et al. 2024, Algorithm 1): the correction with folds as the units, on a
/// matrix of fold scores. Folds of different repeats are never mixed: replicate b draws within
/// repeat b mod n_repeats. A draw of all folds leaves nothing out of bag and is redrawn. Fewer than
/// four folds give an estimate without an interval.
///
/// `options.metric` is the metric that the scores are of; `options.resampling.resamples` hold
/// folds. Units, strata, folds and row weights must be empty; a one-standard-error rule needs no
/// folds of its own.
[[nodiscard]] BBC_API Estimate correct_fold_scores(const FoldScores& scores,
                                                   const CorrectionOptions& options,
                                                   const Control& control = {});

}  // namespace bbc
