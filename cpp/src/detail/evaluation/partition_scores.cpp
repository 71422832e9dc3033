#include "detail/evaluation/partition_scores.hpp"

#include <algorithm>
#include <cmath>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {
namespace {

/// Any metric: a fold is a replicate that holds its rows once, one lane per partition and fold.
class ByEvaluator final : public PartitionScores {
 public:
  ByEvaluator(const Metric& metric, const Target& target, const Predictions& predictions,
              std::vector<double> row_weights, const Control& control)
      : row_weights_(std::move(row_weights)),
        n_rows_(target.n_rows()),
        evaluator_(make_evaluator({metric, target, {&predictions, 1}, {}, row_weights_}, control)) {
  }

  void scores(std::span<const std::int8_t> fold_of_row, std::int64_t n_folds, const StopFlag& stop,
              double* scores) const override {
    const auto n_partitions = static_cast<std::int64_t>(fold_of_row.size()) / n_rows_;
    const auto block = blocks_.take([&] { return ReplicateBlock{0, n_rows_, {}, row_weights_}; });
    block->n_replicates = static_cast<int>(n_partitions * n_folds);
    block->counts.assign(static_cast<std::size_t>(block->n_replicates * n_rows_), 0);
    for (std::int64_t partition = 0; partition < n_partitions; ++partition) {
      for (std::int64_t row = 0; row < n_rows_; ++row) {
        const auto fold = fold_of_row[static_cast<std::size_t>(partition * n_rows_ + row)];
        if (fold < 0) continue;
        block->counts[static_cast<std::size_t>((partition * n_folds + fold) * n_rows_ + row)] = 1;
      }
    }
    evaluator_->scores(*block, 0, evaluator_->n_configurations(), stop, scores);
  }

 private:
  std::vector<double> row_weights_;
  std::int64_t n_rows_;
  std::unique_ptr<Evaluator> evaluator_;
  mutable Pool<ReplicateBlock> blocks_;
};

/// Means of one loss per row: each row is added to its fold, all configurations side by side.
class ByRowLoss final : public PartitionScores {
 public:
  ByRowLoss(const metric::RowLoss& kind, const Target& target, const Predictions& predictions,
            std::vector<double> row_weights, const Control& control)
      : root_(kind.root),
        n_rows_(target.n_rows()),
        n_configurations_(detail::n_configurations(predictions)),
        row_weights_(std::move(row_weights)),
        losses_(static_cast<std::size_t>(n_rows_ * n_configurations_)) {
    const double cells = static_cast<double>(n_rows_) * static_cast<double>(n_configurations_);
    parallel_for(n_configurations_, control, 5.0 * cells, [&](std::int64_t j, const StopFlag&) {
      const auto column = row_losses(kind, target, predictions, j, {});
      for (std::int64_t row = 0; row < n_rows_; ++row) {
        losses_[static_cast<std::size_t>(row * n_configurations_ + j)] =
            weight(row) * column[static_cast<std::size_t>(row)];
      }
    });
  }

  void scores(std::span<const std::int8_t> fold_of_row, std::int64_t n_folds, const StopFlag& stop,
              double* scores) const override {
    const auto n_partitions = static_cast<std::int64_t>(fold_of_row.size()) / n_rows_;
    std::vector<double> weights(static_cast<std::size_t>(n_partitions * n_folds));
    std::fill_n(scores, n_partitions * n_folds * n_configurations_, 0.0);
    for (std::int64_t row = 0; row < n_rows_; ++row) {
      if (row % 1024 == 0) stop.check();
      const double* from = losses_.data() + row * n_configurations_;
      for (std::int64_t partition = 0; partition < n_partitions; ++partition) {
        const auto fold = fold_of_row[static_cast<std::size_t>(partition * n_rows_ + row)];
        if (fold < 0) continue;
        const std::int64_t at = partition * n_folds + fold;
        weights[static_cast<std::size_t>(at)] += weight(row);
        double* sums = scores + at * n_configurations_;
        for (std::int64_t j = 0; j < n_configurations_; ++j) sums[j] += from[j];
      }
    }
    for (const double of_fold : weights) {
      for (std::int64_t j = 0; j < n_configurations_; ++j, ++scores) {
        *scores /= of_fold;
        if (root_) *scores = std::sqrt(*scores);
      }
    }
  }

 private:
  [[nodiscard]] double weight(std::int64_t row) const {
    return row_weights_.empty() ? 1.0 : row_weights_[static_cast<std::size_t>(row)];
  }

  bool root_;
  std::int64_t n_rows_;
  std::int64_t n_configurations_;
  std::vector<double> row_weights_;
  std::vector<double> losses_;  // (row, configuration), times the row's weight
};

}  // namespace

std::unique_ptr<PartitionScores> make_partition_scores(const Metric& metric, const Target& target,
                                                       const Predictions& predictions,
                                                       const std::vector<double>& row_weights,
                                                       const Control& control) {
  if (const auto* kind = std::get_if<metric::RowLoss>(&metric.kind)) {
    return std::make_unique<ByRowLoss>(*kind, target, predictions, row_weights, control);
  }
  return std::make_unique<ByEvaluator>(metric, target, predictions, row_weights, control);
}

}  // namespace bbc::detail
