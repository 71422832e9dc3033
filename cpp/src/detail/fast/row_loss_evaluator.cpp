#include "detail/fast/row_loss_evaluator.hpp"

#include <algorithm>
#include <cmath>

namespace bbc::detail {

RowLossEvaluator::RowLossEvaluator(const metric::RowLoss& kind, const EvaluatorInput& input,
                                   const Control& control)
    : kind_(kind),
      kernel_(row_loss_kernel(simd_level())),
      grid_(kind, input, kernel_, grid_kernel(simd_level()), control),
      columns_(kind, input, kernel_) {}

void RowLossEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                            const StopFlag& stop, double* keys) const {
  const double sign = kind_.greater_is_better ? 1.0 : -1.0;
  std::vector<double> weights(static_cast<std::size_t>(block.n_rows));
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    std::copy_n(block.replicate(lane), block.n_rows, weights.begin());
    const auto total = static_cast<double>(block.total(lane));
    for (std::int64_t j = first; j < last; ++j) {
      stop.check();
      keys[lane * (last - first) + j - first] = sign * columns_.sum(j, weights.data(), total);
    }
  }
}

double RowLossEvaluator::score_of(double sum, double total) const {
  const double mean = sum / (total * static_cast<double>(columns_.n_repeats()));
  return kind_.root ? std::sqrt(mean) : mean;
}

void RowLossEvaluator::scores_of(const ReplicateBlock& block,
                                 std::span<const std::int64_t> configurations, const StopFlag& stop,
                                 double* scores) const {
  if (!columns_.keeps()) return Evaluator::scores_of(block, configurations, stop, scores);
  std::vector<double> weights(static_cast<std::size_t>(block.n_rows));
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    std::copy_n(block.replicate(lane), block.n_rows, weights.begin());
    const auto total = static_cast<double>(block.total(lane));
    for (const std::int64_t configuration : configurations) {
      stop.check();
      *scores++ = score_of(columns_.sum(configuration, weights.data(), total), total);
    }
  }
}

void RowLossEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, Choice* choices) const {
  const auto search = searches_.take([&] { return LossSearch(grid_, kernel_); });
  if (!search->run(block, first, last, stop)) {
    Evaluator::best_among(block, first, last, stop, choices);
    return;
  }
  std::vector<LossColumns::Request> requests;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    choices[lane] = {};
    search->for_each_candidate(
        lane, [&](std::int64_t configuration) { requests.push_back({configuration, lane}); });
  }
  columns_.sums(block, Side::in_bag, stop, requests);
  const double sign = kind_.greater_is_better ? 1.0 : -1.0;
  for (const auto& request : requests) {
    Choice& choice = choices[request.lane];
    const Choice other{sign * request.sum, request.configuration};
    if (beats(other, choice)) choice = other;
  }
}

void RowLossEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                         const Choice* choices, const StopFlag& stop,
                                         double* scores) const {
  std::vector<LossColumns::Request> requests;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::int64_t configuration = choices[lane].configuration;
    if (configuration >= 0) requests.push_back({configuration, lane});
  }
  columns_.sums(block, side, stop, requests);
  for (const auto& request : requests) {
    scores[request.lane] = score_of(request.sum, request.total);
  }
}

}  // namespace bbc::detail
