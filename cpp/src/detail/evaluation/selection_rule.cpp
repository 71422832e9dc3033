#include "detail/evaluation/selection_rule.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <string>

#include "detail/evaluation/fold_table.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

double standard_error(const std::vector<double>& scores) {
  const auto count = static_cast<double>(scores.size());
  const double mean = rounded_mean(scores);
  double squares = 0.0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  return std::sqrt(squares / (count - 1.0)) / std::sqrt(count);
}

/// The fold scores of one configuration, of all repeats, without those that are undefined.
std::vector<double> defined_fold_scores(const CorrectionOptions& options, const Target& target,
                                        std::span<const Predictions> repeats,
                                        std::span<const std::int32_t> folds,
                                        const std::vector<double>& row_weights,
                                        std::int64_t configuration, const Control& control) {
  std::vector<Predictions> one;
  for (const auto& predictions : repeats) {
    one.push_back(configurations(predictions, configuration, configuration + 1));
  }
  const FoldTable table(target, one, options.metric, folds, row_weights, control);
  std::vector<double> scores;
  for (std::size_t i = 0; i < table.defined.size(); ++i) {
    if (table.defined[i] != 0) scores.push_back(table.scores.values[i]);
  }
  return scores;
}

}  // namespace

SelectionRule::SelectionRule(const CorrectionOptions& options, const Target& target,
                             std::span<const Predictions> repeats, const Evaluator& evaluator,
                             const ReplicateBlock& all_rows, const Control& control)
    : direction_(options.metric.formula_greater_is_better() ? 1.0 : -1.0) {
  const auto* one = std::get_if<selection::OneStandardError>(&options.selection);
  if (one == nullptr && !std::holds_alternative<selection::Best>(options.selection)) {
    throw_invalid("selection", "the rule chooses no single configuration");
  }
  if (one == nullptr) return;
  const std::int64_t n = evaluator.n_configurations();
  if (static_cast<std::int64_t>(one->complexity.size()) != n) {
    throw_invalid("selection", "complexity has " + std::to_string(one->complexity.size()) +
                                   " entries for " + std::to_string(n) +
                                   " configurations (all must be added at once)");
  }
  complexity_ = &one->complexity;
  Choice best;
  evaluator.best(all_rows, StopFlag{}, &best);
  const auto scores = defined_fold_scores(options, target, repeats, one->folds,
                                          all_rows.row_weights, best.configuration, control);
  if (scores.size() < 2) {
    throw_invalid("selection", "one_standard_error needs at least two folds with a score");
  }
  margin_ = standard_error(scores);
}

void SelectionRule::choose(const Evaluator& evaluator, const ReplicateBlock& block,
                           std::int64_t first, std::int64_t last, const StopFlag& stop,
                           Choice* choices) const {
  if (complexity_ == nullptr) {
    evaluator.best_among(block, first, last, stop, choices);
    return;
  }
  const std::int64_t n = evaluator.n_configurations();
  const auto size = static_cast<std::size_t>(block.n_replicates * n);
  std::vector<double> keys(size);
  std::vector<double> scores(size);
  evaluator.keys(block, 0, n, stop, keys.data());
  evaluator.scores(block, 0, n, stop, scores.data());
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const double* key = keys.data() + lane * n;
    double* score = scores.data() + lane * n;
    for (std::int64_t j = 0; j < n; ++j) score[j] *= direction_;
    const double enough = *std::max_element(score, score + n) - margin_;
    Choice& choice = choices[lane];
    choice = {};
    for (std::int64_t j = 0; j < n; ++j) {
      if (!(score[j] >= enough)) continue;
      const double of_j = (*complexity_)[static_cast<std::size_t>(j)];
      const double of_choice = choice.configuration < 0
                                   ? of_j
                                   : (*complexity_)[static_cast<std::size_t>(choice.configuration)];
      const bool simpler = of_j < of_choice || (of_j == of_choice && key[j] > choice.key);
      if (choice.configuration < 0 || simpler) choice = {key[j], j};
    }
  }
}

}  // namespace bbc::detail
