#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// What each unit (row, or group of rows) contributes to the score of one configuration: the sum of
/// their squares estimates the variance of the score, and that of the differences between two
/// configurations the variance of the difference.
struct Influence {
  std::vector<double> values;  ///< by unit; 0 for units without rows
  /// How many units they rest on: all, or for metrics that compare two classes those of the rarer
  /// one (for censored times, the events); fewer where weights differ. One more than the degrees of
  /// freedom.
  double n_effective = 0.0;
  std::string infeasible;  ///< why there are none; empty if there are
};

/// With w the weights, K the folds (1: pooled) and W_k the weight of fold k, row i contributes
/// w_i (v_i - S) / (K W_k) to S, a mean over rows with values v, and the same to an AUC, with the
/// placements as values and each class as its own W_k; contributions of repeats are averaged, those
/// of a unit added up and multiplied by sqrt(G / (G - 1)), G being the number of units, of the
/// unit's class for the AUC. Other metrics: the jackknife, (S - S_without_unit) sqrt((G - 1) / G),
/// of every m-th unit, multiplied by sqrt(m), where there are more than 2048.
///
/// Of the options it reads metric, folds, row_weights and resampling.units.
[[nodiscard]] BBC_API Influence influence(const Target& y, std::span<const Predictions> repeats,
                                          const CorrectionOptions& options,
                                          std::int64_t configuration, const Control& control = {});

}  // namespace bbc
