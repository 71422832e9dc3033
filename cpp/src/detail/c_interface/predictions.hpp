#pragma once

#include <bbc/c.h>

#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <vector>

namespace bbc::detail {

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
