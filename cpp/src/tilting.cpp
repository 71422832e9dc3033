#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/intervals.hpp>
#include <cmath>
#include <string>

#include "detail/intervals/tilt.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/limits.hpp"

namespace bbc {
namespace {

using detail::Tilt;
using detail::TiltingReplicates;

constexpr double kStep = 0.1;
constexpr double kAucLimit = 20.0;
constexpr double kAccuracyLimit = 10.0;

TiltingOptions with_defaults(const TiltingData& data, TiltingOptions options) {
  const auto n_configurations =
      static_cast<std::size_t>(std::max<std::int64_t>(data.n_configurations, 0));
  if (n_configurations == 0 || data.columns.empty() ||
      data.columns.size() % n_configurations != 0) {
    throw_invalid("columns", std::to_string(data.columns.size()) + " values for " +
                                 std::to_string(data.n_configurations) + " configurations");
  }
  if (!data.is_positive.empty() &&
      data.is_positive.size() != data.columns.size() / n_configurations) {
    throw_invalid("is_positive", "must have a value per row");
  }
  if (data.selected < 0 || data.selected >= data.n_configurations) {
    throw_invalid("selected", "there is no configuration " + std::to_string(data.selected));
  }
  if (options.n_bootstraps == 0) options.n_bootstraps = data.is_positive.empty() ? 10'000 : 2'000;
  detail::check_n_bootstraps(options.n_bootstraps);
  check_confidence_level(options.confidence.level, options.confidence.alternative,
                         options.n_bootstraps);
  return options;
}

/// Probability, in the sample tilted by tau, that a replicate of the selected configuration beats
/// the observed score; equal scores count one half. `side` -1 asks for losing instead.
class BeatProbability {
 public:
  BeatProbability(const TiltingReplicates& replicates, double side)
      : tilt_(replicates), n_(static_cast<double>(replicates.size())) {
    const double observed = side * replicates.observed[0];
    for (std::size_t b = 0; b < replicates.drawn[0].size(); ++b) {
      const double drawn = side * replicates.drawn[0][b];
      if (drawn < observed) continue;
      sums_.push_back(replicates.influence_sums[b]);
      shares_.push_back(drawn == observed ? 0.5 : 1.0);
    }
  }

  double operator()(double tau) const {
    if (sums_.empty()) return 0.0;
    double largest = tau * sums_.front();
    for (const double s : sums_) largest = std::max(largest, tau * s);
    double sum = 0.0;
    for (std::size_t b = 0; b < sums_.size(); ++b) {
      sum += shares_[b] * detail::exp(tau * sums_[b] - largest);
    }
    return detail::exp(largest + tilt_.log_constant(tau) + detail::log(sum / n_));
  }

 private:
  Tilt tilt_;
  double n_;
  std::vector<double> sums_;
  std::vector<double> shares_;
};

/// MABT's p-value: 1 - G(F(tau)) with F the tilted probability that the selected configuration
/// does not beat its observed score, and G the distribution of the largest of all configurations'
/// marginal ranks.
class AdjustedProbability {
 public:
  AdjustedProbability(const TiltingReplicates& replicates, std::size_t selected)
      : sums_(replicates.influence_sums) {
    const double observed = replicates.observed[selected];
    for (const double drawn : replicates.drawn[selected]) not_better_.push_back(drawn <= observed);
    largest_.assign(sums_.size(), 0.0);
    for (const auto& drawn : replicates.drawn) {
      std::vector<double> sorted = drawn;
      std::ranges::sort(sorted);
      for (std::size_t b = 0; b < drawn.size(); ++b) {
        const auto rank = std::ranges::upper_bound(sorted, drawn[b]) - sorted.begin();
        largest_[b] = std::max(largest_[b],
                               static_cast<double>(rank) / static_cast<double>(sums_.size() + 1));
      }
    }
    std::ranges::sort(largest_);
    smallest_sum_ = std::ranges::min(sums_);
  }

  double operator()(double tau) const {
    double all = 0.0;
    double not_better = 0.0;
    for (std::size_t b = 0; b < sums_.size(); ++b) {
      const double importance = detail::exp(tau * (sums_[b] - smallest_sum_));
      all += importance;
      if (not_better_[b]) not_better += importance;
    }
    const auto above = largest_.end() - std::ranges::upper_bound(largest_, not_better / all);
    return static_cast<double>(above) / static_cast<double>(largest_.size());
  }

 private:
  const std::vector<double>& sums_;
  std::vector<bool> not_better_;
  std::vector<double> largest_;
  double smallest_sum_;
};

/// A tilt at which p is at most alpha, next to one where it is more; or why there is none.
struct Search {
  bool found = false;
  double tau = 0.0;
  std::string reason;
};

/// `side` is the sign of -tau: 1 tilts the score down, -1 up.
template <class P>
Search find_tau(const P& p, double alpha, double limit, double side) {
  const double untilted = p(0.0);
  if (untilted <= 2.0 * alpha) {
    return {false, 0.0,
            "the p-value without tilting is " + std::to_string(untilted) +
                ", not above twice alpha = " + std::to_string(2.0 * alpha)};
  }
  double outer = 0.0;
  bool reached = false;
  const auto n_steps = static_cast<int>(std::lround(limit / kStep));
  for (int k = 1; k <= n_steps && !reached; ++k) {
    outer = -side * kStep * k;
    reached = p(outer) <= alpha / 2.0;
  }
  if (!reached) {
    return {false, 0.0,
            "the p-value stays above alpha / 2 = " + std::to_string(alpha / 2.0) +
                " down to tau = " + std::to_string(outer)};
  }
  double inner = 0.0;
  for (;;) {
    const double middle = 0.5 * (inner + outer);
    if (middle == inner || middle == outer) return {true, outer, {}};
    (p(middle) <= alpha ? outer : inner) = middle;
  }
}

void explain_perfect(const TiltingReplicates& replicates, std::size_t selected, Search* search) {
  if (search->found || replicates.observed[selected] != replicates.largest) return;
  search->reason = "the score is perfect, so every replicate equals it; " + search->reason;
}

double limit_of(const TiltingData& data) {
  return data.is_positive.empty() ? kAccuracyLimit : kAucLimit;
}

}  // namespace

TiltingResult tilting(const TiltingData& data, const TiltingOptions& given,
                      const Control& control) {
  const detail::Arithmetic arithmetic;
  const TiltingOptions options = with_defaults(data, given);
  const double alpha = tail_probability(options.confidence);
  const auto replicates = detail::draw_tilting_replicates(data, options, true, control);
  const Tilt tilt(replicates);
  const double estimate = replicates.observed[0] / replicates.largest;
  TiltingResult result;
  result.n_bootstraps = options.n_bootstraps;
  double limits[2] = {0.0, 1.0};
  for (const double side : {-1.0, 1.0}) {
    const Alternative other = side > 0.0 ? Alternative::less : Alternative::greater;
    if (options.confidence.alternative == other) continue;
    Search search = find_tau(BeatProbability(replicates, side), alpha, limit_of(data), side);
    if (!search.found) {
      explain_perfect(replicates, 0, &search);
      result.bound = infeasible(estimate, search.reason);
      return result;
    }
    limits[side > 0.0 ? 0 : 1] =
        detail::weighted_score(data, tilt.weights(search.tau, data.n_rows()));
    const double size = tilt.effective_sample_size(search.tau);
    const bool first = result.effective_sample_size == 0.0;
    result.effective_sample_size = first ? size : std::min(size, result.effective_sample_size);
    result.tau = search.tau;
  }
  result.bound =
      with_limits(estimate, {limits[0], limits[1]}, options.confidence.alternative, {0.0, 1.0});
  return result;
}

TiltingResult mabt(const TiltingData& data, const TiltingOptions& given, const Control& control) {
  const detail::Arithmetic arithmetic;
  const TiltingOptions options = with_defaults(data, given);
  if (options.confidence.alternative != Alternative::greater) {
    throw_invalid("alternative", "MABT gives a lower bound only (\"greater\")");
  }
  // p is a multiple of 1 / R: what alpha is in units of 1 / R must survive 1 - .95 in floats.
  const auto n = static_cast<double>(options.n_bootstraps);
  const double alpha = std::nearbyint(tail_probability(options.confidence) * n * 1e9) / 1e9 / n;
  const auto replicates = detail::draw_tilting_replicates(data, options, false, control);
  const auto selected = static_cast<std::size_t>(data.selected);
  const Tilt tilt(replicates);
  const double estimate = replicates.observed[selected] / replicates.largest;
  TiltingResult result;
  result.n_bootstraps = options.n_bootstraps;
  Search search = find_tau(AdjustedProbability(replicates, selected), alpha, limit_of(data), 1.0);
  if (!search.found) {
    explain_perfect(replicates, selected, &search);
    result.bound = infeasible(estimate, search.reason);
    return result;
  }
  result.tau = search.tau;
  result.effective_sample_size = tilt.effective_sample_size(search.tau);
  const double low = detail::weighted_score(data, tilt.weights(search.tau, data.n_rows()));
  result.bound = with_limits(estimate, {low, 1.0}, Alternative::greater, {0.0, 1.0});
  return result;
}

}  // namespace bbc
