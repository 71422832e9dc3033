#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "detail/bag.hpp"

namespace bbc::detail {

/// Bytes of a line: the weights of one row in all replicates of a block.
inline constexpr int kLine = kBlock;

/// The counts of a block of replicates turned round: one line per row, and a line of zeros behind
/// the last row. Out of bag, the rows that were not drawn weigh one.
class LaneTable {
 public:
  LaneTable(const Bag& bag, Side side);

  [[nodiscard]] const std::uint8_t* lines() const noexcept { return lines_; }
  /// The largest count; above 255 the lines are not to be used.
  [[nodiscard]] int most() const noexcept { return most_; }

 private:
  std::unique_ptr<std::uint8_t[]> memory_;
  std::uint8_t* lines_;
  int most_ = 0;
};

}  // namespace bbc::detail
