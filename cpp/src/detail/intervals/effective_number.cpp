#include "detail/intervals/effective_number.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "detail/metrics/row_weights.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

std::vector<double> weights_of_predicted(const std::vector<double>& weights, std::int64_t n_rows,
                                         std::span<const std::int32_t> folds, bool even_power) {
  auto scaled = relative_weights(weights, n_rows, even_power);
  if (folds.empty()) return scaled;
  const auto n = static_cast<std::size_t>(n_rows);
  std::vector<std::uint8_t> predicted(n);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] >= 0) predicted[i % n] = 1;
  }
  for (std::size_t row = 0; row < n; ++row) {
    if (predicted[row] != 0) continue;
    if (scaled.empty()) scaled.assign(n, 1.0);
    scaled[row] = 0.0;
  }
  return scaled;
}

double rate_of(const RateRows& rows) {
  double sum = 0.0;
  double total = 0.0;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    sum += rows.weights[i] * rows.values[i];
    total += rows.weights[i];
  }
  return total > 0.0 ? sum / total : 0.0;
}

double effective_number(const RateRows& rows) {
  double total = 0.0;
  double apart = 0.0;  // V_0
  for (const double weight : rows.weights) {
    total += weight;
    apart += weight * weight;
  }
  if (total == 0.0) return 0.0;
  if (rows.units.empty()) return total * total / apart;

  struct Unit {
    double weight = 0.0;
    double deviation = 0.0;
    bool below_one = false;
    bool above_zero = false;
  };
  const double rate = rate_of(rows);
  std::map<std::int32_t, Unit> units;
  double spread = 0.0;
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const double weight = rows.weights[i];
    const double deviation = weight * (rows.values[i] - rate);
    Unit& unit = units[rows.units[i]];
    unit.weight += weight;
    unit.deviation += deviation;
    unit.below_one = unit.below_one || rows.values[i] < 1.0;
    unit.above_zero = unit.above_zero || rows.values[i] > 0.0;
    spread += deviation * deviation;
  }
  double together = 0.0;  // V_1
  double clustered = 0.0;
  double below_one = 0.0;
  double above_zero = 0.0;
  for (const auto& [code, unit] : units) {
    together += unit.weight * unit.weight;
    clustered += unit.deviation * unit.deviation;
    below_one += unit.below_one ? 1.0 : 0.0;
    above_zero += unit.above_zero ? 1.0 : 0.0;
  }
  const auto n_units = static_cast<double>(units.size());
  const double informative = std::min(below_one, above_zero);
  double estimated = together;
  if (spread > 0.0 && n_units > 1.0) {
    const double effect = clustered / spread * n_units / (n_units - 1.0);
    estimated = std::clamp(apart * effect, apart, together);
  }
  return total * total * (informative + 1.0) / (informative * estimated + together);
}

}  // namespace bbc::detail
