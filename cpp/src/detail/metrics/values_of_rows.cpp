#include "detail/metrics/values_of_rows.hpp"

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"

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

}  // namespace bbc::detail
