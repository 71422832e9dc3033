#pragma once

#include <memory>

#include "detail/choices/addition_search.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// Ensemble selection with replacement (Caruana, Niculescu-Mizil, Crew and Ksikes 2004). Candidate
/// averages stand side by side as the predictions of as many configurations, so that each metric
/// compares them as it does any.
class GreedyEnsembleRule final : public ChoiceRule {
 public:
  GreedyEnsembleRule(const selection::GreedyEnsemble& selection, const ChoiceInput& input,
                     const Control& control);

  void choose(const ReplicateBlock& block, const StopFlag& stop, Derivation* chosen) const override;

 private:
  /// The best of some additions to the averages of each repeat.
  [[nodiscard]] std::int64_t best_of(const std::vector<std::int64_t>& candidates,
                                     std::vector<RunningAverage>& averages,
                                     const ReplicateBlock& one, const StopFlag& stop) const;

  ChoiceInput input_;
  Target coded_;
  std::int64_t n_rounds_;
  std::vector<std::int64_t> all_;               // configurations
  std::unique_ptr<Evaluator> evaluator_;        // of the first round, which adds to nothing
  std::unique_ptr<const Additions> additions_;  // null: rounds are evaluated as any
};

}  // namespace bbc::detail
