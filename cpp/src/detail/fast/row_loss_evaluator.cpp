#include "detail/fast/row_loss_evaluator.hpp"

#include <algorithm>
#include <cmath>

namespace bbc::detail {
namespace {

/// The weights of one replicate's rows on one side, and their sum.
class ReplicateWeights {
 public:
  explicit ReplicateWeights(std::int64_t n_rows) : of_row_(static_cast<std::size_t>(n_rows)) {}

  void fill(const ReplicateBlock& block, Side side, int lane) {
    const std::uint16_t* counts = block.replicate(lane);
    std::int64_t sum = 0;
    for (std::int64_t row = 0; row < block.n_rows; ++row) {
      const int weight = side == Side::in_bag ? counts[row] : (counts[row] == 0 ? 1 : 0);
      sum += weight;
      of_row_.data()[row] = weight;
    }
    total_ = static_cast<double>(sum);
  }
  [[nodiscard]] const double* data() const { return of_row_.data(); }
  [[nodiscard]] double total() const { return total_; }

 private:
  Aligned<double> of_row_;
  double total_ = 0.0;
};

}  // namespace

RowLossEvaluator::RowLossEvaluator(const metric::RowLoss& kind, const EvaluatorInput& input,
                                   const Control& control)
    : kind_(kind),
      kernel_(row_loss_kernel(simd_level())),
      grid_(kind, input, kernel_, grid_kernel(simd_level()), control),
      columns_(kind, input, kernel_) {}

void RowLossEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                            const StopFlag& stop, double* keys) const {
  const double sign = kind_.greater_is_better ? 1.0 : -1.0;
  ReplicateWeights weights(block.n_rows);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    weights.fill(block, Side::in_bag, lane);
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      keys[lane * (last - first) + j - first] =
          sign * columns_.sum(j, weights.data(), weights.total());
    }
  }
}

void RowLossEvaluator::best(const ReplicateBlock& block, const StopFlag& stop,
                            Choice* choices) const {
  const auto search = searches_.take([&] { return LossSearch(grid_, kernel_); });
  if (!search->run(block, stop)) {
    Evaluator::best(block, stop, choices);
    return;
  }
  const double sign = kind_.greater_is_better ? 1.0 : -1.0;
  ReplicateWeights weights(block.n_rows);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    stop.check();
    weights.fill(block, Side::in_bag, lane);
    choices[lane] = search->best(lane, [&](std::int64_t configuration) {
      return sign * columns_.sum(configuration, weights.data(), weights.total());
    });
  }
}

void RowLossEvaluator::scores_of(const ReplicateBlock& block, Side side, const Choice* choices,
                                 const StopFlag& stop, double* scores) const {
  ReplicateWeights weights(block.n_rows);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration < 0) continue;
    stop.check();
    weights.fill(block, side, lane);
    const double sum = columns_.sum(choices[lane].configuration, weights.data(), weights.total());
    const double mean = sum / (weights.total() * static_cast<double>(columns_.n_repeats()));
    scores[lane] = kind_.root ? std::sqrt(mean) : mean;
  }
}

void RowLossEvaluator::out_of_bag(const ReplicateBlock& block, const Choice* choices,
                                  const StopFlag& stop, double* scores) const {
  scores_of(block, Side::out_of_bag, choices, stop, scores);
}

void RowLossEvaluator::in_bag(const ReplicateBlock& block, const Choice* choices,
                              const StopFlag& stop, double* scores) const {
  scores_of(block, Side::in_bag, choices, stop, scores);
}

}  // namespace bbc::detail
