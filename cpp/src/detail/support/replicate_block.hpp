#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detail/support/arithmetic.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// Replicates are worked on in blocks of this many: one byte each fills a cache line.
inline constexpr int kBlock = 64;

/// The in-bag counts of a block of replicates. Row i is out of bag where its count is zero.
struct ReplicateBlock {
  int n_replicates = 0;
  std::int64_t n_rows = 0;
  std::vector<std::uint16_t> counts;  ///< [replicate][row]
  std::vector<double> row_weights;    ///< sample weights, which multiply counts; empty: all one

  [[nodiscard]] const std::uint16_t* replicate(int lane) const noexcept {
    return counts.data() + lane * n_rows;
  }
  /// Sum of a replicate's counts; 32 bits hold those of 65,537 rows, and add twice as fast.
  [[nodiscard]] std::int64_t total(int lane) const noexcept {
    constexpr std::int64_t kFit = 65536;
    const std::uint16_t* of_row = replicate(lane);
    std::int64_t total = 0;
    for (std::int64_t first = 0; first < n_rows; first += kFit) {
      const std::int64_t last = first + kFit < n_rows ? first + kFit : n_rows;
      std::uint32_t sum = 0;
      for (std::int64_t row = first; row < last; ++row) sum += of_row[row];
      total += sum;
    }
    return total;
  }
  /// Some of the replicates.
  [[nodiscard]] ReplicateBlock lanes(const int* chosen, int n) const {
    ReplicateBlock some{n, n_rows, {}, row_weights};
    some.counts.reserve(static_cast<std::size_t>(n * n_rows));
    for (int i = 0; i < n; ++i) {
      some.counts.insert(some.counts.end(), replicate(chosen[i]), replicate(chosen[i]) + n_rows);
    }
    return some;
  }
  [[nodiscard]] double row_weight(std::int64_t row) const noexcept {
    return row_weights.empty() ? 1.0 : row_weights[static_cast<std::size_t>(row)];
  }
};

enum class Side { in_bag, out_of_bag };

/// What a row weighs out of bag: 1 if it was not drawn. By arithmetic, because compilers make a
/// branch of a comparison, and random counts mislead that.
[[nodiscard]] inline int out_of_bag_count(std::uint16_t count) noexcept {
  return static_cast<int>((std::uint32_t{count} - 1U) >> 31);
}

/// Weights of rows of the replicates on one side, row_at(place) for n_places of them, the lanes of
/// a block interleaved: weights[place * n_lanes + lane]. Lanes past the block's end weigh nothing.
/// `rests`, laid out as the weights, takes what they lack to be exact.
template <class RowAt>
void fill_weights_at(const ReplicateBlock& block, Side side, int first_lane, int n_lanes,
                     std::int64_t n_places, const RowAt& row_at, double* weights, double* rests) {
  const double* row_weights = block.row_weights.empty() ? nullptr : block.row_weights.data();
  for (int lane = 0; lane < n_lanes; ++lane) {
    const auto at = [&](std::int64_t place) { return place * n_lanes + lane; };
    if (first_lane + lane >= block.n_replicates) {
      for (std::int64_t place = 0; place < n_places; ++place) weights[at(place)] = 0.0;
      for (std::int64_t place = 0; rests != nullptr && place < n_places; ++place) {
        rests[at(place)] = 0.0;
      }
      continue;
    }
    const std::uint16_t* counts = block.replicate(first_lane + lane);
    // One loop each, without branches: compilers make vectors of them.
    if (side == Side::in_bag) {
      for (std::int64_t place = 0; place < n_places; ++place) {
        weights[at(place)] = counts[row_at(place)];
      }
    } else {
      for (std::int64_t place = 0; place < n_places; ++place) {
        weights[at(place)] = out_of_bag_count(counts[row_at(place)]);
      }
    }
    if (row_weights == nullptr) {
      for (std::int64_t place = 0; rests != nullptr && place < n_places; ++place) {
        rests[at(place)] = 0.0;
      }
    } else if (rests == nullptr) {
      for (std::int64_t place = 0; place < n_places; ++place) {
        weights[at(place)] *= row_weights[row_at(place)];
      }
    } else {
      for (std::int64_t place = 0; place < n_places; ++place) {
        const DoubleDouble product = whole_product(weights[at(place)], row_weights[row_at(place)]);
        weights[at(place)] = product.high;
        rests[at(place)] = product.low;
      }
    }
  }
}

/// The same of all rows in order.
inline void fill_weights(const ReplicateBlock& block, Side side, int first_lane, int n_lanes,
                         double* weights, double* rests = nullptr) {
  fill_weights_at(
      block, side, first_lane, n_lanes, block.n_rows, [](std::int64_t place) { return place; },
      weights, rests);
}

/// The same of some rows.
inline void fill_weights(const ReplicateBlock& block, Side side, int first_lane, int n_lanes,
                         std::span<const std::int32_t> rows, double* weights, double* rests) {
  fill_weights_at(
      block, side, first_lane, n_lanes, static_cast<std::int64_t>(rows.size()),
      [&](std::int64_t place) { return std::int64_t{rows[static_cast<std::size_t>(place)]}; },
      weights, rests);
}

}  // namespace bbc::detail
