#include "detail/choices/correct_choice.hpp"

#include <algorithm>
#include <atomic>
#include <bbc/error.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "detail/evaluation/evaluators.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/resampling/summary.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

class ChoiceCorrection {
 public:
  ChoiceCorrection(const Target& target, std::span<const Predictions> repeats,
                   const CorrectionOptions& options, const Control& control)
      : target_(checked_target(options.metric, target)),
        coded_(coded(target_)),
        repeats_(repeats),
        options_(options),
        replicates_(target_, options_, RequiredSides::both_sides),
        rule_(make_choice_rule({options_, target_, repeats_, replicates_.row_weights()}, control)),
        n_configurations_(n_configurations(repeats[0])) {
    alone_.n_threads = 1;
  }

  [[nodiscard]] Estimate run(const Control& control) {
    Estimate result;
    choose_on_all_rows(result);
    const std::int64_t n = options_.resampling.n_bootstraps;
    if (cuts()) {
      result.replicate_thresholds.resize(static_cast<std::size_t>(n));
    } else {
      took_part_ =
          std::vector<std::atomic<std::int64_t>>(static_cast<std::size_t>(n_configurations_));
    }
    const double expected = static_cast<double>(n) * static_cast<double>(target_.n_rows()) *
                            static_cast<double>(n_configurations_) *
                            static_cast<double>(repeats_.size());
    const std::int64_t n_undefined_folds = keep_replicates(
        replicates_, options_.metric, control, expected,
        [&](std::int64_t first, const Replicates::Drawn& drawn, const StopFlag& stop,
            std::int64_t* winners, double* values) {
          score_replicates(first, drawn, stop, winners, values, result.replicate_thresholds);
        },
        result);
    for (const auto& count : took_part_) {
      result.selection_frequency.push_back(static_cast<double>(count) / static_cast<double>(n));
    }
    summarise({n_configurations_, target_.n_classes, n_undefined_folds, replicates_.n_fold_sides()},
              options_, result);
    return result;
  }

 private:
  [[nodiscard]] bool cuts() const {
    return std::holds_alternative<selection::Threshold>(options_.selection);
  }
  [[nodiscard]] DerivedColumns columns(std::span<const Derivation> chosen) const {
    return {options_.metric, target_, repeats_, chosen, cuts()};
  }

  void choose_on_all_rows(Estimate& result) const {
    const ReplicateBlock all = replicates_.all_rows();
    const StopFlag never;
    Derivation chosen;
    rule_->choose(all, never, &chosen);
    const DerivedColumns derived = columns({&chosen, 1});
    const auto evaluator =
        make_evaluator({options_.metric, coded_, derived.repeats(), options_.folds,
                        replicates_.row_weights(), options_.size_correction},
                       alone_);
    const Choice only{0.0, 0};
    double score = 0.0;
    evaluator->in_bag(all, &only, never, &score);
    result.winner = largest_member(chosen);
    if (!std::isfinite(score)) throw_overflow(result.winner);
    result.apparent = options_.metric.sign * score;
    result.rates = rate_terms(derived.repeats(), coded_, options_, 0);
    if (cuts()) {
      result.threshold = chosen.threshold;
      return;
    }
    std::vector<double> counts(static_cast<std::size_t>(n_configurations_));
    for (const std::int64_t member : chosen.members) counts[static_cast<std::size_t>(member)] += 1;
    for (double& count : counts) count /= static_cast<double>(chosen.members.size());
    result.weights = std::move(counts);
  }

  void score_replicates(std::int64_t first, const Replicates::Drawn& drawn, const StopFlag& stop,
                        std::int64_t* winners, double* values, std::vector<double>& thresholds) {
    const auto n = static_cast<std::size_t>(drawn.block.n_replicates);
    std::vector<Derivation> chosen(n);
    rule_->choose(drawn.block, stop, chosen.data());
    const DerivedColumns derived = columns(chosen);
    const Evaluators evaluators(options_, coded_, derived.repeats(), replicates_.row_weights(),
                                alone_);
    evaluators.visit(drawn.block, drawn.scoring(), first,
                     [&](const Evaluators::Share& share, const ReplicateBlock& block,
                         const ReplicateBlock& scoring) {
                       Choice columns_of[kBlock];
                       double scores[kBlock];
                       for (int i = 0; i < block.n_replicates; ++i)
                         columns_of[i] = {0.0, share.lanes[i]};
                       share.out_of_bag.out_of_bag(scoring, columns_of, stop, scores);
                       for (int i = 0; i < block.n_replicates; ++i)
                         values[share.lanes[i]] = scores[i];
                     });
    for (std::size_t lane = 0; lane < n; ++lane) {
      winners[lane] = largest_member(chosen[lane]);
      if (cuts()) {
        thresholds[static_cast<std::size_t>(first) + lane] = chosen[lane].threshold;
        continue;
      }
      auto& members = chosen[lane].members;
      sort_distinct(members);
      for (const std::int64_t member : members) ++took_part_[static_cast<std::size_t>(member)];
    }
  }

  Target target_;
  Target coded_;
  std::span<const Predictions> repeats_;
  const CorrectionOptions& options_;
  Replicates replicates_;
  std::unique_ptr<const ChoiceRule> rule_;
  std::int64_t n_configurations_;
  Control alone_;  // within a task
  std::vector<std::atomic<std::int64_t>> took_part_;
};

}  // namespace

Estimate correct_choice(const Target& target, std::span<const Predictions> repeats,
                        const CorrectionOptions& options, const Control& control) {
  if (std::holds_alternative<selection::Rungs>(options.selection)) {
    return correct_rungs(target, repeats, options, control);
  }
  check_confidence_level(options.confidence_level, options.alternative,
                         options.resampling.n_bootstraps);
  if (options.rotate_repeats) {
    throw_invalid("selection", "predictions cannot be derived from the scores of folds");
  }
  if (repeats.empty()) throw_invalid("predictions", "no repeat");
  return ChoiceCorrection(target, repeats, options, control).run(control);
}

}  // namespace bbc::detail
