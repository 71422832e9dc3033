#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/fast/confusion_evaluator.hpp"
#include "detail/fast/label_parts_evaluator.hpp"
#include "detail/fast/multiclass_auc_evaluator.hpp"
#include "detail/fast/r2_evaluator.hpp"
#include "detail/fast/row_loss_evaluator.hpp"
#include "detail/fast/zero_one_evaluator.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/support/limits.hpp"

namespace bbc::detail {
namespace {

/// Places in a block, and the sizes of what is prepared from it, have to be numbers.
void check_size(const EvaluatorInput& input) {
  const Predictions& first = input.repeats[0];
  const std::int64_t n = n_configurations(first);
  if (n > kMostConfigurations) {
    throw_invalid("predictions",
                  std::to_string(n) + " configurations in one block, which may have 2^31 - 1");
  }
  const double n_values = static_cast<double>(n_rows(first)) * static_cast<double>(n) *
                          static_cast<double>(n_outputs_of(first)) *
                          static_cast<double>(input.repeats.size());
  if (n_values > kMostValues) {
    throw_invalid("predictions", "more than 2^48 values in one block");
  }
}

struct Maker {
  const EvaluatorInput& input;
  const Control& control;

  template <class M, class Kind>
  [[nodiscard]] std::unique_ptr<Evaluator> columns(const Kind& kind) const {
    return make_columns<M>(kind, input, control);
  }

  /// Faster evaluators take all rows together, without sample weights.
  [[nodiscard]] bool plain() const { return input.folds.empty() && input.row_weights.empty(); }

  std::unique_ptr<Evaluator> operator()(const metric::ZeroOne& kind) const {
    if (plain()) return std::make_unique<ZeroOneEvaluator>(kind, input, control);
    if (LabelPartsEvaluator::suits(kind, input)) {
      return std::make_unique<LabelPartsEvaluator>(kind, input, control);
    }
    return columns<ZeroOneColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::RowLoss& kind) const {
    if (plain() && RowLossColumns::comparable(kind, input.repeats.size(), /*real_weights=*/false)) {
      return std::make_unique<RowLossEvaluator>(kind, input, control);
    }
    return columns<RowLossColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::Auc& kind) const {
    if (AucEvaluator::suits(input)) return std::make_unique<AucEvaluator>(input, control);
    return columns<AucColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::Confusion& kind) const {
    if (ConfusionEvaluator::suits(kind, input)) {
      return std::make_unique<ConfusionEvaluator>(kind, input, control);
    }
    if (LabelPartsEvaluator::suits(kind, input)) {
      return std::make_unique<LabelPartsEvaluator>(kind, input, control);
    }
    if (kind_of(input.row_weights) == WeightKind::real) {
      return columns<ConfusionColumns<DoubleDouble>>(kind);
    }
    return columns<ConfusionColumns<double>>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::Moments& kind) const {
    if (input.fixed_spread && has_spread(input.metric)) {
      if (!input.folds.empty()) return columns<R2Columns>(R2Columns::Kind{});
      const Spread spread(input.target.values, input.row_weights);
      const metric::RowLoss squared{.kind = metric::RowLoss::Kind::squared, .unit = spread.unit};
      const Metric loss{squared};
      const EvaluatorInput own{loss, input.target, input.repeats, {}, input.row_weights};
      return std::make_unique<R2Evaluator>(Maker{own, control}(squared), spread.variance);
    }
    return columns<MomentsColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::AveragePrecision& kind) const {
    return columns<AveragePrecisionColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::MulticlassAuc& kind) const {
    if (MulticlassAucEvaluator::suits(input)) {
      return std::make_unique<MulticlassAucEvaluator>(kind, input, control);
    }
    return columns<MulticlassAucColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::Spearman& kind) const {
    return columns<SpearmanColumns>(kind);
  }
  std::unique_ptr<Evaluator> operator()(const metric::Concordance& kind) const {
    if (input.target.event_weights.empty() && AucEvaluator::suits(input)) {
      return std::make_unique<AucEvaluator>(input, control);
    }
    return columns<ConcordanceColumns>(kind);
  }
};

template <class... Kinds>
bool is_one_of(const Evaluator& evaluator) {
  return ((dynamic_cast<const Kinds*>(&evaluator) != nullptr) || ...);
}

}  // namespace

void check_shapes(const EvaluatorInput& input) {
  if (input.repeats.empty()) throw_invalid("predictions", "no repeat");
  for (const auto& predictions : input.repeats) {
    if (n_rows(predictions) != input.target.n_rows()) {
      throw_invalid("predictions", std::to_string(n_rows(predictions)) +
                                       " rows, but the truth has " +
                                       std::to_string(input.target.n_rows()));
    }
    check_outputs(input.metric, input.target, predictions);
    check_strides(predictions);
    if (n_configurations(predictions) != n_configurations(input.repeats[0])) {
      throw_invalid("predictions", "repeats differ in their number of configurations");
    }
  }
  if (n_configurations(input.repeats[0]) < 1) throw_invalid("predictions", "no configurations");
  const auto n_rows_of_all = static_cast<std::size_t>(input.target.n_rows()) * input.repeats.size();
  if (!input.folds.empty() && input.folds.size() != n_rows_of_all) {
    throw_invalid("folds", std::to_string(input.folds.size()) + " values for " +
                               std::to_string(input.repeats.size()) + " repeats of " +
                               std::to_string(input.target.n_rows()) + " rows");
  }
}

std::unique_ptr<Evaluator> make_evaluator(const EvaluatorInput& input, const Control& control) {
  check_shapes(input);
  check_size(input);
  return std::visit(Maker{input, control}, input.metric.kind);
}

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
