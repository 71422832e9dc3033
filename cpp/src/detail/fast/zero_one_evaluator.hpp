#pragma once

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/zero_one_sums.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// Share of wrong (or right) labels of all rows together, without sample weights: what
/// ColumnEvaluator<ZeroOneColumns> computes, by look-up.
class ZeroOneEvaluator final : public Evaluator {
 public:
  ZeroOneEvaluator(const metric::ZeroOne& kind, const EvaluatorInput& input,
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
  void scores_of_choices(const ReplicateBlock& block, Side side, const Choice* choices,
                         const StopFlag& stop, double* scores) const override;

 private:
  /// The key of a number of errors among rows that weigh `total`.
  [[nodiscard]] double key_of(double errors, double total) const {
    return accuracy_ ? total - errors : 0.0 - errors;
  }
  [[nodiscard]] double score_of(double errors, double total) const {
    return (accuracy_ ? total - errors : errors) / total;
  }
  [[nodiscard]] Pool<ZeroOneSums>::Lease sums_of(const ReplicateBlock& block) const {
    auto sums = sums_.take([&] { return ZeroOneSums(patterns_, kernel_.sums); });
    sums->take(block);
    return sums;
  }
  /// out[lane * (last - first) + configuration] = value(errors, rows) of each replicate.
  template <class Value>
  void fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
            const StopFlag& stop, double* out, const Value& value) const;
  /// What the rows of a replicate weigh, over all repeats.
  [[nodiscard]] double total_of(const ReplicateBlock& block, int lane) const;

  bool accuracy_;
  const ZeroOneKernel& kernel_;
  ErrorPatterns patterns_;
  mutable Pool<ZeroOneSums> sums_;
};

}  // namespace bbc::detail
