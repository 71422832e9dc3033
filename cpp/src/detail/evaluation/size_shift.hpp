#pragma once

#include <bbc/correction.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "detail/evaluation/evaluators.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// Whether replicates lose their winner's shift: what it scores out of bag on average beyond what
/// it scores on all rows. Fold scores are taken as they are.
[[nodiscard]] inline bool loses_size_shift(const CorrectionOptions& options) {
  return options.size_correction && options.metric.size_dependent() && !options.rotate_repeats;
}

/// Values (of the formula, before Metric::sign) of some configurations, in rising order, on the
/// rows that each replicate of `scoring` leaves out: scores[lane * n_configurations + i].
void out_of_bag_scores(const Evaluators& evaluators, const ReplicateBlock& scoring,
                       std::int64_t first_replicate, std::span<const std::int64_t> configurations,
                       const StopFlag& stop, double* scores);

/// The configurations among some, in rising order.
[[nodiscard]] std::vector<std::int64_t> distinct(std::span<const std::int64_t> configurations);

/// Takes from each replicate the shift of its winner, which is one of `chosen`, and returns the
/// mean of what those lost that are defined.
[[nodiscard]] double take_shifts(std::span<const std::int64_t> chosen,
                                 std::span<const double> shifts,
                                 std::span<const std::int64_t> winners,
                                 std::vector<double>& replicates);

}  // namespace bbc::detail
