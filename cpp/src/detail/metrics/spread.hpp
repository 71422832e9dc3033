#pragma once

#include <bbc/metric.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {

/// The weighted variance of a truth over all its rows, which divides the squared errors of R2
/// whichever of the rows are scored (semantics: only selection moves the estimate).
struct Spread {
  /// A power of two that squares of the truth times it neither overflow nor vanish with; 1 for all
  /// truths but extreme ones.
  double unit = 1.0;
  double variance = 0.0;  ///< of the truth times the unit

  Spread(std::span<const double> values, std::span<const double> row_weights);
};

/// Whether the metric is divided by such a variance.
[[nodiscard]] bool has_spread(const Metric& metric);

/// Column metric: R2 of some rows, divided by the variance of all rows of the part.
class R2Columns {
 public:
  struct Kind {};
  using Column = std::vector<double>;  // squared residuals

  static bool stacked(const Kind& /*kind*/) { return false; }
  static bool comparable(const Kind& /*kind*/, std::size_t /*n_repeats*/, bool /*real_weights*/) {
    return false;
  }

  R2Columns(const Kind& /*kind*/, const Target& target, std::span<const double> row_weights)
      : spread_(target.values, row_weights), values_(target.values) {}

  /// Of the truth, in units of the losses.
  [[nodiscard]] double variance() const noexcept { return spread_.variance; }

  /// Sum of weights.
  [[nodiscard]] int n_totals() const { return 1; }

  [[nodiscard]] Column prepare(std::span<const Predictions> repeats, std::int64_t configuration,
                               std::span<const std::int32_t> rows) const {
    Column column;
    read_values(repeats[0], configuration, rows, column);
    for (std::size_t row = 0; row < column.size(); ++row) {
      const double residual = spread_.unit * values_[row] - spread_.unit * column[row];
      column[row] = residual * residual;
    }
    return column;
  }

  template <int L>
  void totals(const double* weights, double* totals) const {
    for (std::size_t row = 0; row < values_.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) totals[lane] += weights[row * L + lane];
    }
  }

  template <int L>
  void scores(const Column& column, const double* weights, const double* totals,
              double* scores) const {
    double squares[L] = {};
    for (std::size_t row = 0; row < column.size(); ++row) {
      for (int lane = 0; lane < L; ++lane) squares[lane] += weights[row * L + lane] * column[row];
    }
    for (int lane = 0; lane < L; ++lane) {
      scores[lane] = 1.0 - squares[lane] / totals[lane] / spread_.variance;
    }
  }

 private:
  Spread spread_;
  std::vector<double> values_;
};

}  // namespace bbc::detail
