#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// Score of each configuration on each fold's own rows.
struct FoldScores {
  std::vector<double> values;  ///< (repeat, fold, configuration)
  std::int64_t n_repeats = 0;
  std::int64_t n_folds = 0;
  std::int64_t n_configurations = 0;
  std::int32_t n_classes = 0;  ///< of the truth; 0: unknown, so that ranges hold for any number

  [[nodiscard]] double operator()(std::int64_t repeat, std::int64_t fold,
                                  std::int64_t configuration) const noexcept {
    return values[static_cast<std::size_t>((repeat * n_folds + fold) * n_configurations +
                                           configuration)];
  }
};

/// `folds` is the fold of each row in each repeat (repeat * n_rows + row), codes 0 .. K - 1, and
/// `row_weights` may be empty. Throws Error naming fold and need where a fold leaves the metric
/// undefined.
[[nodiscard]] BBC_API FoldScores fold_scores(const Target& y, std::span<const Predictions> repeats,
                                             const Metric& metric,
                                             std::span<const std::int32_t> folds,
                                             const std::vector<double>& row_weights = {},
                                             const Control& control = {});

/// The same with NaN where a fold leaves the metric undefined, or has no row in a repeat. Rows of
/// fold -1 are in none.
[[nodiscard]] BBC_API FoldScores defined_fold_scores(const Target& y,
                                                     std::span<const Predictions> repeats,
                                                     const Metric& metric,
                                                     std::span<const std::int32_t> folds,
                                                     const std::vector<double>& row_weights = {},
                                                     const Control& control = {});

}  // namespace bbc
