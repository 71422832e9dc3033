#include "detail/evaluator.hpp"

#include <algorithm>
#include <limits>

namespace bbc::detail {

void Evaluator::best(const Bag& bag, const StopFlag& stop, Choice* choices) const {
  constexpr std::int64_t kTile = 64;
  std::vector<double> tile(static_cast<std::size_t>(bag.n_replicates) * kTile);
  for (int lane = 0; lane < bag.n_replicates; ++lane) {
    choices[lane] = {-std::numeric_limits<double>::infinity(), -1};
  }
  for (std::int64_t first = 0; first < n_configurations(); first += kTile) {
    const std::int64_t last = std::min(first + kTile, n_configurations());
    keys(bag, first, last, stop, tile.data());
    for (int lane = 0; lane < bag.n_replicates; ++lane) {
      const double* lane_keys = tile.data() + lane * (last - first);
      for (std::int64_t j = 0; j < last - first; ++j) {
        if (lane_keys[j] > choices[lane].key || choices[lane].configuration < 0) {
          choices[lane] = {lane_keys[j], first + j};
        }
      }
    }
  }
}

}  // namespace bbc::detail
