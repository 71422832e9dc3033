#include "detail/fast/rough_search.hpp"

#include <algorithm>

namespace bbc::detail {

void RoughSearch::begin() {
  candidates_.clear();
  std::fill_n(last_, kBlock, std::int64_t{-1});
  std::fill_n(least_, kBlock, -std::numeric_limits<double>::infinity());
}

void RoughSearch::take(std::int64_t configuration, const RoughScores& scores, int n_replicates) {
  // Most configurations are nobody's candidate: one look at all lanes says so.
  double at_most[kBlock];
  std::int64_t any = 0;
  for (int lane = 0; lane < kBlock; ++lane) {
    at_most[lane] = scores.of[lane] + scores.error[lane];
    any |= at_most[lane] < least_[lane] ? 0 : 1;
    const double least = scores.of[lane] - scores.error[lane];
    least_[lane] = least > least_[lane] ? least : least_[lane];
  }
  if (any == 0) return;
  for (int lane = 0; lane < n_replicates; ++lane) {
    if (at_most[lane] < least_[lane]) continue;
    candidates_.push_back({configuration, at_most[lane], last_[lane]});
    last_[lane] = static_cast<std::int64_t>(candidates_.size()) - 1;
  }
}

}  // namespace bbc::detail
