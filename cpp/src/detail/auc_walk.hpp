#pragma once

#include <cstdint>

#include "detail/auc_program.hpp"
#include "detail/bag.hpp"
#include "detail/simd.hpp"

namespace bbc::detail {

/// What a stretch of a program comes to, per replicate.
struct AucSums {
  alignas(64) std::int32_t twice_pairs[kBlock];
  /// Smaller than the true ones where a step's sum did not fit a byte: `twice_pairs` is wrong then.
  alignas(64) std::uint16_t negatives[kBlock];
  alignas(64) std::uint16_t twice_positives[kBlock];
};

/// Walks the steps in [first, last) with the weights of a LaneTable.
using AucWalk = void (*)(const std::uint32_t* first, const std::uint32_t* last,
                         const std::uint8_t* lines, AucSums* sums);

void auc_walk_portable(const std::uint32_t* first, const std::uint32_t* last,
                       const std::uint8_t* lines, AucSums* sums);
void auc_walk_avx2(const std::uint32_t* first, const std::uint32_t* last, const std::uint8_t* lines,
                   AucSums* sums);
void auc_walk_avx512(const std::uint32_t* first, const std::uint32_t* last,
                     const std::uint8_t* lines, AucSums* sums);

[[nodiscard]] AucWalk auc_walk(SimdLevel level);

/// Twice the pairs in the right order of a whole program, exact for counts of any size, and slow.
void auc_walk_exact(const AucProgram& program, const std::uint8_t* lines, double* twice_pairs);
/// The same with lines of 16-bit counts.
void auc_walk_exact(const AucProgram& program, const std::uint16_t* lines, double* twice_pairs);

}  // namespace bbc::detail
