#pragma once

#include <cstdint>

namespace bbc::detail {

/// The best configuration seen so far in one replicate (or on all rows), and the reported score
/// of that configuration.
struct Best {
  double key = 0.0;
  std::int64_t configuration = -1;
  double score = 0.0;
};

/// Better key, then lower index: the reduction of blocks of configurations.
[[nodiscard]] inline bool beats(double key, std::int64_t configuration, const Best& incumbent) {
  if (incumbent.configuration < 0) return configuration >= 0;
  if (configuration < 0) return false;
  return key != incumbent.key ? key > incumbent.key : configuration < incumbent.configuration;
}

}  // namespace bbc::detail
