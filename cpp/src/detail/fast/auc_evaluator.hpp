#pragma once

#include <array>
#include <memory>
#include <numeric>
#include <vector>

#include "detail/fast/concordance_program.hpp"
#include "detail/fast/near_pairs.hpp"
#include "detail/isa/auc_walk.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/lane_table.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Area under the ROC curve, or concordance index, of unweighted rows, 64 replicates at a time:
/// whatever counts pairs in the right order. Keys and scores equal those of the general evaluator
/// to the last bit.
class AucEvaluator final : public Evaluator {
 public:
  AucEvaluator(const EvaluatorInput& input, const Control& control);
  /// Whether the rows' places fit a program's words.
  [[nodiscard]] static bool suits(const EvaluatorInput& input);

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }
  void keys(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
            double* keys) const override;
  void scores(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
              double* scores) const override;
  void best(const Bag& bag, const StopFlag& stop, Choice* choices) const override;
  void out_of_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
                  double* scores) const override;
  void in_bag(const Bag& bag, const Choice* choices, const StopFlag& stop,
              double* scores) const override;

 private:
  /// Rows whose AUC is taken together: all rows of a repeat, or those of one fold.
  struct Part {
    /// What the programs add up per class; a row may come several times.
    std::vector<std::int32_t> rows_of_class[2];
    std::vector<AucProgram> programs;
    // Concordance index only.
    std::unique_ptr<const ConcordanceProgrammer> by_time;
    std::unique_ptr<const NearPairs> near;
  };
  /// A value per replicate.
  using Lanes = std::array<double, kBlock>;
  static constexpr auto kAllLanes = [] {
    std::array<int, kBlock> lanes{};
    std::iota(lanes.begin(), lanes.end(), 0);
    return lanes;
  }();
  class Weights;

  void prepare_auc(const EvaluatorInput& input, const std::vector<std::vector<std::int32_t>>& rows,
                   const Control& control);
  void prepare_concordance(const EvaluatorInput& input, const Control& control);
  bool walk_at_once(const AucProgram& program, const Weights& weights, const AucClasses& expected,
                    AucSums& sums) const;
  /// What the programs alone add up.
  void walk_all(std::size_t part, std::int64_t configuration, const Weights& weights,
                Lanes& pairs) const;
  void twice_pairs(std::size_t part, std::int64_t configuration, const Weights& weights,
                   Lanes& pairs) const;
  void keys_of(std::int64_t configuration, const Weights& weights, Lanes& keys) const;
  void scores_of(std::int64_t configuration, const Weights& weights, std::span<const int> lanes,
                 Lanes& scores) const;
  void all_scores_of(std::int64_t configuration, const Weights& weights, Lanes& scores) const {
    scores_of(configuration, weights, kAllLanes, scores);
  }
  using ValuesOf = void (AucEvaluator::*)(std::int64_t, const Weights&, Lanes&) const;
  /// out[lane * (last - first) + configuration], by one of the members above.
  void fill(const Bag& bag, std::int64_t first, std::int64_t last, const StopFlag& stop,
            ValuesOf values_of, double* out) const;
  void scores_of_choices(const Bag& bag, Side side, const Choice* choices, const StopFlag& stop,
                         double* scores) const;
  void best_of_small(const Weights& weights, const StopFlag& stop, Choice* choices) const;
  void best_on_all_rows(Choice* choice) const;

  std::int64_t n_configurations_;
  std::size_t n_repeats_;
  bool pooled_;
  const AucLoops& loops_;
  std::vector<Part> parts_;  // repeat by repeat, fold by fold
  std::vector<std::size_t> repeat_of_part_;
  mutable Pool<LaneTable> tables_;
};

}  // namespace bbc::detail
