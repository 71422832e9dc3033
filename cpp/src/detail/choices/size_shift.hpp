#pragma once

#include <bbc/correction.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "detail/evaluation/evaluators.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// Whether replicates lose their winner's shift: what it scores out of bag on average beyond what
/// it scores on all rows. Fold scores are taken as they are.
[[nodiscard]] inline bool loses_size_shift(const CorrectionOptions& options) {
  return options.size_correction && options.metric.size_dependent() && !options.rotate_repeats;
}

/// The replicates whose in-bag rows are those that `scoring` leaves out, each once.
[[nodiscard]] ReplicateBlock left_out(const ReplicateBlock& scoring);

/// Values (of the formula, before Metric::sign) of some configurations, in rising order, on the
/// rows that each replicate of `scoring` leaves out: scores[lane * n_configurations + i].
void out_of_bag_scores(const Evaluators& evaluators, const ReplicateBlock& scoring,
                       std::int64_t first_replicate, std::span<const std::int64_t> configurations,
                       const StopFlag& stop, double* scores);

/// What each configuration that won scores out of bag on average beyond its score on all rows: the
/// effect of fewer rows, which is no selection.
class SizeShifts {
 public:
  /// Of some configurations, each as often as it won.
  explicit SizeShifts(std::vector<std::int64_t> winners);

  /// The configurations, in rising order.
  [[nodiscard]] const std::vector<std::int64_t>& configurations() const { return configurations_; }

  /// Takes down the next ones by their scores in all replicates, as (replicate, configuration), of
  /// which those that are not NaN count, and on all rows.
  void add(std::span<const double> scores, std::span<const double> on_all_rows, double sign);

  /// Takes down all of them, which `evaluator` holds. score(first, drawn, configurations, stop,
  /// scores) gives values out of bag of a block that was drawn, as (replicate, configuration).
  using Score = std::function<void(std::int64_t, const Replicates::Drawn&,
                                   std::span<const std::int64_t>, const StopFlag&, double*)>;
  void find(const Replicates& replicates, const Evaluator& evaluator, double sign,
            double nanoseconds_of_one, const Control& control, const Score& score);

  [[nodiscard]] double of(std::int64_t configuration) const;

  /// Takes from each replicate the shift of its winner and returns the mean of what those lost that
  /// are defined.
  [[nodiscard]] double take_from(std::span<const std::int64_t> winners,
                                 std::vector<double>& replicates) const;

 private:
  std::vector<std::int64_t> configurations_;
  std::vector<double> shifts_;
};

}  // namespace bbc::detail
