#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/estimate.hpp>
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

double tail_of(double confidence_level, Alternative alternative) {
  const double outside = 1.0 - confidence_level;
  return alternative == Alternative::two_sided ? outside / 2.0 : outside;
}

std::string text(double value) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << value;
  return out.str();
}

}  // namespace

void check_confidence_level(double confidence_level, Alternative alternative,
                            std::int64_t n_bootstraps) {
  if (!(confidence_level > 0.0 && confidence_level < 1.0)) {
    throw_invalid("confidence_level: must be between 0 and 1, not " + text(confidence_level));
  }
  const double tail = tail_of(confidence_level, alternative);
  if (rounded(tail * static_cast<double>(n_bootstraps)) < 1.0) {
    throw_invalid("confidence_level: " + text(confidence_level) + " is too high for " +
                  std::to_string(n_bootstraps) + " replicates; n_bootstraps must be at least " +
                  std::to_string(static_cast<std::int64_t>(std::ceil(rounded(1.0 / tail)))));
  }
}

Interval order_statistic_interval(const std::vector<double>& replicates, double confidence_level,
                                  Alternative alternative, double lowest,
                                  double highest) {
  const auto n = static_cast<std::int64_t>(replicates.size());
  check_confidence_level(confidence_level, alternative, n);
  const double tail = tail_of(confidence_level, alternative);
  std::vector<double> sorted = replicates;
  const auto order_statistic = [&](std::int64_t rank) {
    const auto at = sorted.begin() + std::clamp<std::int64_t>(rank, 1, n) - 1;
    std::nth_element(sorted.begin(), at, sorted.end());
    return *at;
  };
  switch (alternative) {
    case Alternative::greater:
      return {order_statistic(rank_of(tail, n)), highest};
    case Alternative::less:
      return {lowest, order_statistic(rank_of(1.0 - tail, n))};
    case Alternative::two_sided:
      break;
  }
  return {order_statistic(rank_of(tail, n)), order_statistic(rank_of(1.0 - tail, n))};
}

}  // namespace bbc
