#pragma once

// Winners of a correction, and its replicates, as the kernel takes them.
#include <bbc/winners.hpp>
#include <cstdint>
#include <span>
#include <vector>

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

/// A metric that is an R function: `scores(rows, configurations)`, which count from 1, returns one
/// number per configuration, or none where there are no rows.
inline bbc::OwnMetric make_own_metric(const cpp11::function& scores,
                                      const cpp11::doubles& on_all_rows, bool size_dependent) {
  bbc::OwnMetric metric;
  metric.scores = [scores](std::span<const std::int64_t> rows,
                           std::span<const std::int64_t> configurations, std::int64_t /*repeat*/) {
    const auto numbers = [](std::span<const std::int64_t> given) {
      return numbered(std::vector<std::int64_t>(given.begin(), given.end()));
    };
    const cpp11::doubles found(scores(numbers(rows), numbers(configurations)));
    return bbc::ScoresOfRows{{found.begin(), found.end()}, 0};
  };
  metric.on_all_rows = {on_all_rows.begin(), on_all_rows.end()};
  metric.size_dependent = size_dependent;
  return metric;
}

/// Both count from 1.
inline bbc::Winners make_winners(const cpp11::integers& of_replicates, int of_all_rows) {
  bbc::Winners winners;
  for (const int index : of_replicates) winners.of_replicates.push_back(std::int64_t{index} - 1);
  winners.of_all_rows = std::int64_t{of_all_rows} - 1;
  return winners;
}

}  // namespace bbcr
