#include "detail/choices/greedy_ensemble.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <numeric>

#include "detail/choices/loss_filter.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/limits.hpp"

namespace bbc::detail {

std::unique_ptr<const Additions> make_additions(const ChoiceInput& input) {
  if (auto losses = LossFilter::make(input)) return losses;
  return AucAdditions::make(input);
}

GreedyEnsembleRule::GreedyEnsembleRule(const selection::GreedyEnsemble& selection,
                                       const ChoiceInput& input, const Control& control)
    : input_(input), coded_(coded(input.target)), n_rounds_(selection.n_rounds) {
  check_count("n_rounds", n_rounds_, 1);
  evaluator_ =
      make_evaluator({input.options.metric, input.target, input.repeats, input.options.folds,
                      input.row_weights, input.options.size_correction},
                     control);
  all_.resize(static_cast<std::size_t>(evaluator_->n_configurations()));
  std::iota(all_.begin(), all_.end(), 0);
  additions_ = make_additions(input_);
}

void GreedyEnsembleRule::choose(const ReplicateBlock& block, const StopFlag& stop,
                                Derivation* chosen) const {
  Choice first[kBlock];
  evaluator_->best(block, stop, first);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const ReplicateBlock one = block.lanes(&lane, 1);
    std::vector<RunningAverage> averages;
    for (const Predictions& predictions : input_.repeats) {
      averages.emplace_back(input_.options.metric, input_.target, predictions);
    }
    const auto search = additions_ ? additions_->search(one) : nullptr;
    auto& members = chosen[lane].members;
    members.clear();
    std::int64_t next = first[lane].configuration;
    for (;;) {
      members.push_back(next);
      if (static_cast<std::int64_t>(members.size()) == n_rounds_) break;
      stop.check();
      for (RunningAverage& average : averages) average.add(next);
      if (search) search->add(next);
      const auto& candidates = search ? search->candidates() : all_;
      next = candidates.size() == 1
                 ? candidates[0]
                 : best_of(candidates.empty() ? all_ : candidates, averages, one, stop);
    }
  }
}

std::int64_t GreedyEnsembleRule::best_of(const std::vector<std::int64_t>& candidates,
                                         std::vector<RunningAverage>& averages,
                                         const ReplicateBlock& one, const StopFlag& stop) const {
  constexpr std::size_t kAtOnce = 64;
  const Metric& metric = input_.options.metric;
  const std::int64_t n_rows = input_.target.n_rows();
  const bool votes = reads_labels(metric);
  Control alone;
  alone.n_threads = 1;
  std::vector<std::vector<double>> numbers(averages.size());
  std::vector<std::vector<std::int32_t>> labels(averages.size());
  Choice best;
  for (std::size_t first = 0; first < candidates.size(); first += kAtOnce) {
    const std::size_t n = std::min(kAtOnce, candidates.size() - first);
    std::vector<Predictions> repeats;
    for (std::size_t r = 0; r < averages.size(); ++r) {
      const auto size = static_cast<std::size_t>(averages[r].size());
      if (votes) labels[r].resize(n * size);
      if (!votes) numbers[r].resize(n * size);
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t j = candidates[first + i];
        if (votes) {
          averages[r].vote_with(j, labels[r].data() + i * size);
        } else {
          averages[r].average_with(j, numbers[r].data() + i * size);
        }
      }
      if (votes) {
        repeats.emplace_back(view_of_columns(labels[r], n_rows));
      } else {
        repeats.emplace_back(view_of_columns(numbers[r], n_rows, n_outputs_of(input_.repeats[r])));
      }
    }
    const auto evaluator = make_evaluator({metric, coded_, repeats, input_.options.folds,
                                           input_.row_weights, input_.options.size_correction},
                                          alone);
    Choice choice;
    evaluator->best(one, stop, &choice);
    if (best.configuration < 0 || choice.key > best.key) {
      best = {choice.key, candidates[first + static_cast<std::size_t>(choice.configuration)]};
    }
  }
  return best.configuration;
}

}  // namespace bbc::detail
