#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "detail/choices/choice_rule.hpp"
#include "detail/choices/cut_search.hpp"
#include "detail/isa/cut_walk.hpp"

namespace bbc::detail {

/// Which configurations may have the best cut of a replicate: all cuts of all configurations are
/// tried, 64 replicates side by side. For whole samples without weights, and formulas that are
/// ratios of linear forms, or MCC.
class CutFilter {
 public:
  [[nodiscard]] static std::optional<CutFilter> make(const ChoiceInput& input);

  /// The program of a configuration, whose column is that of all its rows.
  [[nodiscard]] CutProgram program(const CutColumn& column) const;

  /// Of one replicate: where values are `exact`, the winner alone and its value, else all whose
  /// values are within rounding of the best, in ascending order.
  struct Found {
    std::vector<std::int64_t> candidates;
    bool exact = false;
    double numerator = 0.0;
    double denominator = 1.0;
    double positives = 0.0;  ///< rows in bag
    double negatives = 0.0;
  };

  /// False where a count does not fit a byte.
  bool run(const ReplicateBlock& block, const std::vector<CutProgram>& programs,
           const StopFlag& stop, Found* found) const;

  /// The cut of an exact value: the middle of the first run of best ones.
  [[nodiscard]] BestCut locate(const CutColumn& column, const ReplicateBlock& block, int lane,
                               const Found& found) const;

 private:
  explicit CutFilter(const ChoiceInput& input) : input_(input) {}
  /// Sets what depends on a replicate's rows of each class.
  void fill(const ReplicateBlock& block, int lane, CutFormulas& formulas) const;
  /// The largest product of a numerator and a denominator; infinite unless both are whole.
  [[nodiscard]] double largest_product(const CutFormulas& formulas) const;

  ChoiceInput input_;
};

}  // namespace bbc::detail
