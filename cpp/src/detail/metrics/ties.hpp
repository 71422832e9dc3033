#pragma once

#include <bbc/error.hpp>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "detail/metrics/sorted_scores.hpp"
#include "detail/support/limits.hpp"

namespace bbc::detail {

/// Calls visit(rows) with each group of tied rows, lowest score first.
template <class Visit>
void for_each_tie(const SortedScores& order, Visit visit) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < order.rows.size(); ++i) {
    if (order.is_tied_with_next(i)) continue;
    visit(std::span<const std::int32_t>(order.rows).subspan(begin, i + 1 - begin));
    begin = i + 1;
  }
}

/// Twice the number of (positive, negative) pairs in the right order, ties one half: exact.
inline std::int64_t twice_right_pairs(const SortedScores& order,
                                      std::span<const std::uint8_t> is_positive) {
  std::int64_t negative_below = 0;
  std::int64_t twice = 0;
  for_each_tie(order, [&](std::span<const std::int32_t> tied) {
    std::int64_t positive = 0;
    for (const std::int32_t row : tied) positive += is_positive[row] != 0 ? 1 : 0;
    const auto negative = static_cast<std::int64_t>(tied.size()) - positive;
    twice += positive * (2 * negative_below + negative);
    negative_below += negative;
  });
  return twice;
}

/// Refuses scores of other rows, and more than there may be.
inline void check_n_scores(std::size_t n_scores, std::size_t n_rows) {
  if (n_scores != n_rows) {
    throw_invalid("scores",
                  std::to_string(n_scores) + " values for " + std::to_string(n_rows) + " rows");
  }
  check_n_rows(static_cast<std::int64_t>(n_rows));
}

/// The order of scores that come from outside; Error names the first NaN.
inline SortedScores checked_order(std::span<const double> scores, std::size_t n_rows) {
  check_n_scores(scores.size(), n_rows);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (std::isnan(scores[row])) {
      throw_invalid("scores", "NaN", {{"row", static_cast<std::int64_t>(row)}});
    }
  }
  return sorted_scores(scores);
}

}  // namespace bbc::detail
