#pragma once

#include <bbc/correction.hpp>
#include <span>

namespace bbc::detail {

/// The correction rung by rung of a search that dropped configurations on the way (see
/// selection::Rungs).
[[nodiscard]] Estimate correct_rungs(const Target& target, std::span<const Predictions> repeats,
                                     const CorrectionOptions& options, const Control& control);

}  // namespace bbc::detail
