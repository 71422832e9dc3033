#pragma once

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "detail/metrics/row_weights.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// A configuration and the key that it was chosen by.
struct Choice {
  double key = 0.0;
  std::int64_t configuration = -1;
};

/// Better key, then lower index: the reduction of configurations, and of blocks of them.
[[nodiscard]] inline bool beats(const Choice& challenger, const Choice& incumbent) {
  if (incumbent.configuration < 0) return challenger.configuration >= 0;
  if (challenger.configuration < 0) return false;
  return challenger.key != incumbent.key ? challenger.key > incumbent.key
                                         : challenger.configuration < incumbent.configuration;
}

/// Scores the configurations of one block on weighted rows. Made once per call by visiting the
/// metric; afterwards const and shared by all threads.
///
/// Selection works on keys: larger is better, equal keys tie, and keys of different blocks of
/// configurations compare. Keys are exact where the arithmetic can be (integers; correctly
/// rounded sums), else they are the score itself, signed by the metric's direction.
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  [[nodiscard]] virtual std::int64_t n_configurations() const = 0;

  /// In-bag keys of configurations [first, last): keys[lane * (last - first) + configuration].
  virtual void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                    const StopFlag& stop, double* keys) const = 0;

  /// In-bag values (of the formula, before Metric::sign) of configurations [first, last), laid out
  /// as keys.
  virtual void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                      const StopFlag& stop, double* scores) const;

  /// The same of some configurations, in rising order: scores[lane * configurations.size() + i].
  virtual void scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                         const StopFlag& stop, double* scores) const;

  /// The best of configurations [first, last) of each replicate by key, then by lowest index; -1
  /// where none begins the tile that it is looked up in. Ranges that touch miss no configuration.
  virtual void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                          const StopFlag& stop, Choice* choices) const;
  /// The best of all configurations.
  void best(const ReplicateBlock& block, const StopFlag& stop, Choice* choices) const {
    best_among(block, 0, n_configurations(), stop, choices);
  }

  /// Adds to worse[configuration] the replicates in which its in-bag key is below that of `than`.
  virtual void count_worse(const ReplicateBlock& block, std::int64_t than, const StopFlag& stop,
                           std::int64_t* worse) const;

  /// Values of one configuration per replicate on one side; `choices[lane].configuration` says
  /// which, -1 skips the replicate.
  virtual void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                                 const StopFlag& stop, double* scores) const = 0;
  void out_of_bag(const ReplicateBlock& block, const Choice* choices, const StopFlag& stop,
                  double* scores) const {
    scores_of_choices(block, Side::out_of_bag, choices, stop, scores);
  }
  /// The apparent score when all counts are 1.
  void in_bag(const ReplicateBlock& block, const Choice* choices, const StopFlag& stop,
              double* scores) const {
    scores_of_choices(block, Side::in_bag, choices, stop, scores);
  }
};

/// What an evaluator is made from.
struct EvaluatorInput {
  const Metric& metric;
  const Target& target;
  /// One block of configurations per repeat.
  std::span<const Predictions> repeats;
  /// Fold of each row in each repeat (repeat * n_rows + row); empty: pooled.
  std::span<const std::int32_t> folds;
  /// Sample weights in units; empty: none.
  std::span<const double> row_weights;
  /// R2 is divided by the variance of the truth over all rows, whichever of them are scored.
  bool fixed_spread = false;
};

/// The error for a configuration whose score is not finite on defined data: an overflow.
[[noreturn]] void throw_overflow(std::int64_t configuration);

/// The rows of each fold that has any, in order of their codes. Throws Error when none has.
[[nodiscard]] std::vector<std::vector<std::int32_t>> rows_of_folds(
    std::span<const std::int32_t> folds);

/// The rows of each fold of a repeat; when pooled, one empty list: all rows in order.
[[nodiscard]] std::vector<std::vector<std::int32_t>> rows_of_folds(const EvaluatorInput& input,
                                                                   std::size_t repeat);

/// Refuses predictions whose shapes do not suit the truth, the metric, the folds or each other.
void check_shapes(const EvaluatorInput& input);

/// Validates the predictions against metric and target (Error names the first bad place) and
/// prepares the block: sorting, packing, losses, in parallel over configurations.
[[nodiscard]] std::unique_ptr<Evaluator> make_evaluator(const EvaluatorInput& input,
                                                        const Control& control);

}  // namespace bbc::detail
