#pragma once

#include <bbc/export.h>

#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// How a configuration's predictions come from the truth.
struct FromTruth {
  bool equal = false;  ///< they are the truth in every repeat, in any form that it may take
  /// Scores that rank classes: they are labels, or zeros and ones, and not all the same.
  bool ranks_labels = false;
  /// In words, how numbers are the truth up to what the metric ignores; empty if they are not.
  std::string up_to;
};

/// Compares predictions with the truth: labels, numbers, one score or the scores of all classes.
/// `folds` (repeat * n_rows + row) are negative where a repeat did not predict the row; empty: all
/// were predicted. Survival is not compared.
[[nodiscard]] BBC_API FromTruth from_truth(const Target& y, std::span<const Predictions> repeats,
                                           const Metric& metric, std::int64_t configuration,
                                           std::span<const std::int32_t> folds);

/// How predictions and truth go together within folds.
struct Association {
  double correlation = 0.0;
  double statistic = 0.0;     ///< in standard deviations of no association
  bool runs_against = false;  ///< below what chance explains, one-sided at the level .001
};

/// Tests whether a configuration's predictions run against the truth within folds.
///
/// Held-out rows are predicted by models that lean away from them: the mean of the training rows is
/// the lower, the higher those left out are. Within a fold nothing leans, so that predictions and
/// truth less their fold's mean are exchangeable if the two are independent: numbers by ranks,
/// classes by indicators, times by martingale residuals, which risks follow. The sum of their
/// products has mean 0 and the variance of a permutation within folds (Hoeffding 1951), times
/// 1 + K / (K - 1) for K folds that share training rows (Nadeau and Bengio 2003). Rows of a unit
/// (empty: each is one) count as one row of each fold. All zero where nothing runs against it, or
/// where there is nothing to test, as in leave-one-out. `folds` as above.
[[nodiscard]] BBC_API Association association(const Target& y, std::span<const Predictions> repeats,
                                              const Metric& metric, std::int64_t configuration,
                                              std::span<const std::int32_t> folds,
                                              std::span<const std::int32_t> units);

/// Facts of the rows that do not depend on predictions.
struct RowFacts {
  /// How many are independent: rows, or units; with weights (sum w)^2 / sum w^2 of them.
  double n_units = 0.0;
  /// The same of rows of each class; of survival, of censored rows and of events.
  std::vector<double> n_units_of_class;
  std::int64_t n_split_units = 0;  ///< units with rows in several folds of a repeat
  bool folds_tell_truth = false;   ///< each fold of the first repeat has one value of the truth
  bool units_tell_truth = false;   ///< each unit has one class, and there are no more than classes
};

/// `folds` as above; `units` are codes from 0, and empty if each row is one; `row_weights` may be
/// empty. Where few rows are left beyond one of each part, nothing tells the truth.
[[nodiscard]] BBC_API RowFacts row_facts(const Target& y, std::span<const std::int32_t> folds,
                                         std::span<const std::int32_t> units,
                                         std::span<const double> row_weights);

}  // namespace bbc
