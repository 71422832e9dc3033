#pragma once

#include <bbc/winner_statistics.hpp>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

void evaluate(const statistic::NetBenefit& statistic, const Sample& sample, double* values);

}  // namespace bbc::detail
