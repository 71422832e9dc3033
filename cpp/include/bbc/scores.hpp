#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// The uncorrected scores of all configurations, and the best of them.
struct Scores {
  std::vector<double> values;  ///< NaN where the metric is undefined
  /// Best score, ties to the lowest index, decided as in a correction; -1 if all are undefined.
  std::int64_t winner = -1;
};

/// Scores on all rows, averaged over repeats; by fold if `folds` is not empty (see
/// CorrectionOptions::folds). `row_weights` may be empty.
[[nodiscard]] BBC_API Scores score(const Target& y, std::span<const Predictions> repeats,
                                   const Metric& metric, std::span<const std::int32_t> folds,
                                   const std::vector<double>& row_weights,
                                   const Control& control = {});

/// What the row with the largest loss is of a configuration's loss.
struct LargestShare {
  double share = 0.0;
  /// Whether it is more than a tenth of the loss, and more than ten times that of the mean row.
  bool dominates = false;
};

/// The largest share that one row has in a configuration's loss, over all repeats, for metrics that
/// are means of row losses which nothing bounds, or made of squared errors (R2, explained
/// variance); 0 for all others. `folds` and `row_weights` as in `score`.
[[nodiscard]] BBC_API LargestShare largest_share(const Target& y,
                                                 std::span<const Predictions> repeats,
                                                 const Metric& metric, std::int64_t configuration,
                                                 std::span<const std::int32_t> folds,
                                                 const std::vector<double>& row_weights);

/// How a configuration ranks the rows of two classes.
struct Ranking {
  double auc = 0.5;  ///< share of pairs within a fold that it ranks rightly, averaged over repeats
  bool worse_than_chance = false;
};

/// Tests a configuration's AUC against one half: one-sided at the level .001, by the normal
/// approximation of the rank sums of all folds without ties, whose mean over repeats is tested.
/// Their variance is 1 + K / (K - 1) times that of independent models, for K folds that share
/// training rows (Nadeau and Bengio). Only rows of one fold are compared, because pooled scores of
/// models that were trained without a row lean away from it: there is nothing to test in
/// leave-one-out. `folds` has the fold of each row in each repeat (repeat * n_rows + row), -1 for
/// none; empty, all rows are of one fold. Truths other than two classes are not tested.
[[nodiscard]] BBC_API Ranking ranking(const Target& y, std::span<const Predictions> repeats,
                                      std::int64_t configuration,
                                      std::span<const std::int32_t> folds);

}  // namespace bbc
