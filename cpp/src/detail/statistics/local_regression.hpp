#pragma once

#include <span>
#include <vector>

namespace bbc::detail {

/// Points in ascending order of x.
struct SortedPoints {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weight;
};

/// Of the weight, as loess takes it unless told.
inline constexpr double kSpan = 0.75;

/// Local linear regression of y on x at one place (loess of degree 1, Cleveland 1979): tricube
/// weights over the nearest points, to which a share `span` of the weight belongs. Where all weight
/// is on the place itself it is the mean there; NaN outside the range of x, and where the points
/// leave the line undetermined.
[[nodiscard]] double local_linear(const SortedPoints& points, double place, double span);

}  // namespace bbc::detail
