#include <memory>
#include <string>
#include <variant>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/evaluation/road.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/fast/confusion_evaluator.hpp"
#include "detail/fast/label_parts_evaluator.hpp"
#include "detail/fast/multiclass_auc_evaluator.hpp"
#include "detail/fast/r2_evaluator.hpp"
#include "detail/fast/row_loss_evaluator.hpp"
#include "detail/fast/weighed_errors_evaluator.hpp"
#include "detail/fast/zero_one_evaluator.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
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

/// The general evaluator of a kind of metric.
struct General {
  const EvaluatorInput& input;
  const Control& control;

  template <class M>
  [[nodiscard]] std::unique_ptr<Evaluator> make(const auto& kind) const {
    return make_columns<M>(kind, input, control);
  }

  auto operator()(const metric::ZeroOne& kind) const { return make<ZeroOneColumns>(kind); }
  auto operator()(const metric::RowLoss& kind) const { return make<RowLossColumns>(kind); }
  auto operator()(const metric::Auc& kind) const { return make<AucColumns>(kind); }
  auto operator()(const metric::Spearman& kind) const { return make<SpearmanColumns>(kind); }
  auto operator()(const metric::Concordance& kind) const { return make<ConcordanceColumns>(kind); }
  auto operator()(const metric::AveragePrecision& kind) const {
    return make<AveragePrecisionColumns>(kind);
  }
  auto operator()(const metric::MulticlassAuc& kind) const {
    return make<MulticlassAucColumns>(kind);
  }
  auto operator()(const metric::Confusion& kind) const {
    const bool real = kind_of(input.row_weights) == WeightKind::real;
    return real ? make<ConfusionColumns<DoubleDouble>>(kind) : make<ConfusionColumns<double>>(kind);
  }
  auto operator()(const metric::Moments& kind) const {
    const bool of_losses = input.fixed_spread && has_spread(input.metric);
    return of_losses ? make<R2Columns>(R2Columns::Kind{}) : make<MomentsColumns>(kind);
  }
};

/// All rows share one variance, so that squared errors choose.
std::unique_ptr<Evaluator> make_r2(const EvaluatorInput& input, Road road, const Control& control) {
  const Spread spread(input.target.values, input.row_weights);
  const Metric loss{metric::RowLoss{.kind = metric::RowLoss::Kind::squared, .unit = spread.unit}};
  const EvaluatorInput own{loss, input.target, input.repeats, {}, input.row_weights};
  return std::make_unique<R2Evaluator>(make_evaluator(own, road, control), spread.variance);
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

std::unique_ptr<Evaluator> make_evaluator(const EvaluatorInput& input, Road road,
                                          const Control& control) {
  check_size(input);
  const Metric::Kind& kind = input.metric.kind;
  if (input.fixed_spread && has_spread(input.metric) && input.folds.empty()) {
    return make_r2(input, road, control);
  }
  switch (road) {
    case Road::errors:
      return std::make_unique<ZeroOneEvaluator>(std::get<metric::ZeroOne>(kind), input, control);
    case Road::weighed_errors:
      return std::make_unique<WeighedErrorsEvaluator>(std::get<metric::ZeroOne>(kind), input,
                                                      control);
    case Road::class_errors:
      return std::make_unique<ConfusionEvaluator>(std::get<metric::Confusion>(kind), input,
                                                  control);
    case Road::part_errors:
      if (const auto* confusion = std::get_if<metric::Confusion>(&kind)) {
        return std::make_unique<LabelPartsEvaluator>(*confusion, input, control);
      }
      return std::make_unique<LabelPartsEvaluator>(std::get<metric::ZeroOne>(kind), input, control);
    case Road::losses:
      return std::make_unique<RowLossEvaluator>(std::get<metric::RowLoss>(kind), input, control);
    case Road::pairs:
    case Road::time_pairs:
      return std::make_unique<AucEvaluator>(input, control);
    case Road::class_pairs:
      return std::make_unique<MulticlassAucEvaluator>(std::get<metric::MulticlassAuc>(kind), input,
                                                      control);
    case Road::filter:
      break;
  }
  return std::visit(General{input, control}, kind);
}

std::unique_ptr<Evaluator> make_evaluator(const EvaluatorInput& input, const Control& control) {
  return make_evaluator(input, road_of(input), control);
}

}  // namespace bbc::detail
