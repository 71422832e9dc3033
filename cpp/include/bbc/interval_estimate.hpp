#pragma once

#include <bbc/export.h>

#include <bbc/interval.hpp>
#include <string>

namespace bbc {

/// A point estimate with its limits, or with the reason why it has none.
struct IntervalEstimate {
  double estimate = 0.0;
  Interval interval{};          ///< meaningless unless feasible
  double standard_error = 0.0;  ///< 0 where the method has none
  bool feasible = true;
  std::string reason;   ///< why there are no limits
  std::string warning;  ///< why the limits say less than they seem to
};

/// An estimate whose interval does not exist.
[[nodiscard]] BBC_API IntervalEstimate infeasible(double estimate, std::string reason);

/// Puts the limits on the sides that were asked for, inside the metric's range.
[[nodiscard]] BBC_API IntervalEstimate with_limits(double estimate, Interval limits,
                                                   Alternative alternative, Interval range);

/// estimate -/+ quantile * standard_error; warns when the standard error is zero.
[[nodiscard]] BBC_API IntervalEstimate symmetric_interval(double estimate, double standard_error,
                                                          double quantile, Alternative alternative,
                                                          Interval range);

/// The same with the normal quantile.
[[nodiscard]] BBC_API IntervalEstimate normal_interval(double estimate, double standard_error,
                                                       const Confidence& confidence,
                                                       Interval range);

}  // namespace bbc
