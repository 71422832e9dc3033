#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace bbc::detail {

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
