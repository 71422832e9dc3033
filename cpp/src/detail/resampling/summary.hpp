#pragma once

#include <bbc/correction.hpp>
#include <bbc/score_interval.hpp>

#include "detail/resampling/replicates.hpp"

namespace bbc::detail {

/// Sets the limits of an estimate.
void take_limits(const CorrectedLimits& limits, Estimate& estimate);

/// Sets the mean of the replicates, which are there as is the apparent score, their standard
/// deviation and the optimism. Where nothing was selected the estimate is the apparent score,
/// except of draws that were given, and in Algorithm 5 as it was published.
void take_moments(std::int64_t n_configurations, const CorrectionOptions& options,
                  Estimate& estimate);

/// What an estimate is of.
struct Summarised {
  std::int64_t n_configurations = 0;
  std::int32_t n_classes = 0;
  std::int64_t n_undefined_folds = 0;
};

/// Completes an estimate whose replicates, apparent score, rates and n_redrawn are there: moments,
/// interval and share of undefined folds.
void summarise(const Replicates& replicates, const Summarised& of, const CorrectionOptions& options,
               Estimate& estimate);

}  // namespace bbc::detail
