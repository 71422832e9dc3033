#pragma once

#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Sample weights, none or one per row, brought to the order of 1 by a power of two: weights count
/// relative to each other, so products of their sums need neither overflow nor vanish, and no digit
/// changes. Even powers leave square roots of odd powers of them unchanged, too. Throws Error at
/// the first weight that is negative or not finite, or when all are zero.
[[nodiscard]] std::vector<double> in_units(std::vector<double> weights, std::int64_t n_rows,
                                           bool even_power = false);

}  // namespace bbc::detail
