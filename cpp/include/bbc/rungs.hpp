#pragma once

#include <bbc/export.h>

#include <bbc/selection.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// How rungs score.
struct RungOptions {
  /// Rungs that end within this share of the rows choose, but do not score: their choice rests on
  /// few rows.
  double burn = 0.25;
  /// Further rungs that choose only, such as those whose scores a sampler saw.
  std::vector<std::int32_t> choose_only;
};

/// The rungs of a search that dropped configurations on the way: halving, ASHA, a pruner.
///
/// `predicted` says which configuration predicted which row, (row, configuration). Rows of one rung
/// are those that the same configurations predicted, and rungs follow each other from the most
/// configurations to the fewest; `of_row` gives the numbers, in the order of the search, where they
/// are known (empty: found from the pattern). The sets of configurations must be nested: what was
/// dropped does not come back. A row whose unit (empty: each row is one) has a row in an earlier
/// rung is not fresh, and chooses only.
///
/// Throws Error at a row that nothing predicted, at the first two configurations that are dropped
/// in either order, and where no row is left to score.
[[nodiscard]] BBC_API selection::Rungs find_rungs(std::span<const std::uint8_t> predicted,
                                                  std::int64_t n_rows,
                                                  std::int64_t n_configurations,
                                                  std::span<const std::int32_t> of_row,
                                                  std::span<const std::int32_t> unit_of_row,
                                                  const RungOptions& options = {});

}  // namespace bbc
