#include "detail/intervals/class_shares.hpp"

#include <algorithm>
#include <cmath>

#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"

namespace bbc::detail {
namespace {

/// The square root of a sum of squares that need neither overflow nor vanish.
double root_of_squares(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  if (!(largest > 0.0)) return 0.0;
  double sum = 0.0;
  for (const double value : values) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

}  // namespace

std::vector<double> sums_by_unit(std::span<const double> of_rows,
                                 std::span<const std::int32_t> units) {
  if (units.empty()) return {of_rows.begin(), of_rows.end()};
  const Numbered own(units);
  std::vector<double> sums(own.n, 0.0);
  for (std::size_t row = 0; row < of_rows.size(); ++row) {
    sums[static_cast<std::size_t>(own.of_row[row])] += of_rows[row];
  }
  return sums;
}

double ClassShares::needed(std::span<const std::int32_t> units) const {
  if (units.empty()) return root_of_squares(contributions);
  const std::vector<double> sums = sums_by_unit(contributions, units);
  const std::vector<double> weight_of = sums_by_unit(weights, units);
  const auto n = static_cast<double>(
      std::ranges::count_if(weight_of, [](double weight) { return weight > 0.0; }));
  return n > 1.0 ? std::sqrt(n / (n - 1.0)) * root_of_squares(sums) : 0.0;
}

double ClassShares::shown(std::span<const std::int32_t> folds) const {
  const std::size_t n_rows = contributions.size();
  if (folds.empty() || n_rows == 0) return 0.0;
  double all = 0.0;
  for (const double weight : weights) all += weight;
  const std::size_t n_repeats = folds.size() / n_rows;
  std::vector<double> of_repeats;
  for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
    const Numbered own(folds.subspan(repeat * n_rows, n_rows), /*of_folds=*/true);
    std::vector<double> sums(own.n, 0.0);
    std::vector<double> weight_of(own.n, 0.0);
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (own.of_row[row] < 0) continue;
      const auto fold = static_cast<std::size_t>(own.of_row[row]);
      sums[fold] += contributions[row];
      weight_of[fold] += weights[row];
    }
    std::vector<double> means;
    for (std::size_t fold = 0; fold < own.n; ++fold) {
      if (weight_of[fold] > 0.0) means.push_back(sums[fold] * (all / weight_of[fold]));
    }
    const auto n = static_cast<double>(means.size());
    if (n < 2.0) continue;
    const double mean = rounded_mean(means);
    for (double& value : means) value -= mean;
    of_repeats.push_back(root_of_squares(means) / std::sqrt((n - 1.0) * n));
  }
  return root_of_squares(of_repeats) / std::sqrt(static_cast<double>(n_repeats));
}

const std::vector<std::int32_t>& classes_of_draws(const Target& target,
                                                  const CorrectionOptions& options) {
  const Resampling& draws = options.resampling;
  const auto& given = draws.folds.empty() ? draws.strata : options.classes;
  return given.empty() && target.kind == Target::Kind::labels ? target.codes : given;
}

double hidden_share(double needed, double shown) {
  if (!(needed > shown)) return 0.0;
  const double seen = shown / needed;
  return std::sqrt((1.0 - seen) * (1.0 + seen));
}

}  // namespace bbc::detail
