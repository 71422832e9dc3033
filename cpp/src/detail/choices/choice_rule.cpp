#include "detail/choices/choice_rule.hpp"

#include <bbc/error.hpp>

#include "detail/choices/greedy_ensemble.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

struct Maker {
  const ChoiceInput& input;
  const Control& control;
  using Rule = std::unique_ptr<const ChoiceRule>;

  Rule operator()(const selection::Threshold& /*selection*/) const {
    return make_threshold_rule(input, control);
  }
  Rule operator()(const selection::GreedyEnsemble& selection) const {
    refuse_losses();
    return std::make_unique<GreedyEnsembleRule>(selection, input, control);
  }
  Rule operator()(const selection::TopK& selection) const {
    refuse_losses();
    return std::make_unique<TopKRule>(selection, input, control);
  }
  template <class Other>
  Rule operator()(const Other& /*selection*/) const {
    throw_invalid("selection", "chooses a configuration");
  }

  void refuse_losses() const {
    const auto* loss = std::get_if<metric::RowLoss>(&input.options.metric.kind);
    if (loss == nullptr || loss->kind != metric::RowLoss::Kind::given) return;
    throw_invalid("selection", "losses of rows cannot be averaged into those of an ensemble");
  }
};

}  // namespace

bool derives_predictions(const Selection& selection) {
  return !std::holds_alternative<selection::Best>(selection) &&
         !std::holds_alternative<selection::OneStandardError>(selection);
}

std::unique_ptr<const ChoiceRule> make_choice_rule(const ChoiceInput& input,
                                                   const Control& control) {
  check_shapes({input.options.metric, input.target, input.repeats, input.options.folds, {}});
  return std::visit(Maker{input, control}, input.options.selection);
}

}  // namespace bbc::detail
