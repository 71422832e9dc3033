#pragma once

#include <bbc/export.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bbc {

/// As in scipy: `greater` asks for a lower bound, `less` for an upper bound.
enum class Alternative { two_sided, greater, less };

/// Confidence limits, or the smallest and largest value of a metric.
struct Interval {
  double low;
  double high;
};

/// The smallest and largest value of a metric: `Metric::range`, or of a function of one's own what
/// it can reach, with infinities where it is unbounded. There is no default.
struct Range {
  double low;
  double high;

  /// Throws Error unless low <= high.
  BBC_API Range(double lowest, double highest);
  operator Interval() const { return {low, high}; }
};

/// How sure, and of which side.
struct Confidence {
  double level = 0.95;
  Alternative alternative = Alternative::two_sided;
};

/// The probability left out on each side that has a limit. Throws Error unless 0 < level < 1.
[[nodiscard]] BBC_API double tail_probability(const Confidence& confidence);

/// Throws Error when the level is outside (0, 1), or when no replicate would lie beyond a bound.
BBC_API void check_confidence_level(double confidence_level, Alternative alternative,
                                    std::int64_t n_bootstraps);

/// The replicate of 1-based rank ceil(q B). Throws Error when there is none, or a NaN.
[[nodiscard]] BBC_API double order_statistic(const std::vector<double>& replicates, double q);

/// Order-statistic interval of the replicates (Tsamardinos et al. 2018, section 3.1): ranks
/// ceil(q B), 1-based; the open side of a one-sided interval is the metric's extreme value,
/// `lowest` or `highest`.
/// Throws Error when the level is outside (0, 1) or too high for the number of replicates.
[[nodiscard]] BBC_API Interval order_statistic_interval(const std::vector<double>& replicates,
                                                        double confidence_level,
                                                        Alternative alternative, double lowest,
                                                        double highest);

/// The standard deviations between seeds of the limits of order_statistic_interval(): half the
/// distance between the order statistics whose ranks lie two standard deviations of the rank, or as
/// many as there are replicates, on both sides, for one standard deviation. NaN of a side that is
/// open, and where there is less than half a standard deviation.
[[nodiscard]] BBC_API Interval order_statistic_errors(const std::vector<double>& replicates,
                                                      const Confidence& confidence);

/// Why draws of folds give no interval; empty from four folds on. Two folds have two different
/// draws and three have nine, too few for order statistics.
[[nodiscard]] BBC_API std::string too_few_folds(std::int64_t n_folds);

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

// Quantiles to about 1e-14 relative, from the standard library's erf and lgamma only.

/// Standard normal distribution function.
[[nodiscard]] BBC_API double normal_cdf(double z) noexcept;

/// Standard normal quantile, 0 < p < 1.
[[nodiscard]] BBC_API double normal_quantile(double p);

/// Distribution function of Student's t with any positive degrees of freedom.
[[nodiscard]] BBC_API double student_t_cdf(double t, double degrees_of_freedom);

/// Quantile of Student's t with any positive degrees of freedom, 0 < p < 1.
[[nodiscard]] BBC_API double student_t_quantile(double p, double degrees_of_freedom);

/// Regularised incomplete beta function I_x(a, b).
[[nodiscard]] BBC_API double beta_cdf(double x, double a, double b);

/// Quantile of the beta distribution, 0 < p < 1: the x with I_x(a, b) = p.
[[nodiscard]] BBC_API double beta_quantile(double p, double a, double b);

}  // namespace bbc
