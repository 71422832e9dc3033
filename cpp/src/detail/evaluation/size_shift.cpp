#include "detail/evaluation/size_shift.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

/// The replicates whose in-bag rows are those that `scoring` leaves out, each once.
ReplicateBlock left_out(const ReplicateBlock& scoring) {
  ReplicateBlock block{scoring.n_replicates, scoring.n_rows, {}, scoring.row_weights};
  const auto size = static_cast<std::ptrdiff_t>(scoring.n_replicates * scoring.n_rows);
  block.counts.resize(static_cast<std::size_t>(size));
  std::transform(
      scoring.counts.begin(), scoring.counts.begin() + size, block.counts.begin(),
      [](std::uint16_t count) { return static_cast<std::uint16_t>(count == 0 ? 1 : 0); });
  return block;
}

}  // namespace

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

std::vector<std::int64_t> distinct(std::span<const std::int64_t> configurations) {
  std::vector<std::int64_t> found(configurations.begin(), configurations.end());
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

double take_shifts(std::span<const std::int64_t> chosen, std::span<const double> shifts,
                   std::span<const std::int64_t> winners, std::vector<double>& replicates) {
  std::vector<double> taken;
  for (std::size_t b = 0; b < replicates.size(); ++b) {
    const auto at = std::lower_bound(chosen.begin(), chosen.end(), winners[b]) - chosen.begin();
    const double shift = shifts[static_cast<std::size_t>(at)];
    if (!std::isnan(replicates[b])) taken.push_back(shift);
    replicates[b] -= shift;
  }
  return rounded_mean(taken);
}

}  // namespace bbc::detail
