#include <algorithm>
#include <cmath>
#include <cstddef>

#include "detail/statistics/fits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

constexpr double kWeightRounding = 1e-9;

/// Indices [first, last) of the nearest points to which the weight belongs, and how far they reach.
struct Window {
  std::size_t first;
  std::size_t last;
  double reach;
};

Window nearest(const SortedPoints& points, double place, double weight) {
  const auto& x = points.x;
  std::size_t last =
      static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), place) - x.begin());
  std::size_t first = last;
  double gathered = 0.0;
  double reach = 0.0;
  while (gathered < weight && (first > 0 || last < x.size())) {
    const bool left = last == x.size() || (first > 0 && place - x[first - 1] <= x[last] - place);
    const std::size_t next = left ? --first : last++;
    gathered += points.weight[next];
    reach = std::fabs(x[next] - place);
  }
  while (last < x.size() && x[last] - place <= reach) ++last;
  while (first > 0 && place - x[first - 1] <= reach) --first;
  return {first, last, reach};
}

}  // namespace

double local_linear(const SortedPoints& points, double place, double span) {
  if (points.x.empty() || place < points.x.front() || place > points.x.back()) return kNaN;
  double total = 0.0;
  for (const double weight : points.weight) total += weight;
  const Window window = nearest(points, place, span * total * (1.0 - kWeightRounding));
  double moments[3] = {};  // of the distance
  double response[2] = {};
  for (std::size_t i = window.first; i < window.last; ++i) {
    // In units of the reach. If it is zero, all these points are at the place.
    const double distance = window.reach > 0.0 ? (points.x[i] - place) / window.reach : 0.0;
    const double cubed = std::fabs(distance * distance * distance);
    const double rest = std::max(0.0, 1.0 - cubed);
    const double weight = points.weight[i] * (rest * rest * rest);
    moments[0] += weight;
    moments[1] += weight * distance;
    moments[2] += weight * distance * distance;
    response[0] += weight * points.y[i];
    response[1] += weight * distance * points.y[i];
  }
  if (!(moments[0] > 0.0)) return kNaN;
  const double determinant = moments[0] * moments[2] - moments[1] * moments[1];
  if (determinant > kWeightRounding * moments[0] * moments[0]) {
    return (moments[2] * response[0] - moments[1] * response[1]) / determinant;
  }
  return moments[2] <= kWeightRounding * moments[0] ? response[0] / moments[0] : kNaN;
}

}  // namespace bbc::detail
