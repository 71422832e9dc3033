#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bbc::detail {

/// Points in ascending order of x.
struct SortedPoints {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> weight;
};

/// Of the weight, as loess takes it unless told.
inline constexpr double kSpan = 0.75;

/// Local linear regression of y on x at one place (loess of degree 1, Cleveland 1979): tricube
/// weights over the nearest points, to which a share `span` of the weight belongs. Where all weight
/// is on the place itself it is the mean there; NaN outside the range of x, and where the points
/// leave the line undetermined.
[[nodiscard]] double local_linear(const SortedPoints& points, double place, double span);

/// Rows of a logistic regression on one predictor.
struct LogisticData {
  std::vector<double> predictor;
  std::vector<double> weight;
  std::vector<std::uint8_t> is_event;
};

struct LogisticLine {
  double intercept = std::numeric_limits<double>::quiet_NaN();
  double slope = std::numeric_limits<double>::quiet_NaN();
};

/// Estimates by maximum likelihood, and by Firth's (1993) adjusted score, whose bias is of a lower
/// order. Both are NaN where the likelihood has no maximum.
template <class Estimate>
struct LogisticFit {
  Estimate likelihood;
  Estimate reduced;
};

/// logit P(event) = intercept + slope x predictor.
[[nodiscard]] LogisticFit<LogisticLine> fit_line(const LogisticData& data);

/// logit P(event) = intercept + predictor.
[[nodiscard]] LogisticFit<double> fit_intercept(const LogisticData& data);

}  // namespace bbc::detail
