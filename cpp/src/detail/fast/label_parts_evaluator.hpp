#pragma once

#include <optional>

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/rough_search.hpp"
#include "detail/fast/zero_one_sums.hpp"
#include "detail/isa/confusion_kernel.hpp"
#include "detail/metrics/confusion.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Metrics of labels as means over the folds of each repeat, without sample weights: what the
/// general evaluators of labels compute, by look-up. Each fold's wrong labels are counted among the
/// rows of each class, as those of the 0-1 loss are. What these counts say of a replicate, to a few
/// units in the last place, leaves few configurations that can be the best; their keys decide.
///
/// A micro average is the ratio of one table of two classes, the sum of all classes' tables: with w
/// wrong labels in n rows of k classes, w of its n positives and of its (k - 1) n negatives are
/// called wrong.
class LabelPartsEvaluator final : public Evaluator {
 public:
  /// In how many groups of each part's rows wrong labels are counted; none where they do not tell
  /// the metric. Of two classes they tell any but some micro averages; of more, micro averages and
  /// what only asks for the share of each class that is called right.
  [[nodiscard]] static std::optional<int> n_counted(const metric::Confusion& kind, int n_classes);

  LabelPartsEvaluator(const metric::ZeroOne& kind, const EvaluatorInput& input,
                      const Control& control);
  LabelPartsEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                      const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override { return n_configurations_; }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                 const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  /// The rows of a class in a part, or all of them, and which of them each configuration gets
  /// wrong.
  struct Group {
    std::vector<std::int32_t> rows;
    std::optional<ErrorPatterns> patterns;  // where there are rows
  };
  /// A fold of a repeat, or all of its rows.
  using Part = std::vector<Group>;

  /// What a thread works with. Numbers of parts are [part][group][word of lane].
  struct Memory {
    LaneTable table;
    RoughSearch search;
    std::vector<std::uint16_t> of_group;
    std::vector<double> wrong_of_one;
    std::vector<double> totals_of_one;
    std::vector<double> totals;     // rows, of all groups behind those of each
    std::vector<double> n_defined;  // parts of each repeat, [repeat][word of lane]
    Aligned<double> factors;        // what wrong labels count in the whole
    Aligned<double> sums;           // [configuration][word of lane]
    std::vector<std::int64_t> wide[ConfusionOrder::kClasses];
    Aligned<std::uint16_t> nothing;
  };

  LabelPartsEvaluator(const EvaluatorInput& input, int n_counted, const Control& control);

  [[nodiscard]] Pool<Memory>::Lease memory() const;
  /// The formula's values in kLanes lanes, from wrong labels and rows of each group; NaN where it
  /// is undefined.
  template <int kLanes>
  void score(const double* wrong, const double* totals, double* scores) const;
  [[nodiscard]] DoubleDouble key(const double* wrong, const double* totals) const;
  [[nodiscard]] bool is_defined(const double* totals, int n_lanes, int lane) const;
  /// The group whose rows the i-th that is counted has.
  [[nodiscard]] std::size_t group_of(std::size_t counted) const {
    return counted + static_cast<std::size_t>(n_groups_ - n_counted_);
  }
  [[nodiscard]] bool is_sum_of_tables() const { return n_counted_ < n_groups_; }
  /// Rows of the groups that are not counted, and of all of them.
  void complete(double* totals, int n_lanes) const;
  /// Calls use(wrong labels, rows) of a part in one sample.
  template <class Use>
  void with_part_of_one(const Part& part, const std::uint16_t* counts, Side side,
                        std::int64_t configuration, Memory& memory, const Use& use) const;
  [[nodiscard]] double score_of_one(const std::uint16_t* counts, Side side,
                                    std::int64_t configuration, Memory& memory) const;
  [[nodiscard]] double key_of_one(const std::uint16_t* counts, std::int64_t configuration,
                                  Memory& memory) const;
  /// Takes a block's draws and counts the rows of each part; returns the most of any.
  double take(const ReplicateBlock& block, Memory& memory) const;
  /// Calls use(panel) with the wrong labels of one group, or of two.
  template <class Use>
  void with_panel(const ReplicateBlock& block, const Group* groups, int n_groups,
                  std::int64_t first, std::int64_t last, const StopFlag& stop, Memory& memory,
                  const Use& use) const;
  /// Wrong labels of ascending configurations in a part, [configuration][group][word of lane]; of a
  /// sum of tables each group has those of the only one that is counted.
  void count_wrong(const ReplicateBlock& block, const Part& groups,
                   std::span<const std::int64_t> configurations, const StopFlag& stop,
                   Memory& memory, std::vector<double>& wrong) const;
  /// Adds the scores of a part where they are defined.
  void add_scores(const double* totals, const std::vector<double>& wrong,
                  std::vector<double>& sums) const;
  /// What a wrong label of a group's row adds to the key of a part that has this share of the
  /// whole; `totals` are the part's in one lane.
  [[nodiscard]] double factor_of(int group, const double* totals, double share) const;
  /// What puts configurations in order in a part, as a share of the whole.
  void put_in_order(std::size_t part, std::size_t repeat, Memory& memory,
                    ConfusionOrder& order) const;
  [[nodiscard]] const double* totals_of(std::size_t part, const Memory& memory) const {
    return memory.totals.data() + part * static_cast<std::size_t>((n_groups_ + 1) * kBlock);
  }

  std::int64_t n_configurations_;
  double sign_;
  bool accuracy_ = false;  // of what has no confusion matrix
  metric::Confusion kind_;
  std::optional<ConfusionColumns<double>> formula_;
  bool is_of_others_ = false;                  // a share of the rows of the other class
  bool comparable_ = false;                    // keys are sums over repeats
  std::optional<ConfusionOrder::Kind> order_;  // none: wrong labels are only added up
  ConfusionOrder forms_;
  int n_groups_;            // classes of the formula's table
  int n_counted_;           // whose wrong labels are counted: all of them, or only the positives
  double negatives_ = 0.0;  // beside each positive of a sum of tables
  std::vector<std::int32_t> needed_classes_;
  const ZeroOneKernel& kernel_;
  const ConfusionKernel& orders_;
  std::vector<std::vector<Part>> repeats_;
  std::size_t n_parts_ = 0;
  mutable Pool<Memory> memory_;
};

}  // namespace bbc::detail
