#include "detail/metrics/values_of_rows.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

std::optional<std::vector<double>> values_of_rows(const Metric& metric, const Target& target,
                                                  const Predictions& predictions,
                                                  std::int64_t configuration) {
  if (const auto* kind = std::get_if<metric::ZeroOne>(&metric.kind)) {
    std::vector<std::int32_t> codes;
    read_codes(predictions, target, configuration, {}, codes);
    std::vector<double> values(codes.size());
    for (std::size_t row = 0; row < codes.size(); ++row) {
      values[row] = (codes[row] == target.codes[row]) == kind->accuracy ? 1.0 : 0.0;
    }
    return values;
  }
  const auto* loss = std::get_if<metric::RowLoss>(&metric.kind);
  if (loss == nullptr || loss->root) return std::nullopt;
  return row_losses(*loss, target, predictions, configuration, {});
}

void check_row_values(const RowValues& rows) {
  if (rows.n_rows < 1 || rows.n_configurations < 1) throw_invalid("rows", "there are none");
  const auto n_rows = static_cast<std::size_t>(rows.n_rows);
  const auto n_configurations = static_cast<std::size_t>(rows.n_configurations);
  if (rows.scores.size() != n_configurations) {
    throw_invalid("rows", std::to_string(rows.scores.size()) + " scores for " +
                              std::to_string(n_configurations) + " configurations");
  }
  if (rows.values.size() / n_rows != n_configurations || rows.values.size() % n_rows != 0) {
    throw_invalid("rows", std::to_string(rows.values.size()) + " values for " +
                              std::to_string(n_configurations) + " configurations of " +
                              std::to_string(n_rows) + " rows");
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(rows.values, finite) || !std::ranges::all_of(rows.scores, finite)) {
    throw_invalid("rows", "a value or a score is not finite");
  }
  if (!(rows.step >= 0.0 && std::isfinite(rows.step))) {
    throw_invalid("rows", "the step between scores must be at least 0");
  }
}

}  // namespace bbc::detail
