#pragma once

#include <array>
#include <bbc/philox.hpp>
#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Draws are made this many at a time.
inline constexpr std::size_t kMultiplierLanes = 16;

/// Standard normal multipliers of draws [first, first + kMultiplierLanes) of a stream, as
/// multipliers[i * kMultiplierLanes + lane] for i < n: normal quantiles at the middles of 2^16
/// equal probabilities, indexed by 16 bits of a word, the low half first.
void draw_multipliers(std::uint64_t seed, std::uint32_t stream, std::int64_t first, std::size_t n,
                      std::vector<double>& multipliers);

/// Sums of values times their multipliers, by lane.
inline std::array<double, kMultiplierLanes> combined(const double* values,
                                                     const std::vector<double>& multipliers) {
  std::array<double, kMultiplierLanes> sums{};
  for (std::size_t i = 0; i < multipliers.size(); i += kMultiplierLanes) {
    const double value = *values++;
    for (std::size_t lane = 0; lane < kMultiplierLanes; ++lane) {
      sums[lane] += value * multipliers[i + lane];
    }
  }
  return sums;
}

}  // namespace bbc::detail
