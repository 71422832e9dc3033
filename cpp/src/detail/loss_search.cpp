#include "detail/loss_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace bbc::detail {
namespace {

constexpr std::uint32_t kMostCount = std::numeric_limits<std::int16_t>::max();
constexpr std::uint32_t kMostWeight = std::numeric_limits<std::uint16_t>::max();
static_assert(std::int64_t{kMostWeight} * kGridMiddle <= std::numeric_limits<std::int32_t>::max());

}  // namespace

LossCounts::LossCounts(const Bag& bag)
    : bag_(bag),
      n_pairs_((bag.n_rows + 1) / 2),
      pairs_(static_cast<std::size_t>(n_groups() * n_pairs_ * kGridLanes)) {
  const std::int64_t n_chunks = (bag.n_rows + kGridRows - 1) / kGridRows;
  weights_.resize(static_cast<std::size_t>(n_chunks * kBlock));
  std::memset(pairs_.data(), 0,
              static_cast<std::size_t>(n_groups() * n_pairs_ * kGridLanes) * sizeof(std::uint32_t));
  for (int lane = 0; lane < bag.n_replicates; ++lane) {
    const std::uint16_t* counts = bag.replicate(lane);
    std::uint32_t* to =
        pairs_.data() + lane / kGridLanes * n_pairs_ * kGridLanes + lane % kGridLanes;
    for (std::int64_t row = 0; row < bag.n_rows; row += 2) {
      const std::uint32_t second = row + 1 < bag.n_rows ? counts[row + 1] : 0U;
      to[row / 2 * kGridLanes] = counts[row] | second << 16U;
    }
    for (std::int64_t chunk = 0; chunk < n_chunks; ++chunk) {
      const std::int64_t end = std::min(bag.n_rows, (chunk + 1) * kGridRows);
      std::uint32_t weight = 0;
      std::uint32_t most = 0;
      for (std::int64_t row = chunk * kGridRows; row < end; ++row) {
        weight += counts[row];
        most = std::max<std::uint32_t>(most, counts[row]);
      }
      small_ = small_ && most <= kMostCount && weight <= kMostWeight;
      weights_[static_cast<std::size_t>(chunk * kBlock + lane)] = weight;
    }
  }
}

LossSearch::LossSearch(const LossGrid& grid, const RowLossKernel& kernel, const LossCounts& counts,
                       const StopFlag& stop)
    : grid_(grid), kernel_(kernel), counts_(counts) {
  std::fill_n(last_, kBlock, std::int64_t{-1});
  std::fill_n(least_, kBlock, std::numeric_limits<double>::infinity());
  Aligned<double> costs(static_cast<std::size_t>(kBlock) * kGridTile);
  Bounds bounds[kBlock];
  for (std::int64_t tile = 0; tile < grid.n_tiles(); ++tile) {
    stop.check();
    add_tile(tile, costs.data(), bounds);
    for (int lane = 0; lane < counts.n_replicates(); ++lane) {
      keep_candidates(tile, lane, costs.data() + lane * kGridTile, bounds[lane]);
    }
  }
}

void LossSearch::add_tile(std::int64_t tile, double* costs, Bounds* bounds) const {
  alignas(64) std::int32_t sums[kGridLanes * kGridTile];
  const auto& chunks = grid_.chunks();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const LossGrid::Chunk& chunk = chunks[i];
    const LossGrid::Scale& scale = grid_.scale(tile, i);
    const std::int32_t* losses = grid_.losses(tile, chunk);
    for (int group = 0; group < counts_.n_groups(); ++group) {
      kernel_.multiply(losses, counts_.pairs(group, chunk.first_row), chunk.n_pairs(), sums);
      kernel_.accumulate(sums, scale.unit, i == 0, costs + group * kGridLanes * kGridTile);
    }
    // Float64 rounds each of these few operations by much less than this.
    const double rounding = 0x1p-50 * static_cast<double>(chunks.size() + 4) * scale.magnitude;
    for (int lane = 0; lane < counts_.n_replicates(); ++lane) {
      const double weight = counts_.weight(lane, chunk.first_row);
      if (i == 0) bounds[lane] = {};
      bounds[lane].offset += weight * (scale.lowest + kGridMiddle * scale.unit);
      bounds[lane].error += weight * (scale.error + rounding);
    }
  }
}

void LossSearch::keep_candidates(std::int64_t tile, int lane, const double* costs,
                                 const Bounds& bounds) {
  const auto limit = [&] { return least_[lane] - bounds.offset + bounds.error; };
  // Most tiles hold no candidate. The first one does: its least cost leaves few of it.
  if (kernel_.at_most(costs, limit()) == 0) return;
  const auto n = static_cast<int>(
      std::min<std::int64_t>(kGridTile, grid_.n_configurations() - tile * kGridTile));
  least_[lane] = std::min(least_[lane], kernel_.least(costs, n) + bounds.offset + bounds.error);
  std::uint64_t which = kernel_.at_most(costs, limit()) & ((std::uint64_t{1} << n) - 1);
  for (; which != 0; which &= which - 1) {
    const int j = std::countr_zero(which);
    candidates_.push_back(
        {tile * kGridTile + j, costs[j] + bounds.offset - bounds.error, last_[lane]});
    last_[lane] = static_cast<std::int64_t>(candidates_.size()) - 1;
  }
}

}  // namespace bbc::detail
