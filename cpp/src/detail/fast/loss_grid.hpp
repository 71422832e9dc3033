#pragma once

#include <functional>
#include <vector>

#include "detail/isa/row_loss_kernel.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/aligned.hpp"

namespace bbc::detail {

/// The losses of a block of configurations, rounded to a grid of 16 bits. Each tile of
/// configurations has its own grid in each chunk of rows, so that one outlier coarsens little.
/// The grid decides nothing: sums of grid values tell which configurations can still be the best.
class LossGrid {
 public:
  /// Some rows of one repeat.
  struct Chunk {
    std::int64_t repeat;
    std::int64_t first_row;
    int n_rows;
    std::int64_t first_laid_out;  ///< counted over all chunks, each filled up to whole steps
  };
  /// Cost = lowest + unit * (grid value + kGridMiddle), give or take `error`.
  struct Scale {
    double lowest;
    double unit;
    double error;
    double magnitude;  ///< no cost is larger
  };

  /// Writes costs[row * kGridTile + configuration] of n configurations from `first` on, in the
  /// rows of a chunk, the i-th; false where a prediction or loss is not allowed.
  using Costs = std::function<bool(const Chunk& chunk, std::size_t i, std::int64_t first, int n,
                                   double* costs)>;

  /// The grid of any costs, all of them allowed.
  LossGrid(const EvaluatorInput& input, const Costs& costs, const RowLossKernel& kernel,
           const GridKernel& grid_kernel, const Control& control);

  /// The grid of losses. Throws Error at the first prediction or loss that is not allowed.
  LossGrid(const metric::RowLoss& kind, const EvaluatorInput& input, const RowLossKernel& kernel,
           const GridKernel& grid_kernel, const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const noexcept { return n_configurations_; }
  [[nodiscard]] std::int64_t n_tiles() const noexcept {
    return (n_configurations_ + kGridTile - 1) / kGridTile;
  }
  [[nodiscard]] const std::vector<Chunk>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] const Scale& scale(std::int64_t tile, std::size_t chunk) const noexcept {
    return scales_[static_cast<std::size_t>(tile) * chunks_.size() + chunk];
  }
  [[nodiscard]] const GridKernel& kernel() const noexcept { return kernel_; }
  /// As the kernel lays them out.
  [[nodiscard]] const std::uint8_t* losses(std::int64_t tile, const Chunk& chunk) const noexcept {
    return grid_.data() + offset(tile, chunk);
  }

 private:
  LossGrid(const EvaluatorInput& input, const RowLossKernel& kernel, const GridKernel& grid_kernel);
  /// Whether all costs are allowed.
  [[nodiscard]] bool fill(const Costs& costs, const Control& control);
  [[nodiscard]] bool fill_tile(std::int64_t tile, const Costs& costs, const StopFlag& stop);
  void quantise(const Chunk& chunk, std::int64_t tile, std::size_t i, const double* costs);

  [[nodiscard]] std::int64_t offset(std::int64_t tile, const Chunk& chunk) const noexcept {
    return (tile * n_laid_out_ + chunk.first_laid_out) * 2 * kGridTile;
  }

  const RowLossKernel& loops_;
  const GridKernel& kernel_;
  std::int64_t n_configurations_;
  std::int64_t n_laid_out_ = 0;  // rows
  std::vector<Chunk> chunks_;
  std::vector<Scale> scales_;
  Aligned<std::uint8_t> grid_;
};

}  // namespace bbc::detail
