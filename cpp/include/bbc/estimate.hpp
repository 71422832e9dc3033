#pragma once

#include <bbc/interval.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace bbc {

/// The corrected performance of a tuned configuration.
struct Estimate {
  double estimate = 0.0;
  Interval interval{};     ///< NaN at both ends where there is none
  std::string infeasible;  ///< why there is no interval; empty if there is one
  double replicate_sd = 0.0;
  double apparent = 0.0;
  double optimism = 0.0;
  std::int64_t winner = -1;
  std::vector<double> replicates;               ///< out-of-bag score of each replicate's winner
  std::vector<std::int64_t> replicate_winners;  ///< in-bag winner of each replicate
  std::int64_t n_redrawn = 0;
  double undefined_fold_share =
      0.0;  ///< per-fold pooling: folds without a value, in and out of bag

  // Of rules that choose something other than one configuration's predictions.
  double threshold = std::numeric_limits<double>::quiet_NaN();  ///< the cut-off chosen on all rows
  std::vector<double> replicate_thresholds;                     ///< that of each replicate
  /// Ensembles: the weight of each configuration in that of all rows. `winner` and
  /// `replicate_winners` have the largest weight, ties the lowest index.
  std::vector<double> weights;
  /// Ensembles: the share of replicates in which a configuration's weight is positive.
  std::vector<double> selection_frequency;
};

}  // namespace bbc
