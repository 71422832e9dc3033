#pragma once

#include <bbc/correction.hpp>

#include "detail/resampling/replicates.hpp"

namespace bbc::detail {

/// Completes an estimate whose replicates, apparent score and n_redrawn are there: mean, standard
/// deviation, interval, optimism and share of undefined folds.
void summarise(const Replicates& replicates, const CorrectionOptions& options,
               std::int64_t n_undefined_folds, Estimate& estimate);

}  // namespace bbc::detail
