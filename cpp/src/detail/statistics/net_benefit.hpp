#pragma once

#include <bbc/winner_statistics.hpp>
#include <span>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

void evaluate(const statistic::NetBenefit& statistic, const Sample& sample,
              std::span<double> values);

}  // namespace bbc::detail
