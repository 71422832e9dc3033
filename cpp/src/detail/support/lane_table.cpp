#include "detail/support/lane_table.hpp"

#include <algorithm>
#include <cstring>

#include "detail/support/compiler.hpp"

namespace bbc::detail {
namespace {

/// Lines are packed from this size on. Smaller tables mostly stay in the second-level cache, where
/// taking pairs apart costs more than it saves (at 10,000 rows .019 ns a cell against .014).
constexpr std::size_t kPackedFrom = std::size_t{1} << 21;
constexpr int kMostPacked = 15;

// Plain vectors of 16 bytes: every 64-bit machine has them.
constexpr int kSquare = 16;
typedef std::uint8_t Bytes BBC_VECTOR(kSquare);
typedef std::uint16_t Words BBC_VECTOR(kSquare);

Words load(const std::uint16_t* from) {
  Words words;
  std::memcpy(&words, from, sizeof words);
  return words;
}

/// Interleaves the first (or last) halves of two vectors.
Bytes interleave_first(Bytes a, Bytes b) {
  return BBC_SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
Bytes interleave_last(Bytes a, Bytes b) {
  return BBC_SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/// Turns 16 rows of 16 lanes round; returns the bitwise or of all counts.
Words transpose_16x16(const ReplicateBlock& block, Side side, int lane, std::int64_t row,
                      std::uint8_t* lines) {
  Bytes square[kSquare];
  Words seen{};
  for (int i = 0; i < kSquare; ++i) {
    const std::uint16_t* counts = block.replicate(lane + i) + row;
    Words first = load(counts);
    Words second = load(counts + kSquare / 2);
    if (side == Side::out_of_bag) {
      first = (Words)(first == 0) & 1;
      second = (Words)(second == 0) & 1;
    }
    seen |= first | second;
    square[i] = BBC_SHUFFLE((Bytes)first, (Bytes)second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
                            24, 26, 28, 30);
  }
  // Four rounds of interleaving rows i and i + 8 transpose the square.
  for (int round = 0; round < 4; ++round) {
    Bytes next[kSquare];
    for (int i = 0; i < kSquare / 2; ++i) {
      next[2 * i] = interleave_first(square[i], square[i + kSquare / 2]);
      next[2 * i + 1] = interleave_last(square[i], square[i + kSquare / 2]);
    }
    std::memcpy(square, next, sizeof square);
  }
  for (int i = 0; i < kSquare; ++i)
    std::memcpy(lines + (row + i) * kLine + lane, &square[i], kSquare);
  return seen;
}

}  // namespace

void LaneTable::pack() {
  if (memory_.size() < kPackedFrom || most_ > kMostPacked) return;
  const std::size_t size = memory_.size() / 2;
  if (packed_.size() != size) packed_ = Aligned<std::uint8_t>(size);
  is_packed_ = true;
  const std::uint8_t* lanes = memory_.data();
  std::uint8_t* pairs = packed_.data();
  for (std::size_t i = 0; i < packed_.size(); ++i) {
    pairs[i] = static_cast<std::uint8_t>(lanes[2 * i] | lanes[2 * i + 1] << 4);
  }
}

void LaneTable::fill(const ReplicateBlock& block, Side side) {
  const auto size = static_cast<std::size_t>((block.n_rows + 1) * kLine);
  if (memory_.size() != size) memory_ = Aligned<std::uint8_t>(size);
  is_packed_ = false;
  std::uint8_t* lines = memory_.data();
  if (block.n_replicates < kLine) {
    std::memset(lines, 0, static_cast<std::size_t>(block.n_rows * kLine));
  }
  std::memset(lines + block.n_rows * kLine, 0, kLine);
  const int whole_lanes = block.n_replicates / kSquare * kSquare;
  const std::int64_t whole_rows = block.n_rows / kSquare * kSquare;
  Words seen{};
  for (std::int64_t row = 0; row < whole_rows; row += kSquare) {
    for (int lane = 0; lane < whole_lanes; lane += kSquare)
      seen |= transpose_16x16(block, side, lane, row, lines);
  }
  std::uint16_t bits = 0;
  for (int i = 0; i < kSquare / 2; ++i) bits |= seen[i];
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::uint16_t* counts = block.replicate(lane);
    for (std::int64_t row = lane < whole_lanes ? whole_rows : 0; row < block.n_rows; ++row) {
      const std::uint16_t weight = side == Side::in_bag ? counts[row] : counts[row] == 0 ? 1 : 0;
      bits |= weight;
      lines[row * kLine + lane] = static_cast<std::uint8_t>(weight);
    }
  }
  most_ = bits;
  if (most_ > 255) most_ = *std::max_element(block.counts.begin(), block.counts.end());
}

}  // namespace bbc::detail
