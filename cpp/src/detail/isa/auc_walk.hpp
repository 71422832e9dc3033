#pragma once

#include <cstdint>

#include "detail/isa/auc_program.hpp"
#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// What a segment of a program comes to, per replicate.
struct AucSums {
  alignas(64) std::int32_t twice_pairs[kBlock];
  /// Smaller than the true ones where a step's sum did not fit a byte: `twice_pairs` is wrong then.
  alignas(64) std::uint16_t negatives[kBlock];
  alignas(64) std::uint16_t twice_positives[kBlock];
};

/// What the sums of a segment should be, where it is the only one.
struct AucClasses {
  alignas(64) std::uint16_t negatives[kBlock];
  alignas(64) std::uint16_t twice_positives[kBlock];
};

/// The best keys so far of a block of replicates, and whose they are.
struct AucBest {
  alignas(64) std::int32_t key[kBlock];
  alignas(64) std::int32_t configuration[kBlock];
};

/// The inner loops, for one instruction set.
struct AucLoops {
  /// Walks the steps in [first, last) with the weights of a LaneTable.
  void (*walk)(const std::uint32_t* first, const std::uint32_t* last, const std::uint8_t* lines,
               AucSums* sums);
  /// The same with its packed lines.
  void (*walk_packed)(const std::uint32_t* first, const std::uint32_t* last,
                      const std::uint8_t* packed, AucSums* sums);
  bool (*matches)(const AucSums& sums, const AucClasses& classes);
  /// Takes a configuration over where its key is larger.
  void (*take_better)(const std::int32_t* keys, std::int32_t configuration, AucBest* best);
  /// Adds some lines of a LaneTable up, whose bytes are at most `most`.
  void (*add_lines)(const std::int32_t* rows, std::int64_t n_rows, const std::uint8_t* lines,
                    int most, std::uint64_t* sums);
};

extern const AucLoops kAucLoopsPortable;
extern const AucLoops kAucLoopsAvx2;
extern const AucLoops kAucLoopsAvx512;

[[nodiscard]] inline const AucLoops& auc_loops(SimdLevel level) {
  return BBC_OF_LEVEL(level, kAucLoops);
}

/// Twice the pairs in the right order of a whole program, exact for counts of any size, and slow.
void auc_walk_exact(const AucProgram& program, const std::uint8_t* lines, double* twice_pairs);
/// The same with lines of 16-bit counts.
void auc_walk_exact(const AucProgram& program, const std::uint16_t* lines, double* twice_pairs);

}  // namespace bbc::detail
