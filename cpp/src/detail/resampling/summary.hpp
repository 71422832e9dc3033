#pragma once

#include <bbc/correction.hpp>
#include <bbc/score_interval.hpp>
#include <cstdint>
#include <functional>

#include "detail/resampling/replicates.hpp"

namespace bbc::detail {

/// Draws the replicates, keeps what each block's rule chose and how it scored, with the sign of the
/// metric, and returns the undefined folds. score(first, drawn, stop, winners, values) fills a
/// block's winners and values out of bag. Throws Error at a value that overflows.
using ScoreBlock = std::function<void(std::int64_t, const Replicates::Drawn&, const StopFlag&,
                                      std::int64_t*, double*)>;
std::int64_t keep_replicates(const Replicates& replicates, const Metric& metric,
                             const Control& control, double expected_nanoseconds,
                             const ScoreBlock& score, Estimate& estimate);

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
