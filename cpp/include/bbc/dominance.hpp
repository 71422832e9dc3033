#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>

namespace bbc {

/// How often each configuration loses against the best.
struct Dominance {
  std::int64_t best = -1;               ///< chosen on all rows by the selection rule
  std::vector<double> share_worse;      ///< replicates in which it is strictly worse, per
                                        ///< configuration
  std::vector<std::uint8_t> dominated;  ///< share_worse above the dropping level
};

/// The dropping test of BBCD (Tsamardinos et al. 2018, section 4): in-bag scores only, so a
/// replicate is redrawn only when it leaves the metric undefined in bag.
/// `options.resampling.stream` is t for the t-th test of a run.
[[nodiscard]] BBC_API Dominance dominated(const Target& y, std::span<const Predictions> repeats,
                                          const CorrectionOptions& options, double dropping_level,
                                          const Control& control = {});

}  // namespace bbc
