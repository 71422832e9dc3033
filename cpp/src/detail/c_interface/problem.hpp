#pragma once

#include <bbc/c.h>

#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/error.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Bytes of a struct up to a member, with it. Those up to the last member of the first version are
/// what every caller has. To append a member: put it last, such that no padding follows it (so not
/// an `int` alone) and zero is its default; leave the first version alone, and let the assertion
/// name the new last member.
#define BBC_END_OF(type, member) (offsetof(type, member) + sizeof(type::member))

namespace bbc::detail {

inline void require(bool condition, const char* argument, const char* problem) {
  if (!condition) throw_invalid(argument, problem);
}

// What a `bbc_problem` asks, in the kernel's words.

[[nodiscard]] bbc_problem default_problem();

/// The caller's struct, as this version knows it.
[[nodiscard]] bbc_problem checked_problem(const bbc_problem* problem);

[[nodiscard]] Target make_target(const bbc_problem& problem);

/// `n_configurations` is 0 where they come in blocks.
[[nodiscard]] CorrectionOptions make_options(const bbc_problem& problem, std::int64_t n_repeats,
                                             std::int64_t n_configurations = 0);

[[nodiscard]] Control make_control(const bbc_problem& problem);

// What `bbc_predictions` points to, as views.

[[nodiscard]] bbc_predictions default_predictions();

/// The caller's struct, as this version knows it.
[[nodiscard]] bbc_predictions checked_block(const bbc_predictions* given);

/// Whether the positive label is the smaller one: class scores come by sorted labels, but codes
/// have the positive class last.
[[nodiscard]] bool has_reversed_classes(const Target& target);

/// Views of a checked block; `reversed` ones have their two classes the other way round.
[[nodiscard]] std::vector<Predictions> make_repeats(const bbc_predictions& block, bool reversed);

}  // namespace bbc::detail
