#include "detail/support/limits.hpp"

#include <bbc/error.hpp>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

void check_n_rows(std::int64_t n_rows) {
  if (n_rows >= 1 && n_rows <= kMostRows) return;
  throw_invalid("n_rows", "must be between 1 and 2^31 - 1, not " + std::to_string(n_rows));
}

void check_n_bootstraps(std::int64_t n_bootstraps) {
  if (n_bootstraps >= 1 && n_bootstraps <= kMostReplicates) return;
  throw_invalid("n_bootstraps",
                "must be between 1 and 2^32 - 1, not " + std::to_string(n_bootstraps));
}

void check_n_rivals(std::int64_t n_configurations) {
  if (n_configurations <= kMostRivals) return;
  throw_invalid("predictions", "have " + std::to_string(n_configurations) +
                                   " configurations, at most " + std::to_string(kMostRivals) +
                                   " can be compared with each other");
}

void check_count(const std::string& name, std::int64_t count, std::int64_t lowest) {
  if (count >= lowest && count <= limit_of(name)) return;
  throw_invalid(name, "must be between " + std::to_string(lowest) + " and " +
                          std::to_string(limit_of(name)) + ", not " + std::to_string(count));
}

}  // namespace bbc::detail
