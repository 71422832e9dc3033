#pragma once

#include <cstdint>

#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// How to count, for each event of one configuration, the later rows of lower risk. Lines of
/// counts, and those of events, are given by their first entry.
///
/// A node compares the events of an earlier stretch of time with the rows of a later one: a header
/// (PairNode), the later rows in ascending order of risk, and for each event where its count is,
/// and how many rows have a lower risk. Behind the nodes are pairs of an event and a row of lower
/// risk that are near in time.
struct PairNode {
  std::uint32_t n_rows;
  std::uint32_t n_events;
};

/// The inner loops for counts of one type. Sums of all counts fit it twice.
template <class Count>
struct PairCountLoops {
  /// Adds the rows of lower risk to below[event]; `sums` is memory for a line more than rows.
  void (*add_nodes)(const std::uint32_t* first, const std::uint32_t* last, const Count* counts,
                    Count* sums, Count* below);
  void (*add_pairs)(const std::uint32_t* first, const std::uint32_t* last, const Count* counts,
                    Count* below);
  /// keys[lane] += weights[event][lane] * (times * below[event][lane]), event by event.
  void (*add_up)(const Count* below, const double* weights, std::int64_t n_events, double times,
                 double* keys);
};

/// The inner loops, once per instruction set.
struct PairCountKernel : PairCountLoops<std::uint16_t>, PairCountLoops<std::uint32_t> {
  template <class Count>
  [[nodiscard]] const PairCountLoops<Count>& loops() const {
    return *this;
  }
};

extern const PairCountKernel kPairCountsPortable;
extern const PairCountKernel kPairCountsAvx2;
extern const PairCountKernel kPairCountsAvx512;

[[nodiscard]] inline const PairCountKernel& pair_count_kernel([[maybe_unused]] SimdLevel level) {
#ifdef BBC_X86
  if (level >= SimdLevel::avx512) return kPairCountsAvx512;
  if (level == SimdLevel::avx2) return kPairCountsAvx2;
#endif
  return kPairCountsPortable;
}

}  // namespace bbc::detail
