#pragma once

#include <memory>
#include <vector>

#include "detail/fast/auc_evaluator.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// AUC of several classes from one score per class, on all rows together and without sample
/// weights: what ColumnEvaluator<MulticlassAucColumns> computes, from the pairs that binary AUCs
/// count, one for each class against the rest, or for each ordered pair of classes. Sums of their
/// ratios in float64 tell who can be the best; sums rounded once decide.
class MulticlassAucEvaluator final : public Evaluator {
 public:
  MulticlassAucEvaluator(const metric::MulticlassAuc& kind, const EvaluatorInput& input,
                         const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override {
    return terms_[0].pairs->n_configurations();
  }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  using Lanes = AucEvaluator::Lanes;
  /// A class against the rest, or against another one.
  struct Term {
    std::int32_t of;
    std::int32_t against;  ///< -1: the rest
    std::unique_ptr<const AucEvaluator> pairs;
  };
  class Walk;

  bool weighted_;
  bool one_vs_rest_;
  std::int32_t n_classes_;
  std::size_t n_repeats_;
  std::vector<std::int32_t> codes_;
  std::vector<Term> terms_;
};

}  // namespace bbc::detail
