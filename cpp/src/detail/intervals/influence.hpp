#pragma once

#include <bbc/intervals.hpp>
#include <bbc/resampling.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

[[nodiscard]] std::span<const double> column_of(const TiltingData& data,
                                                std::int64_t configuration);

/// The class of each row: 1 where it is positive.
[[nodiscard]] std::vector<std::int32_t> codes_of(const TiltingData& data);

/// Draws within classes for the AUC, from all rows for the accuracy.
[[nodiscard]] Sampler tilting_sampler(const TiltingData& data, const TiltingOptions& options);

/// Influence values of the selected configuration's AUC: within a class, (n / n_class) (V - AUC)
/// with V the placements. Throws Error when a class has no row.
[[nodiscard]] std::vector<double> influence_of_auc(const TiltingData& data);

/// Influence values by least squares of the replicates' AUCs on their counts relative to the class
/// sizes, centred within classes (what R's boot::empinf does).
[[nodiscard]] std::vector<double> influence_by_regression(const TiltingData& data,
                                                          const TiltingOptions& options,
                                                          std::vector<double> aucs);

/// Slopes of the regression with intercept of a response on `n_columns` columns (design row by
/// row). Throws Error when the columns are not independent.
[[nodiscard]] std::vector<double> least_squares(std::vector<double> design,
                                                std::vector<double> response,
                                                std::size_t n_columns);

}  // namespace bbc::detail
