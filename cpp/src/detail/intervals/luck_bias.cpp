#include "detail/intervals/luck_bias.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"

namespace bbc::detail {
namespace {

/// The expected value of N at the largest of x + spread N, N independent standard normal, each x
/// standing for `weight` configurations: the derivative of the expected maximum in the spread.
double noise_of_largest(const std::vector<double>& x, double spread, double weight) {
  constexpr double kStep = 0.25;
  const double most = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  for (double z = -6.0; z <= 8.0; z += kStep) {
    double below = 1.0;  // the probability that all are below most + spread z
    double slope = 0.0;  // of its logarithm
    for (const double value : x) {
      const double u = z + (most - value) / spread;
      if (u > 9.0) continue;
      const double this_below = normal_cdf(u);
      below *= this_below;
      slope += u * detail::exp(-0.5 * u * u) / this_below;
    }
    sum += weight * slope * detail::exp(weight * detail::log(below));
  }
  return sum * kStep / std::sqrt(2.0 * std::numbers::pi);
}

}  // namespace

std::vector<double> ScoreTable::means() const {
  std::vector<double> means(static_cast<std::size_t>(n_configurations));
  for (std::int64_t fold = 0; fold < n_folds; ++fold) {
    const double* of_fold = scores + fold * n_configurations;
    for (std::size_t j = 0; j < means.size(); ++j) means[j] += of_fold[j];
  }
  for (double& mean : means) mean /= static_cast<double>(n_folds);
  return means;
}

double ScoreTable::interaction() const {
  const auto of_configuration = means();
  double squares = 0.0;
  for (std::int64_t fold = 0; fold < n_folds; ++fold) {
    const double* of_fold = scores + fold * n_configurations;
    double mean = 0.0;  // of the fold, less that of all
    for (std::size_t j = 0; j < of_configuration.size(); ++j) {
      mean += of_fold[j] - of_configuration[j];
    }
    mean /= static_cast<double>(n_configurations);
    for (std::size_t j = 0; j < of_configuration.size(); ++j) {
      const double rest = of_fold[j] - of_configuration[j] - mean;
      squares += rest * rest;
    }
  }
  return squares;
}

void LuckBias::add(const ScoreTable& repeat) {
  for (const double mean : repeat.means()) means_.push_back(sign_ * mean);
  of_fold_ += 1.0 / static_cast<double>(repeat.n_folds);
  ++n_repeats_;
}

double LuckBias::of_one_repeat() const {
  if (n_repeats_ < 2) return 0.0;
  const auto n = static_cast<std::int64_t>(means_.size()) / n_repeats_;
  const ScoreTable repeats{means_.data(), n_repeats_, n};
  return repeats.interaction() / static_cast<double>((n_repeats_ - 1) * (n - 1));
}

double LuckBias::predicted(double luck, double rows, std::int64_t n_configurations) const {
  if (!(luck > 0.0)) return 0.0;
  const auto n = static_cast<std::int64_t>(means_.size()) / n_repeats_;
  std::vector<double> x = ScoreTable{means_.data(), n_repeats_, n}.means();
  double mean = 0.0;
  for (const double value : x) mean += value / static_cast<double>(n);
  double variance = 0.0;
  for (const double value : x) {
    variance += (value - mean) * (value - mean) / static_cast<double>(n - 1);
  }
  // Of the mean over folds and repeats. Rows are the same in all repeats; what a repeat has of its
  // own, luck or not, is averaged away.
  const auto n_repeats = static_cast<double>(n_repeats_);
  const double folds = of_fold_ / n_repeats;
  const double of_luck = luck * folds / n_repeats;
  const double of_both =
      std::max(of_luck, (luck + rows) * folds - of_one_repeat() * (1.0 - 1.0 / n_repeats));
  // Scores as far apart as they are without luck; luck and the rows of a replicate come anew.
  const double kept = variance > of_luck ? std::sqrt(1.0 - of_luck / variance) : 0.0;
  for (double& value : x) value = mean + kept * (value - mean);
  const double spread = std::sqrt(of_both);
  const double weight = static_cast<double>(n_configurations) / static_cast<double>(n);
  return of_luck / spread * noise_of_largest(x, spread, weight);
}

}  // namespace bbc::detail
