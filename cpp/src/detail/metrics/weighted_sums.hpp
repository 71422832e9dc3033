#pragma once

#include <cmath>
#include <cstdint>

#include "detail/support/double_double.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

/// Weights of the rows of L replicates: of_row[row * L + lane].
///
/// Real weights times counts are rounded. `rests` is what these products lack to be exact, and asks
/// for correctly rounded sums; without it weights are added up as they are, in row order.
struct LaneWeights {
  const double* of_row;
  const double* rests = nullptr;

  LaneWeights(const double* weights, const double* lacking = nullptr)
      : of_row(weights), rests(lacking) {}
  operator const double*() const noexcept { return of_row; }
};

/// Correctly rounded sums, one per lane. `visit(add)` calls add(terms), with a term for each lane,
/// as often as there are terms, at most `most` times.
template <int L, class Visit>
void rounded_sums(std::int64_t most, const Visit& visit, double* sums) {
  double sum[L] = {};
  double compensation[L] = {};
  double magnitude[L] = {};
  visit([&](const double* terms) {
    for (int lane = 0; lane < L; ++lane) {
      const DoubleDouble next = two_sum(sum[lane], terms[lane]);
      sum[lane] = next.high;
      compensation[lane] += next.low;
      magnitude[lane] += std::fabs(next.low);
    }
  });
  for (int lane = 0; lane < L; ++lane) {
    if (is_certain(sum[lane], compensation[lane], magnitude[lane], most)) {
      sums[lane] = sum[lane] + compensation[lane];
      continue;
    }
    ExactSum exact;
    visit([&](const double* terms) { exact.add(terms[lane]); });
    sums[lane] = exact.round();
  }
}

/// Sums of the weights of n rows, row(i) being the i-th of them.
template <int L, class Row>
void sum_weights(const LaneWeights& weights, std::int64_t n, const Row& row, double* sums) {
  if (weights.rests == nullptr) {
    for (int lane = 0; lane < L; ++lane) sums[lane] = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double* weight = weights.of_row + row(i) * L;
      for (int lane = 0; lane < L; ++lane) sums[lane] += weight[lane];
    }
    return;
  }
  const auto visit = [&](const auto& add) {
    for (std::int64_t i = 0; i < n; ++i) {
      add(weights.of_row + row(i) * L);
      add(weights.rests + row(i) * L);
    }
  };
  rounded_sums<L>(2 * n, visit, sums);
}

/// The same of real weights, not rounded.
template <int L, class Row>
void sum_weights(const LaneWeights& weights, std::int64_t n, const Row& row, DoubleDouble* sums) {
  double sum[L] = {};
  double low[L] = {};
  for (std::int64_t i = 0; i < n; ++i) {
    for (int lane = 0; lane < L; ++lane) {
      const std::int64_t at = row(i) * L + lane;
      const DoubleDouble next = two_sum(sum[lane], weights.of_row[at]);
      sum[lane] = next.high;
      low[lane] += next.low + weights.rests[at];
    }
  }
  for (int lane = 0; lane < L; ++lane) sums[lane] = two_sum(sum[lane], low[lane]);
}

}  // namespace bbc::detail
