#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "detail/support/double_double.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {

/// Weights of the rows of L replicates: of_row[row * L + lane].
///
/// Real weights times counts are rounded. `rests` is what these products lack to be exact, and asks
/// for correctly rounded sums; without it weights are whole, and their sums exact.
struct LaneWeights {
  const double* of_row;
  const double* rests = nullptr;

  LaneWeights(const double* weights, const double* lacking = nullptr)
      : of_row(weights), rests(lacking) {}
  [[nodiscard]] bool positive(std::int64_t at) const noexcept {
    return of_row[at] > 0.0 || (rests != nullptr && rests[at] > 0.0);
  }
  operator const double*() const noexcept { return of_row; }
};

/// Rows that are added up side by side: one lane would wait for each of its sums.
template <int L>
inline constexpr int kWays = L == 1 ? 8 : 1;

/// Calls use(row, lane, j) for the lanes of kWays rows from `first` on, j counting them.
template <int L, class Use>
void for_ways(std::int64_t first, const Use& use) {
  for (int j = 0; j < kWays<L> * L; ++j) use(first + j / L, j % L, j);
}

/// Correctly rounded sums over n rows, one per lane: terms(row, lane) are kTerms numbers.
template <int L, std::size_t kTerms, class Terms>
void rounded_sums(std::int64_t n, const Terms& terms, double* sums) {
  constexpr int kSums = kWays<L> * L;
  double sum[kSums] = {};
  double compensation[kSums] = {};
  double magnitude[kSums] = {};
  const auto add = [&](double term, int j) {
    const DoubleDouble next = two_sum(sum[j], term);
    sum[j] = next.high;
    compensation[j] += next.low;
    magnitude[j] += std::fabs(next.low);
  };
  const std::int64_t whole = n / kWays<L> * kWays<L>;
  for (std::int64_t row = 0; row < whole; row += kWays<L>) {
    std::array<double, kTerms> own[kSums];
    for_ways<L>(row, [&](std::int64_t i, int lane, int j) { own[j] = terms(i, lane); });
    for (std::size_t k = 0; k < kTerms; ++k) {
      for (int j = 0; j < kSums; ++j) add(own[j][k], j);
    }
  }
  for (std::int64_t row = whole; row < n; ++row) {
    for (const double term : terms(row, 0)) add(term, 0);
  }
  for (int j = L; j < kSums; ++j) {
    add(sum[j], 0);
    compensation[0] += compensation[j];
    magnitude[0] += magnitude[j];
  }
  const std::int64_t most = static_cast<std::int64_t>(kTerms) * n + 2 * kWays<L>;
  for (int lane = 0; lane < L; ++lane) {
    if (is_certain(sum[lane], compensation[lane], magnitude[lane], most)) {
      sums[lane] = sum[lane] + compensation[lane];
      continue;
    }
    ExactSum exact;
    for (std::int64_t row = 0; row < n; ++row) {
      for (const double term : terms(row, lane)) exact.add(term);
    }
    sums[lane] = exact.round();
  }
}

/// Sums over n rows of what is exact in any order: term(row, lane).
template <int L, class Term>
void exact_sums(std::int64_t n, const Term& term, double* sums) {
  double sum[kWays<L> * L] = {};
  const std::int64_t whole = n / kWays<L> * kWays<L>;
  for (std::int64_t row = 0; row < whole; row += kWays<L>) {
    for_ways<L>(row, [&](std::int64_t i, int lane, int j) { sum[j] += term(i, lane); });
  }
  for (std::int64_t row = whole; row < n; ++row) sum[0] += term(row, 0);
  for (int j = L; j < kWays<L> * L; ++j) sum[0] += sum[j];
  for (int lane = 0; lane < L; ++lane) sums[lane] = sum[lane];
}

/// Sums of the weights of n rows, row(i) being the i-th of them.
template <int L, class Row>
void sum_weights(const LaneWeights& weights, std::int64_t n, const Row& row, double* sums) {
  if (weights.rests == nullptr) {
    exact_sums<L>(
        n, [&](std::int64_t i, int lane) { return weights.of_row[row(i) * L + lane]; }, sums);
    return;
  }
  rounded_sums<L, 2>(
      n,
      [&](std::int64_t i, int lane) {
        const std::int64_t at = row(i) * L + lane;
        return std::array{weights.of_row[at], weights.rests[at]};
      },
      sums);
}

/// Moves the boundary between weights and their rests to one place for all rows: weights become
/// multiples of a unit, which is a share of 2^-52 of the largest total, and rests what is below it.
/// Then plain sums of either are exact, unless a weight is a share of 2^-30 or less.
template <int L>
void split_by_unit(std::int64_t n, double* weights, double* rests) {
  double totals[L] = {};
  for (std::int64_t row = 0; row < n; ++row) {
    for (int lane = 0; lane < L; ++lane) totals[lane] += weights[row * L + lane];
  }
  double most = 0.0;
  for (const double total : totals) most = total > most ? total : most;
  int exponent = 0;
  static_cast<void>(std::frexp(most, &exponent));
  // Added and taken away again, it rounds to multiples of its own last place.
  const double rounder = std::ldexp(1.5, exponent);
  for (std::int64_t at = 0; at < n * L; ++at) {
    const double whole = (weights[at] + rounder) - rounder;
    rests[at] += weights[at] - whole;
    weights[at] = whole;
  }
}

/// The same of real weights that were split by a unit, not rounded.
template <int L, class Row>
void sum_weights(const LaneWeights& weights, std::int64_t n, const Row& row, DoubleDouble* sums) {
  double of_units[L] = {};
  double of_rests[L] = {};
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t at = row(i) * L;
    for (int lane = 0; lane < L; ++lane) {
      of_units[lane] += weights.of_row[at + lane];
      of_rests[lane] += weights.rests[at + lane];
    }
  }
  for (int lane = 0; lane < L; ++lane) sums[lane] = two_sum(of_units[lane], of_rests[lane]);
}

}  // namespace bbc::detail
