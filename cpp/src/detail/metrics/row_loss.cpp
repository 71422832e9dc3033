#include "detail/metrics/row_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

using Kind = metric::RowLoss::Kind;

double xlogy(double x, double y) { return x == 0.0 ? 0.0 : x * detail::log(y); }

/// Probabilities of 0 and 1 are moved by one float64 epsilon, as scikit-learn does.
double clipped(double probability) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return std::min(std::max(probability, kEpsilon), 1.0 - kEpsilon);
}

/// Losses of a real truth and one predicted value.
double real_loss(const metric::RowLoss& loss, double truth, double value) {
  switch (loss.kind) {
    case Kind::given:
      return value;
    case Kind::squared: {
      const double difference = loss.unit * truth - loss.unit * value;
      return difference * difference;
    }
    case Kind::squared_log: {
      const double difference = detail::log1p(truth) - detail::log1p(value);
      return difference * difference;
    }
    case Kind::absolute:
      return std::fabs(truth - value);
    case Kind::absolute_percentage: {
      // scikit-learn's floor keeps the loss finite where the truth is 0.
      constexpr double kFloor = std::numeric_limits<double>::epsilon();
      return std::fabs(truth - value) / std::max(std::fabs(truth), kFloor);
    }
    case Kind::pinball: {
      const double difference = truth - value;
      return difference >= 0.0 ? loss.alpha * difference : (loss.alpha - 1.0) * difference;
    }
    case Kind::poisson:
      return 2.0 * (xlogy(truth, truth / value) - truth + value);
    case Kind::gamma:
      return 2.0 * (detail::log(value / truth) + truth / value - 1.0);
    default:
      return 0.0;
  }
}

const char* outside_domain(Kind kind, double truth, double value) {
  switch (kind) {
    case Kind::squared_log:
      if (truth <= -1.0 || value <= -1.0) return "squared log error needs values above -1";
      return nullptr;
    case Kind::poisson:
      if (truth < 0.0 || value <= 0.0) {
        return "Poisson deviance needs a truth >= 0 and positive predictions";
      }
      return nullptr;
    case Kind::gamma:
      if (truth <= 0.0 || value <= 0.0)
        return "gamma deviance needs a positive truth and positive predictions";
      return nullptr;
    default:
      return nullptr;
  }
}

/// One of the two equal squares, as scikit-learn counts them.
double brier_of_two(std::int32_t code, double probability) {
  const double difference = (code == 1 ? 1.0 : 0.0) - probability;
  return difference * difference;
}

/// Mean over the cut-offs between ordered classes of the Brier score of being above (Epstein 1969).
double ranked_probability(std::int32_t code, const double* probability, std::int64_t n_outputs) {
  if (n_outputs == 2) return brier_of_two(code, probability[1]);
  double sum = 0.0;
  double below = 0.0;
  for (std::int64_t cut = 0; cut + 1 < n_outputs; ++cut) {
    below += probability[cut];
    const double difference = below - (code <= cut ? 1.0 : 0.0);
    sum += difference * difference;
  }
  return sum / static_cast<double>(n_outputs - 1);
}

/// Losses of a class and the predicted probabilities (one: that of class 1).
double class_loss(Kind kind, std::int32_t code, const double* probability, std::int64_t n_outputs) {
  if (n_outputs == 1) {
    const double of_truth = code == 1 ? probability[0] : 1.0 - probability[0];
    switch (kind) {
      case Kind::brier:
      case Kind::ranked_probability:
        return brier_of_two(code, probability[0]);
      case Kind::binomial:
        return -2.0 * detail::log(clipped(of_truth));
      default:
        return -detail::log(clipped(of_truth));
    }
  }
  if (kind == Kind::brier) {
    if (n_outputs == 2) return brier_of_two(code, probability[1]);
    double sum = 0.0;
    for (std::int64_t output = 0; output < n_outputs; ++output) {
      const double difference = (output == code ? 1.0 : 0.0) - probability[output];
      sum += difference * difference;
    }
    return sum;
  }
  if (kind == Kind::ranked_probability) return ranked_probability(code, probability, n_outputs);
  return -detail::log(clipped(probability[code]));
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

bool reads_classes(Kind kind) {
  return kind == Kind::log || kind == Kind::brier || kind == Kind::ranked_probability ||
         kind == Kind::binomial;
}

std::vector<double> row_losses(const metric::RowLoss& kind, const Target& target,
                               const Predictions& predictions, std::int64_t configuration,
                               std::span<const std::int32_t> rows) {
  if (kind.kind == Kind::ordinal) {
    std::vector<std::int32_t> codes;
    read_codes(predictions, target, configuration, rows, codes);
    std::vector<double> steps(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      steps[i] = std::abs(codes[i] - target.codes[i]);
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
  const bool of_classes = reads_classes(kind.kind);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double* value = values.data() + i * static_cast<std::size_t>(n_outputs);
    if (of_classes) {
      check_probabilities(value, n_outputs, row_number(i), configuration);
      losses[i] = class_loss(kind.kind, target.codes[i], value, n_outputs);
    } else {
      const char* problem = outside_domain(kind.kind, target.values[i], *value);
      if (problem != nullptr) throw_at(problem, row_number(i), configuration);
      losses[i] = real_loss(kind, target.values[i], *value);
    }
    if (!(std::fabs(losses[i]) <= kLargestLoss)) {
      throw_at("a loss that is too large to be added up", row_number(i), configuration);
    }
  }
  return losses;
}

}  // namespace bbc::detail
