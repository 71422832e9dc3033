#pragma once

#include <bbc/export.h>

#include <bbc/fold_scores.hpp>

namespace bbc {

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

}  // namespace bbc
