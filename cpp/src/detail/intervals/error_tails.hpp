#pragma once

#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/estimate.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// What the limit of a mean of squared errors, its root or R2 rests on where rows or groups are
/// drawn freely from all rows and the truth has more than two values; none for other metrics.
///
/// Squared errors have no variance where errors have tails like t with four degrees of freedom or
/// longer, and replicates' limits are too near. The bootstrap-t of few of the units, n^(2/3), or
/// n^(1/2) where the kurtosis of the errors is above that of normal errors by three standard
/// errors, reaches farther. Its t are those of ratios of sums over units, so that rows may have
/// weights, and n is Kish's number of units. Fewer than 20 give no draws.
[[nodiscard]] std::vector<RateTerm> tail_terms(std::span<const Predictions> repeats,
                                               const Target& target,
                                               const CorrectionOptions& options,
                                               std::int64_t configuration);

/// Moves the limit on the side of large errors to that of the draws, if it is farther and asked.
void reach_tails(std::span<const RateTerm> terms, double estimate, const Confidence& confidence,
                 Interval range, CorrectedLimits& limits);

}  // namespace bbc::detail
