#pragma once

#include <string_view>

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// How an evaluator finds the best configurations: "look-up" of sums in tables, sums on a "grid",
/// "pairs" counted 64 replicates at a time, a "filter" of float32 scores before exact keys, or
/// "general", the exact keys of all.
[[nodiscard]] std::string_view road_of(const Evaluator& evaluator);

}  // namespace bbc::detail
