#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/tt.hpp>

namespace bbc {

TtEstimate tt(const FoldScores& scores, bool greater_is_better) {
  const std::int64_t n = scores.n_configurations;
  const std::int64_t n_folds = scores.n_repeats * scores.n_folds;
  if (n < 1 || n_folds < 1) throw_invalid("fold_scores: no fold or no configuration");
  const double sign = greater_is_better ? 1.0 : -1.0;
  const auto count = static_cast<double>(n_folds);
  const auto score = [&](std::int64_t fold, std::int64_t configuration) {
    return scores.values[static_cast<std::size_t>(fold * n + configuration)];
  };
  TtEstimate result;
  for (std::int64_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::int64_t fold = 0; fold < n_folds; ++fold) sum += score(fold, j);
    const double mean = sum / count;
    if (result.winner < 0 || sign * mean > sign * result.apparent) {
      result.winner = j;
      result.apparent = mean;
    }
  }
  double distances = 0.0;
  for (std::int64_t fold = 0; fold < n_folds; ++fold) {
    double best = sign * score(fold, 0);
    for (std::int64_t j = 1; j < n; ++j) best = std::max(best, sign * score(fold, j));
    distances += best - sign * score(fold, result.winner);
  }
  result.optimism = distances / count;
  result.estimate = result.apparent - sign * result.optimism;
  return result;
}

}  // namespace bbc
