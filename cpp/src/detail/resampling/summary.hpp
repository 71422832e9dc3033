#pragma once

#include <bbc/correction.hpp>
#include <bbc/score_interval.hpp>
#include <cstdint>

namespace bbc::detail {

/// Sets the limits of an estimate.
void take_limits(const CorrectedLimits& limits, Estimate& estimate);

/// What an estimate is of.
struct Summarised {
  std::int64_t n_configurations = 0;
  std::int32_t n_classes = 0;
  std::int64_t n_undefined_folds = 0;
  std::int64_t n_fold_sides = 0;  ///< which those are a share of
};

/// Completes an estimate whose replicates, apparent score, rates and n_redrawn are there: estimate,
/// standard deviation, interval, optimism and share of undefined folds.
void summarise(const Summarised& of, const CorrectionOptions& options, Estimate& estimate);

}  // namespace bbc::detail
