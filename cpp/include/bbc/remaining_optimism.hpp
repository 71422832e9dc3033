#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

struct RemainingOptimismOptions {
  CorrectionOptions correction;  ///< those of the correction that found the winners
  /// Fold in which each row was predicted, any codes.
  std::vector<std::int32_t> folds;
};

/// What a correction of many different configurations leaves of their optimism.
struct RemainingOptimism {
  /// Covariance of two rows of different folds, which trained each other's models, beyond that of
  /// two rows of one fold, relative to the variance of an in-bag score that rows explain.
  double kappa = 0.0;
  double kappa_sd = 0.0;        ///< of kappa, over permutations of the fold labels
  double share_of_pairs = 0.0;  ///< of rows in different folds
  /// Mean over replicates of the winner's score in bag less that out of bag, not negative: too
  /// good.
  double in_bag_optimism = 0.0;
  double further_optimism = 0.0;  ///< likely optimism of the estimate, not negative
  double coupled_estimate = 0.0;  ///< the estimate less that, in the metric's direction
};

/// Rows of different folds trained each other's models, so that a configuration which suits some of
/// them does well on the others: in bag and out of bag alike, but not on new rows. Rows of one fold
/// never did. What pairs of the former share beyond the latter, kappa, is the share of the in-bag
/// optimism that the correction takes for skill; a share of it that simulations gave, less where
/// kappa is uncertain, is likely left in the estimate.
///
/// `winners` and `replicates` are those of a correction by rows with the same options. For the AUC
/// of two classes, accuracy and means of row losses, of at least ten configurations, one repeat of
/// at least four folds, and twice as many rows of each class (or each of CorrectionOptions::classes
/// of a real truth) as there are folds. Throws Error for all others, and for logarithmic losses of
/// which one row dominates that of the winner: rows' tails, not pairs, are then what selection
/// follows. There may be 2^28 predictions.
[[nodiscard]] BBC_API RemainingOptimism remaining_optimism(
    const Target& y, std::span<const Predictions> repeats, const RemainingOptimismOptions& options,
    std::int64_t winner, std::span<const std::int64_t> replicate_winners,
    std::span<const double> replicates, const Control& control = {});

}  // namespace bbc
