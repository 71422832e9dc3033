#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval_estimate.hpp>
#include <bbc/row_values.hpp>
#include <cstdint>
#include <vector>

namespace bbc {

struct WinnerIntervalOptions {
  enum class Method { conditional, hybrid };
  Method method = Method::hybrid;
  bool greater_is_better = true;
  Confidence confidence;
  Interval range{0.0, 1.0};  ///< of the metric
  std::uint64_t seed = 0;    ///< of the multipliers of the hybrid interval
  std::int64_t n_draws = 10'000;
  /// Unit of each row, any codes: values within a unit are summed. Empty: every row is a unit.
  std::vector<std::int32_t> units;
};

/// The performance of the configuration that was chosen, given that it was (Andrews, Kitagawa and
/// McCloskey 2024): its score is normal, truncated to where it is the best. The estimate is the
/// median-unbiased one; the hybrid method also conditions on the performance being in a
/// simultaneous interval of all configurations, at a tenth of the error probability.
///
/// Scores that are multiples of a step tie with positive probability: half a step is the limit at
/// which the winner would have lost. If a score ties for the best otherwise, there is no interval.
[[nodiscard]] BBC_API IntervalEstimate winner_interval(const RowValues& rows, std::int64_t winner,
                                                       const WinnerIntervalOptions& options,
                                                       const Control& control = {});

/// F(x) of the normal distribution of mean `mean` and standard deviation `sd`, truncated to
/// [low, high] with low <= x <= high, accurate far from the mean as well.
[[nodiscard]] BBC_API double truncated_normal_cdf(double x, double mean, double sd,
                                                  Interval truncated);

}  // namespace bbc
