#pragma once

#include <bbc/philox.hpp>
#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Draws are made this many at a time.
inline constexpr std::int64_t kMultiplierLanes = 16;

/// Standard normal multipliers of draws [first, first + kMultiplierLanes) of a stream, as
/// multipliers[i * kMultiplierLanes + lane] for i < n: normal quantiles at the middles of 2^16
/// equal probabilities, indexed by 16 bits of a word, the low half first.
void draw_multipliers(std::uint64_t seed, std::uint32_t stream, std::int64_t first, std::size_t n,
                      std::vector<double>& multipliers);

}  // namespace bbc::detail
