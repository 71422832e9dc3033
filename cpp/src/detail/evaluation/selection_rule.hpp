#pragma once

#include <bbc/correction.hpp>

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// A selection rule with all that is fixed for all replicates worked out.
class SelectionRule {
 public:
  /// `evaluator` holds all configurations of `repeats`, and `all_rows` every row once.
  SelectionRule(const CorrectionOptions& options, const Target& target,
                std::span<const Predictions> repeats, const Evaluator& evaluator,
                const ReplicateBlock& all_rows, const Control& control);

  /// The winner of each replicate among configurations [first, last), which are all of them unless
  /// the rule is the best one; its key is that of the best rule, for merging.
  void choose(const Evaluator& evaluator, const ReplicateBlock& block, std::int64_t first,
              std::int64_t last, const StopFlag& stop, Choice* choices) const;

 private:
  /// Larger is less preferred; nullptr: the best rule.
  const std::vector<double>* complexity_ = nullptr;
  double margin_ = 0.0;
  double direction_;  // of the formula's value
};

}  // namespace bbc::detail
