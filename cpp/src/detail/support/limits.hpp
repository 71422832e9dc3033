#pragma once

#include <bbc/control.hpp>
#include <cstdint>
#include <limits>
#include <string>

namespace bbc::detail {

// How large a problem may be. Rows are numbered in 32 bits and counted with their sign; replicates
// are words of a Philox counter.

inline constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();
/// Of one block.
inline constexpr std::int64_t kMostConfigurations = std::numeric_limits<std::int32_t>::max();
/// Of one block: rows x configurations x outputs x repeats. Bytes of what is prepared from them are
/// then numbers of 64 bits.
inline constexpr double kMostValues = 0x1p48;
/// Sums per class are laid out for several replicates side by side.
inline constexpr std::int32_t kMostClasses = 1 << 27;
inline constexpr std::int64_t kMostReplicates = limit_of("n_bootstraps");

/// Throws Error unless there are 1 to kMostRows rows.
void check_n_rows(std::int64_t n_rows);
/// Throws Error unless there are 1 to kMostReplicates replicates.
void check_n_bootstraps(std::int64_t n_bootstraps);
/// Throws Error if there are more than kMostRivals configurations.
void check_n_rivals(std::int64_t n_configurations);
/// Throws Error unless it is between `lowest` and the limit of that name.
void check_count(const std::string& name, std::int64_t count, std::int64_t lowest);

}  // namespace bbc::detail
