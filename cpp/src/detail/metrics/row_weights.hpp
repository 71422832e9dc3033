#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// What sums of weights are: counts of rows; integers; or numbers that have to be rounded.
enum class WeightKind { none, integer, real };

/// The most that the rows of all integer weights may add up to: products of two such sums are
/// exact.
inline constexpr std::int64_t kMostIntegerWeight = std::int64_t{1} << 26;

/// Sample weights, none or one per row, in a unit of their own: weights count relative to each
/// other. Equal weights are none. Weights that are whole multiples of a common step become these
/// multiples where they are small enough. Other weights are brought to the order of 1 by a power
/// of two, so that products of their sums need neither overflow nor vanish, and no digit changes;
/// even powers leave square roots of odd powers of them unchanged, too. Weights in units stay as
/// they are. Throws Error at the first weight that is negative or not finite, or when all are zero.
[[nodiscard]] std::vector<double> relative_weights(std::vector<double> weights, std::int64_t n_rows,
                                                   bool even_power = false);

/// The kind of weights in units.
[[nodiscard]] WeightKind kind_of(std::span<const double> weights);

}  // namespace bbc::detail
