#pragma once

#include <span>
#include <vector>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/support/parallel.hpp"

namespace bbc::detail {

/// Rows of one repeat's predictions that are sorted together.
struct RowsToSort {
  const Predictions& predictions;
  std::span<const std::int32_t> rows;  ///< empty: all
};

/// Sorts each configuration's scores in each part, in parallel, and hands them over:
/// write(part, configuration, sorted). Each task makes its own `write`.
template <class MakeWrite>
void sort_columns(std::span<const RowsToSort> parts, const Control& control,
                  double expected_nanoseconds, const MakeWrite& make_write) {
  constexpr std::int64_t kTile = 8;  // configurations that a worker prepares at a time
  parallel_pieces(n_configurations(parts[0].predictions), kTile, control, expected_nanoseconds,
                  [&](std::int64_t first, std::int64_t last, const StopFlag& stop) {
                    auto write = make_write();
                    ScoreSorter sorter;
                    SortedScores sorted;
                    std::vector<double> columns;
                    for (std::size_t part = 0; part < parts.size(); ++part) {
                      read_columns(parts[part].predictions, first, last, parts[part].rows, columns);
                      const std::size_t n = columns.size() / static_cast<std::size_t>(last - first);
                      for (std::int64_t j = first; j < last; ++j) {
                        stop.check();
                        sorter.sort({columns.data() + static_cast<std::size_t>(j - first) * n, n},
                                    sorted);
                        write(part, j, sorted);
                      }
                    }
                  });
}

}  // namespace bbc::detail
