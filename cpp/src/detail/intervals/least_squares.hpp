#pragma once

#include <cstddef>
#include <vector>

namespace bbc::detail {

/// Slopes of the regression with intercept of a response on `n_columns` columns (design row by
/// row). Throws Error when the columns are not independent.
[[nodiscard]] std::vector<double> least_squares(std::vector<double> design,
                                                std::vector<double> response,
                                                std::size_t n_columns);

}  // namespace bbc::detail
