#pragma once

#include <bbc/correction.hpp>

#include "detail/evaluator.hpp"

namespace bbc::detail {

/// The evaluators of a block of configurations: one of all repeats, and for BBC-F, where a
/// replicate stays within one repeat because folds of different repeats share rows, one of each.
class Evaluators {
 public:
  Evaluators(const CorrectionOptions& options, const Target& target,
             std::span<const Predictions> repeats, const Control& control) {
    const auto make = [&](std::span<const Predictions> some) {
      return make_evaluator(
          {options.metric, target, some, options.folds, !options.row_weights.empty()}, control);
    };
    together_ = make(repeats);
    if (!options.rotate_repeats || repeats.size() < 2) return;
    for (std::size_t r = 0; r < repeats.size(); ++r) apart_.push_back(make(repeats.subspan(r, 1)));
  }

  [[nodiscard]] const Evaluator& together() const noexcept { return *together_; }

  /// Calls use(evaluator, bag, lanes) for the replicates that an evaluator scores: the whole bag,
  /// or one repeat's share. `lanes[i]` is the lane in `bag` of the i-th replicate handed over.
  template <class Use>
  void visit(const Bag& bag, std::int64_t first, const Use& use) const {
    int lanes[kBlock];
    if (apart_.empty()) {
      for (int lane = 0; lane < bag.n_replicates; ++lane) lanes[lane] = lane;
      use(*together_, bag, lanes);
      return;
    }
    const auto n_repeats = static_cast<std::int64_t>(apart_.size());
    for (std::int64_t r = 0; r < n_repeats; ++r) {
      Bag share{0, bag.n_rows, {}, bag.row_weights};
      for (int lane = 0; lane < bag.n_replicates; ++lane) {
        if ((first + lane) % n_repeats != r) continue;
        const auto* counts = bag.replicate(lane);
        share.counts.insert(share.counts.end(), counts, counts + bag.n_rows);
        lanes[share.n_replicates++] = lane;
      }
      if (share.n_replicates > 0) use(*apart_[static_cast<std::size_t>(r)], share, lanes);
    }
  }

 private:
  std::unique_ptr<Evaluator> together_;
  std::vector<std::unique_ptr<Evaluator>> apart_;
};

}  // namespace bbc::detail
