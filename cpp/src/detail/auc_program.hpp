#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "detail/sorted_scores.hpp"

namespace bbc::detail {

/// Rows of a step are walked in groups of this many.
inline constexpr int kRowGroup = 8;

/// Most rows of a step: their bootstrap counts sum to less than 256 per class but for an accident
/// of more than 11 standard deviations, which the walk finds out.
inline constexpr int kStepRows = 128;

/// Most steps of a stretch: 127 x 255 still fits the 16-bit totals of a walk.
inline constexpr int kStretchSteps = 127;

/// How to walk one configuration's rows in order of score without a branch that depends on them.
///
/// The number of (positive, negative) pairs in the right order, ties counting one half, is a sum
/// over runs of positives: (the run's weight) x (the weight of the negatives below). A step takes
/// up to kStepRows rows. It first adds up the weights of its negatives and goes on with those of
/// its positives, keeping every partial sum; then it reads the partial sums where runs end.
///
/// Words of a step: the header; the rows, negatives first, filled up with the row of zeros to a
/// multiple of kRowGroup; `n_lower` runs that count the negatives strictly below; `n_upper` runs
/// of the same positives that count the tied negatives too. Both numbers are even, an empty run
/// fills up. A step without ties between the classes has no upper runs, and its lower ones count
/// twice. Ties of more than kStepRows rows become steps of their own: positives, negatives, and
/// the same positives again, each time counting once.
struct AucProgram {
  struct Step {
    std::uint16_t n_rows;
    std::uint16_t n_negatives;
    std::uint16_t n_positives;
    std::uint16_t n_lower;
    std::uint16_t n_upper;
    std::uint16_t multiplier;
  };
  /// Places of two partial sums, in bytes: of the negatives below, and of the positives at the end.
  struct Run {
    std::uint16_t below;
    std::uint16_t end;
  };
  static constexpr std::size_t kHeaderWords = sizeof(Step) / sizeof(std::uint32_t);
  static_assert(sizeof(Run) == sizeof(std::uint32_t));

  /// Rows are byte offsets into a table of 64 bytes per row.
  std::vector<std::uint32_t> words;
  /// Where each stretch ends, in words.
  std::vector<std::uint32_t> stretch_ends;
  /// The key when every row weighs one: twice the pairs in the right order.
  double plain_key = 0.0;
};

/// Writes the programs of columns that share their rows.
class AucProgrammer {
 public:
  /// The rows' classes (0 or 1) and their places in the table of weights, whose line `n_lines`
  /// is the row of zeros.
  AucProgrammer(std::span<const std::int32_t> codes, std::span<const std::int32_t> lines,
                std::int64_t n_lines);

  void write(const SortedScores& order, AucProgram& program);

 private:
  using Step = AucProgram::Step;
  using Run = AucProgram::Run;

  [[nodiscard]] std::uint32_t row(const SortedScores& order, std::size_t i) const {
    return rows_[static_cast<std::size_t>(order.rows[i])];
  }
  [[nodiscard]] static bool is_positive(std::uint32_t row) { return (row & 1U) != 0; }

  void untied_step(const SortedScores& order, std::size_t first, std::size_t last);
  void tied_step(const SortedScores& order, std::size_t first, std::size_t last);
  void great_tie(const SortedScores& order, std::size_t first, std::size_t last);
  /// Rows of one class alone.
  void plain_steps(const std::vector<std::uint32_t>& rows, bool positive, std::uint16_t multiplier);
  void finish_step(std::uint16_t multiplier);

  static constexpr std::size_t kMost = kStepRows + kRowGroup;

  std::vector<std::uint32_t> rows_;  // byte offset | class
  std::uint32_t zeros_;

  // The step being written.
  std::uint32_t negatives_[kMost];
  std::uint32_t positives_[kMost];
  Run lower_[kMost];
  Run upper_[kMost];
  std::size_t n_negatives_ = 0;
  std::size_t n_positives_ = 0;
  std::size_t n_lower_ = 0;
  std::size_t n_upper_ = 0;

  std::vector<std::uint32_t> words_;
  std::size_t n_words_ = 0;
  std::vector<std::uint32_t> stretch_ends_;
  int steps_in_stretch_ = 0;
  std::int64_t negatives_before_ = 0;
  std::int64_t key_ = 0;
};

}  // namespace bbc::detail
