#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/inference.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "detail/intervals/normal_multipliers.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

/// Columns of errors, centred and scaled so that a combination by standard normal multipliers has
/// the covariance matrix of the means. Equal columns are one.
struct Errors {
  std::size_t n_iterations = 0;
  std::vector<double> means;
  std::vector<double> scaled;  ///< (column, iteration)
  std::vector<std::size_t> column_of;
  std::vector<double> sizes;  ///< configurations of each column
};

void check(std::span<const double> errors, std::int64_t n_iterations,
           const WeightedMeanOptions& options) {
  if (n_iterations < 2) throw_invalid("errors", "need two iterations at least");
  if (errors.empty() || errors.size() % static_cast<std::size_t>(n_iterations) != 0) {
    throw_invalid("errors", "must have a value per iteration and configuration");
  }
  if (!std::ranges::all_of(errors, [](double value) { return std::isfinite(value); })) {
    throw_invalid("errors", "must be finite");
  }
  if (!(options.n_train > 0.0 && options.n_test > 0.0 && std::isfinite(options.n_train) &&
        std::isfinite(options.n_test))) {
    throw_invalid("n_train, n_test", "must be positive and finite");
  }
  if (options.n_draws < 2) throw_invalid("n_draws", "must be at least 2");
}

Errors errors_of(std::span<const double> errors, std::int64_t n_iterations,
                 const WeightedMeanOptions& options) {
  Errors all;
  all.n_iterations = static_cast<std::size_t>(n_iterations);
  const std::size_t n = errors.size() / all.n_iterations;
  const auto b = static_cast<double>(n_iterations);
  const double scale = std::sqrt((1.0 / b + options.n_test / options.n_train) / (b - 1.0));
  std::map<std::vector<double>, std::size_t> known;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<double> column(all.n_iterations);
    for (std::size_t k = 0; k < column.size(); ++k) column[k] = errors[k * n + j];
    const auto [place, is_new] = known.try_emplace(column, known.size());
    all.column_of.push_back(place->second);
    if (!is_new) {
      all.sizes[place->second] += 1.0;
      continue;
    }
    all.sizes.push_back(1.0);
    double sum = 0.0;
    for (const double error : column) sum += error;
    const bool varies = std::ranges::any_of(column, [&](double e) { return e != column[0]; });
    all.means.push_back(varies ? sum / b : column[0]);
    for (const double error : column) {
      all.scaled.push_back((error - all.means.back()) * scale);
    }
  }
  return all;
}

/// The column with the least error in each draw, and that error.
struct Draws {
  std::vector<std::size_t> least;
  std::vector<double> values;
};

Draws draw(const Errors& errors, const std::vector<double>& means,
           const WeightedMeanOptions& options, const Control& control) {
  const std::size_t n = errors.n_iterations;
  const auto n_draws = static_cast<std::size_t>(options.n_draws);
  Draws draws{std::vector<std::size_t>(n_draws),
              std::vector<double>(n_draws, std::numeric_limits<double>::infinity())};
  const double cells = static_cast<double>(errors.scaled.size()) * static_cast<double>(n_draws);
  detail::parallel_pieces(
      options.n_draws, detail::kMultiplierLanes, control, 0.3 * cells,
      [&](std::int64_t first, std::int64_t last, const detail::StopFlag& stop) {
        std::vector<double> multipliers;
        detail::draw_multipliers(options.seed, stream::kMeanErrors, first, n, multipliers);
        const auto start = static_cast<std::size_t>(first);
        for (std::size_t j = 0; j < means.size(); ++j) {
          stop.check();
          const auto sums = detail::combined(errors.scaled.data() + j * n, multipliers);
          for (std::size_t place = start; place < static_cast<std::size_t>(last); ++place) {
            const double drawn = means[j] + sums[place - start];
            if (!(drawn < draws.values[place])) continue;
            draws.values[place] = drawn;
            draws.least[place] = j;
          }
        }
      });
  return draws;
}

/// By how much the least mean is below its distance from the others, as a share of it.
double shrinkage_of(const Errors& errors, std::size_t least, double mean, const Draws& draws) {
  const double distance = mean - errors.means[least];
  if (!(distance > 0.0)) return 1.0;
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t d = 0; d < draws.least.size(); ++d) {
    if (draws.least[d] != least) continue;
    sum += draws.values[d];
    count += 1.0;
  }
  const double bias = count > 0.0 ? std::max(0.0, errors.means[least] - sum / count) : 0.0;
  return std::min(1.0, bias / distance);
}

}  // namespace

WeightedMeanCorrection weighted_mean_correction(std::span<const double> given,
                                                std::int64_t n_iterations,
                                                const WeightedMeanOptions& options,
                                                const Control& control) {
  const detail::Arithmetic arithmetic;
  const auto errors = detail::owned(given);
  check(errors, n_iterations, options);
  const Errors all = errors_of(errors, n_iterations, options);
  WeightedMeanCorrection found;
  double sum = 0.0;
  found.means.reserve(all.column_of.size());
  for (const std::size_t column : all.column_of) {
    found.means.push_back(all.means[column]);
    sum += all.means[column];
  }
  const double mean = sum / static_cast<double>(found.means.size());
  found.winner = std::ranges::min_element(found.means) - found.means.begin();
  Draws draws = draw(all, all.means, options, control);
  if (options.shrink) {
    const std::size_t least = all.column_of[static_cast<std::size_t>(found.winner)];
    found.shrinkage = shrinkage_of(all, least, mean, draws);
    std::vector<double> shrunken;
    shrunken.reserve(all.means.size());
    for (const double own : all.means) shrunken.push_back(own - found.shrinkage * (own - mean));
    draws = draw(all, shrunken, options, control);
  }
  std::vector<double> counts(all.means.size());
  for (const std::size_t column : draws.least) counts[column] += 1.0;
  const auto n_draws = static_cast<double>(options.n_draws);
  for (std::size_t j = 0; j < counts.size(); ++j) {
    found.estimate += counts[j] / n_draws * all.means[j];
  }
  double squares = 0.0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const double distance = all.means[j] - found.estimate;
    squares += counts[j] * distance * distance;
  }
  found.monte_carlo_error = std::sqrt(squares / n_draws / (n_draws - 1.0));
  found.weights.reserve(all.column_of.size());
  for (const std::size_t column : all.column_of) {
    found.weights.push_back(counts[column] / n_draws / all.sizes[column]);
  }
  // A mean of the means, whatever its rounding.
  found.estimate = std::clamp(found.estimate, *std::ranges::min_element(found.means),
                              *std::ranges::max_element(found.means));
  return found;
}

}  // namespace bbc
