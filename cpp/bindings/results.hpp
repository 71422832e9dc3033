#pragma once

#include <bbc/estimate.hpp>
#include <utility>

#include "arrays.hpp"

/// An estimate as keys of PerformanceEstimate.
inline py::dict to_dict(bbc::Estimate&& estimate) {
  py::dict out;
  out["estimate"] = estimate.estimate;
  out["low"] = estimate.interval.low;
  out["high"] = estimate.interval.high;
  out["replicate_sd"] = estimate.replicate_sd;
  out["apparent"] = estimate.apparent;
  out["optimism"] = estimate.optimism;
  out["winner"] = estimate.winner;
  out["replicates"] = to_array(std::move(estimate.replicates));
  out["replicate_winners"] = to_array(std::move(estimate.replicate_winners));
  out["n_redrawn"] = estimate.n_redrawn;
  out["undefined_fold_share"] = estimate.undefined_fold_share;
  return out;
}
