#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "detail/choices/choice_rule.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// One replicate's search for the configuration that is best added to an ensemble.
class AdditionSearch {
 public:
  AdditionSearch() = default;
  virtual ~AdditionSearch() = default;
  AdditionSearch(const AdditionSearch&) = delete;
  AdditionSearch& operator=(const AdditionSearch&) = delete;

  /// The configurations that may be the best addition, in order; empty: any may.
  [[nodiscard]] virtual const std::vector<std::int64_t>& candidates() = 0;
  virtual void add(std::int64_t configuration) = 0;
};

/// Searches of a metric that need no evaluator for each round. Made once per call.
class Additions {
 public:
  Additions() = default;
  virtual ~Additions() = default;
  Additions(const Additions&) = delete;
  Additions& operator=(const Additions&) = delete;

  [[nodiscard]] virtual std::unique_ptr<AdditionSearch> search(const ReplicateBlock& one) const = 0;
};

/// Null for other metrics.
[[nodiscard]] std::unique_ptr<const Additions> make_additions(const ChoiceInput& input);

/// The best addition by the AUC of all rows together: pairs of in-bag rows are counted exactly, as
/// keys of AUCs are, for one replicate alone.
class AucAdditions final : public Additions {
 public:
  /// Null for another metric, means over folds and sample weights.
  [[nodiscard]] static std::unique_ptr<const AucAdditions> make(const ChoiceInput& input);
  [[nodiscard]] std::unique_ptr<AdditionSearch> search(const ReplicateBlock& one) const override;

 private:
  class Search;

  Target target_;
  std::size_t n_repeats_ = 0;
  std::size_t n_configurations_ = 0;
  std::vector<double> scores_;  // [repeat][configuration][row]
};

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
