#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// What each row contributes to the scores: a score is the mean of its configuration's values, and
/// their spread gives its variance.
struct RowValues {
  std::int64_t n_rows = 0;
  std::int64_t n_configurations = 0;
  std::vector<double> values;  ///< (configuration, row), in the units and the sign of the metric
  std::vector<double> scores;
  /// Scores are multiples of this step: share of labels, AUC. 0 for other metrics.
  double step = 0.0;
  Range range;  ///< of the metric, given its classes
  /// AUC: the class of each row, 1 for events. Values are centred within classes; empty: over rows.
  std::vector<std::uint8_t> is_event;

  [[nodiscard]] std::span<const double> of(std::int64_t configuration) const {
    return std::span(values).subspan(static_cast<std::size_t>(configuration * n_rows),
                                     static_cast<std::size_t>(n_rows));
  }
};

/// The losses of the rows for metrics that are their mean (labels or row losses without a root);
/// for the AUC its influence values, AUC + (n / n_class) (V - AUC) with V DeLong's placements.
/// Means over repeats. Throws Error for other metrics. The range of losses that a caller computes
/// (`row_loss`) is not known here: the caller may set it.
[[nodiscard]] BBC_API RowValues row_values(const Target& y, std::span<const Predictions> repeats,
                                           const Metric& metric, const Control& control = {});

}  // namespace bbc
