#pragma once

#include <cstdint>
#include <vector>

#include "detail/choices/choice_rule.hpp"
#include "detail/choices/cut_formula.hpp"
#include "detail/metrics/defined.hpp"

namespace bbc::detail {

/// Scores of one configuration in ascending order: entries are rows of repeats, repeat * n_rows +
/// row, without those that a repeat did not predict.
struct CutColumn {
  std::vector<std::int32_t> entries;
  /// Whether the entry at the next position has the same score; empty: all differ.
  std::vector<std::uint8_t> tied_with_next;
};

/// The best cut-off of a configuration in a sample.
struct BestCut {
  double key = 0.0;
  /// Entries on either side of it; -1: there is none.
  std::int32_t below = -1;
  std::int32_t above = -1;
};

/// Rows on which a metric is evaluated whole, and its formula there.
template <class Number>
struct CutPart {
  std::size_t repeat;
  CutFormula<Number> formula;
  Defined defined;
  std::vector<std::int32_t> rows;  ///< empty: all
};

/// Tries every cut-off of a configuration, for any pooling, repeats and weights.
template <class Number>
class CutSearch {
 public:
  explicit CutSearch(const ChoiceInput& input);

  /// Part of each entry; -1: the repeat did not predict the row.
  [[nodiscard]] const std::vector<std::int32_t>& part_of_entry() const noexcept {
    return part_of_entry_;
  }

  /// The weights of a replicate, with what follows from them and the truth alone.
  class Sample {
   public:
    Sample(const CutSearch& search, const ReplicateBlock& block, int lane);

    [[nodiscard]] BestCut best(const CutColumn& column);

   private:
    struct PartState {
      Number below[2];
      Number above[2];
      DoubleDouble key;
      double score;
    };

    void start(const CutColumn& column);
    void evaluate(std::size_t part);
    /// The key of the cut after what was moved below it so far.
    [[nodiscard]] double key() const;

    const CutSearch& search_;
    std::vector<Number> weights_;   // of rows
    std::vector<Number> of_class_;  // [part][class]
    std::vector<double> totals_;    // [part][kTotals]
    std::vector<std::uint8_t> defined_;
    std::vector<double> n_defined_;  // parts of each repeat
    std::vector<PartState> states_;
    std::vector<std::size_t> positions_;  // in the column, of entries in bag
    std::vector<Number> above_;           // after each: entries of its part and class above it
  };

 private:
  const Target& target_;
  std::int64_t n_rows_;
  std::size_t n_repeats_;
  double sign_;
  bool comparable_;
  std::vector<CutPart<Number>> parts_;  // repeat by repeat, fold by fold
  std::vector<std::int32_t> part_of_entry_;
};

extern template class CutSearch<double>;
extern template class CutSearch<DoubleDouble>;

}  // namespace bbc::detail
