#pragma once

#include <limits>

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/zero_one_sums.hpp"
#include "detail/isa/confusion_kernel.hpp"
#include "detail/metrics/confusion.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

struct ConfusionTotals;

/// Any function of the confusion matrix of two classes, on all rows together and without sample
/// weights: what ColumnEvaluator<ConfusionColumns<double>> computes, by look-up. Wrong labels among
/// the rows of each class are counted as those of the 0-1 loss are; they tell the whole matrix.
class ConfusionEvaluator final : public Evaluator {
 public:
  static constexpr int kClasses = 2;

  ConfusionEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                     const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override {
    return classes_[0].patterns.n_configurations();
  }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                 const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void count_worse(const ReplicateBlock& block, std::int64_t than, const StopFlag& stop,
                   std::int64_t* worse) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  /// Wrong labels of one configuration in one sample, and rows, of each class.
  struct Wrong {
    std::int64_t labels[kClasses];
    std::int64_t rows[kClasses];
  };

  /// What a thread works with.
  struct Memory {
    LaneTable table;
    ZeroOneSums sums[kClasses];
    std::vector<std::int64_t> wide[kClasses];
  };

  /// The value in one replicate, from counts as ConfusionColumns takes them; NaN where it is
  /// undefined.
  template <class C>
  [[nodiscard]] double score_of(const C& counts, const double* totals, int lane) const {
    return is_defined(totals, C::kLanes, lane) ? formula_.score(counts, totals, lane)
                                               : std::numeric_limits<double>::quiet_NaN();
  }
  /// Whether a replicate has rows of all classes that the metric needs.
  [[nodiscard]] bool is_defined(const double* totals, int n_lanes, int lane) const {
    bool defined = totals[kClasses * n_lanes + lane] > 0.0;
    for (const std::int32_t code : needed_classes_) {
      defined = defined && totals[code * n_lanes + lane] > 0.0;
    }
    return defined;
  }
  [[nodiscard]] Wrong wrong_in_bag(const std::uint16_t* counts, std::int64_t configuration) const;
  /// `of_class` is memory that is used again.
  [[nodiscard]] Wrong wrong_out_of_bag(const std::uint16_t* counts, std::int64_t configuration,
                                       std::vector<std::uint16_t>& of_class) const;
  /// Whether the kernel compares configurations as their keys do in samples of so many rows.
  [[nodiscard]] bool ordered(const ConfusionTotals& totals) const;
  /// Calls use(panel) for panels of configurations [first, last) in turn.
  template <class Use>
  void for_each_panel(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                      const StopFlag& stop, const Use& use) const;
  /// Calls use(configuration, matrices of all lanes), as the formula takes them.
  template <class Use>
  void for_each(const ReplicateBlock& block, const ConfusionTotals& totals, std::int64_t first,
                std::int64_t last, const StopFlag& stop, const Use& use) const;
  /// out[lane * (last - first) + configuration] = value(matrix, lane).
  template <class Value>
  void fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* out, const Value& value) const;

  /// The rows of a class, and which of them each configuration gets wrong.
  struct ClassRows {
    std::vector<std::int32_t> rows;
    ErrorPatterns patterns;
  };
  [[nodiscard]] static ClassRows class_rows(const EvaluatorInput& input, int code,
                                            const PatternKernel& kernel, const Control& control);

  ConfusionColumns<double> formula_;
  const ZeroOneKernel& kernel_;
  const ConfusionKernel& orders_;
  ConfusionOrder order_;
  bool has_order_ = false;  // otherwise keys themselves are compared
  ClassRows classes_[kClasses];
  std::vector<std::uint16_t> second_;  // all ones in the rows of the second class
  std::vector<std::int32_t> needed_classes_;
  mutable Pool<Memory> memory_;
};

}  // namespace bbc::detail
