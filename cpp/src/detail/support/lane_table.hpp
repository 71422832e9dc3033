#pragma once

#include <cstdint>

#include "detail/support/aligned.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// Bytes of a line: the weights of one row in all replicates of a block.
inline constexpr int kLine = kBlock;

/// The counts of a block of replicates turned round: one line per row, and a line of zeros behind
/// the last row. Out of bag, the rows that were not drawn weigh one.
class LaneTable {
 public:
  LaneTable() = default;
  LaneTable(const ReplicateBlock& block, Side side) { fill(block, side); }
  /// Takes another block; the memory is used again.
  void fill(const ReplicateBlock& block, Side side);
  /// Packs two lanes into a byte, for tables that are larger than a core's own caches. Nothing
  /// happens to small ones, nor where a count is too large, which is one block in 10^9.
  void pack();

  [[nodiscard]] const std::uint8_t* lines() const noexcept { return memory_.data(); }
  /// Lines of half the size, the even lane in the lower bits; null where they were not packed.
  [[nodiscard]] const std::uint8_t* packed() const noexcept {
    return is_packed_ ? packed_.data() : nullptr;
  }
  /// A bound on the counts, and the largest one where it is above 255; then the lines are not to
  /// be used.
  [[nodiscard]] int most() const noexcept { return most_; }

 private:
  Aligned<std::uint8_t> memory_;
  Aligned<std::uint8_t> packed_;
  int most_ = 0;
  bool is_packed_ = false;
};

}  // namespace bbc::detail
