#include <algorithm>
#include <cstddef>
#include <vector>

#include "detail/statistics/statistics.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {

void evaluate(const statistic::NetBenefit& statistic, const Sample& sample,
              std::span<double> values) {
  const std::size_t n = statistic.thresholds.size();
  double events = 0.0;
  double others = 0.0;
  for (const std::int32_t row : sample.rows) {
    (sample.is_event[row] != 0 ? events : others) += sample.weights[row];
  }
  const double total = events + others;
  if (total == 0.0) {
    std::ranges::fill(values, kNaN);
    return;
  }
  std::size_t next = 0;
  double untreated_events = 0.0;
  double untreated_others = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double threshold = statistic.thresholds[i];
    for (; next < sample.ascending.size(); ++next) {
      const std::int32_t row = sample.ascending[next];
      if (sample.predictions[row] >= threshold) break;
      (sample.is_event[row] != 0 ? untreated_events : untreated_others) += sample.weights[row];
    }
    const double odds = threshold / (1.0 - threshold);
    const double benefit =
        (events - untreated_events) / total - (others - untreated_others) / total * odds;
    const double of_all = events / total - others / total * odds;
    values[i] = benefit;
    values[n + i] = of_all;
    values[2 * n + i] = benefit - of_all;
    values[3 * n + i] = events > 0.0 ? benefit / (events / total) : kNaN;
  }
}

}  // namespace bbc::detail
