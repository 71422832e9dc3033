#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

struct ModelLuckOptions {
  Metric metric;
  /// Fold of each row in each repeat (repeat * n_rows + row); negative: not predicted there.
  std::vector<std::int32_t> folds;
  /// Group of each row, any codes; empty: every row is a unit.
  std::vector<std::int32_t> units;
  /// Sample weights; empty: all one.
  std::vector<double> row_weights;
  std::uint64_t seed = 0;
  /// At most; the test stops as soon as a p-value of at most .05 is out of reach.
  std::int64_t n_permutations = 99;
};

/// Whether the models that were fitted for a configuration in different folds differ by more than
/// their rows explain, and what that adds to the estimate of the bootstrap over rows.
struct ModelLuck {
  /// Why the data cannot tell; empty if they can, and the other members are then filled.
  std::string untestable;
  double p_value = 1.0;
  std::int64_t n_permutations = 0;  ///< drawn before the test stopped
  double luck_variance = 0.0;       ///< of the score on one fold, by the luck of the fitted model
  double row_variance = 0.0;        ///< of the score on one fold, by the choice of its rows
  /// What BBC's estimate gains from luck, in the metric's units: positive is too good.
  double predicted_bias = 0.0;
};

/// Permutation test of the interaction of configuration and fold in the matrix of fold scores,
/// centred within repeat. If fitted models do not differ, the fold labels of the rows (of a class,
/// of a group) are exchangeable.
///
/// Within folds, predictions are first brought to one scale as far as the metric does not see it:
/// ranks for ranking metrics. Permutations follow one another until h = .05 (1 + n_permutations) of
/// them reach the observed interaction; the p-value is then h over their number (Besag and Clifford
/// 1991), else (1 + those that reach it) / (1 + n_permutations). Of more configurations 128 serve;
/// with more than ten folds there are at most 39 permutations.
///
/// The predicted bias lets luck and the rows of a replicate come anew on scores that are as far
/// apart as they are without luck, and is the luck that the best of them has on average.
[[nodiscard]] BBC_API ModelLuck model_luck(const Target& y, std::span<const Predictions> repeats,
                                           const ModelLuckOptions& options,
                                           const Control& control = {});

/// Whether luck is likely (a p-value of at most .05) and matters: the predicted bias exceeds a
/// tenth of the distance from the estimate to a limit, of a two-sided interval half its width.
[[nodiscard]] BBC_API bool luck_matters(double p_value, double predicted_bias, double estimate,
                                        const Interval& interval, Alternative alternative);

}  // namespace bbc
