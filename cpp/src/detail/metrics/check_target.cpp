#include "detail/metrics/check_target.hpp"

#include <bbc/error.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/limits.hpp"

namespace bbc::detail {
namespace {

using metric::Confusion;
using metric::RowLoss;
using TargetKind = Target::Kind;

/// What each metric asks of the truth: its kind, and at least and at most how many classes.
struct TargetRequirements {
  TargetKind kind;
  std::int32_t fewest = 1;
  std::int32_t most = 0;  // no limit
};

TargetRequirements requirements_of(const Metric::Kind& kind) {
  if (std::holds_alternative<metric::ZeroOne>(kind)) return {TargetKind::labels};
  if (std::holds_alternative<metric::Auc>(kind) ||
      std::holds_alternative<metric::AveragePrecision>(kind)) {
    return {TargetKind::labels, 2, 2};
  }
  if (std::holds_alternative<metric::MulticlassAuc>(kind)) return {TargetKind::labels, 2};
  if (std::holds_alternative<metric::Concordance>(kind)) return {TargetKind::survival};
  if (const auto* confusion = std::get_if<Confusion>(&kind)) {
    return {TargetKind::labels, 2, is_of_two_classes(*confusion) ? 2 : 0};
  }
  if (const auto* loss = std::get_if<RowLoss>(&kind)) {
    const bool of_values = traits_of(loss->kind).reads == LossTraits::Reads::value;
    return {of_values ? TargetKind::real : TargetKind::labels};
  }
  return {TargetKind::real};
}

const char* name_of(TargetKind kind) {
  switch (kind) {
    case TargetKind::labels:
      return "labels";
    case TargetKind::real:
      return "real values";
    case TargetKind::survival:
      return "events and times";
  }
  return "";
}

void check_labels(const Target& target, const TargetRequirements& required) {
  const auto n_classes = target.n_classes;
  if (n_classes < required.fewest || (required.most > 0 && n_classes > required.most)) {
    throw_invalid("target", std::to_string(n_classes) + (n_classes == 1 ? " class" : " classes") +
                                ", but the metric needs " + (required.most > 0 ? "" : "at least ") +
                                std::to_string(required.fewest));
  }
  if (n_classes > kMostClasses) {
    throw_invalid("target", std::to_string(n_classes) + " classes are more than 2^27");
  }
  const auto one_each = [&](std::size_t n) {
    return n == 0 || n == static_cast<std::size_t>(n_classes);
  };
  if (!one_each(target.label_values.size())) {
    throw_invalid("target", "one label value per class is needed");
  }
  if (!one_each(target.label_names.size())) {
    throw_invalid("target", "one label name per class is needed");
  }
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    if (target.codes[row] < 0 || target.codes[row] >= n_classes) {
      throw_invalid("target",
                    "code " + std::to_string(target.codes[row]) + " is outside 0 to " +
                        std::to_string(n_classes - 1),
                    {{"row", static_cast<std::int64_t>(row)}});
    }
  }
}

}  // namespace

void check_target(const Metric& metric, const Target& target) {
  const TargetRequirements required = requirements_of(metric.kind);
  if (target.kind != required.kind) {
    throw_invalid("target", std::string("the metric needs ") + name_of(required.kind) + ", not " +
                                name_of(target.kind));
  }
  if (target.n_rows() < 1) throw_invalid("target", "no rows");
  check_n_rows(target.n_rows());
  if (target.kind == TargetKind::labels) {
    check_labels(target, required);
    return;
  }
  for (std::size_t row = 0; row < target.values.size(); ++row) {
    if (!std::isfinite(target.values[row])) {
      throw_invalid("target", "not finite", {{"row", static_cast<std::int64_t>(row)}});
    }
  }
  if (target.kind == TargetKind::survival && target.events.size() != target.values.size()) {
    throw_invalid("target", "events and times differ in length");
  }
  for (std::size_t row = 0; row < target.events.size(); ++row) {
    if (target.events[row] > 1) {
      throw_invalid("target", "event must be 0 or 1, not " + std::to_string(target.events[row]),
                    {{"row", static_cast<std::int64_t>(row)}});
    }
  }
  if (!target.event_weights.empty() && target.event_weights.size() != target.values.size()) {
    throw_invalid("target", "event weights and times differ in length");
  }
  for (std::size_t row = 0; row < target.event_weights.size(); ++row) {
    const double weight = target.event_weights[row];
    if (!(std::isfinite(weight) && weight >= 0.0 && (weight > 0.0 || target.events[row] == 0))) {
      throw_invalid("target", "the weight of an event must be a positive number",
                    {{"row", static_cast<std::int64_t>(row)}});
    }
  }
}

Target checked_target(const Metric& metric, Target target) {
  check_target(metric, target);
  if (target.kind == TargetKind::labels && target.label_values.empty()) {
    target.label_values.resize(static_cast<std::size_t>(target.n_classes));
    std::iota(target.label_values.begin(), target.label_values.end(), 0);
  }
  return target;
}

void check_outputs(const Metric& metric, const Target& target, const Predictions& predictions) {
  const auto n_outputs = n_outputs_of(predictions);
  const auto* loss = std::get_if<RowLoss>(&metric.kind);
  const bool takes_probabilities =
      loss != nullptr && traits_of(loss->kind).reads == LossTraits::Reads::probabilities;
  const bool takes_classes =
      takes_probabilities || std::holds_alternative<metric::MulticlassAuc>(metric.kind);
  const bool takes_one = !takes_classes || target.n_classes <= 2;
  if ((takes_one && n_outputs == 1) || (takes_classes && n_outputs == target.n_classes)) return;
  throw_invalid("predictions", std::to_string(n_outputs) + " outputs per row, but the metric " +
                                   "needs " + (takes_classes ? "one per class" : "one"));
}

}  // namespace bbc::detail
