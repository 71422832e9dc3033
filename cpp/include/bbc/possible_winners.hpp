#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// Which configurations could be the best, by elimination.
struct ModelConfidenceSet {
  /// Replicates whose largest statistic reaches that of the set from which the configuration was
  /// eliminated: the largest such number so far. The p-value is its share of the replicates.
  std::vector<std::int64_t> reached;
  std::vector<double> p_values;
  std::vector<std::uint8_t> possible;
  /// Root mean squared distance of the replicates from the score.
  std::vector<double> standard_errors;
};

/// The model confidence set of Hansen, Lunde and Nason (2011), statistic T_max, from the scores of
/// all configurations and those in bag (`replicates`, by replicate and configuration).
///
/// t_i is the distance of score i from the mean of those still in the set, positive if worse, over
/// its root mean square in the replicates, each centred at its score. The set is rejected if fewer
/// than a share 1 - confidence_level of the replicates reach its largest t; the configurations with
/// that t are eliminated and the rest is tested, until one is left, whose p-value is 1.
/// Configurations with the same scores in all replicates share their fate; statistics tie within
/// 1e-9. If the distance does not vary, t is 0 at no distance, else the worse are eliminated. Time
/// grows with the square of the configurations, of which there may be kMostRivals.
[[nodiscard]] BBC_API ModelConfidenceSet model_confidence_set(std::span<const double> scores,
                                                              std::span<const double> replicates,
                                                              bool greater_is_better,
                                                              double confidence_level,
                                                              const Control& control = {});

}  // namespace bbc
