#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "detail/support/arithmetic.hpp"

namespace bbc {

double left_out_factor(std::int64_t n_folds) {
  const detail::Arithmetic arithmetic;
  if (n_folds < 2) throw_invalid("n_folds", "must be at least 2, not " + std::to_string(n_folds));
  // From here on the factor is that of rows, (1 - 1/e) / (1/e), to less than .001.
  constexpr std::int64_t kMost = 4096;
  if (n_folds > kMost) return std::numbers::e - 1.0;
  // share[j]: probability that the draws so far have hit j different folds. After many draws it is
  // a narrow peak: what is below kNegligible beside it, which no digit of the factor shows, is left
  // out. 4096 folds take 6 ms, and half as many a third of it.
  constexpr double kNegligible = 1e-60;
  const auto k = static_cast<std::size_t>(n_folds);
  const auto count = static_cast<double>(n_folds);
  std::vector<double> share(k + 1, 0.0);
  share[1] = 1.0;  // after one draw
  std::size_t fewest = 1;
  std::size_t most = 1;
  for (std::size_t draw = 2; draw <= k; ++draw) {
    ++most;
    for (std::size_t j = most; j >= fewest; --j) {
      share[j] = share[j] * static_cast<double>(j) / count +
                 share[j - 1] * static_cast<double>(k - j + 1) / count;
    }
    while (share[most] < kNegligible) share[most--] = 0.0;
    while (share[fewest] < kNegligible) share[fewest++] = 0.0;
  }
  double mean = 0.0;
  double total = 0.0;
  for (std::size_t j = 1; j < k; ++j) {
    mean += share[j] * (count / static_cast<double>(k - j) - 1.0);
    total += share[j];
  }
  return mean / total;
}

CorrectedLimits calibrated_limits(double estimate, const TwoLevelSpread& spread,
                                  std::span<const RateTerm> terms, const Confidence& confidence,
                                  Interval range) {
  const detail::Arithmetic arithmetic;
  const double variance = (1.0 + spread.overlap) * spread.replicate_sd * spread.replicate_sd /
                              left_out_factor(spread.n_folds) +
                          std::max(0.0, spread.luck_variance);
  const IntervalEstimate own = normal_interval(estimate, std::sqrt(variance), confidence, range);
  return limits_around(own.interval, estimate, terms, confidence, range);
}

}  // namespace bbc
