#include "detail/fast/rough_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

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

bool RoughWeights::suit(std::span<const double> row_weights) {
  return std::ranges::all_of(row_weights, [](double weight) {
    return weight == 0.0 || (weight >= kLeast && weight <= kMost);
  });
}

void RoughWeights::take(const ReplicateBlock& block, std::span<const std::int32_t> rows) {
  constexpr double kWhole = 0x1p24;  // float32 holds all whole numbers up to this
  const std::size_t size = rows.size() * kBlock;
  if (weights_.size() != size) weights_ = Aligned<float>(size);
  float* weights = weights_.data();
  if (block.n_replicates < kBlock) std::memset(weights, 0, size * sizeof(float));
  const bool weighted = !block.row_weights.empty();
  bool whole = true;
  double most = 0.0;
  for (const double weight : block.row_weights) whole = whole && weight == std::floor(weight);
  // A few rows at a time: their lines stay in the cache while the lanes are filled in.
  constexpr std::size_t kRowsAtOnce = 32;
  std::vector<double> totals(kBlock);
  for (std::size_t first = 0; first < rows.size(); first += kRowsAtOnce) {
    const std::size_t last = std::min(first + kRowsAtOnce, rows.size());
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const std::uint16_t* counts = block.replicate(lane);
      double total = 0.0;
      for (std::size_t place = first; place < last; ++place) {
        const auto row = static_cast<std::size_t>(rows[place]);
        const double weight = weighted ? counts[row] * block.row_weights[row] : counts[row];
        total += weight;
        weights[place * kBlock + static_cast<std::size_t>(lane)] = static_cast<float>(weight);
      }
      totals[static_cast<std::size_t>(lane)] += total;
    }
  }
  for (const double total : totals) most = std::max(most, total);
  exact_ = whole && 4.0 * most < kWhole;
}

}  // namespace bbc::detail
