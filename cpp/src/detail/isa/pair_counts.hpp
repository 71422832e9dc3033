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

/// Events whose pairs are weighted alike: up to which number, and the weight.
struct WeightedEvents {
  std::int64_t last;
  double weight;
};

/// What a program is to read and to fill: lines of counts, of sums (one more than rows) and of
/// events. `Far` holds sums over nodes of many rows, `Near` those over few and over pairs.
template <class Count, class Far, class Near>
struct PairTables {
  const Count* counts;
  Far* far_sums;
  Near* near_sums;
  Far* far_below;
  Near* near_below;
};

/// The inner loops for counts of some types: sums fit `Near` and `Far`, or all are wide.
template <class Count, class Far, class Near>
struct PairCountLoops {
  using Tables = PairTables<Count, Far, Near>;
  /// Adds the rows of lower risk to far_below[event], or to near_below[event].
  void (*add_far)(const std::uint32_t* first, const std::uint32_t* last, const Tables& tables);
  void (*add_near)(const std::uint32_t* first, const std::uint32_t* last, const Tables& tables);
  void (*add_pairs)(const std::uint32_t* first, const std::uint32_t* last, const Tables& tables);
  /// keys[lane] += weight * (times * sum of counts[event's row][lane] * below[event][lane]), for
  /// events that are weighted alike. `rows` has the line of each event in the counts.
  void (*add_up)(const Tables& tables, const std::uint32_t* rows, const WeightedEvents* first,
                 const WeightedEvents* last, double times, double* keys);
};

using NarrowPairs = PairCountLoops<std::uint8_t, std::uint16_t, std::uint8_t>;
using WidePairs = PairCountLoops<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Most that counts may sum up to (twice, where risks tie) where `NarrowPairs` adds far nodes, and
/// near ones.
inline constexpr std::int64_t kMostFar = 32767;
inline constexpr std::int64_t kMostNear = 255;

/// The inner loops, once per instruction set.
struct PairCountKernel {
  NarrowPairs narrow;
  WidePairs wide;
};

extern const PairCountKernel kPairCountsPortable;
extern const PairCountKernel kPairCountsAvx2;
extern const PairCountKernel kPairCountsAvx512;

[[nodiscard]] inline const PairCountKernel& pair_count_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kPairCounts);
}

}  // namespace bbc::detail
