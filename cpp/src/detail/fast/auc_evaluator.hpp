#pragma once

#include <array>
#include <memory>
#include <span>
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

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

  /// A value per replicate.
  using Lanes = std::array<double, kBlock>;
  /// The pairs of one block of replicates, of each part: a repeat, or a fold of it.
  class Pairs;

 private:
  /// Rows whose AUC is taken together: all rows of a repeat, or those of one fold.
  struct Part {
    /// What the programs add up per class; a row may come several times.
    std::vector<std::int32_t> rows_of_class[2];
    std::vector<AucProgram> programs;
    std::unique_ptr<const NearPairs> near;  // concordance index only
  };
  class BlockCounts;

  void prepare_auc(const EvaluatorInput& input, const std::vector<std::vector<std::int32_t>>& rows,
                   const Control& control);
  void prepare_concordance(const EvaluatorInput& input, const Control& control);
  /// Whether near pairs are compared apart: concordance index only.
  [[nodiscard]] bool has_near() const { return parts_[0].near != nullptr; }
  static bool walk_segments(const AucProgram& program, const BlockCounts& counts,
                            const Lanes (&of_class)[2], Lanes& twice_pairs);
  bool walk_once(std::size_t part, std::int64_t configuration, const BlockCounts& counts,
                 AucSums& sums) const;
  /// Sums of any size, but not near pairs.
  void count_large(std::size_t part, std::int64_t configuration, const BlockCounts& counts,
                   Lanes& pairs) const;
  /// Twice a part's pairs in the right order.
  void count_pairs(std::size_t part, std::int64_t configuration, const BlockCounts& counts,
                   Lanes& pairs) const;
  void keys_of(std::int64_t configuration, const BlockCounts& counts, Lanes& keys) const;
  void scores_of(std::int64_t configuration, const BlockCounts& counts,
                 std::span<const std::size_t> lanes, Lanes& scores) const;
  template <class ValuesOf>
  void fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, const ValuesOf& values_of, double* out) const;
  void best_by_int32(const BlockCounts& counts, std::int64_t first, std::int64_t last,
                     const StopFlag& stop, Choice* choices) const;
  void best_on_all_rows(std::int64_t first, std::int64_t last, Choice* choice) const;

  std::int64_t n_configurations_;
  std::size_t n_repeats_;
  bool pooled_;
  const AucLoops& loops_;
  std::unique_ptr<const ConcordanceProgrammer> by_time_;  // concordance index only
  std::vector<Part> parts_;                               // repeat by repeat, fold by fold
  std::vector<std::size_t> repeat_of_part_;
  mutable Pool<LaneTable> tables_;
};

class AucEvaluator::Pairs {
 public:
  Pairs(const AucEvaluator& evaluator, const ReplicateBlock& block, Side side);
  ~Pairs();
  Pairs(Pairs&& other) noexcept;
  Pairs& operator=(Pairs&&) = delete;

  /// Rows of class 0 and 1.
  [[nodiscard]] const Lanes& of_class(std::size_t part, int code) const;
  /// Twice the pairs in the right order: whole numbers.
  void count(std::size_t part, std::int64_t configuration, Lanes& twice) const;

 private:
  const AucEvaluator& evaluator_;
  std::unique_ptr<const BlockCounts> counts_;
};

}  // namespace bbc::detail
