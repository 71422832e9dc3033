#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "detail/intervals/score_limits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

constexpr double kTie = 1e-9;             // of statistics
constexpr double kScoreRounding = 1e-13;  // of scores, relative
constexpr std::size_t kLanes = 8;

/// Losses and their centred replicates, one entry per group of configurations whose scores agree
/// in all replicates.
struct Columns {
  std::size_t n_replicates = 0;
  std::vector<double> losses;
  std::vector<double> centred;  ///< (group, replicate)
  std::vector<double> sizes;
  std::vector<std::size_t> group_of;  ///< of each configuration

  [[nodiscard]] const double* column(std::size_t group) const {
    return centred.data() + group * n_replicates;
  }
};

void check(std::span<const double> scores, std::span<const double> replicates,
           double confidence_level) {
  if (scores.empty()) throw_invalid("scores", "there is no configuration");
  if (replicates.empty() || replicates.size() % scores.size() != 0) {
    throw_invalid("replicates", "need a score of each configuration");
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(scores, finite) || !std::ranges::all_of(replicates, finite)) {
    throw_invalid("scores", "must be finite");
  }
  if (!(confidence_level > 0.0 && confidence_level < 1.0)) {
    throw_invalid("confidence_level", "must be between 0 and 1");
  }
}

Columns columns_of(std::span<const double> scores, std::span<const double> replicates,
                   bool greater_is_better) {
  const double sign = greater_is_better ? -1.0 : 1.0;
  const std::size_t n = scores.size();
  Columns all;
  all.n_replicates = replicates.size() / n;
  all.group_of.resize(n);
  all.centred.resize(replicates.size());
  for (std::size_t b = 0; b < all.n_replicates; ++b) {
    for (std::size_t i = 0; i < n; ++i) {
      all.centred[i * all.n_replicates + b] = sign * (replicates[b * n + i] - scores[i]);
    }
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto column = [&](std::size_t i) {
    return std::span(all.centred).subspan(i * all.n_replicates, all.n_replicates);
  };
  const auto before = [&](std::size_t i, std::size_t j) {
    if (scores[i] != scores[j]) return scores[i] < scores[j];
    for (std::size_t b = 0; b < all.n_replicates; ++b) {
      if (column(i)[b] != column(j)[b]) return column(i)[b] < column(j)[b];
    }
    return false;
  };
  std::ranges::stable_sort(order, before);
  // The first configuration of a group stands for it, so that groups keep the caller's order.
  std::vector<std::size_t> first(n);
  for (std::size_t place = 0; place < n; ++place) {
    const bool begins = place == 0 || before(order[place - 1], order[place]);
    first[order[place]] = begins ? order[place] : first[order[place - 1]];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (first[i] != i) {
      all.group_of[i] = all.group_of[first[i]];
      all.sizes[all.group_of[i]] += 1.0;
      continue;
    }
    all.group_of[i] = all.losses.size();
    std::ranges::copy(column(i), all.centred.begin() + static_cast<std::ptrdiff_t>(
                                                           all.losses.size() * all.n_replicates));
    all.losses.push_back(sign * scores[i]);
    all.sizes.push_back(1.0);
  }
  return all;
}

/// Sum of squared distances in a fixed order that eight lanes share.
double squared_distance(const double* values, const double* from, std::size_t n) {
  double lanes[kLanes] = {};
  std::size_t b = 0;
  for (; b + kLanes <= n; b += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double distance = values[b + lane] - from[b + lane];
      lanes[lane] += distance * distance;
    }
  }
  for (; b < n; ++b) lanes[b % kLanes] += (values[b] - from[b]) * (values[b] - from[b]);
  double sum = 0.0;
  for (const double lane : lanes) sum += lane;
  return sum;
}

/// The statistics of the groups that are still in the set.
class Test {
 public:
  explicit Test(const Columns& columns)
      : columns_(columns), means_(columns.n_replicates), largest_(columns.n_replicates) {}

  /// Fills `statistics` and returns how many replicates reach the largest of them.
  std::int64_t run(std::span<const std::size_t> active, std::vector<double>& statistics) {
    const double mean_loss = average(active);
    const std::size_t n = columns_.n_replicates;
    std::ranges::fill(largest_, -std::numeric_limits<double>::infinity());
    statistics.clear();
    for (const std::size_t i : active) {
      const double* column = columns_.column(i);
      const double noise =
          kScoreRounding * std::max(std::abs(columns_.losses[i]), std::abs(mean_loss));
      const double distance = columns_.losses[i] - mean_loss;
      const double error =
          std::sqrt(squared_distance(column, means_.data(), n) / static_cast<double>(n));
      if (error <= noise) {
        const bool worse = distance > noise;
        statistics.push_back(worse ? std::numeric_limits<double>::infinity() : 0.0);
        for (double& value : largest_) value = std::max(value, 0.0);
        continue;
      }
      statistics.push_back(distance / error);
      for (std::size_t b = 0; b < n; ++b) {
        largest_[b] = std::max(largest_[b], (column[b] - means_[b]) / error);
      }
    }
    const double reach = *std::ranges::max_element(statistics) - kTie;
    return std::ranges::count_if(largest_, [&](double value) { return value >= reach; });
  }

 private:
  /// The mean loss of the set, and its centred replicates in `means_`.
  double average(std::span<const std::size_t> active) {
    std::ranges::fill(means_, 0.0);
    double loss = 0.0;
    double size = 0.0;
    for (const std::size_t i : active) {
      const double* column = columns_.column(i);
      const double weight = columns_.sizes[i];
      for (std::size_t b = 0; b < means_.size(); ++b) means_[b] += weight * column[b];
      loss += weight * columns_.losses[i];
      size += weight;
    }
    for (double& mean : means_) mean /= size;
    return loss / size;
  }

  const Columns& columns_;
  std::vector<double> means_;    // over the set, per replicate
  std::vector<double> largest_;  // statistic, per replicate
};

/// Replicates that reach the statistic of the set from which each group is eliminated, the largest
/// number so far. Time grows with the square of the groups: most eliminations take one, which moves
/// the mean, and with it all statistics, of those that are left.
std::vector<std::int64_t> eliminate(const Columns& columns, const detail::StopFlag& stop) {
  const auto n_replicates = static_cast<std::int64_t>(columns.n_replicates);
  std::vector<std::size_t> active(columns.losses.size());
  std::iota(active.begin(), active.end(), std::size_t{0});
  std::vector<std::int64_t> reached(active.size(), n_replicates);
  Test test(columns);
  std::vector<double> statistics;
  std::int64_t most = 0;
  while (active.size() > 1 && most < n_replicates) {
    stop.check();
    most = std::max(most, test.run(active, statistics));
    const double largest = *std::ranges::max_element(statistics);
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < active.size(); ++k) {
      if (statistics[k] >= largest - kTie) {
        reached[active[k]] = most;
      } else {
        left.push_back(active[k]);
      }
    }
    active = std::move(left);
  }
  return reached;
}

}  // namespace

ModelConfidenceSet model_confidence_set(std::span<const double> given_scores,
                                        std::span<const double> given_replicates,
                                        bool greater_is_better, double confidence_level,
                                        const Control& control) {
  const detail::Arithmetic arithmetic;
  detail::check_n_rivals(static_cast<std::int64_t>(given_scores.size()));
  const auto scores = detail::owned(given_scores);  // by which configurations are sorted
  const auto replicates = detail::owned(given_replicates);
  check(scores, replicates, confidence_level);
  std::vector<std::int64_t> of_group;
  Columns columns;
  const auto cells = static_cast<double>(replicates.size());
  // One task, so that the caller's thread can stop it.
  detail::parallel_for(1, control, cells * static_cast<double>(scores.size()),
                       [&](std::int64_t, const detail::StopFlag& stop) {
                         columns = columns_of(scores, replicates, greater_is_better);
                         of_group = eliminate(columns, stop);
                       });
  const auto n = static_cast<double>(columns.n_replicates);
  const std::int64_t needed =
      detail::rank_of(1.0 - confidence_level, static_cast<std::int64_t>(columns.n_replicates));
  const std::vector<double> none(columns.n_replicates, 0.0);
  ModelConfidenceSet set;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t group = columns.group_of[i];
    const std::int64_t reached = of_group[group];
    set.reached.push_back(reached);
    set.p_values.push_back(static_cast<double>(reached) / n);
    set.possible.push_back(reached >= needed ? 1 : 0);
    set.standard_errors.push_back(
        std::sqrt(squared_distance(columns.column(group), none.data(), none.size()) / n));
  }
  return set;
}

}  // namespace bbc
