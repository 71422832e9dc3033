#pragma once

#include <memory>

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// R2 of all rows together with the denominator of all rows: 1 - (mean squared error) / (variance
/// of the truth over all rows). Selection is by the squared error, whose evaluator does the work.
class R2Evaluator final : public Evaluator {
 public:
  /// `losses` scores squared errors, in units in which the variance is given.
  R2Evaluator(std::unique_ptr<const Evaluator> losses, double variance)
      : losses_(std::move(losses)), variance_(variance) {}

  [[nodiscard]] std::int64_t n_configurations() const override {
    return losses_->n_configurations();
  }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override {
    losses_->keys(block, first, last, stop, keys);
  }
  void scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, double* scores) const override {
    losses_->scores(block, first, last, stop, scores);
    const std::int64_t n = block.n_replicates * (last - first);
    for (std::int64_t i = 0; i < n; ++i) scores[i] = explained(scores[i]);
  }
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override {
    losses_->best_among(block, first, last, stop, choices);
  }
  void count_worse(const ReplicateBlock& block, std::int64_t than, const StopFlag& stop,
                   std::int64_t* worse) const override {
    losses_->count_worse(block, than, stop, worse);
  }
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override {
    losses_->scores_of_choices(block, side, choices, stop, scores);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      if (choices[lane].configuration >= 0) scores[lane] = explained(scores[lane]);
    }
  }

 private:
  [[nodiscard]] double explained(double loss) const { return 1.0 - loss / variance_; }

  std::unique_ptr<const Evaluator> losses_;
  double variance_;
};

}  // namespace bbc::detail
