#pragma once

#include <bbc/intervals.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bbc::detail {

/// Rows on which configurations are selected, per fold, and rows on which the winner is evaluated.
struct LearnSplit {
  std::vector<std::vector<std::int32_t>> learn;  ///< [fold], ascending
  std::vector<std::int32_t> evaluation;          ///< ascending
  std::int64_t n_tried = 0;
  std::string reason;  ///< why there is no split; empty if there is one
};

[[nodiscard]] std::vector<std::vector<std::int32_t>> rows_by_code(
    const std::vector<std::int32_t>& folds);

/// Why the folds' scores are undefined: the first fold without a class; empty if there is none.
[[nodiscard]] std::string fold_without_class(const BoundData& data);

/// Draws three quarters of the rows until every part has both classes, at most 1000 times.
[[nodiscard]] LearnSplit draw_learn_split(const BoundData& data, std::uint64_t seed);

}  // namespace bbc::detail
