#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
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

/// What each row contributes to the scores: a score is the mean of its configuration's values, and
/// their spread gives its variance.
struct RowValues {
  std::int64_t n_rows = 0;
  std::int64_t n_configurations = 0;
  std::vector<double> values;  ///< (configuration, row), in the units and the sign of the metric
  std::vector<double> scores;
  /// Scores are multiples of this step: share of labels, AUC. 0 for other metrics.
  double step = 0.0;
  Range range;  ///< of the metric, given its classes
  /// AUC: the class of each row, 1 for events. Values are centred within classes; empty: over rows.
  std::vector<std::uint8_t> is_event;

  [[nodiscard]] std::span<const double> of(std::int64_t configuration) const {
    return std::span(values).subspan(static_cast<std::size_t>(configuration * n_rows),
                                     static_cast<std::size_t>(n_rows));
  }
};

/// The losses of the rows for metrics that are their mean (labels or row losses without a root);
/// for the AUC its influence values, AUC + (n / n_class) (V - AUC) with V DeLong's placements.
/// Means over repeats. Throws Error for other metrics. The range of losses that a caller computes
/// (`row_loss`) is not known here: the caller may set it.
[[nodiscard]] BBC_API RowValues row_values(const Target& y, std::span<const Predictions> repeats,
                                           const Metric& metric, const Control& control = {});

/// How many neighbouring rows are drawn together where rows are in order of time.
struct BlockLength {
  std::int64_t length = 1;
  /// Whether longer blocks were wanted than an eighth of the rows: too few independent stretches.
  bool is_capped = false;
};

/// Three times the median, over the first 15 configurations, of the block length of Politis and
/// White (2004, corrected by Patton, Politis and White 2009) for the circular bootstrap of their
/// rows' values, at least the cube root of the number of rows, at most an eighth of it.
[[nodiscard]] BBC_API BlockLength block_length(const RowValues& values);

/// The same of predictions: by what rows contribute to means over rows and to the AUC, and for
/// other metrics of labels and numbers by whether a label is wrong, or by squared errors. Throws
/// Error for metrics that have no values of rows.
[[nodiscard]] BBC_API BlockLength block_length(const Target& target,
                                               std::span<const Predictions> repeats,
                                               const Metric& metric, const Control& control = {});

}  // namespace bbc
