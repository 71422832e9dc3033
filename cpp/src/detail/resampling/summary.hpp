#pragma once

#include <bbc/correction.hpp>
#include <bbc/score_interval.hpp>

#include "detail/resampling/replicates.hpp"

namespace bbc::detail {

/// Sets the limits of an estimate.
void take_limits(const CorrectedLimits& limits, Estimate& estimate);

/// Completes an estimate whose replicates, apparent score, rates and n_redrawn are there: mean,
/// standard deviation, interval, optimism and share of undefined folds.
void summarise(const Replicates& replicates, std::int32_t n_classes,
               const CorrectionOptions& options, std::int64_t n_undefined_folds,
               Estimate& estimate);

}  // namespace bbc::detail
