#pragma once

namespace bbc {

// Quantiles to about 1e-14 relative, from the standard library's erf and lgamma only.

/// Standard normal distribution function.
[[nodiscard]] double normal_cdf(double z) noexcept;

/// Standard normal quantile, 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

/// Quantile of Student's t with any positive degrees of freedom, 0 < p < 1.
[[nodiscard]] double student_t_quantile(double p, double degrees_of_freedom);

/// Regularised incomplete beta function I_x(a, b).
[[nodiscard]] double beta_cdf(double x, double a, double b);

/// Quantile of the beta distribution, 0 < p < 1: the x with I_x(a, b) = p.
[[nodiscard]] double beta_quantile(double p, double a, double b);

}  // namespace bbc
