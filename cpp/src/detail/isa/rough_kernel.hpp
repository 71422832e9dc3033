#pragma once

#include <cstdint>

#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

// Scores are first found roughly, in float32, for all replicates of a block side by side: what they
// leave open is decided by exact keys. Weights are laid out [row][lane].

/// Rows after which sums in float32 are added to sums in float64.
inline constexpr std::int64_t kRoughRows = 128;
/// Columns that are multiplied at a time.
inline constexpr int kRoughColumns = 4;
/// Lanes of sums in float64.
inline constexpr int kExactLanes = 8;
/// Half a unit in the last place of 1: what one operation in float32 loses at most.
inline constexpr double kRoughUnit = 0x1p-24;

/// A row in order of its score, with its class or whatever else a walk asks about it.
struct RoughStep {
  static constexpr std::uint32_t kTied = 1;  ///< with the next one
  static constexpr std::uint32_t kPositive = 2;
  static constexpr int kRowShift = 2;
  static constexpr std::int64_t kMostRows = std::int64_t{1} << 30;

  [[nodiscard]] static std::uint32_t of(std::int64_t row, bool positive, bool tied) {
    return static_cast<std::uint32_t>(row) << kRowShift | (positive ? kPositive : 0U) |
           (tied ? kTied : 0U);
  }
};

/// The inner loops, for one instruction set. Sums are [lane], of several columns [column][lane].
struct RoughKernel {
  /// sums[column][lane] += value * weight over n rows of kRoughColumns columns.
  void (*add_products)(const float* const* columns, const float* weights, std::int64_t n,
                       double* sums);
  /// sums[column][lane] += factors[lane] * (the same).
  void (*add_scaled)(const float* const* columns, const float* weights, std::int64_t n,
                     const double* factors, double* sums);
  /// sums[lane] += the weights of n rows.
  void (*add_rows)(const std::int32_t* rows, std::int64_t n, const float* weights, double* sums);
  /// sums[lane] += twice the weight of pairs of which the positive has the higher score, ties
  /// counting one half. Steps go up.
  void (*add_pairs)(const std::uint32_t* steps, std::int64_t n, const float* weights, double* sums);
  /// The same of many walks, each of at most kRoughRows steps, which their number precedes: `n`
  /// words in all.
  void (*add_walks)(const std::uint32_t* words, std::int64_t n, const float* weights, double* sums);
  /// sums[lane] += precision times the weight of positives at each score. Steps go down.
  void (*add_precisions)(const std::uint32_t* steps, std::int64_t n, const float* weights,
                         double* sums);
  /// mixed[lane] += rank * truth, squares[lane] += weight * rank^2; `truth` [row][lane] holds
  /// weighted ranks of the truth, and a rank is twice the weight below, and its own, less `all`.
  void (*add_ranks)(const std::uint32_t* steps, std::int64_t n, const float* weights,
                    const float* truth, const float* all, double* mixed, double* squares);

  /// The same as add_precisions in float64, of kExactLanes lanes and of one: sum + rest is nearly
  /// the exact sum, and what was rounded off adds up to `lost`. Weights are whole numbers, and
  /// products of their sums are exact.
  void (*sum_precisions)(const std::uint32_t* steps, std::int64_t n, const double* weights,
                         double* sum, double* rest, double* lost);
  void (*sum_precisions_of_one)(const std::uint32_t* steps, std::int64_t n, const double* weights,
                                double* sum, double* rest, double* lost);
};

extern const RoughKernel kRoughPortable;
extern const RoughKernel kRoughAvx2;
extern const RoughKernel kRoughAvx512;

[[nodiscard]] inline const RoughKernel& rough_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kRough);
}

}  // namespace bbc::detail
