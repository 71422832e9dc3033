#pragma once

#include <cstdint>
#include <string_view>

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// How the best configurations of a problem are found. All roads give the same bits, and `filter`
/// is open to every problem; what each takes stands in cost.cpp.
enum class Road : std::uint8_t {
  errors,          ///< look-up of wrong labels, of all rows
  weighed_errors,  ///< of the rows of each of few weights
  class_errors,    ///< of the rows of either class
  part_errors,     ///< of each fold or repeat, by class where the metric asks for classes
  losses,          ///< sums on a grid
  pairs,           ///< pairs of rows of two classes, counted in 64 replicates at a time
  class_pairs,     ///< the same of each class and others
  time_pairs,      ///< pairs of times
  filter,          ///< float32 scores of the general evaluator, which leave few keys to be compared
};

/// The road of a problem, decided here alone. Throws Error where shapes do not suit each other.
[[nodiscard]] Road road_of(const EvaluatorInput& input);

/// What kind of road it is: "look-up", "grid", "pairs" or "filter".
[[nodiscard]] std::string_view kind_of(Road road);

/// The evaluator of a road that is open to the problem: its own, or `filter`.
[[nodiscard]] std::unique_ptr<Evaluator> make_evaluator(const EvaluatorInput& input, Road road,
                                                        const Control& control);

}  // namespace bbc::detail
