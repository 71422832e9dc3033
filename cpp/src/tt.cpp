#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <cmath>

#include "detail/evaluation/fold_table.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc {
namespace {

void check(const FoldScores& scores) {
  detail::check_table(scores);
  const auto at = std::ranges::find_if(scores.values, [](double v) { return !std::isfinite(v); });
  if (at == scores.values.end()) return;
  const std::int64_t place = at - scores.values.begin();
  const std::int64_t fold = place / scores.n_configurations;
  throw_invalid("fold_scores", "not finite",
                {{"repeat", fold / scores.n_folds},
                 {"fold", fold % scores.n_folds},
                 {"configuration", place % scores.n_configurations}});
}

}  // namespace

TtEstimate tt(const FoldScores& scores, bool greater_is_better) {
  const detail::Arithmetic arithmetic;
  return tt({scores, greater_is_better}, {scores, greater_is_better});
}

TtEstimate tt(DirectedScores deciding, DirectedScores reported) {
  const detail::Arithmetic arithmetic;
  check(deciding.scores);
  check(reported.scores);
  const std::int64_t n = deciding.scores.n_configurations;
  const std::int64_t n_folds = deciding.scores.n_repeats * deciding.scores.n_folds;
  if (reported.scores.n_repeats != deciding.scores.n_repeats ||
      reported.scores.n_folds != deciding.scores.n_folds || reported.scores.n_configurations != n) {
    throw_invalid("fold_scores", "two tables of different shapes");
  }
  const auto count = static_cast<double>(n_folds);
  const auto score = [n](const FoldScores& scores, std::int64_t fold, std::int64_t configuration) {
    return scores.values[static_cast<std::size_t>(fold * n + configuration)];
  };
  const auto mean = [&](const FoldScores& scores, std::int64_t configuration) {
    double sum = 0.0;
    for (std::int64_t fold = 0; fold < n_folds; ++fold) sum += score(scores, fold, configuration);
    return sum / count;
  };
  const double decides = deciding.greater_is_better ? 1.0 : -1.0;
  TtEstimate result;
  double highest = 0.0;
  std::vector<double> of_folds(static_cast<std::size_t>(n_folds));
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t fold = 0; fold < n_folds; ++fold) {
      of_folds[static_cast<std::size_t>(fold)] = score(deciding.scores, fold, j);
    }
    const double value = decides * detail::rounded_sum(of_folds.data(), n_folds);
    if (result.winner < 0 || value > highest) {
      result.winner = j;
      highest = value;
    }
  }
  const double sign = reported.greater_is_better ? 1.0 : -1.0;
  result.apparent = mean(reported.scores, result.winner);
  double distances = 0.0;
  for (std::int64_t fold = 0; fold < n_folds; ++fold) {
    std::int64_t best = 0;
    for (std::int64_t j = 1; j < n; ++j) {
      const double value = decides * score(deciding.scores, fold, j);
      if (value > decides * score(deciding.scores, fold, best)) best = j;
    }
    distances += sign * score(reported.scores, fold, best) -
                 sign * score(reported.scores, fold, result.winner);
  }
  result.optimism = distances / count;
  result.estimate = result.apparent - sign * result.optimism;
  return result;
}

}  // namespace bbc
