#pragma once

#include <bbc/correction.hpp>
#include <span>

#include "detail/choices/choice_rule.hpp"

namespace bbc::detail {

/// The correction of a rule that derives predictions: Algorithm 5 of Tsamardinos et al. (2018),
/// where what is chosen in bag is a column of predictions. The columns of a block's replicates
/// stand side by side, as so many configurations, so that every metric scores them as it does any.
[[nodiscard]] Estimate correct_choice(const Target& target, std::span<const Predictions> repeats,
                                      const CorrectionOptions& options, const Control& control);

/// The correction rung by rung of a search that dropped configurations on the way (see
/// selection::Rungs).
[[nodiscard]] Estimate correct_rungs(const Target& target, std::span<const Predictions> repeats,
                                     const CorrectionOptions& options, const Control& control);

}  // namespace bbc::detail
