#include "detail/metrics/row_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "detail/support/compiler.hpp"
#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

using Kind = metric::RowLoss::Kind;
using Reads = LossTraits::Reads;

// What formulas of metrics.inc call.

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double squared(double x) { return x * x; }

double xlogy(double x, double y) { return x == 0.0 ? 0.0 : x * detail::log(y); }

/// Probabilities of 0 and 1 are moved by one float64 epsilon, as scikit-learn does.
double clipped(double probability) {
  return std::min(std::max(probability, kEpsilon), 1.0 - kEpsilon);
}

double brier_of_several(std::int32_t code, const double* probability, std::int64_t n_outputs) {
  double sum = 0.0;
  for (std::int64_t output = 0; output < n_outputs; ++output) {
    const double difference = (output == code ? 1.0 : 0.0) - probability[output];
    sum += difference * difference;
  }
  return sum;
}

/// Mean over the cut-offs between ordered classes of the Brier score of being above (Epstein 1969).
double ranked_probability(std::int32_t code, const double* probability, std::int64_t n_outputs) {
  double sum = 0.0;
  double below = 0.0;
  for (std::int64_t cut = 0; cut + 1 < n_outputs; ++cut) {
    below += probability[cut];
    const double difference = below - (code <= cut ? 1.0 : 0.0);
    sum += difference * difference;
  }
  return sum / static_cast<double>(n_outputs - 1);
}

// Losses of the three forms; those of the others are never asked for.
#define BBC_OTHER_LOSS(kind, ...) \
  case Kind::kind:                \
    break;

/// Of a real truth and one predicted value.
double value_loss(const metric::RowLoss& loss, double given_truth, double given_value) {
  const double truth = loss.unit * given_truth;
  const double value = loss.unit * given_value;
  const double alpha = loss.alpha;
  switch (loss.kind) {
#define BBC_VALUE_LOSS(kind, form, truths, predictions, needs, formula) \
  case Kind::kind:                                                      \
    return formula;
#define BBC_CLASS_LOSS BBC_OTHER_LOSS
#define BBC_LABEL_LOSS BBC_OTHER_LOSS
#include <bbc/metrics.inc>
  }
  return 0.0;
}

/// Of a class and the predicted probabilities (one: that of class 1).
double class_loss(Kind kind, std::int32_t code, const double* probability, std::int64_t n_outputs) {
  const double truth = code == 1 ? 1.0 : 0.0;
  const double value = probability[n_outputs == 2 ? 1 : 0];
  const double of_truth = n_outputs > 1 ? probability[code] : code == 1 ? value : 1.0 - value;
  const bool several = n_outputs > 2;
  switch (kind) {
#define BBC_CLASS_LOSS(kind, form, largest, formula, of_several) \
  case Kind::kind:                                               \
    return several ? of_several : formula;
#define BBC_VALUE_LOSS BBC_OTHER_LOSS
#define BBC_LABEL_LOSS BBC_OTHER_LOSS
#include <bbc/metrics.inc>
  }
  return 0.0;
}

/// Of the codes of two labels.
double label_loss(Kind kind, std::int32_t truth, std::int32_t code) {
  switch (kind) {
#define BBC_LABEL_LOSS(kind, largest, formula) \
  case Kind::kind:                             \
    return formula;
#define BBC_VALUE_LOSS BBC_OTHER_LOSS
#define BBC_CLASS_LOSS BBC_OTHER_LOSS
#include <bbc/metrics.inc>
  }
  return 0.0;
}

void check_probabilities(const double* probability, std::int64_t n_outputs, std::int64_t row,
                         std::int64_t configuration) {
  constexpr double kTolerance = 1e-6;
  double sum = 0.0;
  for (std::int64_t output = 0; output < n_outputs; ++output) {
    if (probability[output] < 0.0 || probability[output] > 1.0) {
      throw_at("a probability outside [0, 1]", row, configuration);
    }
    sum += probability[output];
  }
  if (n_outputs > 1 && std::fabs(sum - 1.0) > kTolerance) {
    throw_at("class probabilities that do not sum to 1", row, configuration);
  }
}

}  // namespace

std::vector<double> row_losses(const metric::RowLoss& kind, const Target& target,
                               const Predictions& predictions, std::int64_t configuration,
                               std::span<const std::int32_t> rows) {
  const LossTraits traits = traits_of(kind.kind);
  if (traits.reads == Reads::label) {
    std::vector<std::int32_t> codes;
    read_codes(predictions, target, configuration, rows, codes);
    std::vector<double> steps(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      steps[i] = label_loss(kind.kind, target.codes[i], codes[i]);
    }
    return steps;
  }
  std::vector<double> values;
  read_values(predictions, configuration, rows, values);
  const auto n_outputs = n_outputs_of(predictions);
  const auto n_rows = values.size() / static_cast<std::size_t>(n_outputs);
  const auto row_number = [&](std::size_t i) {
    return rows.empty() ? static_cast<std::int64_t>(i) : std::int64_t{rows[i]};
  };
  std::vector<double> losses(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double* value = values.data() + i * static_cast<std::size_t>(n_outputs);
    if (traits.reads == Reads::probabilities) {
      check_probabilities(value, n_outputs, row_number(i), configuration);
      losses[i] = class_loss(kind.kind, target.codes[i], value, n_outputs);
    } else {
      if (!is_one_of(traits.truths, target.values[i]) || !is_one_of(traits.predictions, *value)) {
        throw_at(traits.needs, row_number(i), configuration);
      }
      losses[i] = value_loss(kind, target.values[i], *value);
    }
    if (!(std::fabs(losses[i]) <= kLargestLoss)) {
      throw_at("a loss that is too large to be added up", row_number(i), configuration);
    }
  }
  return losses;
}

}  // namespace bbc::detail
