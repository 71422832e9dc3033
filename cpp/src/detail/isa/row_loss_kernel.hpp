#pragma once

#include <bbc/metric.hpp>
#include <cstdint>

#include "detail/isa/simd.hpp"
#include "detail/metrics/traits.hpp"

namespace bbc::detail {

// Sums of losses are first found roughly, on a grid of 16 bits, as integers: what the grid leaves
// open is decided by exact sums. Losses are stored in tiles of configurations.
inline constexpr int kGridTile = 48;
/// Rows that share a grid. Their losses of a tile fit the second-level cache.
inline constexpr int kGridRows = 1024;
/// Rows that are put on the grid at a time.
inline constexpr int kGridStep = 4;
/// Larger counts cannot be multiplied.
inline constexpr int kMostGridCount = 32767;
/// Grid values are stored less this, as signed 16 bits.
inline constexpr int kGridMiddle = 32768;
inline constexpr int kGridSteps = 65535;

/// Sum and rest add up to the exact sum, but for the rounding of the rest.
struct CompensatedSum {
  double sum = 0.0;
  double rest = 0.0;
};

/// The losses of one row that vectors can compute.
struct LossRow {
  metric::RowLoss::Kind kind;
  bool of_probabilities;
  double truth;  ///< of probabilities 1 or 0
  double alpha;
  double sign;  ///< -1 where greater is better: the grid holds costs
};

/// Products of counts and grid values, once per instruction set. How both are laid out is its own
/// business: two bytes per row and configuration, and at most two per row and replicate. Rows past
/// the last one up to a multiple of kGridStep are there, are never drawn, and may hold any grid
/// value.
struct GridKernel {
  /// Puts kGridStep rows of costs, the first of them row `row` of the chunk, on the grid.
  void (*quantise)(const double* costs, double lowest, double steps_per_unit, int row,
                   std::uint8_t* losses);
  /// Lays out one replicate's counts of a chunk.
  void (*pack)(const std::uint16_t* counts, int n_rows, int lane, std::uint8_t* packed);
  /// sums[lane][configuration] of counts times grid values less kGridMiddle, for a tile's losses
  /// in a chunk of `n_rows` and at least the first n_lanes replicates.
  void (*multiply)(const std::uint8_t* losses, const std::uint8_t* counts, int n_rows, int n_lanes,
                   std::int32_t* sums);
};

/// The other inner loops.
struct RowLossKernel {
  /// costs[lane][configuration] += unit * sums, or = if `fresh`, for n_lanes replicates.
  void (*accumulate)(const std::int32_t* sums, int n_lanes, double unit, bool fresh, double* costs);
  /// Which of a tile's costs are at most `limit`.
  std::uint64_t (*at_most)(const double* costs, double limit);
  /// The smallest of the first n costs of a tile.
  double (*smallest)(const double* costs, int n);
  /// Costs of a row's first kGridTile configurations; whether predictions and losses are in range.
  bool (*costs)(const LossRow& row, const double* predictions, double largest, double* costs);
  /// Widens the range of each configuration.
  void (*range)(const double* costs, double* lowest, double* highest);
  /// Adds the products; weights are integers below 2^26.
  void (*add)(const double* values, const double* weights, std::int64_t n, CompensatedSum& to);
  /// The same of values that are unevaluated sums of two doubles.
  void (*add_exact)(const double* values, const double* low, const double* weights, std::int64_t n,
                    CompensatedSum& to);
};

extern const RowLossKernel kRowLossPortable;
extern const RowLossKernel kRowLossAvx2;
extern const RowLossKernel kRowLossAvx512;

extern const GridKernel kGridPortable;
extern const GridKernel kGridAvx2;
extern const GridKernel kGridAvx512;

[[nodiscard]] inline const RowLossKernel& row_loss_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kRowLoss);
}

[[nodiscard]] inline const GridKernel& grid_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kGrid);
}

/// Whether RowLossKernel::costs knows the loss.
[[nodiscard]] inline bool has_vector_form(metric::RowLoss::Kind kind, std::int64_t n_outputs) {
  return n_outputs == 1 && traits_of(kind).form == LossTraits::Form::vector;
}

}  // namespace bbc::detail
