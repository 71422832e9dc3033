#pragma once

#include "detail/choices/choice_rule.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// The average of the k best in bag, in order of their indices.
class TopKRule final : public ChoiceRule {
 public:
  TopKRule(const selection::TopK& selection, const ChoiceInput& input, const Control& control);

  void choose(const ReplicateBlock& block, const StopFlag& stop, Derivation* chosen) const override;

 private:
  std::int64_t k_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace bbc::detail
