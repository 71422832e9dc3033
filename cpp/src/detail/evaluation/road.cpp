#include "detail/evaluation/road.hpp"

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/fast/confusion_evaluator.hpp"
#include "detail/fast/label_parts_evaluator.hpp"
#include "detail/fast/multiclass_auc_evaluator.hpp"
#include "detail/fast/r2_evaluator.hpp"
#include "detail/fast/row_loss_evaluator.hpp"
#include "detail/fast/zero_one_evaluator.hpp"

namespace bbc::detail {
namespace {

template <class... Kinds>
bool is_one_of(const Evaluator& evaluator) {
  return ((dynamic_cast<const Kinds*>(&evaluator) != nullptr) || ...);
}

}  // namespace

std::string_view road_of(const Evaluator& evaluator) {
  if (is_one_of<ZeroOneEvaluator, ConfusionEvaluator, LabelPartsEvaluator>(evaluator)) {
    return "look-up";
  }
  if (is_one_of<RowLossEvaluator>(evaluator)) return "grid";
  if (is_one_of<AucEvaluator, MulticlassAucEvaluator>(evaluator)) return "pairs";
  if (const auto* r2 = dynamic_cast<const R2Evaluator*>(&evaluator)) return road_of(r2->losses());
  const auto* general = dynamic_cast<const GeneralEvaluator*>(&evaluator);
  return general != nullptr && general->is_filtered() ? "filter" : "general";
}

}  // namespace bbc::detail
