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

}  // namespace bbc
