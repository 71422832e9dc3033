#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <cmath>
#include <string>

#include "detail/intervals/score_limits.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

constexpr Interval kProportionRange{0.0, 1.0};

void check_counts(std::int64_t n_successes, std::int64_t n_trials) {
  if (n_trials < 1) throw_invalid("n_trials", "must be at least 1");
  if (n_successes < 0 || n_successes > n_trials) {
    throw_invalid("n_successes", "must be between 0 and " + std::to_string(n_trials) + ", not " +
                                     std::to_string(n_successes));
  }
}

/// Clopper and Pearson's lower limit of k successes in n; the upper one is its mirror image.
double clopper_pearson_low(double k, double n, double tail) {
  return k == 0.0 ? 0.0 : beta_quantile(tail, k, n - k + 1.0);
}

}  // namespace

IntervalEstimate wilson(std::int64_t n_successes, std::int64_t n_trials,
                        const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  check_counts(n_successes, n_trials);
  const double z = -normal_quantile(tail_probability(confidence));
  const auto k = static_cast<double>(n_successes);
  const auto n = static_cast<double>(n_trials);
  return with_limits(k / n, {detail::wilson_low(k, n, z), 1.0 - detail::wilson_low(n - k, n, z)},
                     confidence.alternative, kProportionRange);
}

IntervalEstimate clopper_pearson(std::int64_t n_successes, std::int64_t n_trials,
                                 const Confidence& confidence) {
  const detail::Arithmetic arithmetic;
  check_counts(n_successes, n_trials);
  const double tail = tail_probability(confidence);
  const auto k = static_cast<double>(n_successes);
  const auto n = static_cast<double>(n_trials);
  return with_limits(k / n,
                     {clopper_pearson_low(k, n, tail), 1.0 - clopper_pearson_low(n - k, n, tail)},
                     confidence.alternative, kProportionRange);
}

}  // namespace bbc
