#pragma once

#include <bbc/fold_scores.hpp>

#include "detail/metrics/defined.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// Refuses a table without values, or with another number of them than its shape has.
void check_table(const FoldScores& scores);

/// Fold scores where folds may be undefined: rows that were dropped can leave a repeat without some
/// fold.
struct FoldTable {
  FoldTable(const Target& target, std::span<const Predictions> repeats, const Metric& metric,
            std::span<const std::int32_t> folds, const std::vector<double>& given_weights,
            const Control& control);

  [[nodiscard]] bool is_defined(std::int64_t repeat, std::int64_t fold) const {
    return defined[static_cast<std::size_t>(repeat * scores.n_folds + fold)] != 0;
  }

  FoldScores scores;
  std::vector<std::uint8_t> defined;  ///< (repeat, fold)
};

}  // namespace bbc::detail
