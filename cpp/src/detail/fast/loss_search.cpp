#include "detail/fast/loss_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace bbc::detail {
namespace {

constexpr std::uint32_t kMostWeight = std::numeric_limits<std::uint16_t>::max();
static_assert(std::int64_t{kMostWeight} * kGridMiddle <= std::numeric_limits<std::int32_t>::max());

}  // namespace

void LossCounts::take(const ReplicateBlock& block) {
  n_replicates_ = block.n_replicates;
  small_ = true;
  const std::int64_t n_chunks = (block.n_rows + kGridRows - 1) / kGridRows;
  const auto size =
      static_cast<std::size_t>((block.n_rows + kGridStep - 1) / kGridStep * kGridStep * kRowBytes);
  if (packed_.size() != size) packed_ = Aligned<std::uint8_t>(size);
  weights_.resize(static_cast<std::size_t>(n_chunks * kBlock));
  if (n_replicates_ < kBlock) std::memset(packed_.data(), 0, size);
  for (std::int64_t chunk = 0; chunk < n_chunks; ++chunk) {
    const std::int64_t first_row = chunk * kGridRows;
    const auto n_rows =
        static_cast<int>(std::min<std::int64_t>(block.n_rows - first_row, kGridRows));
    std::uint8_t* packed = packed_.data() + first_row * kRowBytes;
    for (int lane = 0; lane < n_replicates_; ++lane) {
      const std::uint16_t* counts = block.replicate(lane) + first_row;
      std::uint32_t weight = 0;
      std::uint16_t most = 0;
      for (int row = 0; row < n_rows; ++row) {
        weight += counts[row];
        most = std::max(most, counts[row]);
      }
      small_ = small_ && most <= kMostGridCount && weight <= kMostWeight;
      weights_[static_cast<std::size_t>(chunk * kBlock + lane)] = weight;
      kernel_.pack(counts, n_rows, lane, packed);
    }
  }
}

LossSearch::LossSearch(const LossGrid& grid, const RowLossKernel& kernel)
    : grid_(grid),
      kernel_(kernel),
      counts_(grid.kernel()),
      costs_(static_cast<std::size_t>(kBlock) * kGridTile) {}

bool LossSearch::run(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                     const StopFlag& stop) {
  counts_.take(block);
  if (!counts_.small()) return false;
  candidates_.clear();
  std::fill_n(last_, kBlock, std::int64_t{-1});
  std::fill_n(smallest_, kBlock, std::numeric_limits<double>::infinity());
  Bounds bounds[kBlock];
  const std::int64_t first_tile = (first + kGridTile - 1) / kGridTile;
  const std::int64_t last_tile = (last + kGridTile - 1) / kGridTile;
  for (std::int64_t i = first_tile; i < last_tile; ++i) {
    stop.check();
    const std::int64_t tile = backwards_ ? first_tile + last_tile - 1 - i : i;
    add_tile(tile, bounds);
    for (int lane = 0; lane < counts_.n_replicates(); ++lane) {
      keep_candidates(tile, lane, costs_.data() + lane * kGridTile, bounds[lane]);
    }
  }
  backwards_ = !backwards_;
  return true;
}

void LossSearch::add_tile(std::int64_t tile, Bounds* bounds) {
  alignas(64) std::int32_t sums[kBlock * kGridTile];
  const auto& chunks = grid_.chunks();
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const LossGrid::Chunk& chunk = chunks[i];
    const LossGrid::Scale& scale = grid_.scale(tile, i);
    const int n_lanes = counts_.n_replicates();
    grid_.kernel().multiply(grid_.losses(tile, chunk), counts_.packed(chunk.first_row),
                            chunk.n_rows, n_lanes, sums);
    kernel_.accumulate(sums, n_lanes, scale.unit, i == 0, costs_.data());
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
  const auto limit = [&] { return smallest_[lane] - bounds.offset + bounds.error; };
  // Most tiles hold no candidate. The first one does: its smallest cost leaves few of it.
  if (kernel_.at_most(costs, limit()) == 0) return;
  const auto n = static_cast<int>(
      std::min<std::int64_t>(kGridTile, grid_.n_configurations() - tile * kGridTile));
  smallest_[lane] =
      std::min(smallest_[lane], kernel_.smallest(costs, n) + bounds.offset + bounds.error);
  std::uint64_t which = kernel_.at_most(costs, limit()) & ((std::uint64_t{1} << n) - 1);
  for (; which != 0; which &= which - 1) {
    const int j = std::countr_zero(which);
    candidates_.push_back(
        {tile * kGridTile + j, costs[j] + bounds.offset - bounds.error, last_[lane]});
    last_[lane] = static_cast<std::int64_t>(candidates_.size()) - 1;
  }
}

}  // namespace bbc::detail
