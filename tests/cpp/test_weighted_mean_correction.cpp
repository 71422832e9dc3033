// WMC on errors whose weights are known, and its draws.
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/philox.hpp>
#include <cmath>

#include "check.hpp"
#include "detail/intervals/normal_multipliers.hpp"

namespace {

using namespace bbc;

void multipliers() {
  std::vector<double> drawn;
  detail::draw_multipliers(3, stream::kMeanErrors, 0, 4001, drawn);
  double sum = 0.0;
  double squares = 0.0;
  for (const double value : drawn) {
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(drawn.size());
  CHECK(std::abs(sum / n) < 5.0 / std::sqrt(n));
  CHECK(std::abs(squares / n - 1.0) < 5.0 * std::sqrt(2.0 / n));
  // The first word of lane 1, low half first.
  WordStream words(3, stream::kMeanErrors, 1, 0);
  const std::uint32_t word = words.next();
  const auto quantile = [](std::uint32_t k) { return normal_quantile((k + 0.5) / 65536.0); };
  CHECK(std::abs(drawn[1] - quantile(word & 0xFFFFU)) < 1e-12);
  CHECK(std::abs(drawn[detail::kMultiplierLanes + 1] - quantile(word >> 16U)) < 1e-12);
}

/// Independent errors of variance 1/3 over four iterations: Phi of the standardised difference.
void two_configurations() {
  const std::vector<double> errors{0.0, 0.6, 1.0, 0.6, 0.0, 1.6, 1.0, 1.6};
  WeightedMeanOptions options;
  options.n_train = 4.0;
  options.n_test = 1.0;
  const auto found = weighted_mean_correction(errors, 4, options);
  CHECK(found.means[0] == 0.5);
  CHECK(std::abs(found.means[1] - 1.1) < 1e-15);
  const double first = normal_cdf(0.6 / std::sqrt(2.0 * (0.25 + 0.25) / 3.0));
  CHECK(std::abs(found.weights[0] - first) < 5.0 * std::sqrt(first * (1.0 - first) / 50000.0));
  CHECK(std::abs(found.estimate - (found.weights[0] * 0.5 + found.weights[1] * 1.1)) < 1e-12);
  CHECK(found.winner == 0);
  options.shrink = true;
  Control two_threads;
  two_threads.n_threads = 2;
  const auto shrunken = weighted_mean_correction(errors, 4, options);
  const auto again = weighted_mean_correction(errors, 4, options, two_threads);
  CHECK(shrunken.shrinkage > 0.0 && shrunken.shrinkage < 1.0);
  CHECK(shrunken.estimate > found.estimate);
  CHECK(check::same(shrunken.estimate, again.estimate));
}

void wrong_arguments() {
  const std::vector<double> errors{0.1, 0.2, 0.3, 0.4};
  const auto message = [&](std::int64_t n_iterations, const WeightedMeanOptions& options,
                           const std::vector<double>& values) {
    return check::message_of(
        [&] { static_cast<void>(weighted_mean_correction(values, n_iterations, options)); });
  };
  WeightedMeanOptions options;
  CHECK(check::contains(message(1, options, errors), "two iterations"));
  CHECK(check::contains(message(3, options, errors), "a value per iteration"));
  CHECK(check::contains(message(2, options, {0.1, NAN}), "must be finite"));
  options.n_draws = 1;
  CHECK(check::contains(message(2, options, errors), "n_draws"));
  options.n_train = 0.0;
  CHECK(check::contains(message(2, options, errors), "n_train"));
}

}  // namespace

int main() {
  multipliers();
  two_configurations();
  wrong_arguments();
  return check::report();
}
