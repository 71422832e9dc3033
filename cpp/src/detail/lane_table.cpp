#include "detail/lane_table.hpp"

#include <algorithm>
#include <cstring>

namespace bbc::detail {

LaneTable::LaneTable(const Bag& bag, Side side) {
  const auto n_bytes = static_cast<std::size_t>((bag.n_rows + 1) * kLine);
  memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_bytes + kLine - 1);
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  lines_ = memory_.get() + (kLine - address % kLine) % kLine;
  if (bag.n_replicates < kLine) std::memset(lines_, 0, n_bytes);
  std::memset(lines_ + bag.n_rows * kLine, 0, kLine);
  std::uint16_t most = 0;
  for (std::int64_t row = 0; row < bag.n_rows; row += kLine) {
    const std::int64_t end = std::min(row + kLine, bag.n_rows);
    for (int lane = 0; lane < bag.n_replicates; ++lane) {
      const std::uint16_t* counts = bag.replicate(lane);
      for (std::int64_t i = row; i < end; ++i) {
        const std::uint16_t weight = side == Side::in_bag ? counts[i] : counts[i] == 0 ? 1 : 0;
        most = std::max(most, weight);
        lines_[i * kLine + lane] = static_cast<std::uint8_t>(weight);
      }
    }
  }
  most_ = most;
}

}  // namespace bbc::detail
