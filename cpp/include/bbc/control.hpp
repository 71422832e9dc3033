#pragma once

#include <bbc/export.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>

namespace bbc {

/// Version of the kernel, "major.minor.patch".
[[nodiscard]] BBC_API const char* version() noexcept;

/// The largest count that an argument may be, by its name in Python, R and C.
struct Limit {
  std::string_view name;
  std::int64_t most;
};

/// Of all counts that are not in the table, such as rows, configurations and folds: what is counted
/// is numbered in 32 bits.
inline constexpr std::int64_t kMostOfAll = std::numeric_limits<std::int32_t>::max();

/// A larger one would be a mistake, and cost memory or time that no input backs. Replicates are
/// words of a Philox counter.
inline constexpr std::array kLimits{
    Limit{"n_bootstraps", std::numeric_limits<std::uint32_t>::max()},
    Limit{"n_threads", 1 << 15},
    Limit{"n_rounds", 1'000'000},
    Limit{"n_bins", 10'000},
    Limit{"n_groups", 1'000'000},
    Limit{"n_strata", 1'000'000},
    Limit{"n_repeats", 1'000'000},
    Limit{"n_resamples", 1'000'000},
    Limit{"n_halvings", 1'000'000},
    Limit{"n_permutations", 1'000'000},
    Limit{"n_simulations", 1'000'000},
    Limit{"n_samples", 1'000'000},
};

/// Configurations among which possible_winners looks for the best, each compared with all that are
/// left: time grows with the square of their number. 10,000 take minutes, as many as this hours.
inline constexpr std::int64_t kMostRivals = 100'000;

/// The limit of that name, kMostOfAll for names that are not in the table.
constexpr std::int64_t limit_of(std::string_view name) {
  for (const Limit& limit : kLimits) {
    if (limit.name == name) return limit.most;
  }
  return kMostOfAll;
}

/// How a call runs; nothing here changes a bit of the result.
struct Control {
  /// Worker threads; 0 takes all cores.
  int n_threads = 0;
  /// Called about every 50 ms on the calling thread with the share that is done of the current
  /// step, of which a call takes several (preparing, drawing and scoring; piece by piece where
  /// there is much of it). Returning false stops the call with ErrorCode::cancelled. May throw.
  std::function<bool(double)> poll;
};

}  // namespace bbc
