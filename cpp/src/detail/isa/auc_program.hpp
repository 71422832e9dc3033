#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// Rows of a step are walked in groups of this many.
inline constexpr int kRowGroup = 8;

/// Most rows of a step: their bootstrap counts sum to less than 256 per class but for an accident
/// of more than 11 standard deviations, which the walk finds out.
inline constexpr int kStepRows = 128;

/// Most steps of a segment: 127 x 255 still fits the 16-bit totals of a walk.
inline constexpr int kSegmentSteps = 127;

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
///
/// A program may have several parts, each of which counts its negatives anew.
struct AucProgram {
  struct Step {
    std::uint16_t n_rows;
    std::uint16_t n_negatives;
    std::uint16_t n_positives;
    std::uint16_t n_lower;
    std::uint16_t n_upper;
    std::int16_t lower_multiplier;
    std::uint32_t starts_part;
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
  /// Where each segment ends, in words.
  std::vector<std::uint32_t> segment_ends;
  /// The key when every row weighs one: twice the pairs in the right order.
  double plain_key = 0.0;
};

/// Writes programs, part by part; its memory is used again from program to program.
class AucProgrammer {
 public:
  /// The table of weights has `n_lines` lines, and the row of zeros behind them.
  explicit AucProgrammer(std::int64_t n_lines);

  /// A row's place in the table, and its class (0 or 1).
  [[nodiscard]] static std::uint32_t coded(std::int64_t line, std::int32_t code);

  void begin();
  /// Coded rows in ascending order of score; whether each ties with the next, empty: none does.
  void add_part(std::span<const std::uint32_t> rows, std::span<const std::uint8_t> tied_with_next);
  void finish(AucProgram& program);

 private:
  using Step = AucProgram::Step;
  using Run = AucProgram::Run;

  [[nodiscard]] static bool is_positive(std::uint32_t row) { return (row & 1U) != 0; }

  void untied_step(std::span<const std::uint32_t> rows);
  void tied_step(std::span<const std::uint32_t> rows, std::span<const std::uint8_t> tied_with_next);
  void oversized_tie(std::span<const std::uint32_t> rows);
  /// Rows of one class alone.
  void plain_steps(const std::vector<std::uint32_t>& rows, bool positive, std::int16_t multiplier);
  void finish_step(std::int16_t lower_multiplier);
  void end_segment();

  static constexpr std::size_t kMost = kStepRows + kRowGroup;

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
  bool starts_part_ = false;

  std::vector<std::uint32_t> words_;
  std::size_t n_words_ = 0;
  std::vector<std::uint32_t> segment_ends_;
  int steps_in_segment_ = 0;
  std::int64_t negatives_before_ = 0;
  std::int64_t key_ = 0;
};

}  // namespace bbc::detail
