#pragma once

#include <bbc/metric.hpp>
#include <cstdint>

#include "detail/simd.hpp"

namespace bbc::detail {

// Sums of losses are first found roughly, on a grid of 16 bits, as integers: what the grid leaves
// open is decided by exact sums. Losses are stored in tiles of configurations, two rows next to
// each other; counts for eight replicates, two rows next to each other as well: one instruction
// multiplies and adds both.
inline constexpr int kGridTile = 48;
inline constexpr int kGridLanes = 8;
/// Rows that share a grid. Their losses of a tile fit the second-level cache.
inline constexpr int kGridRows = 1024;
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
  double truth;  ///< for the Brier score 1 or 0
  double alpha;
  double sign;  ///< -1 where greater is better: the grid holds costs
};

/// The inner loops, once per instruction set.
struct RowLossKernel {
  /// sums[lane][configuration] over pairs of rows, of losses[pair][configuration][2] times
  /// counts[pair][lane][2].
  void (*multiply)(const std::int32_t* losses, const std::uint32_t* counts, int n_pairs,
                   std::int32_t* sums);
  /// costs[lane][configuration] += unit * sums, or = if `fresh`.
  void (*accumulate)(const std::int32_t* sums, double unit, bool fresh, double* costs);
  /// Which of a tile's costs are at most `limit`.
  std::uint64_t (*at_most)(const double* costs, double limit);
  /// The least of the first n costs of a tile.
  double (*least)(const double* costs, int n);
  /// Costs of a row's first kGridTile configurations; whether predictions and losses are in range.
  bool (*costs)(const LossRow& row, const double* predictions, double largest, double* costs);
  /// Widens the range of each configuration.
  void (*range)(const double* costs, double* lowest, double* highest);
  /// Grid values of two rows, two by two.
  void (*quantise)(const double* first, const double* second, double lowest, double steps_per_unit,
                   std::int32_t* grid);
  /// Adds the products; weights are integers below 2^26.
  void (*add)(const double* values, const double* weights, std::int64_t n, CompensatedSum& to);
};

extern const RowLossKernel kRowLossPortable;
extern const RowLossKernel kRowLossAvx2;
extern const RowLossKernel kRowLossAvx512;

[[nodiscard]] inline const RowLossKernel& row_loss_kernel(SimdLevel level) {
#ifdef BBC_X86
  if (level == SimdLevel::avx512) return kRowLossAvx512;
  if (level == SimdLevel::avx2) return kRowLossAvx2;
#endif
  (void)level;
  return kRowLossPortable;
}

/// Whether RowLossKernel::costs knows the loss.
[[nodiscard]] inline bool has_vector_form(metric::RowLoss::Kind kind, std::int64_t n_outputs) {
  using Kind = metric::RowLoss::Kind;
  return n_outputs == 1 && (kind == Kind::given || kind == Kind::squared ||
                            kind == Kind::absolute || kind == Kind::pinball || kind == Kind::brier);
}

}  // namespace bbc::detail
