#pragma once

#include <bbc/export.h>

#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// A curve from its replicates, some of which may be undefined (NaN) at some of its points.
struct CurveBand {
  std::vector<double> estimates;  ///< means of the defined replicates; NaN where there is none
  std::vector<double> lows;       ///< pointwise, by order statistics
  std::vector<double> highs;
  std::vector<double> simultaneous_lows;
  std::vector<double> simultaneous_highs;
  std::vector<std::int64_t> n_undefined;
};

/// Bands of (replicate, point) values. The simultaneous one lowers the rank of the pointwise
/// order statistics, the same at all points, until a share `confidence_level` of the replicates
/// lies wholly inside. Monotone transformations of the values transform the bands likewise.
[[nodiscard]] BBC_API CurveBand curve_band(std::span<const double> replicates,
                                           std::int64_t n_replicates, double confidence_level);

}  // namespace bbc
