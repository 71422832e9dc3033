#pragma once

#include <limits>
#include <vector>

#include "detail/fast/loss_grid.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// The counts of a block of replicates as the kernel multiplies them.
class LossCounts {
 public:
  explicit LossCounts(const GridKernel& kernel) : kernel_(kernel) {}
  /// Takes another block; the memory is used again.
  void take(const ReplicateBlock& block);

  /// Whether sums over a chunk fit 32 bits; otherwise the counts are not to be used.
  [[nodiscard]] bool small() const noexcept { return small_; }
  [[nodiscard]] int n_replicates() const noexcept { return n_replicates_; }
  /// Of the chunk of rows that starts at `first_row`, as the kernel lays them out.
  [[nodiscard]] const std::uint8_t* packed(std::int64_t first_row) const noexcept {
    return packed_.data() + first_row * kRowBytes;
  }
  /// What the rows of a chunk weigh.
  [[nodiscard]] double weight(int lane, std::int64_t first_row) const noexcept {
    return weights_[static_cast<std::size_t>(first_row / kGridRows * kBlock + lane)];
  }

 private:
  static constexpr std::int64_t kRowBytes = 2 * kBlock;

  const GridKernel& kernel_;
  int n_replicates_ = 0;
  Aligned<std::uint8_t> packed_;
  std::vector<double> weights_;  // [chunk of rows][lane]
  bool small_ = true;
};

/// Finds the configurations that can be the best of each replicate, in one block of replicates
/// after the other.
class LossSearch {
 public:
  LossSearch(const LossGrid& grid, const RowLossKernel& kernel);

  /// Searches the tiles that begin in [first, last). False if the counts are too large for it.
  [[nodiscard]] bool run(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                         const StopFlag& stop);

  /// The best of a replicate by key_of(configuration), then by lowest index. At least one
  /// configuration is asked for, unless there was no tile; the grid leaves few.
  template <class Key>
  [[nodiscard]] Choice best(int lane, const Key& key_of) const {
    Choice best;
    for_each_candidate(lane, [&](std::int64_t configuration) {
      const Choice other{key_of(configuration), configuration};
      if (beats(other, best)) best = other;
    });
    return best;
  }

  /// In any order.
  template <class Function>
  void for_each_candidate(int lane, const Function& function) const {
    for (std::int64_t at = last_[lane]; at >= 0;) {
      const Candidate& candidate = candidates_[static_cast<std::size_t>(at)];
      if (candidate.at_least <= smallest_[lane]) function(candidate.configuration);
      at = candidate.before;
    }
  }

 private:
  struct Candidate {
    std::int64_t configuration;
    double at_least;      ///< its cost
    std::int64_t before;  ///< the same replicate's candidate before it, or -1
  };
  /// What turns a tile's sums of grid values into bounds of the costs.
  struct Bounds {
    double offset = 0.0;
    double error = 0.0;
  };

  void add_tile(std::int64_t tile, Bounds* bounds);
  void keep_candidates(std::int64_t tile, int lane, const double* costs, const Bounds& bounds);

  const LossGrid& grid_;
  const RowLossKernel& kernel_;
  LossCounts counts_;
  Aligned<double> costs_;  // of a tile, [lane][configuration]
  /// Every other block starts at the last tile: what the cache kept of the grid comes first.
  bool backwards_ = false;
  std::vector<Candidate> candidates_;
  std::int64_t last_[kBlock];  ///< each replicate's last candidate
  double smallest_[kBlock];    ///< the best configuration costs at most this
};

}  // namespace bbc::detail
