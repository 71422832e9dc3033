#pragma once

#include "detail/fast/loss_columns.hpp"
#include "detail/fast/loss_grid.hpp"
#include "detail/fast/loss_search.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Mean of one loss per row, of all rows together and without sample weights: what
/// ColumnEvaluator<RowLossColumns> computes. Sums on a grid leave only a few configurations that
/// can be the best of a replicate; exact sums decide among them.
class RowLossEvaluator final : public Evaluator {
 public:
  RowLossEvaluator(const metric::RowLoss& kind, const EvaluatorInput& input,
                   const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override { return grid_.n_configurations(); }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void scores_of(const ReplicateBlock& block, std::span<const std::int64_t> configurations,
                 const StopFlag& stop, double* scores) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  [[nodiscard]] double score_of(double sum, double total) const;

  metric::RowLoss kind_;
  const RowLossKernel& kernel_;
  LossGrid grid_;
  LossColumns columns_;
  mutable Pool<LossSearch> searches_;
};

}  // namespace bbc::detail
