#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/intervals.hpp>
#include <bbc/scores.hpp>
#include <utility>

#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc {
namespace {

/// Of one configuration in one repeat.
struct Contribution {
  std::vector<double> values;
  double score;
};

Contribution auc_values(const Target& target, const Predictions& predictions,
                        std::int64_t configuration) {
  std::vector<std::uint8_t> is_positive(target.codes.size());
  std::ranges::transform(target.codes, is_positive.begin(), [](std::int32_t code) {
    return static_cast<std::uint8_t>(code == 1 ? 1 : 0);
  });
  std::vector<double> scores;
  detail::read_values(predictions, configuration, {}, scores);
  const Placements placed = placements(is_positive, scores);
  const auto n = static_cast<double>(scores.size());
  std::vector<double> values(scores.size());
  std::size_t positive = 0;
  std::size_t negative = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto& own = is_positive[row] != 0 ? placed.positive : placed.negative;
    const double placement = own[is_positive[row] != 0 ? positive++ : negative++];
    values[row] = placed.auc + n / static_cast<double>(own.size()) * (placement - placed.auc);
  }
  return {std::move(values), placed.auc};
}

/// The mean, from the correctly rounded sum.
Contribution with_mean(std::vector<double> values) {
  const double mean = detail::rounded_mean(values);
  return {std::move(values), mean};
}

/// How far apart scores of one repeat are at least; 0 if they may be anywhere.
double step_of(const Metric& metric, const Target& target) {
  const auto n = static_cast<double>(target.n_rows());
  if (std::holds_alternative<metric::ZeroOne>(metric.kind)) return 1.0 / n;
  if (!std::holds_alternative<metric::Auc>(metric.kind)) return 0.0;
  const auto n_positive = static_cast<double>(std::ranges::count(target.codes, 1));
  return 0.5 / (n_positive * (n - n_positive));
}

Contribution contribution_of(const Metric& metric, const Target& target,
                             const Predictions& predictions, std::int64_t configuration) {
  if (std::holds_alternative<metric::Auc>(metric.kind)) {
    return auc_values(target, predictions, configuration);
  }
  auto values = detail::values_of_rows(metric, target, predictions, configuration);
  if (!values) {
    throw_invalid("metric", "must be a mean over rows (accuracy, a row loss) or the AUC");
  }
  return with_mean(std::move(*values));
}

}  // namespace

RowValues row_values(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
                     const Control& control) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(metric, y);
  detail::check_shapes({metric, target, repeats, {}, {}});
  const auto n_repeats = static_cast<double>(repeats.size());
  RowValues found{target.n_rows(),
                  detail::n_configurations(repeats[0]),
                  {},
                  {},
                  step_of(metric, target) / n_repeats,
                  metric.range(target.n_classes),
                  {}};
  const auto n_rows = static_cast<std::size_t>(found.n_rows);
  if (std::holds_alternative<metric::Auc>(metric.kind)) {
    for (const std::int32_t code : target.codes) found.is_event.push_back(code == 1 ? 1 : 0);
  }
  found.values.assign(n_rows * static_cast<std::size_t>(found.n_configurations), 0.0);
  found.scores.assign(static_cast<std::size_t>(found.n_configurations), 0.0);
  const double cells = static_cast<double>(found.values.size()) * n_repeats;
  detail::parallel_for(found.n_configurations, control, 20.0 * cells,
                       [&](std::int64_t j, const detail::StopFlag& stop) {
                         stop.check();
                         double* values =
                             found.values.data() + static_cast<std::size_t>(j) * n_rows;
                         double& score = found.scores[static_cast<std::size_t>(j)];
                         for (const Predictions& predictions : repeats) {
                           const Contribution own = contribution_of(metric, target, predictions, j);
                           for (std::size_t row = 0; row < n_rows; ++row)
                             values[row] += own.values[row];
                           score += own.score;
                         }
                         const double scale = metric.sign / n_repeats;
                         for (std::size_t row = 0; row < n_rows; ++row) values[row] *= scale;
                         score *= scale;
                       });
  return found;
}

}  // namespace bbc
