#pragma once

#include <span>
#include <vector>

#include "detail/fast/error_patterns.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {

/// In-bag errors of a block of replicates, for one panel of configurations after the other. What
/// has a pattern may also be pairs of rows: a pair counts as often as the product of its rows.
class ZeroOneSums {
 public:
  /// Configurations whose sums are kept at a time.
  static constexpr std::int64_t kPanel = 2048;

  ZeroOneSums(const ErrorPatterns& patterns, const ZeroOneKernel& kernel);

  /// The block of replicates that is summed from now on; `bag` must live as long.
  void take(const Bag& bag);
  /// The same for pairs of rows; `lines` of the rows hold counts of at most `most`, whose square
  /// fits a byte.
  void take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most);

  struct Least {
    std::int64_t errors;
    std::int64_t configuration;
  };
  /// For each replicate the fewest errors among [first, last), and who has them first.
  void least(std::int64_t first, std::int64_t last, const StopFlag& stop, Least* least);
  /// Adds `times` the sums, which must fit 31 bits, to twice[(configuration - first) * kBlock +
  /// lane].
  void add_to(std::int64_t first, std::int64_t last, std::int32_t times, const StopFlag& stop,
              std::int32_t* twice);
  /// errors[lane * (last - first) + configuration].
  void all(std::int64_t first, std::int64_t last, const StopFlag& stop, double* errors);
  /// Adds to counts[configuration - first] the replicates in which it has more errors than `than`.
  void count_more(std::int64_t first, std::int64_t last, std::int64_t than, const StopFlag& stop,
                  std::int64_t* counts);

 private:
  /// A chunk whose counts are small enough for sums of one byte; chunks with larger counts come
  /// several times, each time with at most kClamp of what is left of each count.
  struct Pass {
    std::int64_t chunk;
    int weight;
    std::int32_t taken;  // of each count by earlier passes; -1: the chunk comes once
  };
  static constexpr int kClamp = 5;
  static_assert(kClamp * kChunkRows <= 255);

  /// Room for the sums of a panel.
  [[nodiscard]] std::size_t n_sums() const noexcept {
    const std::int64_t n = patterns_.n_configurations();
    return static_cast<std::size_t>((n < kPanel ? n : kPanel) * kBlock);
  }
  void plan(int most);
  /// A chunk's lines, until the next call.
  const std::uint8_t* lines_of(std::int64_t chunk);
  void build_tables(const Pass& pass);
  /// Runs all passes. The sums end in `words_`, or with `best` in `least_` and `where_`; false
  /// says that they did not fit and are in `longs_`.
  bool run(std::int64_t first, std::int64_t n, bool best, const StopFlag& stop);
  void spill(std::int64_t n);

  const ErrorPatterns& patterns_;
  const ZeroOneKernel& kernel_;
  const Bag* bag_ = nullptr;
  LaneTable table_;
  const std::uint8_t* lines_ = nullptr;  // of the rows; nullptr: the counts do not fit bytes
  std::span<const RowPair> pairs_;       // empty: rows have the patterns
  Aligned<std::uint8_t> products_;       // of a chunk of pairs
  std::vector<Pass> passes_;
  Aligned<std::uint8_t> tables_;
  Aligned<std::uint8_t> bytes_;
  Aligned<std::uint16_t> words_;
  std::vector<std::int64_t> longs_;  // [configuration][word of lane]
  Aligned<std::uint16_t> least_;     // [word of lane], and
  Aligned<std::uint16_t> where_;     // who has them first
};

}  // namespace bbc::detail
