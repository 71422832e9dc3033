#pragma once

#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Exact running sum of doubles (Shewchuk 1997); `round` is correctly rounded, half to even.
class ExactSum {
 public:
  void add(double term);
  [[nodiscard]] double round() const;

 private:
  std::vector<double> partials_;  // non-overlapping, increasing in magnitude
};

/// Whether sum + compensation rounds as the exact sum does. The compensation adds up about n
/// terms whose absolute values add up to `magnitude`.
[[nodiscard]] bool is_certain(double sum, double compensation, double magnitude, std::int64_t n);

/// Correctly rounded sum of weights[i * stride] * values[i]; weights are integers below 2^26.
[[nodiscard]] double rounded_weighted_sum(const double* values, const double* weights,
                                          std::int64_t n, std::int64_t stride);

/// Correctly rounded sum of the values: what math.fsum gives.
[[nodiscard]] double rounded_sum(const double* values, std::int64_t n);

/// The mean, from that sum.
[[nodiscard]] double rounded_mean(const std::vector<double>& values);

/// The standard deviation, with n - 1, from the correctly rounded sum of squares about the mean; 0
/// for a single value.
[[nodiscard]] double standard_deviation(std::vector<double> values, double mean);

}  // namespace bbc::detail
