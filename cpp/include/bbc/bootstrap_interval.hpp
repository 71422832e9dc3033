#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval_estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/resampling.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// Intervals from the plug-in replicates of one fixed statistic. Only the percentile interval
/// (order_statistic_interval) has a meaning for the out-of-bag replicates of BBC.
enum class BootstrapKind { percentile, basic, bca, studentized };

/// What the kinds are computed from.
struct BootstrapSample {
  double estimate = 0.0;
  std::vector<double> replicates;
  std::vector<double> jackknife;         ///< leave-one-out values; bca
  double standard_error = 0.0;           ///< of the estimate; studentized
  std::vector<double> replicate_errors;  ///< one standard error per replicate; studentized
  std::int64_t n_redrawn = 0;
  std::string reason;  ///< why a leave-one-out value does not exist; the interval is infeasible
};

/// Resamples the score of one fixed configuration: whole bags, nothing held out. Draws, redraws and
/// units as in the correction, from a stream of its own; leave-one-out values are over units.
/// Metrics of all rows together only (no folds), without sample weights.
[[nodiscard]] BBC_API BootstrapSample bootstrap_sample(const Target& y,
                                                       const Predictions& predictions,
                                                       const Metric& metric, Resampling resampling,
                                                       BootstrapKind kind,
                                                       const Control& control = {});

/// Percentile and basic (Efron and Tibshirani 1993), BCa (Efron 1987; replicates equal to the
/// estimate count one half in the bias correction), studentized = bootstrap-t.
[[nodiscard]] BBC_API IntervalEstimate bootstrap_interval(const BootstrapSample& sample,
                                                          BootstrapKind kind,
                                                          const Confidence& confidence,
                                                          Interval range);

/// Standard error from leave-one-out values, value i counting `counts[i]` times (empty: once):
/// sqrt((n - 1) / n sum (t_i - mean)^2).
[[nodiscard]] BBC_API double jackknife_error(std::span<const double> values,
                                             std::span<const std::uint16_t> counts);

}  // namespace bbc
