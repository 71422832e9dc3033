#pragma once

#include <limits>

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/zero_one_sums.hpp"
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

  [[nodiscard]] static bool suits(const metric::Confusion& kind, const EvaluatorInput& input);

  ConfusionEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                     const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override {
    return patterns_.n_configurations();
  }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void count_worse(const ReplicateBlock& block, std::int64_t than, const StopFlag& stop,
                   std::int64_t* worse) const override;
  void out_of_bag(const ReplicateBlock& block, const Choice* choices, const StopFlag& stop,
                  double* scores) const override;
  void in_bag(const ReplicateBlock& block, const Choice* choices, const StopFlag& stop,
              double* scores) const override;

 private:
  /// What puts configurations in the order of their keys, and is the cheapest such value: the
  /// quotient of one class, right calls times the rows of the other class, or the key itself.
  enum class Order { quotient, balanced, key };
  /// Wrong labels of one configuration in one sample, and rows, of each class.
  struct Wrong {
    std::int64_t labels[kClasses];
    std::int64_t rows[kClasses];
  };

  /// What a thread works with.
  struct Memory {
    ZeroOneSums sums[kClasses];
    std::vector<std::int32_t> wrong[kClasses];  // [configuration of a panel][lane]
  };

  /// The counts of the rows of a class; those of other rows are `of_others`.
  [[nodiscard]] ReplicateBlock of_class(const ReplicateBlock& block, int code,
                                        std::uint16_t of_others) const;
  /// The value in one replicate, from counts as ConfusionColumns takes them; NaN where it is
  /// undefined.
  template <class C>
  [[nodiscard]] double score_of(const C& counts, const double* totals, int lane) const {
    bool defined = totals[kClasses * C::kLanes + lane] > 0.0;
    for (const std::int32_t code : needed_classes_) {
      defined = defined && totals[code * C::kLanes + lane] > 0.0;
    }
    return defined ? formula_.score(counts, totals, lane)
                   : std::numeric_limits<double>::quiet_NaN();
  }
  [[nodiscard]] Wrong wrong_in_bag(const std::uint16_t* counts, std::int64_t configuration) const;
  /// Calls use(configuration, wrong labels in all replicates) for configurations [first, last).
  template <class Use>
  void for_each(const ReplicateBlock (&blocks)[kClasses], std::int64_t first, std::int64_t last,
                const StopFlag& stop, const Use& use) const;
  /// Calls use(configuration, values of all lanes), by which configurations compare.
  template <class Use>
  void for_each_order(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                      const StopFlag& stop, const Use& use) const;
  /// out[lane * (last - first) + configuration] = value(matrix, lane).
  template <class Value>
  void fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* out, const Value& value) const;

  ConfusionColumns<double> formula_;
  ConfusionRatio ratio_;
  Order order_ = Order::key;
  const ZeroOneKernel& kernel_;
  ErrorPatterns patterns_;
  std::vector<std::int32_t> codes_;
  std::vector<std::int32_t> needed_classes_;
  std::vector<std::uint16_t> members_[kClasses];  // all ones in the rows of a class
  mutable Pool<Memory> memory_;
};

}  // namespace bbc::detail
