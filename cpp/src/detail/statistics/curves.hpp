#pragma once

#include <bbc/winner_statistics.hpp>

#include "detail/statistics/sample.hpp"

namespace bbc::detail {

void evaluate(const statistic::Roc& statistic, const Sample& sample, double* values);

void evaluate(const statistic::PrecisionRecall& statistic, const Sample& sample, double* values);

}  // namespace bbc::detail
