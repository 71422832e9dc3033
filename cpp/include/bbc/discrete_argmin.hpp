#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/row_values.hpp>
#include <cstdint>
#include <vector>

namespace bbc {

struct DiscreteArgmin {
  std::vector<double> statistics;  ///< +-infinity where the rows leave no doubt
  std::vector<double> p_values;
  std::vector<std::uint8_t> possible;
  std::vector<double> lambdas;  ///< 0 where there is no competitor
};

/// For each configuration r, a test that none is better (Zhang, Lee and Lei 2024): the mean over
/// rows of its standardised excess loss over the others, which a row weights by
/// exp(lambda * mean excess of the other rows), against the normal distribution.
///
/// lambda = sqrt(n) / (2.5 sd), with sd that of each row's excess over the one that the other rows
/// find best. An excess that does not vary decides if it is positive, else it is left out. Time
/// grows with the square of the configurations, of which there may be kMostRivals.
[[nodiscard]] BBC_API DiscreteArgmin discrete_argmin(const RowValues& rows, bool greater_is_better,
                                                     double confidence_level,
                                                     const Control& control = {});

}  // namespace bbc
