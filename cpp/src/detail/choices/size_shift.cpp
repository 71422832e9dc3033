#include "detail/choices/size_shift.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
ReplicateBlock left_out(const ReplicateBlock& scoring) {
  ReplicateBlock block{scoring.n_replicates, scoring.n_rows, {}, scoring.row_weights};
  const auto size = static_cast<std::ptrdiff_t>(scoring.n_replicates * scoring.n_rows);
  block.counts.resize(static_cast<std::size_t>(size));
  std::transform(
      scoring.counts.begin(), scoring.counts.begin() + size, block.counts.begin(),
      [](std::uint16_t count) { return static_cast<std::uint16_t>(count == 0 ? 1 : 0); });
  return block;
}

void out_of_bag_scores(const Evaluators& evaluators, const ReplicateBlock& scoring,
                       std::int64_t first_replicate, std::span<const std::int64_t> configurations,
                       const StopFlag& stop, double* scores) {
  const ReplicateBlock out = left_out(scoring);
  const auto n = static_cast<std::ptrdiff_t>(configurations.size());
  std::vector<double> of_share;
  evaluators.visit(
      out, out, first_replicate,
      [&](const Evaluators::Share& share, const ReplicateBlock& block, const ReplicateBlock&) {
        of_share.resize(static_cast<std::size_t>(block.n_replicates * n));
        share.out_of_bag.scores_of(block, configurations, stop, of_share.data());
        for (int i = 0; i < block.n_replicates; ++i) {
          std::copy_n(of_share.data() + i * n, n, scores + share.lanes[i] * n);
        }
      });
}

SizeShifts::SizeShifts(std::vector<std::int64_t> winners) : configurations_(std::move(winners)) {
  sort_distinct(configurations_);
}

void SizeShifts::add(std::span<const double> scores, std::span<const double> on_all_rows,
                     double sign) {
  const std::size_t width = on_all_rows.size();
  std::vector<double> defined;
  for (std::size_t i = 0; i < width; ++i) {
    defined.resize(scores.size() / width);
    for (std::size_t b = 0; b < defined.size(); ++b) defined[b] = scores[b * width + i];
    std::erase_if(defined, [](double score) { return std::isnan(score); });
    shifts_.push_back(sign * (rounded_mean(defined) - on_all_rows[i]));
  }
}

void SizeShifts::find(const Replicates& replicates, const Evaluator& evaluator, double sign,
                      double nanoseconds_of_one, const Control& control, const Score& score) {
  constexpr std::int64_t kMostScores = 1 << 22;
  const std::int64_t n = replicates.n_bootstraps();
  const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(1, kMostScores / n));
  std::vector<double> scores;
  while (shifts_.size() < configurations_.size()) {
    const auto rest = std::span<const std::int64_t>(configurations_).subspan(shifts_.size());
    const auto some = rest.first(std::min(at_once, rest.size()));
    const auto width = static_cast<std::int64_t>(some.size());
    scores.resize(static_cast<std::size_t>(n * width));
    each_block(replicates, 0, n, control, nanoseconds_of_one * static_cast<double>(width),
               [&](std::int64_t first, const auto& drawn, const StopFlag& stop) {
                 score(first, drawn, some, stop, scores.data() + first * width);
               });
    std::vector<double> on_all_rows(some.size());
    evaluator.scores_of(replicates.all_rows(), some, StopFlag{}, on_all_rows.data());
    add(scores, on_all_rows, sign);
  }
}

double SizeShifts::of(std::int64_t configuration) const {
  const auto at = std::ranges::lower_bound(configurations_, configuration);
  return shifts_[static_cast<std::size_t>(at - configurations_.begin())];
}

double SizeShifts::take_from(std::span<const std::int64_t> winners,
                             std::vector<double>& replicates) const {
  std::vector<double> taken;
  for (std::size_t b = 0; b < replicates.size(); ++b) {
    const double shift = of(winners[b]);
    if (!std::isnan(replicates[b])) taken.push_back(shift);
    replicates[b] -= shift;
  }
  return rounded_mean(taken);
}

}  // namespace bbc::detail
