#pragma once

#include <cstdint>

#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

// Wrong labels are counted by look-up ("four Russians"). Rows go in groups of six; an error
// pattern, six bits, says which rows of a group a configuration gets wrong. For each group a table
// holds the 64 subset sums of the rows' counts, of all replicates of a block side by side, one
// byte each: one addition per configuration and group serves 6 rows x 64 replicates. Eight
// groups make a chunk, whose tables fit into the first-level cache.
inline constexpr int kGroupRows = 6;
inline constexpr int kPatterns = 1 << kGroupRows;
inline constexpr int kChunkGroups = 8;
inline constexpr int kChunkRows = kGroupRows * kChunkGroups;
/// Patterns are stored as the offset of their table entry.
inline constexpr int kPatternShift = 6;
static_assert(1 << kPatternShift == kBlock);
/// Configurations whose error patterns are made at a time.
inline constexpr int kPackTile = 256;

/// Sums of 16 bits are stored even lanes first: bytes fall apart into them without a shuffle.
constexpr int word_of_lane(int lane) { return lane % 2 * (kBlock / 2) + lane / 2; }

/// The patterns of a chunk side by side: bit i is set where row i is wrong.
inline std::uint64_t error_bits(const std::uint16_t* offsets) {
  std::uint64_t bits = 0;
  for (int group = 0; group < kChunkGroups; ++group) {
    bits |= static_cast<std::uint64_t>(offsets[group] >> kPatternShift) << (group * kGroupRows);
  }
  return bits;
}

/// What becomes of the sums of a chunk: added to the bytes, moved on to the words, or moved on
/// and compared, the last chunk being in.
enum class SumsTo { bytes, words, best };

/// Adds one chunk of one repeat to the sums of some configurations.
struct ZeroOneStep {
  const std::uint8_t* tables;
  int n_groups;
  const std::uint16_t* offsets;  ///< [configuration][kChunkGroups]
  std::int64_t n_configurations;
  SumsTo to;
  bool bytes_fresh;       ///< `bytes` hold nothing yet
  bool words_fresh;       ///< `words` hold nothing yet
  std::uint8_t* bytes;    ///< [configuration][lane]
  std::uint16_t* words;   ///< [configuration][word of lane]
  std::uint16_t* fewest;  ///< [word of lane]: fewest errors, and
  std::uint16_t* where;   ///< the first configuration that has them
};

/// Where one configuration's error patterns are: the strides are in offsets.
struct ErrorColumn {
  const std::uint16_t* offsets;  ///< of the first chunk in the first repeat
  std::int64_t chunk_stride;
  std::int64_t repeat_stride;
  std::int64_t n_repeats;
};

/// Errors in rows that a replicate did not draw, over all repeats, and how many such rows are.
struct OutOfBagErrors {
  std::int64_t errors;
  std::int64_t n_rows;
};

/// The fewest errors that a configuration has in a replicate, and the first that has them.
struct FewestErrors {
  std::int64_t errors;
  std::int64_t configuration;
};

/// Two rows, whose counts are multiplied.
struct RowPair {
  std::int32_t first;
  std::int32_t second;
};

/// Labels of some configurations in one row.
template <class T>
struct LabelRow {
  const T* labels;
  int n_configurations;
  T truth;
  bool truth_fits;  ///< otherwise no value of type T is the truth
  T lowest;         ///< of the labels that T can hold: the range of them,
  T highest;        ///< or just these two
  bool is_range;
};

/// Labels of one type.
template <class T>
struct LabelKernel {
  /// Writes 1 where a label is not the truth; returns whether all labels are known ones.
  bool (*find_errors)(const LabelRow<T>& row, std::uint8_t* errors);
};

/// Makes error patterns.
struct PatternKernel : LabelKernel<std::int8_t>,
                       LabelKernel<std::uint8_t>,
                       LabelKernel<std::int16_t>,
                       LabelKernel<std::int32_t>,
                       LabelKernel<std::int64_t> {
  /// Writes 1 where a > b; returns whether any two are equal.
  bool (*greater)(const double* a, const double* b, int n, std::uint8_t* greater);
  /// Error patterns of kPackTile configurations, from errors [row of chunk][configuration].
  void (*pack)(const std::uint8_t* errors, std::uint16_t* offsets);

  template <class T>
  bool errors(const LabelRow<T>& row, std::uint8_t* errors) const {
    return LabelKernel<T>::find_errors(row, errors);
  }
};

/// Adds up the errors of many configurations.
struct PatternSumsKernel {
  /// The largest sum over some rows of any lane.
  int (*weight)(const std::uint8_t* lines, int n_rows);
  /// Lines of the products of pairs, which must fit bytes; n is at most a chunk's rows.
  void (*products)(const RowPair* pairs, int n, const std::uint8_t* lines, std::uint8_t* products);
  /// Tables of a chunk's groups, [group][pattern][lane], from lines of counts.
  void (*tables)(const std::uint8_t* lines, int n_rows, std::uint8_t* tables);
  void (*step)(const ZeroOneStep& step);
  /// sums[i] += weight * words[i] of n, which fills whole lines.
  void (*add_weighed)(const std::uint16_t* words, std::int64_t n, float weight, float* sums);
};

/// Counts the errors of one configuration.
struct ErrorCountKernel {
  OutOfBagErrors (*out_of_bag)(const ErrorColumn& column, const std::uint16_t* counts,
                               std::int64_t n_rows);
  /// Adds the products of the pairs whose bits are set up.
  void (*add_products)(const RowPair* pairs, std::uint64_t wanted, const std::uint8_t* lines,
                       std::uint32_t* sums);
};

/// The inner loops, once per instruction set.
struct ZeroOneKernel {
  PatternKernel patterns;
  PatternSumsKernel sums;
  ErrorCountKernel counts;
};

extern const ZeroOneKernel kZeroOnePortable;
extern const ZeroOneKernel kZeroOneAvx2;
extern const ZeroOneKernel kZeroOneAvx512;

[[nodiscard]] inline const ZeroOneKernel& zero_one_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kZeroOne);
}

}  // namespace bbc::detail
