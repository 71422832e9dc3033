#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "detail/isa/row_loss_kernel.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/once_each.hpp"

namespace bbc::detail {

/// Exact sums of losses. The losses of a configuration are computed when they are first asked for,
/// by any thread, and kept if those of all configurations fit 128 MiB.
class LossColumns {
 public:
  /// The sum of a configuration's losses in one replicate.
  struct Request {
    std::int64_t configuration;
    int lane;
    double sum = 0.0;
    double total = 0.0;  ///< of the weights
  };
  LossColumns(const metric::RowLoss& kind, const EvaluatorInput& input,
              const RowLossKernel& kernel);

  /// Whether the losses of a configuration are computed once.
  [[nodiscard]] bool keeps() const noexcept { return keeps_; }
  [[nodiscard]] std::int64_t n_repeats() const noexcept {
    return static_cast<std::int64_t>(repeats_.size());
  }
  /// Correctly rounded sum over rows and repeats of weight times loss; the weights are integers
  /// below 2^26 and add up to `total`.
  [[nodiscard]] double sum(std::int64_t configuration, const double* weights, double total) const;
  /// The same for many requests on one side of the replicates, which may be put in another order.
  /// Losses that are not kept are computed in one pass over the rows.
  void sums(const ReplicateBlock& block, Side side, const StopFlag& stop,
            std::vector<Request>& requests) const;

 private:
  struct Range {  // of losses and 0
    double least = 0.0;
    double most = 0.0;
    void add(const std::vector<double>& losses);
    void add(const Range& other);
  };
  struct Column {
    std::vector<double> losses;  // of all repeats, one after the other
    Range range;
  };
  [[nodiscard]] Column compute(std::int64_t configuration) const;
  /// The column that is kept, or one in `own`.
  const Column& column(std::int64_t configuration, std::unique_ptr<const Column>& own) const;
  /// What a correctly rounded sum needs.
  struct Sum {
    CompensatedSum found;
    Range range;  // of the losses
  };
  /// The correctly rounded sum, if it is certain.
  [[nodiscard]] std::optional<double> rounded(const Sum& sum, double total) const;
  [[nodiscard]] double exact(std::int64_t configuration, const std::vector<double>& weights) const;
  void add_column(const ReplicateBlock& block, Side side, Request& request, Sum& sum) const;
  void add_rows(const ReplicateBlock& block, Side side, std::int64_t first, std::int64_t last,
                std::vector<Request>& requests, std::vector<Sum>& sums) const;

  metric::RowLoss kind_;
  Target target_;
  std::vector<Predictions> repeats_;
  const RowLossKernel& kernel_;
  bool keeps_;
  mutable OnceEach<Column> columns_;  // of each configuration
};

}  // namespace bbc::detail
