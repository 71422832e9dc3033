#pragma once

#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <bbc/scores.hpp>
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

/// Refuses values and scores that are not as many as they should be, or not finite.
void check_row_values(const RowValues& rows);

}  // namespace bbc::detail
