#pragma once

#include <bbc/export.h>

#include <bbc/influence.hpp>
#include <bbc/interval.hpp>
#include <bbc/predictions.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// What the replicates of a comparison drew: `n_drawn` of as many units, in each of `n_repeats`
/// partitions.
struct DrawDesign {
  std::int64_t n_drawn = 0;  ///< rows or groups; of two-level draws, the fewest folds of a repeat
  /// Rows or groups, in either case; of the smaller side if the sides are different rows.
  std::int64_t n_units = 0;
  std::int64_t n_repeats = 1;
  bool of_folds = false;
  /// Of rows: the covariance of two fits' errors by their common training rows, as a multiple of
  /// the variance of the score given the fits; see training_overlap.
  double overlap = 0.0;
};

/// 1 for one partition, K / (K - 1) for several of K folds, whose own noise repeats average out; 0
/// for one fold. `n_folds`: 0 if it is unknown; five are then assumed.
[[nodiscard]] BBC_API double training_overlap(double n_folds, std::int64_t n_repeats);

/// A family of configurations: the out-of-bag score of its winner in each replicate.
struct Family {
  std::span<const double> replicates;
  /// Replicates select on fewer rows than there are, so the best of many may be underestimated; the
  /// p-value is the largest that this allows. 1: no allowance.
  std::int64_t n_configurations = 1;
  /// Of the family's best on all rows; none: the standard error is that of the replicates, to which
  /// the overlap adds.
  const Influence* influence = nullptr;
};

/// How many configurations have predictions that no earlier one has: copies count once.
[[nodiscard]] BBC_API std::int64_t n_distinct(std::span<const Predictions> repeats);

/// Two families, by index.
struct FamilyPair {
  std::int64_t first = 0;
  std::int64_t second = 0;
  /// Standard error of the difference that replicates do not show, as of draws of folds that keep
  /// the shares of the classes (`hidden_by_draws`); it is added to theirs.
  double hidden = 0.0;
};

struct DifferenceOptions {
  bool greater_is_better = true;
  Confidence confidence{};  ///< `greater`: the first family is better
  Range range;              ///< of the metric; differences are no wider than that
};

/// The difference between two families; positive favours the first.
struct Difference {
  double estimate = 0.0;
  // NaN, as is the interval, where the design is too small.
  double standard_error = 0.0;
  double degrees_of_freedom = 0.0;
  Interval interval{};
  double p_value = 0.0;
  // Shares of the replicates in which one scores better, by more than rounding.
  double first_better = 0.0;
  double second_better = 0.0;
  std::string infeasible;  ///< why there is no interval; empty if there is one
};

/// The mean difference of replicates on the same draws, with a t interval and its p-value.
///
/// With the influence of both winners, u and v by unit, the standard error is
/// sqrt((1 + overlap) sum (u - v)^2), with n_effective - 1 degrees of freedom. Where the winners
/// are nearly equal, which says nothing of the families, and without influence, it is at least what
/// the replicates tell. Where no replicate differs, p is 1.
///
/// What they tell: the mean of the M of N units that a replicate leaves out, of values drawn
/// without replacement, has variance (S^2 / N)(N / M - 1): the replicates vary sqrt(E[N / M] - 1)
/// times as much as the mean of all rows. What a pair says that they hide is added in squares. The
/// t statistic is d / sqrt(se^2 + d^2 / n), with the variance about zero, which is the hypothesis,
/// rather than about d: it keeps the level where few rows differ. The interval inverts the test.
[[nodiscard]] BBC_API std::vector<Difference> differences(std::span<const Family> families,
                                                          std::span<const FamilyPair> pairs,
                                                          const DrawDesign& draws,
                                                          const DifferenceOptions& options);

}  // namespace bbc
