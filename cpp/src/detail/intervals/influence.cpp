#include "detail/intervals/influence.hpp"

#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <utility>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

std::span<const double> column_of(const TiltingData& data, std::int64_t configuration) {
  return std::span<const double>(data.columns)
      .subspan(static_cast<std::size_t>(configuration * data.n_rows()),
               static_cast<std::size_t>(data.n_rows()));
}

std::vector<std::int32_t> codes_of(const TiltingData& data) {
  std::vector<std::int32_t> codes;
  codes.reserve(data.is_positive.size());
  for (const std::uint8_t flag : data.is_positive) codes.push_back(flag != 0 ? 1 : 0);
  return codes;
}

Sampler tilting_sampler(const TiltingData& data, const TiltingOptions& options) {
  Resampling resampling;
  resampling.n_bootstraps = options.n_bootstraps;
  resampling.seed = options.seed;
  resampling.stream = stream::kTilting;
  resampling.resamples = options.resamples;
  resampling.strata = codes_of(data);
  return {data.n_rows(), resampling};
}

std::vector<double> influence_of_auc(const TiltingData& data) {
  const Placements placed = placements(data.is_positive, column_of(data, data.selected));
  std::vector<double> influence;
  std::size_t positive = 0;
  std::size_t negative = 0;
  for (const std::uint8_t flag : data.is_positive) {
    const auto& of_class = flag != 0 ? placed.positive : placed.negative;
    const double placement = of_class[flag != 0 ? positive++ : negative++];
    influence.push_back(static_cast<double>(data.is_positive.size()) /
                        static_cast<double>(of_class.size()) * (placement - placed.auc));
  }
  return influence;
}

std::vector<double> influence_by_regression(const TiltingData& data, const TiltingOptions& options,
                                            std::vector<double> aucs) {
  const auto n_rows = static_cast<std::size_t>(data.n_rows());
  const auto n_replicates = aucs.size();
  double n_class[2] = {};
  for (const std::uint8_t flag : data.is_positive) n_class[flag != 0 ? 1 : 0] += 1.0;
  // Counts of a class add up to its size, so one row of each is left out.
  std::vector<std::int32_t> free_rows;
  bool seen[2] = {};
  for (std::size_t row = 0; row < n_rows; ++row) {
    bool& first_seen = seen[data.is_positive[row] != 0 ? 1 : 0];
    if (first_seen) free_rows.push_back(static_cast<std::int32_t>(row));
    first_seen = true;
  }
  const Sampler sampler = tilting_sampler(data, options);
  std::vector<double> design(n_replicates * free_rows.size());
  std::vector<std::uint16_t> counts(n_rows);
  for (std::size_t b = 0; b < n_replicates; ++b) {
    sampler.draw(static_cast<std::int64_t>(b), 0, counts.data());
    for (std::size_t k = 0; k < free_rows.size(); ++k) {
      const auto row = free_rows[k];
      design[b * free_rows.size() + k] = counts[row] / n_class[data.is_positive[row] != 0 ? 1 : 0];
    }
  }
  const auto slopes = least_squares(std::move(design), std::move(aucs), free_rows.size());
  std::vector<double> influence(n_rows);
  double mean[2] = {};
  for (std::size_t k = 0; k < free_rows.size(); ++k) {
    const int of_class = data.is_positive[free_rows[k]] != 0 ? 1 : 0;
    influence[free_rows[k]] = slopes[k];
    mean[of_class] += slopes[k] / n_class[of_class];
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    influence[row] -= mean[data.is_positive[row] != 0 ? 1 : 0];
  }
  return influence;
}

}  // namespace bbc::detail
