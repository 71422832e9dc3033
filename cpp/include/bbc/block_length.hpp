#pragma once

#include <bbc/export.h>

#include <bbc/row_values.hpp>
#include <cstdint>
#include <span>

namespace bbc {

/// How many neighbouring rows are drawn together where rows are in order of time.
struct BlockLength {
  std::int64_t length = 1;
  /// Whether longer blocks were wanted than an eighth of the rows: too few independent stretches.
  bool is_capped = false;
};

/// Three times the median, over the first 15 configurations, of the block length of Politis and
/// White (2004, corrected by Patton, Politis and White 2009) for the circular bootstrap of their
/// rows' values, at least the cube root of the number of rows, at most an eighth of it.
[[nodiscard]] BBC_API BlockLength block_length(const RowValues& values);

/// The same of predictions: by what rows contribute to means over rows and to the AUC, and for
/// other metrics of labels and numbers by whether a label is wrong, or by squared errors. Throws
/// Error for metrics that have no values of rows.
[[nodiscard]] BBC_API BlockLength block_length(const Target& target,
                                               std::span<const Predictions> repeats,
                                               const Metric& metric, const Control& control = {});

}  // namespace bbc
