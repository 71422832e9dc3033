#pragma once

#include <bbc/correction.hpp>
#include <memory>
#include <span>

#include "detail/choices/derived_columns.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// What a rule of choice is made from; everything outlives it.
struct ChoiceInput {
  const CorrectionOptions& options;
  const Target& target;
  std::span<const Predictions> repeats;
  std::span<const double> row_weights;  ///< in units; empty: none
};

/// A rule that chooses a derived column of predictions. Made once per call; afterwards const and
/// shared by all threads.
class ChoiceRule {
 public:
  virtual ~ChoiceRule() = default;
  ChoiceRule() = default;
  ChoiceRule(const ChoiceRule&) = delete;
  ChoiceRule& operator=(const ChoiceRule&) = delete;

  /// What is chosen on the in-bag rows of each replicate of a block.
  virtual void choose(const ReplicateBlock& block, const StopFlag& stop,
                      Derivation* chosen) const = 0;
};

/// Whether a rule chooses something other than one configuration's predictions.
[[nodiscard]] bool derives_predictions(const Selection& selection);

/// The rule of such a selection. Throws Error where the metric or the predictions do not suit it.
[[nodiscard]] std::unique_ptr<const ChoiceRule> make_choice_rule(const ChoiceInput& input,
                                                                 const Control& control);

/// The best configuration and cut-off of two-class scores, by a metric of labels. Throws Error
/// where the metric is another, or the truth has more classes.
[[nodiscard]] std::unique_ptr<const ChoiceRule> make_threshold_rule(const ChoiceInput& input,
                                                                    const Control& control);

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
