#pragma once

#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace bbc::detail {

/// The values of a configuration whose mean over rows is the score, before the metric's sign;
/// nothing where the score is no mean over rows.
[[nodiscard]] std::optional<std::vector<double>> values_of_rows(const Metric& metric,
                                                                const Target& target,
                                                                const Predictions& predictions,
                                                                std::int64_t configuration);

}  // namespace bbc::detail
