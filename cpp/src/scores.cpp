#include <algorithm>
#include <bbc/scores.hpp>
#include <cmath>

#include "detail/check_target.hpp"
#include "detail/evaluator.hpp"
#include "detail/row_weights.hpp"

namespace bbc {

Scores score(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
             std::span<const std::int32_t> folds, const std::vector<double>& row_weights,
             const Control& control) {
  const Target target = detail::checked_target(metric, y);
  const auto evaluator =
      detail::make_evaluator({metric, target, repeats, folds, !row_weights.empty()}, control);
  const auto n_rows = target.n_rows();
  const detail::Bag all{1, n_rows, std::vector<std::uint16_t>(static_cast<std::size_t>(n_rows), 1),
                        detail::in_units(row_weights, n_rows, /*even_power=*/true)};
  const std::int64_t n = evaluator->n_configurations();
  Scores result;
  result.values.resize(static_cast<std::size_t>(n));
  const double cells =
      static_cast<double>(n) * static_cast<double>(n_rows) * static_cast<double>(repeats.size());
  detail::parallel_for(n, control, 2.0 * cells, [&](std::int64_t j, const detail::StopFlag& stop) {
    const detail::Choice choice{0.0, j};
    double& value = result.values[static_cast<std::size_t>(j)];
    evaluator->in_bag(all, &choice, stop, &value);
    value *= metric.sign;
  });
  if (std::any_of(result.values.begin(), result.values.end(),
                  [](double value) { return !std::isnan(value); })) {
    detail::Choice best;
    evaluator->best(all, detail::StopFlag{}, &best);
    result.winner = best.configuration;
  }
  return result;
}

}  // namespace bbc
