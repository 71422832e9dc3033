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

/// For searches that dropped configurations on the way, whose predictions have holes (see
/// rungs.hpp, which finds these). Rows were predicted rung by rung, by those configurations alone
/// that were alive then. The rows of a rung are scored by the configuration that is best in bag, on
/// rows of this rung and of earlier ones, among those alive there: whether it is alive depends on
/// earlier rows only. Means over rows and confusion metrics are computed on the rows out of bag of
/// all rungs together; the AUC and the concordance index count pairs within rungs. A rung whose
/// choice is undefined in bag, or which has nothing to score, contributes nothing. Predictions that
/// are not there are never read. Of one repeat.
struct Rungs {
  std::vector<std::int32_t> of_row;   ///< rung of each row, from 0
  std::vector<std::int32_t> reached;  ///< rungs that each configuration reached, 0 if none
  std::vector<std::uint8_t> scores;   ///< of rows: 1 where they score, 0 where they choose only

  bool operator==(const Rungs&) const = default;
};

}  // namespace selection

using Selection = std::variant<selection::Best, selection::OneStandardError, selection::Threshold,
                               selection::GreedyEnsemble, selection::TopK, selection::Rungs>;

}  // namespace bbc
