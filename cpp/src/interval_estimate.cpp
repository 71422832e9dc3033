#include <algorithm>
#include <bbc/interval.hpp>
#include <utility>

#include "detail/support/arithmetic.hpp"

namespace bbc {

IntervalEstimate infeasible(double estimate, std::string reason) {
  IntervalEstimate result;
  result.estimate = estimate;
  result.feasible = false;
  result.reason = std::move(reason);
  return result;
}

IntervalEstimate with_limits(double estimate, Interval limits, Alternative alternative,
                             Interval within) {
  const detail::Arithmetic arithmetic;
  const Range range(within.low, within.high);
  IntervalEstimate result;
  result.estimate = estimate;
  result.interval.low =
      alternative == Alternative::less ? range.low : std::clamp(limits.low, range.low, range.high);
  result.interval.high = alternative == Alternative::greater
                             ? range.high
                             : std::clamp(limits.high, range.low, range.high);
  return result;
}

IntervalEstimate symmetric_interval(double estimate, double standard_error, double quantile,
                                    Alternative alternative, Interval range) {
  const detail::Arithmetic arithmetic;
  const double half = quantile * standard_error;
  IntervalEstimate result =
      with_limits(estimate, {estimate - half, estimate + half}, alternative, range);
  result.standard_error = standard_error;
  if (standard_error == 0.0) {
    result.warning =
        "the standard error is zero, so the limits equal the estimate and carry no information "
        "about its uncertainty";
  }
  return result;
}

IntervalEstimate normal_interval(double estimate, double standard_error,
                                 const Confidence& confidence, Interval range) {
  const detail::Arithmetic arithmetic;
  return symmetric_interval(estimate, standard_error,
                            -normal_quantile(tail_probability(confidence)), confidence.alternative,
                            range);
}

}  // namespace bbc
