#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/ties.hpp"
#include "detail/resampling/learn_split.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/parallel.hpp"

namespace bbc {
namespace {

using Rows = std::vector<std::int32_t>;

constexpr std::int64_t kNaiveReplicates = 1000;

std::vector<double> scores_of(const BoundData& data, const Rows& rows, std::int64_t configuration) {
  std::vector<double> scores;
  scores.reserve(rows.size());
  for (const std::int32_t row : rows) {
    scores.push_back(data.scores(row, configuration));
    if (std::isnan(scores.back())) {
      throw_invalid("predictions", "NaN", {{"row", row}, {"configuration", configuration}});
    }
  }
  return scores;
}

std::vector<std::uint8_t> classes_of(const BoundData& data, const Rows& rows) {
  std::vector<std::uint8_t> classes;
  classes.reserve(rows.size());
  for (const std::int32_t row : rows) classes.push_back(data.is_positive[row]);
  return classes;
}

/// The AUC of some rows, both classes present.
double auc(const BoundData& data, const Rows& rows, const std::vector<std::uint8_t>& classes,
           std::int64_t configuration) {
  const auto order = detail::sorted_scores(scores_of(data, rows, configuration));
  const auto n_positive =
      std::ranges::count_if(classes, [](std::uint8_t flag) { return flag != 0; });
  const auto n_negative = static_cast<std::int64_t>(classes.size()) - n_positive;
  return static_cast<double>(detail::twice_right_pairs(order, classes)) /
         (2.0 * static_cast<double>(n_positive) * static_cast<double>(n_negative));
}

/// Mean over folds of the AUC of each configuration.
std::vector<double> mean_fold_aucs(const BoundData& data, const std::vector<Rows>& folds,
                                   const Control& control) {
  std::vector<std::vector<std::uint8_t>> classes;
  classes.reserve(folds.size());
  for (const Rows& rows : folds) classes.push_back(classes_of(data, rows));
  std::vector<double> means(static_cast<std::size_t>(data.scores.n_configurations));
  const auto cells = static_cast<double>(means.size() * data.is_positive.size());
  detail::parallel_for(data.scores.n_configurations, control, 40.0 * cells,
                       [&](std::int64_t j, const detail::StopFlag&) {
                         double sum = 0.0;
                         for (std::size_t k = 0; k < folds.size(); ++k) {
                           sum += auc(data, folds[k], classes[k], j);
                         }
                         means[j] = sum / static_cast<double>(folds.size());
                       });
  return means;
}

/// R's default quantile, type 7.
double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  const double position = static_cast<double>(values.size() - 1) * q;
  const auto below = static_cast<std::size_t>(position);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

std::int64_t first_best(const std::vector<double>& values) {
  return std::ranges::max_element(values) - values.begin();
}

/// Selects on the learn rows, and among the best tenth on the evaluation rows.
void select(const BoundData& data, const detail::LearnSplit& split, BoundRule rule,
            const Control& control, BoundResult* result) {
  const auto means = mean_fold_aucs(data, split.learn, control);
  result->evaluation_rows = split.evaluation;
  result->selected = true;
  if (rule == BoundRule::best) {
    result->winner = first_best(means);
    result->candidates = {result->winner};
    return;
  }
  const double threshold = quantile(means, 0.9);
  const auto classes = classes_of(data, split.evaluation);
  std::vector<double> evaluated;
  for (std::size_t j = 0; j < means.size(); ++j) {
    if (means[j] < threshold) continue;
    result->candidates.push_back(static_cast<std::int64_t>(j));
    evaluated.push_back(auc(data, split.evaluation, classes, result->candidates.back()));
  }
  result->winner = result->candidates[static_cast<std::size_t>(first_best(evaluated))];
}

/// The winner's scores (or all candidates') on the evaluation rows.
TiltingData tilting_data(const BoundData& data, const BoundResult& result, bool all_candidates) {
  TiltingData tilted;
  tilted.is_positive = classes_of(data, result.evaluation_rows);
  const auto configurations =
      all_candidates ? result.candidates : std::vector<std::int64_t>{result.winner};
  tilted.n_configurations = static_cast<std::int64_t>(configurations.size());
  for (const std::int64_t j : configurations) {
    const auto scores = scores_of(data, result.evaluation_rows, j);
    tilted.columns.insert(tilted.columns.end(), scores.begin(), scores.end());
  }
  tilted.selected = std::ranges::find(configurations, result.winner) - configurations.begin();
  return tilted;
}

IntervalEstimate hanley_mcneil_bound(const BoundData& data, const BoundResult& result,
                                     bool published, const Confidence& confidence) {
  const auto classes = classes_of(data, result.evaluation_rows);
  const double estimate = auc(data, result.evaluation_rows, classes, result.winner);
  if (!published) {
    const auto n_positive =
        std::ranges::count_if(classes, [](std::uint8_t flag) { return flag != 0; });
    return hanley_mcneil(estimate, n_positive,
                         static_cast<std::int64_t>(classes.size()) - n_positive, confidence);
  }
  std::int64_t n_correct = 0;
  for (const std::int32_t row : result.evaluation_rows) {
    const bool call = data.scores(row, result.winner) > 0.0;
    n_correct += call == (data.is_positive[row] != 0) ? 1 : 0;
  }
  const auto n_rows = static_cast<std::int64_t>(data.is_positive.size());
  return hanley_mcneil_paraschakis2024(estimate, n_correct, n_rows - n_correct, confidence);
}

/// The paper's baseline: the winner's fold scores are resampled as if it had not been selected.
BoundResult naive_bootstrap_bound(const BoundData& data, const BoundOptions& options,
                                  const Control& control) {
  BoundResult result;
  if (auto reason = detail::fold_without_class(data); !reason.empty()) {
    result.bound = infeasible(0.0, std::move(reason));
    return result;
  }
  const auto folds = detail::rows_by_code(data.folds);
  result.selected = true;
  result.n_bootstraps = options.n_bootstraps == 0 ? kNaiveReplicates : options.n_bootstraps;
  check_confidence_level(options.confidence_level, Alternative::greater, result.n_bootstraps);
  result.winner = first_best(mean_fold_aucs(data, folds, control));
  result.candidates = {result.winner};
  std::vector<double> scores;
  double sum = 0.0;
  for (const Rows& rows : folds) {
    scores.push_back(auc(data, rows, classes_of(data, rows), result.winner));
    sum += scores.back();
  }
  const auto n = result.n_bootstraps;
  const auto n_folds = static_cast<std::uint32_t>(scores.size());
  std::vector<double> replicates(static_cast<std::size_t>(n));
  detail::parallel_pieces(n, kNaiveReplicates, control, 50.0 * static_cast<double>(n) * n_folds,
                          [&](std::int64_t first, std::int64_t last, const detail::StopFlag&) {
                            for (auto b = first; b < last; ++b) {
                              WordStream words(options.seed, stream::kWinnerFolds,
                                               static_cast<std::uint32_t>(b), 0);
                              double drawn = 0.0;
                              for (std::uint32_t k = 0; k < n_folds; ++k) {
                                drawn += scores[words.below(n_folds)];
                              }
                              replicates[b] = drawn / n_folds;
                            }
                          });
  const Interval interval = order_statistic_interval(replicates, options.confidence_level,
                                                     Alternative::greater, 0.0, 1.0);
  result.bound = with_limits(sum / static_cast<double>(scores.size()), interval,
                             Alternative::greater, {0.0, 1.0});
  return result;
}

void check(const BoundData& data) {
  const auto n_rows = static_cast<std::int64_t>(data.is_positive.size());
  if (n_rows < 1) throw_invalid("is_positive", "no rows");
  detail::check_n_rows(n_rows);
  if (data.scores.n_rows != n_rows) {
    throw_invalid("predictions", std::to_string(data.scores.n_rows) + " rows, is_positive has " +
                                     std::to_string(n_rows));
  }
  if (data.scores.n_configurations < 1) throw_invalid("predictions", "no configurations");
  detail::check_strides(data.scores);
  if (static_cast<std::int64_t>(data.folds.size()) != n_rows) {
    throw_invalid("folds", std::to_string(data.folds.size()) + " values for " +
                               std::to_string(n_rows) + " rows");
  }
  const auto n_folds = static_cast<std::size_t>(std::ranges::max(data.folds)) + 1;
  if (!data.fold_names.empty() && data.fold_names.size() < n_folds) {
    throw_invalid("fold_names", std::to_string(data.fold_names.size()) + " names for " +
                                    std::to_string(n_folds) + " folds");
  }
  if (std::ranges::min(data.folds) < 0) throw_invalid("folds", "codes must not be negative");
}

}  // namespace

BoundResult bound(const BoundData& data, const BoundOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  check(data);
  if (options.n_bootstraps != 0) detail::check_n_bootstraps(options.n_bootstraps);
  if (options.method == BoundMethod::naive_bootstrap) {
    return naive_bootstrap_bound(data, options, control);
  }
  Confidence confidence{options.confidence_level, Alternative::greater};
  const double alpha = tail_probability(confidence);
  const auto split = detail::draw_learn_split(data, options.seed);
  BoundResult result;
  result.n_splits = split.n_tried;
  if (!split.reason.empty()) {
    result.bound = infeasible(0.0, split.reason);
    return result;
  }
  select(data, split, options.rule, control, &result);
  const bool sidak =
      options.method == BoundMethod::delong || options.method == BoundMethod::tilting;
  if (sidak && result.candidates.size() > 1) {
    const auto n = static_cast<double>(result.candidates.size());
    confidence.level = detail::exp(detail::log(1.0 - alpha) / n);
  }
  TiltingOptions tilt;
  tilt.variant =
      options.published ? TiltingOptions::Variant::published : TiltingOptions::Variant::standard;
  tilt.n_bootstraps = options.n_bootstraps;
  tilt.seed = options.seed;
  tilt.confidence = confidence;
  TiltingResult tilted;
  switch (options.method) {
    case BoundMethod::delong:
      result.bound = delong(classes_of(data, result.evaluation_rows),
                            scores_of(data, result.evaluation_rows, result.winner), confidence);
      return result;
    case BoundMethod::hanley_mcneil:
      result.bound = hanley_mcneil_bound(data, result, options.published, confidence);
      return result;
    case BoundMethod::tilting:
      tilted = tilting(tilting_data(data, result, false), tilt, control);
      break;
    case BoundMethod::mabt:
      tilted = mabt(tilting_data(data, result, true), tilt, control);
      break;
    case BoundMethod::naive_bootstrap:
      break;
  }
  result.bound = tilted.bound;
  result.n_bootstraps = tilted.n_bootstraps;
  result.effective_sample_size = tilted.effective_sample_size;
  return result;
}

}  // namespace bbc
