#pragma once

#include <cstdint>
#include <vector>

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/zero_one_sums.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/lane_table.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Share of what wrong (or right) labels of all rows together weigh, where sample weights have few
/// values: what ColumnEvaluator<ZeroOneColumns> computes. The errors of each value are looked up,
/// and times the value they add up: roughly for all configurations, and then exactly for the few
/// that can be the best.
class WeighedErrorsEvaluator final : public Evaluator {
 public:
  WeighedErrorsEvaluator(const metric::ZeroOne& kind, const EvaluatorInput& input,
                         const Control& control);

  [[nodiscard]] std::int64_t n_configurations() const override {
    return values_[0].patterns.n_configurations();
  }
  void keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* keys) const override;
  void best_among(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                  const StopFlag& stop, Choice* choices) const override;
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  struct Value {
    std::vector<std::int32_t> rows;
    ErrorPatterns patterns;  // of these
  };
  struct Memory {
    LaneTable table;
    ZeroOneSums sums;        // of one value after the other
    Aligned<float> weighed;  // of a panel, [configuration][word of lane]
  };
  /// What the counted labels of a configuration weigh in a replicate.
  struct Request {
    std::int64_t configuration;
    int lane;
    double counted = 0.0;
  };
  /// Whole numbers, [lane or request][value].
  using Counts = std::vector<double>;

  [[nodiscard]] double key_of(double counted) const { return accuracy_ ? counted : 0.0 - counted; }
  [[nodiscard]] Pool<Memory>::Lease memory() const;
  /// Correctly rounded sums, of a block whose counts on one side are in the table; `totals` of all
  /// rows of each lane, unless it is null.
  void answer(const ReplicateBlock& block, const StopFlag& stop, Memory& memory,
              std::vector<Request>& requests, double* totals) const;
  /// Adds up the rows of each lane and the errors of each request.
  void count(const ReplicateBlock& block, const StopFlag& stop, Memory& memory,
             const std::vector<Request>& requests, Counts& rows, Counts& errors) const;
  [[nodiscard]] double sum(const double* counts) const;
  /// What wrong labels of a panel weigh, in float32.
  void add_up(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
              const StopFlag& stop, Memory& memory) const;

  bool accuracy_;
  const ZeroOneKernel& kernel_;
  int n_repeats_;
  std::vector<Value> values_;
  std::vector<double> weights_;  // of these, in rising order
  mutable Pool<Memory> memory_;
};

}  // namespace bbc::detail
