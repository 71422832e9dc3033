#pragma once

#include <bbc/c.h>

#include <bbc/correction.hpp>
#include <cstdint>

namespace bbc::detail {

// What a `bbc_problem` asks, in the kernel's words.

[[nodiscard]] bbc_problem default_problem();

/// The caller's struct, as this version knows it.
[[nodiscard]] bbc_problem checked_problem(const bbc_problem* problem);

[[nodiscard]] Target make_target(const bbc_problem& problem);

/// `n_configurations` is 0 where they come in blocks.
[[nodiscard]] CorrectionOptions make_options(const bbc_problem& problem, std::int64_t n_repeats,
                                             std::int64_t n_configurations = 0);

[[nodiscard]] Control make_control(const bbc_problem& problem);

}  // namespace bbc::detail
