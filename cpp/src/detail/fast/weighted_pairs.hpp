#pragma once

#include <array>
#include <span>
#include <vector>

#include "detail/fast/pair_program.hpp"
#include "detail/isa/pair_counts.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/lane_table.hpp"

namespace bbc::detail {

/// Concordance index whose events have weights, of rows without any: for each event the later rows
/// of lower risk are counted, 64 replicates at a time, and only then weighted. Keys and scores
/// equal those of the general evaluator to the last bit, because they are sums of the same terms in
/// the same order.
class WeightedPairsEvaluator final : public Evaluator {
 public:
  WeightedPairsEvaluator(const EvaluatorInput& input, const Control& control);
  [[nodiscard]] static bool suits(const EvaluatorInput& input);

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  /// A value per replicate.
  struct Lanes {
    alignas(64) double of[kBlock];
  };
  template <class Count, class Far, class Near>
  class BlockCounts;
  using Narrow = BlockCounts<std::uint8_t, std::uint16_t, std::uint8_t>;
  using Wide = BlockCounts<std::uint32_t, std::uint32_t, std::uint32_t>;

  /// Calls use(counts) with counts of types that hold their sums twice.
  template <class Use>
  void with_counts(const ReplicateBlock& block, Side side, const Use& use) const;
  [[nodiscard]] bool is_narrow(const LaneTable& table) const;
  template <class Counts>
  void keys_of_repeat(const PairProgram& program, Counts& counts, Lanes& keys) const;
  template <class Counts>
  void keys_of(std::int64_t configuration, Counts& counts, Lanes& keys) const;
  template <class Counts>
  void scores_of(std::int64_t configuration, Counts& counts, Lanes& scores) const;

  std::int64_t n_configurations_;
  const PairCountKernel& kernel_;
  PairPlan plan_;
  std::vector<PairPlan::Stretch> near_stretches_[2];  // without ties, and with
  std::vector<WeightedEvents> weights_;               // of the events in order
  std::vector<std::uint32_t> event_lines_;            // of their rows
  std::vector<std::vector<PairProgram>> programs_;    // [repeat][configuration]
};

}  // namespace bbc::detail
