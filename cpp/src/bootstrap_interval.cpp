#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <cmath>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

/// A standard error below this share of the scores is the rounding of jackknife values that are all
/// the same number.
constexpr double kErrorRounding = 1e-11;

/// Share of the replicates below the estimate, equal ones counting one half.
double share_below(const BootstrapSample& sample) {
  double below = 0.0;
  for (const double replicate : sample.replicates) {
    below += replicate < sample.estimate ? 1.0 : replicate == sample.estimate ? 0.5 : 0.0;
  }
  return below / static_cast<double>(sample.replicates.size());
}

/// One sixth of the skewness of the influence values.
double acceleration_of(std::span<const double> jackknife) {
  double sum = 0.0;
  for (const double value : jackknife) sum += value;
  const double mean = sum / static_cast<double>(jackknife.size());
  double squares = 0.0;
  double cubes = 0.0;
  for (const double value : jackknife) {
    const double influence = mean - value;
    squares += influence * influence;
    cubes += influence * influence * influence;
  }
  return squares > 0.0 ? cubes / (6.0 * squares * std::sqrt(squares)) : 0.0;
}

IntervalEstimate bca(const BootstrapSample& sample, const Confidence& confidence, Interval range) {
  const double below = share_below(sample);
  if (below <= 0.0 || below >= 1.0) {
    return infeasible(sample.estimate, std::string("every replicate lies ") +
                                           (below <= 0.0 ? "above" : "below") +
                                           " the estimate, so the bias correction is infinite");
  }
  const double acceleration = acceleration_of(sample.jackknife);
  const double bias = normal_quantile(below);
  const double z = normal_quantile(tail_probability(confidence));
  double limits[2];
  for (const int side : {0, 1}) {
    const double shifted = bias + (side == 0 ? z : -z);
    if (acceleration * shifted >= 1.0) {
      return infeasible(sample.estimate, "the acceleration " + std::to_string(acceleration) +
                                             " is too large for this confidence level");
    }
    limits[side] = order_statistic(sample.replicates,
                                   normal_cdf(bias + shifted / (1.0 - acceleration * shifted)));
  }
  return with_limits(sample.estimate, {limits[0], limits[1]}, confidence.alternative, range);
}

IntervalEstimate studentized(const BootstrapSample& sample, const Confidence& confidence,
                             Interval range) {
  std::int64_t n_constant = 0;
  for (std::size_t b = 0; b < sample.replicates.size(); ++b) {
    const double largest = std::max(std::abs(sample.estimate), std::abs(sample.replicates[b]));
    n_constant += sample.replicate_errors[b] <= kErrorRounding * largest ? 1 : 0;
  }
  if (n_constant > 0) {
    return infeasible(sample.estimate,
                      std::to_string(n_constant) +
                          " replicates have a standard error of zero, so they cannot be "
                          "studentized");
  }
  std::vector<double> ratios(sample.replicates.size());
  for (std::size_t b = 0; b < ratios.size(); ++b) {
    ratios[b] = (sample.replicates[b] - sample.estimate) / sample.replicate_errors[b];
  }
  const double tail = tail_probability(confidence);
  const double high_ratio = order_statistic(ratios, 1.0 - tail);
  const double low_ratio = order_statistic(ratios, tail);
  IntervalEstimate result = with_limits(sample.estimate,
                                        {sample.estimate - sample.standard_error * high_ratio,
                                         sample.estimate - sample.standard_error * low_ratio},
                                        confidence.alternative, range);
  result.standard_error = sample.standard_error;
  return result;
}

void check(const BootstrapSample& sample, BootstrapKind kind) {
  if (kind == BootstrapKind::bca && sample.jackknife.empty()) {
    throw_invalid("jackknife", "a bca interval needs leave-one-out values");
  }
  if (kind != BootstrapKind::studentized) return;
  if (sample.replicate_errors.size() != sample.replicates.size()) {
    throw_invalid("replicate_errors", std::to_string(sample.replicate_errors.size()) + " for " +
                                          std::to_string(sample.replicates.size()) + " replicates");
  }
}

}  // namespace

IntervalEstimate bootstrap_interval(const BootstrapSample& sample, BootstrapKind kind,
                                    const Confidence& confidence, Interval range) {
  const detail::Arithmetic arithmetic;
  check_confidence_level(confidence.level, confidence.alternative,
                         static_cast<std::int64_t>(sample.replicates.size()));
  if (!sample.reason.empty()) return infeasible(sample.estimate, sample.reason);
  check(sample, kind);
  if (kind == BootstrapKind::bca) return bca(sample, confidence, range);
  if (kind == BootstrapKind::studentized) return studentized(sample, confidence, range);
  const double tail = tail_probability(confidence);
  Interval limits{order_statistic(sample.replicates, tail),
                  order_statistic(sample.replicates, 1.0 - tail)};
  if (kind == BootstrapKind::basic) {
    limits = {2.0 * sample.estimate - limits.high, 2.0 * sample.estimate - limits.low};
  }
  return with_limits(sample.estimate, limits, confidence.alternative, range);
}

double jackknife_error(std::span<const double> values, std::span<const std::uint16_t> counts) {
  const detail::Arithmetic arithmetic;
  if (values.empty()) throw_invalid("values", "there are none");
  if (!counts.empty() && counts.size() != values.size()) {
    throw_invalid("counts", std::to_string(counts.size()) + " for " +
                                std::to_string(values.size()) + " values");
  }
  const auto count = [&](std::size_t i) {
    return counts.empty() ? 1.0 : static_cast<double>(counts[i]);
  };
  double n = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    n += count(i);
    sum += count(i) * values[i];
  }
  const double mean = sum / n;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double deviation = values[i] - mean;
    squares += count(i) * deviation * deviation;
  }
  return std::sqrt((n - 1.0) / n * squares);
}

}  // namespace bbc
