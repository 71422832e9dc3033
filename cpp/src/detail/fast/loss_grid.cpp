#include "detail/fast/loss_grid.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <type_traits>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/compiler.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

LossRow loss_row(const metric::RowLoss& loss, const Target& target, std::int64_t row) {
  const auto at = static_cast<std::size_t>(row);
  const bool of_probabilities = traits_of(loss.kind).reads == LossTraits::Reads::probabilities;
  const double truth = of_probabilities ? (target.codes[at] == 1 ? 1.0 : 0.0) : target.values[at];
  return {loss.kind, of_probabilities, truth, loss.alpha, loss.greater_is_better ? -1.0 : 1.0};
}

/// Rows ahead: a tile takes little of each row, too little for the hardware to see the pattern.
constexpr int kAhead = 6;

template <class T>
void prefetch(const T* row, std::int64_t stride) {
  if (stride != 1) return;
  for (int j = 0; j < kGridTile; j += static_cast<int>(64 / sizeof(T))) BBC_PREFETCH(row + j);
}

/// The losses of predictions, by vectors where these can compute them.
class Losses {
 public:
  Losses(const metric::RowLoss& kind, const EvaluatorInput& input, const RowLossKernel& kernel,
         const std::vector<LossGrid::Chunk>& chunks)
      : kind_(kind), input_(input), kernel_(kernel) {
    if (kind.unit == 1.0 && has_vector_form(kind.kind, n_outputs_of(input.repeats[0]))) return;
    for (const LossGrid::Chunk& chunk : chunks) {
      rows_.emplace_back(static_cast<std::size_t>(chunk.n_rows));
      std::iota(rows_.back().begin(), rows_.back().end(),
                static_cast<std::int32_t>(chunk.first_row));
      targets_.push_back(input.target.rows(rows_.back()));
    }
  }

  [[nodiscard]] bool operator()(const LossGrid::Chunk& chunk, std::size_t i, std::int64_t first,
                                int n, double* costs) const {
    if (rows_.empty()) return fast_costs(chunk, first, n, costs);
    any_costs(chunk, i, first, n, costs);
    return true;
  }

 private:
  bool fast_costs(const LossGrid::Chunk& chunk, std::int64_t first, int n, double* costs) const {
    return std::visit(
        [&](const auto& view) {
          using T = std::remove_cv_t<std::remove_pointer_t<decltype(view.data)>>;
          double gathered[kGridTile] = {};
          for (std::int64_t row = 0; row < chunk.n_rows; ++row) {
            const T* at = &view(chunk.first_row + row, first);
            if (row + kAhead < chunk.n_rows)
              prefetch(at + kAhead * view.strides[0], view.strides[1]);
            const double* predictions = gathered;
            const bool in_place =
                std::is_same_v<T, double> && n == kGridTile && view.strides[1] == 1;
            if constexpr (std::is_same_v<T, double>) {
              if (in_place) predictions = at;
            }
            if (!in_place) {
              for (int j = 0; j < n; ++j)
                gathered[j] = static_cast<double>(at[j * view.strides[1]]);
              std::fill(gathered + n, gathered + kGridTile, gathered[0]);
            }
            if (!kernel_.costs(loss_row(kind_, input_.target, chunk.first_row + row), predictions,
                               kLargestLoss, costs + row * kGridTile)) {
              return false;
            }
          }
          return true;
        },
        input_.repeats[static_cast<std::size_t>(chunk.repeat)]);
  }

  void any_costs(const LossGrid::Chunk& chunk, std::size_t i, std::int64_t first, int n,
                 double* costs) const {
    const auto& predictions = input_.repeats[static_cast<std::size_t>(chunk.repeat)];
    const double sign = kind_.greater_is_better ? -1.0 : 1.0;
    for (int j = 0; j < n; ++j) {
      const auto losses = row_losses(kind_, targets_[i], predictions, first + j, rows_[i]);
      for (std::size_t row = 0; row < losses.size(); ++row) {
        costs[row * kGridTile + static_cast<std::size_t>(j)] = sign * losses[row];
      }
    }
  }

  const metric::RowLoss& kind_;
  const EvaluatorInput& input_;
  const RowLossKernel& kernel_;
  // Of each chunk, for losses without a vector form.
  std::vector<std::vector<std::int32_t>> rows_;
  std::vector<Target> targets_;
};

}  // namespace

LossGrid::LossGrid(const EvaluatorInput& input, const RowLossKernel& kernel,
                   const GridKernel& grid_kernel)
    : loops_(kernel),
      kernel_(grid_kernel),
      n_configurations_(detail::n_configurations(input.repeats[0])) {
  const std::int64_t n_rows = input.target.n_rows();
  const auto n_repeats = static_cast<std::int64_t>(input.repeats.size());
  for (std::int64_t repeat = 0; repeat < n_repeats; ++repeat) {
    for (std::int64_t row = 0; row < n_rows; row += kGridRows) {
      chunks_.push_back({repeat, row,
                         static_cast<int>(std::min<std::int64_t>(kGridRows, n_rows - row)),
                         n_laid_out_});
      n_laid_out_ += (chunks_.back().n_rows + kGridStep - 1) / kGridStep * kGridStep;
    }
  }
  scales_.resize(static_cast<std::size_t>(n_tiles()) * chunks_.size());
  grid_ = Aligned<std::uint8_t>(static_cast<std::size_t>(n_tiles() * n_laid_out_ * 2 * kGridTile));
}

LossGrid::LossGrid(const EvaluatorInput& input, const Costs& costs, const RowLossKernel& kernel,
                   const GridKernel& grid_kernel, const Control& control)
    : LossGrid(input, kernel, grid_kernel) {
  (void)fill(costs, control);
}

LossGrid::LossGrid(const metric::RowLoss& kind, const EvaluatorInput& input,
                   const RowLossKernel& kernel, const GridKernel& grid_kernel,
                   const Control& control)
    : LossGrid(input, kernel, grid_kernel) {
  if (fill(Losses(kind, input, kernel, chunks_), control)) return;
  // Which thread met which problem is chance: look for the first one.
  for (std::int64_t j = 0; j < n_configurations_; ++j) {
    for (const auto& predictions : input.repeats) {
      (void)row_losses(kind, input.target, predictions, j, {});
    }
  }
  throw_changed();  // some tiles are not written
}

bool LossGrid::fill(const Costs& costs, const Control& control) {
  double cells = 0.0;
  for (const Chunk& chunk : chunks_) {
    cells += static_cast<double>(chunk.n_rows) * static_cast<double>(n_configurations_);
  }
  std::atomic<bool> allowed{true};
  parallel_for(n_tiles(), control, 2.0 * cells, [&](std::int64_t tile, const StopFlag& stop) {
    bool fine = true;
    try {
      fine = fill_tile(tile, costs, stop);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      fine = false;
    }
    if (!fine) allowed = false;
  });
  return allowed;
}

/// False where a prediction or loss is not allowed.
bool LossGrid::fill_tile(std::int64_t tile, const Costs& costs, const StopFlag& stop) {
  Aligned<double> of_tile(static_cast<std::size_t>(kGridRows) * kGridTile);
  const std::int64_t first = tile * kGridTile;
  const int n = static_cast<int>(std::min<std::int64_t>(kGridTile, n_configurations_ - first));
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    stop.check();
    const Chunk& chunk = chunks_[i];
    if (!costs(chunk, i, first, n, of_tile.data())) return false;
    // Configurations past the end repeat the tile's first one, rows past the end the last one.
    for (int row = 0; n < kGridTile && row < chunk.n_rows; ++row) {
      double* of_row = of_tile.data() + row * kGridTile;
      std::fill(of_row + n, of_row + kGridTile, of_row[0]);
    }
    for (int row = chunk.n_rows; row % kGridStep != 0; ++row) {
      double* of_row = of_tile.data() + row * kGridTile;
      std::copy_n(of_row - kGridTile, kGridTile, of_row);
    }
    quantise(chunk, tile, i, of_tile.data());
  }
  return true;
}

void LossGrid::quantise(const Chunk& chunk, std::int64_t tile, std::size_t i, const double* costs) {
  double lowest[kGridTile];
  double highest[kGridTile];
  std::fill_n(lowest, kGridTile, kInfinity);
  std::fill_n(highest, kGridTile, -kInfinity);
  for (int row = 0; row < chunk.n_rows; ++row) {
    loops_.range(costs + row * kGridTile, lowest, highest);
  }
  const double lowest_cost = *std::min_element(lowest, lowest + kGridTile);
  const double most = *std::max_element(highest, highest + kGridTile);
  const double width = most - lowest_cost;
  // A range that is next to nothing is not divided up: its inverse could overflow. Costs may have
  // lost digits, too.
  constexpr double kNothing = 1e-280;
  const bool flat = width < kNothing;
  const double unit = flat ? 0.0 : width / kGridSteps;
  scales_[static_cast<std::size_t>(tile) * chunks_.size() + i] = {
      lowest_cost, unit, flat ? kNothing : 0.500001 * unit,
      std::max(std::fabs(lowest_cost), std::fabs(most))};
  std::uint8_t* losses = grid_.data() + offset(tile, chunk);
  const double steps_per_unit = flat ? 0.0 : kGridSteps / width;
  for (int row = 0; row < chunk.n_rows; row += kGridStep) {
    kernel_.quantise(costs + row * kGridTile, lowest_cost, steps_per_unit, row, losses);
  }
}

}  // namespace bbc::detail
