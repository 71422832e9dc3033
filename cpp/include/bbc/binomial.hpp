#pragma once

#include <bbc/export.h>

#include <bbc/interval_estimate.hpp>
#include <cstdint>

namespace bbc {

/// Wilson's score interval of a proportion (1927).
[[nodiscard]] BBC_API IntervalEstimate wilson(std::int64_t n_successes, std::int64_t n_trials,
                                              const Confidence& confidence);

/// Clopper and Pearson's exact interval of a proportion (1934).
[[nodiscard]] BBC_API IntervalEstimate clopper_pearson(std::int64_t n_successes,
                                                       std::int64_t n_trials,
                                                       const Confidence& confidence);

}  // namespace bbc
