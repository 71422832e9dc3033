#pragma once

#include <bbc/philox.hpp>
#include <cstdint>

#include "detail/simd.hpp"

namespace bbc::detail {

/// Philox blocks, four words each, of consecutive replicates: every replicate has blocks 0 to
/// n_blocks - 1, and the range starts at block `first_block` of `first_replicate`.
struct PhiloxRange {
  PhiloxKey key;
  std::uint32_t stream;
  std::uint32_t attempt;
  std::uint32_t n_blocks;
  std::uint32_t first_replicate;
  std::uint32_t first_block;  ///< less than n_blocks
};

/// Vectors make this many blocks at once: outputs have room for a multiple of them.
inline constexpr int kPhiloxStep = 8;

/// Words of WordStream for many counters at once, by instruction set.
struct DrawKernel {
  /// The words of the range's first `n` blocks.
  void (*words)(const PhiloxRange& range, int n, std::uint32_t* words);
  /// The same words scaled to 0 .. bound - 1; returns whether WordStream::below would accept all.
  bool (*scaled)(const PhiloxRange& range, int n, std::uint32_t bound, std::uint32_t* scaled);
};

extern const DrawKernel kDrawPortable;
extern const DrawKernel kDrawAvx2;
extern const DrawKernel kDrawAvx512;

[[nodiscard]] inline const DrawKernel& draw_kernel(SimdLevel level) {
#ifdef BBC_X86
  if (level >= SimdLevel::avx512) return kDrawAvx512;
  if (level == SimdLevel::avx2) return kDrawAvx2;
#endif
  (void)level;
  return kDrawPortable;
}

}  // namespace bbc::detail
