#pragma once

#include <bbc/philox.hpp>
#include <cstdint>

#include "detail/isa/simd.hpp"

namespace bbc::detail {

/// Philox blocks, four words each, of one replicate.
struct PhiloxRange {
  PhiloxKey key;
  std::uint32_t stream;
  std::uint32_t attempt;
  std::uint32_t replicate;
  std::uint32_t first_block;
};

/// Vectors make this many blocks at once: outputs have room for a multiple of them.
inline constexpr int kPhiloxStep = 8;
/// Of replicates side by side, at most so many and with at most so many units each: their counts
/// stay in the first-level cache.
inline constexpr int kMostInBatch = 64;
inline constexpr std::uint32_t kMostUnitsOfBatch = 1024;

/// Words of WordStream for many counters at once, by instruction set.
struct DrawKernel {
  /// The words of the range's first `n` blocks.
  void (*words)(const PhiloxRange& range, int n, std::uint32_t* words);
  /// The same words scaled to 0 .. bound - 1; returns whether WordStream::below would accept all.
  bool (*scaled)(const PhiloxRange& range, int n, std::uint32_t bound, std::uint32_t* scaled);
  /// Scales `n` words that are made already.
  bool (*scale)(const std::uint32_t* words, int n, std::uint32_t bound, std::uint32_t* scaled);
  /// Adds to counts[i * n_units + unit] how often replicate `range.replicate` + i, from its first
  /// block on, draws each of n_units units. Bit i of what it returns is set where
  /// WordStream::below would reject a word: those counts are to be drawn again.
  std::uint64_t (*draw_replicate_batch)(const PhiloxRange& range, int n_replicates,
                                        std::uint32_t n_units, std::uint16_t* counts);
};

extern const DrawKernel kDrawPortable;
extern const DrawKernel kDrawAvx2;
extern const DrawKernel kDrawAvx512;

[[nodiscard]] inline const DrawKernel& draw_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kDraw);
}

}  // namespace bbc::detail
