#include "detail/metrics/moments.hpp"

#include <cmath>

#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

double MomentsColumns::unit_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest == 0.0 ? 1.0 : std::ldexp(1.0, std::min(-std::ilogb(largest), 1023));
}

std::vector<double> MomentsColumns::centred(std::vector<double> values, double unit) {
  for (double& value : values) value *= unit;
  const double mean = rounded_mean(values);
  for (double& value : values) value -= mean;
  return values;
}

MomentsColumns::Spread MomentsColumns::two_pass(const Column& column, const double* weights,
                                                int stride, double mean_of_y) const {
  double origin = 0.0;
  double weight = 0.0;
  double mean = 0.0;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double of_row = weights[row * static_cast<std::size_t>(stride)];
    if (!(of_row > 0.0)) continue;
    if (weight == 0.0) origin = column[row];
    weight += of_row;
    mean += of_row * (column[row] - origin);
  }
  if (weight > 0.0) mean /= weight;
  Spread spread{0.0, 0.0};
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double of_row = weights[row * static_cast<std::size_t>(stride)];
    const double difference = (column[row] - origin) - mean;
    spread.squares += of_row * (difference * difference);
    spread.mixed += of_row * difference * (y_[row] - mean_of_y);
  }
  return spread;
}

}  // namespace bbc::detail
