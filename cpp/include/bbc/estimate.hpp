#pragma once

#include <bbc/interval.hpp>
#include <cstdint>
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
};

}  // namespace bbc
