#pragma once

#include <bbc/export.h>

#include <bbc/score_interval.hpp>
#include <cstdint>
#include <span>

namespace bbc {

/// E[K / D - 1], where D of K folds are left out by K draws with replacement and D >= 1: the mean
/// of the scores of D folds has that many times the variance, over draws of D of the K, that the
/// mean of all K has over samples. For rows it is .632 / .368. Throws Error unless there are two
/// folds.
[[nodiscard]] BBC_API double left_out_factor(std::int64_t n_folds);

/// What the replicates of two-level BBC, and the fold scores, say of the estimate's spread.
struct TwoLevelSpread {
  double replicate_sd = 0.0;
  std::int64_t n_folds = 0;
  /// Of one fitted model's performance, by luck: the final model has as much.
  double luck_variance = 0.0;
  /// What training rows that folds share add to the variance; see training_overlap().
  double overlap = 0.0;
};

/// estimate -+ z sqrt((1 + overlap) replicate_sd^2 / left_out_factor + luck_variance), as
/// `limits_around` completes it.
[[nodiscard]] BBC_API CorrectedLimits calibrated_limits(double estimate,
                                                        const TwoLevelSpread& spread,
                                                        std::span<const RateTerm> terms,
                                                        const Confidence& confidence,
                                                        Interval range);

}  // namespace bbc
