#pragma once

#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <string>

#include "detail/evaluation/road.hpp"
#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

/// The evaluators of a block of configurations: one of all repeats and, where a replicate is scored
/// within one repeat because folds of different repeats share rows, one of each.
class Evaluators {
 public:
  Evaluators(const CorrectionOptions& options, const Target& target,
             std::span<const Predictions> repeats, std::span<const double> row_weights,
             const Control& control)
      : chooses_on_all_(!options.rotate_repeats) {
    const std::span<const std::int32_t> folds(options.folds);
    const EvaluatorInput whole{options.metric, target,      repeats,
                               folds,          row_weights, options.size_correction};
    road_ = road_of(whole);
    all_repeats_ = make_evaluator(whole, road_, control);
    const std::size_t n_drawn = options.resampling.folds.size();
    const auto n_rows = static_cast<std::size_t>(target.n_rows());
    if (n_drawn != 0 && n_drawn != n_rows * repeats.size()) {
      throw_invalid("folds", std::to_string(n_drawn) + " values for " +
                                 std::to_string(repeats.size()) + " repeats of " +
                                 std::to_string(n_rows) + " rows");
    }
    if ((!options.rotate_repeats && n_drawn == 0) || repeats.size() < 2) return;
    for (std::size_t r = 0; r < repeats.size(); ++r) {
      apart_.push_back(make_evaluator({options.metric, target, repeats.subspan(r, 1),
                                       folds.empty() ? folds : folds.subspan(r * n_rows, n_rows),
                                       row_weights, options.size_correction},
                                      control));
    }
  }

  [[nodiscard]] const Evaluator& all_repeats() const noexcept { return *all_repeats_; }
  /// Of all repeats.
  [[nodiscard]] Road road() const noexcept { return road_; }

  /// What scores a share of a bag's replicates in and out of bag; `lanes[i]` is the lane of the
  /// i-th of them in the whole block.
  struct Share {
    const Evaluator& in_bag;
    const Evaluator& out_of_bag;
    const int* lanes;
  };

  /// Calls use(share, block, scoring) for all replicates, or for those of each repeat. The undrawn
  /// rows of `scoring` are out of bag.
  template <class Use>
  void visit(const ReplicateBlock& block, const ReplicateBlock& scoring, std::int64_t first,
             const Use& use) const {
    int lanes[kBlock];
    if (apart_.empty()) {
      for (int lane = 0; lane < block.n_replicates; ++lane) lanes[lane] = lane;
      use(Share{*all_repeats_, *all_repeats_, lanes}, block, scoring);
      return;
    }
    const auto n_repeats = static_cast<std::int64_t>(apart_.size());
    for (std::int64_t r = 0; r < n_repeats; ++r) {
      int n = 0;
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        if ((first + lane) % n_repeats == r) lanes[n++] = lane;
      }
      if (n == 0) continue;
      const Evaluator& own = *apart_[static_cast<std::size_t>(r)];
      const Share share{chooses_on_all_ ? *all_repeats_ : own, own, lanes};
      const ReplicateBlock some = block.lanes(lanes, n);
      if (&scoring == &block) {
        use(share, some, some);
      } else {
        use(share, some, scoring.lanes(lanes, n));
      }
    }
  }

 private:
  bool chooses_on_all_;  // two-level draws; BBC-F stays within the repeat altogether
  Road road_;
  std::unique_ptr<Evaluator> all_repeats_;
  std::vector<std::unique_ptr<Evaluator>> apart_;
};

}  // namespace bbc::detail
