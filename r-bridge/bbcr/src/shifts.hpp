#pragma once

// What winners score out of bag on average beyond their score on all rows: the effect of fewer
// rows, which is no selection.
#include <algorithm>
#include <bbc/replicate_scorer.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "convert.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbcr {

class Shifts {
 public:
  /// `winners` count from 0, one per replicate.
  Shifts(const bbc::ReplicateScorer& scorer, const bbc::CorrectionOptions& options,
         std::vector<std::int64_t> winners, const bbc::Control& control)
      : scorer_(scorer),
        control_(control),
        wanted_(options.size_correction && options.metric.size_dependent() &&
                !options.rotate_repeats),
        winners_(std::move(winners)),
        chosen_(winners_) {
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  }

  [[nodiscard]] bool wanted() const { return wanted_; }

  /// Scores replicates from `first` on.
  void add(std::int64_t first, std::span<const std::uint16_t> counts) {
    if (!wanted_) return;
    const auto scores = scorer_.out_of_bag_scores(first, counts, chosen_, control_);
    scores_.insert(scores_.end(), scores.begin(), scores.end());
  }

  /// Takes the shifts from all replicates and returns their mean over those that are defined; NaN
  /// where there is nothing to take.
  double take_from(std::vector<double>& replicates) const {
    if (!wanted_) return std::numeric_limits<double>::quiet_NaN();
    const auto on_all_rows = scorer_.on_all_rows(control_);
    std::vector<double> shifts;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      std::vector<double> defined;
      for (std::size_t at = i; at < scores_.size(); at += chosen_.size()) {
        if (!std::isnan(scores_[at])) defined.push_back(scores_[at]);
      }
      shifts.push_back(mean(defined) - on_all_rows[static_cast<std::size_t>(chosen_[i])]);
    }
    std::vector<double> taken;
    for (std::size_t b = 0; b < replicates.size(); ++b) {
      const auto at = std::lower_bound(chosen_.begin(), chosen_.end(), winners_[b]);
      const double shift = shifts[static_cast<std::size_t>(at - chosen_.begin())];
      if (!std::isnan(replicates[b])) taken.push_back(shift);
      replicates[b] -= shift;
    }
    return mean(taken);
  }

 private:
  static double mean(const std::vector<double>& values) {
    const auto n = static_cast<std::int64_t>(values.size());
    return bbc::detail::rounded_sum(values.data(), n) / static_cast<double>(n);
  }

  const bbc::ReplicateScorer& scorer_;
  const bbc::Control& control_;
  bool wanted_;
  std::vector<std::int64_t> winners_;
  std::vector<std::int64_t> chosen_;
  std::vector<double> scores_;  // (replicate, chosen)
};

}  // namespace bbcr
