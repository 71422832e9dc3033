#pragma once

#include <bbc/winner_statistics.hpp>
#include <span>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

/// Fills in the n_values(statistic) values of a statistic on a sample.
void evaluate(const statistic::SurvivalCalibration& statistic, const Sample& sample,
              std::span<double> values);

}  // namespace bbc::detail
