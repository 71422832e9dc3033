#include "detail/row_weights.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <string>

namespace bbc::detail {

std::vector<double> in_units(std::vector<double> weights, std::int64_t n_rows, bool even_power) {
  if (weights.empty()) return weights;
  if (static_cast<std::int64_t>(weights.size()) != n_rows) {
    throw_invalid("sample_weight: " + std::to_string(weights.size()) + " values for " +
                  std::to_string(n_rows) + " rows");
  }
  double largest = 0.0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!(weights[row] >= 0.0 && std::isfinite(weights[row]))) {
      throw_invalid("sample_weight: not a finite number of at least 0 at row " +
                    std::to_string(row));
    }
    largest = std::max(largest, weights[row]);
  }
  if (largest == 0.0) throw_invalid("sample_weight: is zero in every row");
  int power = std::min(-std::ilogb(largest), 1023);
  if (even_power) power -= power % 2;
  const double unit = std::ldexp(1.0, power);
  for (double& weight : weights) weight *= unit;
  return weights;
}

}  // namespace bbc::detail
