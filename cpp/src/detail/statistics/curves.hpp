#pragma once

#include <bbc/winner_statistics.hpp>
#include <span>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

void evaluate(const statistic::Roc& statistic, const Sample& sample, std::span<double> values);

void evaluate(const statistic::PrecisionRecall& statistic, const Sample& sample,
              std::span<double> values);

}  // namespace bbc::detail
