#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval_estimate.hpp>
#include <bbc/row_values.hpp>
#include <cstdint>
#include <vector>

namespace bbc {

struct WinnerIntervalOptions {
  bool greater_is_better = true;
  Confidence confidence;
  std::uint64_t seed = 0;  ///< of the multipliers of the simultaneous interval
  std::int64_t n_draws = 10'000;
  /// Unit of each row, any codes: values within a unit are summed. Empty: every row is a unit.
  std::vector<std::int32_t> units;
};

/// The performance of the configuration that was chosen, given that it was (Andrews, Kitagawa and
/// McCloskey 2024, hybrid): its score is normal, truncated to where it is the best and, at a tenth
/// of the error probability, to a simultaneous interval of all configurations, within which
/// estimate and limits lie. Normal is taken to be the logit of a score whose range is bounded, and
/// the logarithm of a loss that is not negative: the variance of a score near an end of its range
/// is smaller than that of the performance behind it. Quantiles are those of Student's t with n - 1
/// degrees of freedom, for n rows or units; AUC: n of the smaller class. The estimate is the
/// median-unbiased one.
///
/// Scores that are multiples of a step tie with positive probability: half a step is the limit at
/// which the winner would have lost. If a score ties for the best otherwise, there is no interval;
/// nor with fewer than ten rows or units, of either class for the AUC. A score at the end of its
/// range has exact (accuracy) or score limits (AUC), shared among the configurations.
[[nodiscard]] BBC_API IntervalEstimate winner_interval(const RowValues& rows, std::int64_t winner,
                                                       const WinnerIntervalOptions& options,
                                                       const Control& control = {});

/// The `standard_error` of the winner's score alone, without the interval.
[[nodiscard]] BBC_API double winner_standard_error(const RowValues& rows, std::int64_t winner,
                                                   const WinnerIntervalOptions& options);

/// F(x) of the normal distribution of mean `mean` and standard deviation `sd`, truncated to
/// [low, high] with low <= x <= high, accurate far from the mean as well.
[[nodiscard]] BBC_API double truncated_normal_cdf(double x, double mean, double sd,
                                                  Interval truncated);

}  // namespace bbc
