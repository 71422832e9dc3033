#include "detail/intervals/normal_multipliers.hpp"

#include <bbc/interval.hpp>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

constexpr std::size_t kQuantiles = std::size_t{1} << 16U;

const std::vector<double>& quantiles() {
  static const std::vector<double> table = [] {
    std::vector<double> values(kQuantiles);
    for (std::size_t k = kQuantiles / 2; k < kQuantiles; ++k) {
      values[k] = normal_quantile((static_cast<double>(k) + 0.5) / kQuantiles);
      values[kQuantiles - 1 - k] = -values[k];
    }
    return values;
  }();
  return table;
}

}  // namespace

void draw_multipliers(std::uint64_t seed, std::uint32_t stream, std::int64_t first, std::size_t n,
                      std::vector<double>& multipliers) {
  const std::vector<double>& table = quantiles();
  multipliers.resize(n * kMultiplierLanes);
  for (std::size_t lane = 0; lane < kMultiplierLanes; ++lane) {
    WordStream words(seed, stream,
                     static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(lane), 0);
    for (std::size_t i = 0; i < n; i += 2) {
      const std::uint32_t word = words.next();
      double* pair = multipliers.data() + i * kMultiplierLanes + lane;
      pair[0] = table[word & 0xFFFFU];
      if (i + 1 < n) pair[kMultiplierLanes] = table[word >> 16U];
    }
  }
}

}  // namespace bbc::detail
