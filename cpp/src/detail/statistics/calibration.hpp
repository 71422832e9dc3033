#pragma once

#include <bbc/winner_statistics.hpp>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

/// The values of a statistic on a sample; `values` has room for n_values(statistic).
void evaluate(const statistic::Calibration& statistic, const Sample& sample, double* values);

}  // namespace bbc::detail
