#pragma once

// Winners of a correction, and its replicates, as the kernel takes them.
#include <bbc/winners.hpp>
#include <cstdint>

#include "convert.hpp"

namespace bbcr {

/// `places` is a matrix (row, repeat), counted from 0, or NULL.
inline bbc::Redraws make_redraws(const list& target, const list& options, SEXP places) {
  return {make_target(target),
          make_options(options),
          codes_of(places),
          Rf_isNull(places) ? 1 : Rf_ncols(places),
          {}};
}

/// Both count from 1.
inline bbc::Winners make_winners(const cpp11::integers& of_replicates, int of_all_rows) {
  bbc::Winners winners;
  for (const int index : of_replicates) winners.of_replicates.push_back(std::int64_t{index} - 1);
  winners.of_all_rows = std::int64_t{of_all_rows} - 1;
  return winners;
}

}  // namespace bbcr
