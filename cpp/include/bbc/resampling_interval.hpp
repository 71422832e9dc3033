#pragma once

#include <bbc/export.h>

#include <bbc/interval_estimate.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

// Intervals for the cross-validated error of one fixed learner.

/// Nadeau and Bengio (2003): J scores of repeated subsampling whose training sets overlap;
/// variance (1/J + n_test / n_train) S^2, Student's t with J - 1 degrees of freedom.
[[nodiscard]] BBC_API IntervalEstimate corrected_resampled_t(std::span<const double> scores,
                                                             double n_train, double n_test,
                                                             const Confidence& confidence,
                                                             Interval range);

/// Nadeau and Bengio (2003): `first` and `second` are the resampling estimates, each the mean of
/// all subsampling iterations within one half, of R random divisions of the rows into disjoint
/// halves; variance sum (a_r - b_r)^2 / (2 R).
[[nodiscard]] BBC_API IntervalEstimate conservative_z(double estimate,
                                                      std::span<const double> first,
                                                      std::span<const double> second,
                                                      const Confidence& confidence, Interval range);

/// The mean of per-row losses with their naive standard error: of a hold-out set, or of all rows
/// of a cross-validation (which ignores that the folds' models share training rows).
[[nodiscard]] BBC_API IntervalEstimate wald(std::span<const double> losses,
                                            const Confidence& confidence, Interval range);

/// The losses of one outer fold of nested cross-validation.
struct NestedFold {
  std::vector<double> outer;  ///< of the held-out rows
  std::vector<double> inner;  ///< of the other rows, from the inner cross-validation without it
};

struct NestedOptions {
  std::int64_t n_rows = 0;
  std::int64_t n_folds = 0;
  /// Mean loss of plain cross-validation; with it the estimate is corrected for its bias.
  bool has_cv_loss = false;
  double cv_loss = 0.0;
};

/// Bates, Hastie and Tibshirani (2024), Algorithm 1: `folds` are those of all repetitions.
[[nodiscard]] BBC_API IntervalEstimate nested_cv(std::span<const NestedFold> folds,
                                                 const NestedOptions& options,
                                                 const Confidence& confidence, Interval range);

}  // namespace bbc
