#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace bbc {

/// The rules that choose a winner, a closed set.
namespace selection {

/// The best in-bag score; ties go to the lowest index.
struct Best {
  bool operator==(const Best&) const = default;
};

/// The least complex configuration within one standard error of the best (Breiman et al. 1984,
/// section 3.4.3). The standard error is that of the fold scores on all rows of the configuration
/// that is best there, of all repeats together; it is the same in all replicates. Equally complex
/// configurations are decided by score, then by index.
struct OneStandardError {
  std::vector<double> complexity;   ///< per configuration; larger is more complex
  std::vector<std::int32_t> folds;  ///< fold of each row in each repeat: repeat * n_rows + row

  bool operator==(const OneStandardError&) const = default;
};

/// What follows chooses something other than one configuration's predictions: a column that is
/// derived from them, and scored out of bag. All configurations are needed at once, by `correct`.

/// A configuration's scores and a cut-off: labels are `score > threshold`, for a metric of two
/// classes. Cut-offs are -inf, the midpoints between distinct in-bag scores of all repeats (the
/// lower score, if a midpoint rounds to the upper) and +inf. Ties go to the lowest configuration,
/// then to the middle, by index, of its first consecutive run of best cut-offs (lower on ties).
struct Threshold {
  bool operator==(const Threshold&) const = default;
};

/// Caruana et al. (2004): the first of n_rounds members is the best configuration, each next the
/// one whose addition gives the best in-bag metric, with replacement; ties go to the lowest index.
/// An average is the running sum in order of rounds, from zero, divided by their number; of label
/// predictions the class with the most votes, the lowest on ties.
struct GreedyEnsemble {
  std::int64_t n_rounds = 25;

  bool operator==(const GreedyEnsemble&) const = default;
};

/// The average, or vote, of the k best in bag, added up in order of their indices.
struct TopK {
  std::int64_t k = 1;

  bool operator==(const TopK&) const = default;
};

}  // namespace selection

using Selection = std::variant<selection::Best, selection::OneStandardError, selection::Threshold,
                               selection::GreedyEnsemble, selection::TopK>;

}  // namespace bbc
