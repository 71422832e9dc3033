#pragma once

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <cstdint>

#include "detail/evaluation/road.hpp"

namespace bbc::detail {

/// How much room a prepared prediction takes, in that of as many doubles: packed errors little, the
/// concordance index more than its data.
[[nodiscard]] double prepared_size(Road road, const Target& target);

/// Configurations that are prepared at a time, so that a memory-mapped file is never held twice.
/// Replicates are drawn anew for each such piece, which should not be too small. Rules that compare
/// all configurations with each other need all at once.
[[nodiscard]] std::int64_t piece_size(const EvaluatorInput& input, const Selection& selection);

/// What scoring configurations out of bag in all replicates will take on one thread, once these are
/// drawn.
[[nodiscard]] double nanoseconds_of_scores(Road road, std::int64_t n_bootstraps,
                                           std::int64_t n_rows, std::int64_t n_configurations);

/// How the configurations of a piece are divided among tasks. Each panel of a block of replicates
/// lays out the block's counts for itself, so there are only as many as end sooner than fewer
/// would: one, unless blocks are too few for the workers. All that workers lay out takes at most
/// 4 GiB, unless that of one takes more.
class Panels {
 public:
  Panels(Road road, const CorrectionOptions& options, std::int64_t n_rows, std::size_t n_repeats,
         std::int64_t n_configurations, const Control& control);

  /// What all replicates will take on one thread.
  [[nodiscard]] double expected_nanoseconds() const noexcept { return expected_nanoseconds_; }
  [[nodiscard]] std::int64_t size() const noexcept { return n_panels_; }
  [[nodiscard]] int n_workers() const noexcept { return n_workers_; }
  /// Where a panel begins, and the one before it ends.
  [[nodiscard]] std::int64_t first(std::int64_t panel) const noexcept {
    return n_configurations_ * panel / n_panels_;
  }

 private:
  double expected_nanoseconds_;
  std::int64_t n_configurations_;
  int n_workers_;
  std::int64_t n_panels_ = 1;
};

}  // namespace bbc::detail
