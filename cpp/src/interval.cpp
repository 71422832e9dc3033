#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>

namespace bbc {
namespace {

/// Nine decimals are kept: 1 - 0.95 in floating point must not move to the next order statistic.
double rounded(double value) { return std::nearbyint(value * 1e9) / 1e9; }

/// 1-based rank of the q quantile among n.
std::int64_t rank_of(double q, std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(rounded(q * static_cast<double>(n))));
}

std::string text(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

}  // namespace

double tail_probability(const Confidence& confidence) {
  if (!(confidence.level > 0.0 && confidence.level < 1.0)) {
    throw_invalid("confidence_level: must be between 0 and 1, not " + text(confidence.level));
  }
  const double outside = 1.0 - confidence.level;
  return confidence.alternative == Alternative::two_sided ? outside / 2.0 : outside;
}

void check_confidence_level(double confidence_level, Alternative alternative,
                            std::int64_t n_bootstraps) {
  const double tail = tail_probability({confidence_level, alternative});
  if (rounded(tail * static_cast<double>(n_bootstraps)) < 1.0) {
    throw_invalid("confidence_level: " + text(confidence_level) + " is too high for " +
                  std::to_string(n_bootstraps) + " replicates; n_bootstraps must be at least " +
                  std::to_string(static_cast<std::int64_t>(std::ceil(rounded(1.0 / tail)))));
  }
}

double order_statistic(std::vector<double>& replicates, double q) {
  const auto n = static_cast<std::int64_t>(replicates.size());
  const auto at = replicates.begin() + std::clamp<std::int64_t>(rank_of(q, n), 1, n) - 1;
  std::nth_element(replicates.begin(), at, replicates.end());
  return *at;
}

Interval order_statistic_interval(const std::vector<double>& replicates, double confidence_level,
                                  Alternative alternative, double lowest, double highest) {
  check_confidence_level(confidence_level, alternative,
                         static_cast<std::int64_t>(replicates.size()));
  const double tail = tail_probability({confidence_level, alternative});
  std::vector<double> sorted = replicates;
  Interval interval{lowest, highest};
  if (alternative != Alternative::less) interval.low = order_statistic(sorted, tail);
  if (alternative != Alternative::greater) interval.high = order_statistic(sorted, 1.0 - tail);
  return interval;
}

}  // namespace bbc
