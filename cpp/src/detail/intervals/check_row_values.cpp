#include "detail/intervals/check_row_values.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

void check_row_values(const RowValues& rows) {
  if (rows.n_rows < 1 || rows.n_configurations < 1) throw_invalid("rows", "there are none");
  const auto n_rows = static_cast<std::size_t>(rows.n_rows);
  const auto n_configurations = static_cast<std::size_t>(rows.n_configurations);
  if (rows.scores.size() != n_configurations) {
    throw_invalid("rows", std::to_string(rows.scores.size()) + " scores for " +
                              std::to_string(n_configurations) + " configurations");
  }
  if (rows.values.size() / n_rows != n_configurations || rows.values.size() % n_rows != 0) {
    throw_invalid("rows", std::to_string(rows.values.size()) + " values for " +
                              std::to_string(n_configurations) + " configurations of " +
                              std::to_string(n_rows) + " rows");
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(rows.values, finite) || !std::ranges::all_of(rows.scores, finite)) {
    throw_invalid("rows", "a value or a score is not finite");
  }
  if (!(rows.step >= 0.0 && std::isfinite(rows.step))) {
    throw_invalid("rows", "the step between scores must be at least 0");
  }
}

}  // namespace bbc::detail
