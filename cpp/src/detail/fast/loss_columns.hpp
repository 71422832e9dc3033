#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "detail/isa/row_loss_kernel.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// Exact sums of losses: the losses of a configuration are computed when they are first asked
/// for, by any thread, and kept as long as memory allows.
class LossColumns {
 public:
  LossColumns(const metric::RowLoss& kind, const EvaluatorInput& input,
              const RowLossKernel& kernel);

  [[nodiscard]] std::int64_t n_repeats() const noexcept {
    return static_cast<std::int64_t>(repeats_.size());
  }
  /// Correctly rounded sum over rows and repeats of weight times loss; the weights are integers
  /// below 2^26 and add up to `total`.
  [[nodiscard]] double sum(std::int64_t configuration, const double* weights, double total) const;

 private:
  struct Column {
    std::vector<double> losses;  // of all repeats, one after the other
    double magnitude = 0.0;      // no loss is larger
  };
  [[nodiscard]] Column compute(std::int64_t configuration) const;
  [[nodiscard]] double sum(const Column& column, const double* weights, double total) const;

  metric::RowLoss kind_;
  Target target_;
  std::vector<Predictions> repeats_;
  const RowLossKernel& kernel_;
  mutable std::mutex mutex_;
  mutable std::size_t n_to_keep_;
  mutable std::vector<std::unique_ptr<const Column>> columns_;  // of each configuration
};

}  // namespace bbc::detail
