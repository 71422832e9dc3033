#include "detail/metrics/row_weights.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <numeric>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

/// A positive number as an odd integer times a power of two.
struct Dyadic {
  std::int64_t odd;
  int power;
};

Dyadic dyadic(double value) {
  constexpr int kDigits = 53;
  int power = 0;
  auto odd = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &power), kDigits));
  power -= kDigits;
  for (; odd % 2 == 0; odd /= 2) ++power;
  return {odd, power};
}

/// The weights as multiples of their largest common step; empty where these are too large.
std::vector<double> multiples(const std::vector<double>& weights) {
  std::int64_t common = 0;  // odd
  int lowest_power = 0;
  for (const double weight : weights) {
    if (weight == 0.0) continue;
    const Dyadic own = dyadic(weight);
    lowest_power = common == 0 ? own.power : std::min(lowest_power, own.power);
    if (common != 1) common = std::gcd(common, own.odd);
  }
  const std::int64_t most = kMostIntegerWeight / static_cast<std::int64_t>(weights.size());
  std::vector<double> multiples;
  multiples.reserve(weights.size());
  for (const double weight : weights) {
    double multiple = 0.0;
    if (weight != 0.0) {
      const Dyadic own = dyadic(weight);
      multiple = std::ldexp(static_cast<double>(own.odd / common), own.power - lowest_power);
    }
    if (multiple > static_cast<double>(most)) return {};
    multiples.push_back(multiple);
  }
  return multiples;
}

}  // namespace

std::vector<double> relative_weights(std::vector<double> weights, std::int64_t n_rows,
                                     bool even_power) {
  if (weights.empty()) return weights;
  if (static_cast<std::int64_t>(weights.size()) != n_rows) {
    throw_invalid("row_weights", std::to_string(weights.size()) + " values for " +
                                     std::to_string(n_rows) + " rows");
  }
  double largest = 0.0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!(weights[row] >= 0.0 && std::isfinite(weights[row]))) {
      throw_invalid("row_weights", "not a finite number of at least 0",
                    {{"row", static_cast<std::int64_t>(row)}});
    }
    largest = std::max(largest, weights[row]);
  }
  if (largest == 0.0) throw_invalid("row_weights", "is zero in every row");
  if (std::all_of(weights.begin(), weights.end(), [&](double w) { return w == largest; })) {
    return {};
  }
  if (auto integers = multiples(weights); !integers.empty()) return integers;
  int power = std::min(-std::ilogb(largest), 1023);
  if (even_power) power -= power % 2;
  const double unit = std::ldexp(1.0, power);
  for (double& weight : weights) weight *= unit;
  return weights;
}

WeightKind kind_of(std::span<const double> weights) {
  if (weights.empty()) return WeightKind::none;
  const bool whole = std::all_of(weights.begin(), weights.end(),
                                 [](double weight) { return weight == std::floor(weight); });
  return whole ? WeightKind::integer : WeightKind::real;
}

}  // namespace bbc::detail
