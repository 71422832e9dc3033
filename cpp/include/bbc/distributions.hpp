#pragma once

#include <bbc/export.h>

namespace bbc {

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
