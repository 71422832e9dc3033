#include "detail/isa/error_tiles.hpp"

#include <algorithm>
#include <limits>

namespace bbc::detail {
namespace {

/// Panels between two looks at the stop flag, and between two chunks of rows.
constexpr std::int64_t kPanelsAtOnce = 32;
/// Rows whose counts stay in the second-level cache.
constexpr std::int64_t kRowsAtOnce = 4096;
constexpr std::int64_t kMostCount = 255;

constexpr std::int64_t filled_up(std::int64_t n, std::int64_t unit) {
  return (n + unit - 1) / unit * unit;
}

}  // namespace

ErrorTiles::ErrorTiles(const ErrorTileKernel& kernel, std::int64_t n_rows, std::int64_t n_repeats,
                       std::int64_t n_configurations)
    : kernel_(kernel),
      n_rows_(n_rows),
      n_repeats_(n_repeats),
      n_configurations_(n_configurations),
      n_panels_(filled_up(n_configurations, kTileGroup) / kTileColumns),
      repeat_stride_(filled_up(n_rows, kTileRows) / kTileWordRows),
      words_(static_cast<std::size_t>(n_panels_ * panel_stride())) {}

void ErrorTiles::pack(const std::uint8_t* errors, std::int64_t chunk, int n_rows,
                      std::int64_t repeat, std::int64_t first, int n) {
  std::uint64_t* words = words_.data() + first / kTileColumns * panel_stride() +
                         repeat * repeat_stride_ + chunk * (kChunkRows / kTileWordRows);
  const auto n_groups = static_cast<int>(filled_up(n, kTileGroup) / kTileGroup);
  for (int row = 0; row < n_rows; row += kTileWordRows, ++words) {
    kernel_.pack(errors + row * kPackTile, n_groups, panel_stride(), words);
  }
}

bool ErrorTiles::fewest(const ReplicateBlock& block, const StopFlag& stop,
                        FewestErrors* fewest) const {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (n_rows_ * n_repeats_ > kMost / kMostCount || n_configurations_ > kMost) return false;
  const auto memory = memory_.take([&] {
    const std::int64_t n_laid_out = filled_up(n_rows_, kTileRows);
    const std::int64_t n_sums = n_rows_ > kRowsAtOnce ? kPanelsAtOnce * kBlock * kTileColumns : 0;
    return Memory{Aligned<std::uint8_t>(static_cast<std::size_t>(n_laid_out * kBlock)),
                  Aligned<std::int32_t>(static_cast<std::size_t>(n_sums))};
  });
  if (kernel_.pack_counts(block, memory->counts.data()) > kMostCount) return false;
  TileFewest columns;
  std::fill_n(columns.errors[0], kBlock * kTileColumns, kMost);
  std::fill_n(columns.configuration[0], kBlock * kTileColumns, 0);
  for (std::int64_t panel = 0; panel < n_panels_; panel += kPanelsAtOnce) {
    for (std::int64_t row = 0; row < n_rows_; row += kRowsAtOnce) {
      stop.check();
      const bool last = row + kRowsAtOnce >= n_rows_;
      kernel_.multiply(
          {words_.data() + panel * panel_stride() + row / kTileWordRows, panel_stride(),
           repeat_stride_, n_repeats_, memory->counts.data() + row * kBlock,
           std::min(kRowsAtOnce, n_rows_ - row), panel, std::min(kPanelsAtOnce, n_panels_ - panel),
           n_configurations_, row == 0, last, memory->sums.data()},
          columns);
    }
  }
  std::int64_t packed[kBlock];
  kernel_.reduce(columns, packed);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    fewest[lane] = {packed[lane] >> 32, packed[lane] & 0xFFFFFFFF};
  }
  return true;
}

}  // namespace bbc::detail
