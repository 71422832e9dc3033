#pragma once

#include <bbc/export.h>

#include <bbc/estimate.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// A curve from its replicates, some of which may be undefined (NaN) at some of its points.
struct CurveBand {
  std::vector<double> estimates;  ///< means of the replicates; NaN where none is defined
  std::vector<double> lows;       ///< pointwise, by order statistics
  std::vector<double> highs;
  std::vector<double> simultaneous_lows;
  std::vector<double> simultaneous_highs;
  std::vector<std::int64_t> n_undefined;
};

/// Bands of (replicate, point) values. A replicate that ends within the curve is continued in
/// parallel to the mean of those that do not, so that estimates and bands do not jump where it
/// ends. The simultaneous one lowers the rank of the pointwise order statistics, the same at all
/// points, until a share `confidence_level` of the replicates lies wholly inside. Monotone
/// transformations of the values transform the bands likewise.
///
/// Both bands reach at least as far as the score interval around the estimate at each point, which
/// `rates`, one for each point or none at all, has terms for (see score_interval.hpp). Estimates
/// and bands end where `ranges` do, one for each point or none at all; replicates may lie beyond.
[[nodiscard]] BBC_API CurveBand curve_band(std::span<const double> replicates,
                                           std::int64_t n_replicates, double confidence_level,
                                           std::span<const std::vector<RateTerm>> rates = {},
                                           std::span<const Interval> ranges = {});

}  // namespace bbc
