#pragma once

#include <span>
#include <vector>

#include "detail/fast/error_patterns.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {

/// The counts of a block of replicates as tables of subset sums, chunk by chunk: of rows, or of
/// pairs of rows, each of which counts as often as the product of its rows.
class ChunkTables {
 public:
  ChunkTables(const ErrorPatterns& patterns, const PatternSumsKernel& kernel);

  /// Other patterns from now on, of a block that is taken next.
  void use(const ErrorPatterns& patterns) noexcept { patterns_ = &patterns; }

  /// The block of replicates whose tables are built from now on; `block` must live as long.
  void take(const ReplicateBlock& block);
  /// The same for some of the rows, whose patterns these are; `table` holds the counts of `block`,
  /// and all three must live as long.
  void take(const ReplicateBlock& block, const LaneTable& table,
            std::span<const std::int32_t> rows);
  /// The same for pairs of rows; `lines` of the rows hold counts of at most `most`, whose square
  /// fits a byte.
  void take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most);

  [[nodiscard]] int n_replicates() const noexcept { return block_->n_replicates; }

  /// A chunk whose counts are small enough for sums of one byte; chunks with larger counts come
  /// several times, each time with at most kClamp of what is left of each count.
  struct Pass {
    std::int64_t chunk;
    int weight;          // no sum is larger
    std::int32_t taken;  // of each count by earlier passes; -1: the chunk comes once
  };
  [[nodiscard]] const std::vector<Pass>& passes() const noexcept { return passes_; }
  /// The tables of a pass, until the next call.
  const std::uint8_t* build(const Pass& pass);

 private:
  static constexpr int kClamp = 5;
  static_assert(kClamp * kChunkRows <= 255);

  void plan(int most);
  /// Room for the lines of a chunk.
  void make_room();
  /// A chunk's lines, until the next call.
  const std::uint8_t* lines_of(std::int64_t chunk);
  /// Lines of what a pass takes of each count.
  void clamp(const Pass& pass, std::uint8_t* clamped);

  const ErrorPatterns* patterns_;
  const PatternSumsKernel& kernel_;
  const ReplicateBlock* block_ = nullptr;
  LaneTable table_;
  const std::uint8_t* lines_ = nullptr;  // of the rows; nullptr: the counts do not fit bytes
  std::span<const std::int32_t> rows_;   // that have the patterns; empty: all
  std::span<const RowPair> pairs_;       // empty: rows have the patterns
  Aligned<std::uint8_t> gathered_;       // lines of a chunk of chosen rows or of pairs
  std::int64_t gathered_of_ = -1;        // the chunk
  std::vector<Pass> passes_;
  Aligned<std::uint8_t> tables_;
};

}  // namespace bbc::detail
