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

}  // namespace selection

using Selection = std::variant<selection::Best, selection::OneStandardError>;

}  // namespace bbc
