#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

struct WeightedMeanOptions {
  double n_train = 1.0;  ///< rows of one iteration's training set
  double n_test = 1.0;   ///< and of its test set
  bool shrink = false;   ///< WMCS
  std::uint64_t seed = 0;
  std::int64_t n_draws = 50'000;
};

struct WeightedMeanCorrection {
  double estimate = 0.0;
  std::vector<double> means;    ///< error of each configuration
  std::vector<double> weights;  ///< probability that it has the least
  std::int64_t winner = -1;     ///< least mean, then lowest index
  double shrinkage = 0.0;       ///< of the means towards their mean, before weighting (WMCS)
  double monte_carlo_error = 0.0;
};

/// The weighted mean of the errors over subsampling iterations (Bernau, Augustin and Boulesteix
/// 2013), `errors` by iteration and configuration: weights are the probabilities that a
/// configuration has the least mean error, if these are normal with the correlations over
/// iterations and the variances of Nadeau and Bengio, (1 / B + n_test / n_train) times those over
/// iterations. Draws are combinations of the iterations' centred errors, so that a covariance
/// matrix may be singular: errors that do not vary are constants, and equal columns share a weight.
///
/// WMCS first shrinks the means towards their mean by the ratio of the expected bias of the least
/// (its distance from the mean of its draws that are least) to its distance from the mean, at
/// most 1, and 1 at no distance.
[[nodiscard]] BBC_API WeightedMeanCorrection
weighted_mean_correction(std::span<const double> errors, std::int64_t n_iterations,
                         const WeightedMeanOptions& options, const Control& control = {});

}  // namespace bbc
