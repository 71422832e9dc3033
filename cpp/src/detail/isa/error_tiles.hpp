#pragma once

#include <span>

#include "detail/isa/zero_one_kernel.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

// Where the processor multiplies tiles of bytes, wrong labels are counted by products: one bit per
// row and configuration, spread to bytes on the way. Configurations go in groups of 64, of four
// panels each; a word holds four rows of a panel's 16 configurations.
inline constexpr int kTileRows = 64;
inline constexpr int kTileColumns = 16;
inline constexpr int kTilePanels = 4;
inline constexpr int kTileGroup = kTilePanels * kTileColumns;
inline constexpr int kTileWordRows = 4;
static_assert(kChunkRows % kTileWordRows == 0 && kPackTile % kTileGroup == 0);

/// The fewest errors in each column, and the first configuration that has them.
struct alignas(64) TileFewest {
  std::int32_t errors[kBlock][kTileColumns];
  std::int32_t configuration[kBlock][kTileColumns];
};

/// Some panels in some rows.
struct TileProduct {
  const std::uint64_t* words;  ///< [panel][repeat][four rows]: the strides are in words
  std::int64_t panel_stride;
  std::int64_t repeat_stride;
  std::int64_t n_repeats;
  const std::uint8_t* counts;  ///< of these rows, as `pack_counts` lays them out
  std::int64_t n_rows;
  std::int64_t first_panel;
  std::int64_t n_panels;
  std::int64_t n_configurations;  ///< of all panels: columns past it do not count
  bool fresh;                     ///< `sums` hold nothing yet
  bool last;                      ///< these are the last rows
  std::int32_t* sums;  ///< [panel][lane][column]; not touched by what is both fresh and last
};

struct ErrorTileKernel {
  /// Words of four rows of errors [row][kPackTile]; those of a panel are `stride` apart.
  void (*pack)(const std::uint8_t* errors, int n_groups, std::int64_t stride, std::uint64_t* words);
  /// Lays out the counts of a block of replicates; returns their bitwise or.
  unsigned (*pack_counts)(const ReplicateBlock& block, std::uint8_t* packed);
  void (*multiply)(const TileProduct& product, TileFewest& fewest);
  /// The fewest errors of all columns, and the first configuration: errors * 2^32 + configuration.
  void (*reduce)(const TileFewest& columns, std::int64_t* packed);
};

extern const ErrorTileKernel kErrorTilesAmx;

/// Null where there are no tiles.
[[nodiscard]] inline const ErrorTileKernel* error_tile_kernel([[maybe_unused]] SimdLevel level) {
#ifdef BBC_AMX
  if (level >= SimdLevel::amx) return &kErrorTilesAmx;
#endif
  return nullptr;
}

/// Which rows each configuration gets wrong, packed for products of tiles: one bit per row and
/// configuration.
class ErrorTiles {
 public:
  ErrorTiles(const ErrorTileKernel& kernel, std::int64_t n_rows, std::int64_t n_repeats,
             std::int64_t n_configurations);

  /// Packs errors [row of chunk][kPackTile] of `n` configurations from `first`, a tile's, on.
  void pack(const std::uint8_t* errors, std::int64_t chunk, int n_rows, std::int64_t repeat,
            std::int64_t first, int n);

  /// For each replicate the fewest errors, and who has them first; false if the counts are too
  /// large for bytes.
  [[nodiscard]] bool fewest(const ReplicateBlock& block, const StopFlag& stop,
                            FewestErrors* fewest) const;

 private:
  /// What a thread works with.
  struct Memory {
    Aligned<std::uint8_t> counts;
    Aligned<std::int32_t> sums;
  };

  [[nodiscard]] std::int64_t panel_stride() const noexcept { return n_repeats_ * repeat_stride_; }

  const ErrorTileKernel& kernel_;
  std::int64_t n_rows_;
  std::int64_t n_repeats_;
  std::int64_t n_configurations_;
  std::int64_t n_panels_;
  std::int64_t repeat_stride_;  // words, filled up to whole tiles
  Aligned<std::uint64_t> words_;
  mutable Pool<Memory> memory_;
};

}  // namespace bbc::detail
