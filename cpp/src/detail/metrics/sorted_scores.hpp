#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// Rows in ascending order of score; equal scores stand in order of row.
struct SortedScores {
  std::vector<std::int32_t> rows;
  /// Whether the row at the next position has the same score; empty: all scores differ.
  std::vector<std::uint8_t> tied_with_next;

  [[nodiscard]] bool is_tied_with_next(std::size_t i) const noexcept {
    return !tied_with_next.empty() && tied_with_next[i] != 0;
  }
};

/// Sorts columns of scores without NaN; its memory is used again from column to column.
class ScoreSorter {
 public:
  void sort(std::span<const double> scores, SortedScores& sorted);

 private:
  void sort_by_code(std::span<const double> scores, double low, double scale, int digit_bits);
  void sort_within_buckets(std::span<const double> scores, SortedScores& sorted);

  std::vector<std::uint64_t> packed_;  // code << 32 | row
  std::vector<std::uint64_t> other_;
  std::vector<std::uint32_t> starts_;
};

[[nodiscard]] SortedScores sorted_scores(std::span<const double> scores);

}  // namespace bbc::detail
