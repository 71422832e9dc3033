#pragma once

#include <cstdint>
#include <vector>

namespace bbc {

enum class Alternative { two_sided, greater, less };

struct Interval {
  double low;
  double high;
};

/// Throws Error when the level is outside (0, 1), or when no replicate would lie beyond a bound.
void check_confidence_level(double confidence_level, Alternative alternative,
                            std::int64_t n_bootstraps);

/// Order-statistic interval of the replicates (Tsamardinos et al. 2018, section 3.1): ranks
/// ceil(q B), 1-based; the open side of a one-sided interval is the metric's extreme value, `lowest` or `highest`.
/// Throws Error when the level is outside (0, 1) or too high for the number of replicates.
[[nodiscard]] Interval order_statistic_interval(const std::vector<double>& replicates,
                                                double confidence_level, Alternative alternative,
                                                double lowest, double highest);

/// The corrected performance of a tuned configuration.
struct Estimate {
  double estimate = 0.0;
  Interval interval{};
  double replicate_sd = 0.0;
  double apparent = 0.0;
  double optimism = 0.0;
  std::int64_t winner = -1;
  std::vector<double> replicates;               ///< out-of-bag score of each replicate's winner
  std::vector<std::int64_t> replicate_winners;  ///< in-bag winner of each replicate
  std::int64_t n_redrawn = 0;
  double undefined_fold_share = 0.0;  ///< per-fold pooling: folds without a value, in and out of bag
};

}  // namespace bbc
