#pragma once

#include <span>

#include "detail/fast/chunk_tables.hpp"
#include "detail/fast/panel_sums.hpp"

namespace bbc::detail {

/// In-bag errors of a block of replicates, for one panel of configurations after the other. What
/// has a pattern may also be pairs of rows: a pair counts as often as the product of its rows.
class ZeroOneSums {
 public:
  /// Configurations whose sums are kept at a time.
  static constexpr std::int64_t kPanel = 2048;

  /// Panels have at most `most` configurations.
  ZeroOneSums(const ErrorPatterns& patterns, const PatternSumsKernel& kernel,
              std::int64_t most = kPanel);

  /// The block of replicates that is summed from now on; `block` must live as long.
  void take(const ReplicateBlock& block) { tables_.take(block); }
  /// The same for some of the rows, whose patterns these are; `table` holds the counts of `block`,
  /// and all three must live as long.
  void take(const ReplicateBlock& block, const LaneTable& table,
            std::span<const std::int32_t> rows) {
    tables_.take(block, table, rows);
  }
  /// The same of other patterns, of as many configurations.
  void take(const ErrorPatterns& patterns, const ReplicateBlock& block, const LaneTable& table,
            std::span<const std::int32_t> rows) {
    patterns_ = &patterns;
    tables_.use(patterns);
    tables_.take(block, table, rows);
  }
  /// The same for pairs of rows; `lines` of the rows hold counts of at most `most`, whose square
  /// fits a byte.
  void take(std::span<const RowPair> pairs, const std::uint8_t* lines, int most) {
    tables_.take(pairs, lines, most);
  }

  /// What sums are looked up in.
  [[nodiscard]] ChunkTables& tables() noexcept { return tables_; }
  /// The sums of configurations [first, last), at most kPanel; valid until the next call.
  const PanelSums& panel(std::int64_t first, std::int64_t last, const StopFlag& stop) {
    run(first, last, /*best=*/false, stop);
    return sums_;
  }
  /// For each replicate the fewest errors among [first, last), and who has them first.
  void fewest(std::int64_t first, std::int64_t last, const StopFlag& stop, FewestErrors* fewest);
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
  void run(std::int64_t first, std::int64_t last, bool best, const StopFlag& stop);

  const ErrorPatterns* patterns_;
  ChunkTables tables_;
  PanelSums sums_;
};

}  // namespace bbc::detail
