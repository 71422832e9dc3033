#include <algorithm>
#include <bbc/intervals.hpp>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "detail/intervals/fold_coupling.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "detail/support/parallel.hpp"

namespace bbc::detail {
namespace {

constexpr std::int64_t kRowsOfRanks = 64;  // at once

/// Twice the number of rows of the other class that each row is on the right side of.
void write_placements(const Target& target, const Predictions& predictions,
                      std::int64_t configuration, std::span<const std::uint8_t> is_positive,
                      std::int32_t* values) {
  std::vector<double> scores;
  read_values(predictions, configuration, {}, scores);
  const Placements placed = placements(is_positive, scores);
  const std::vector<double>* own[] = {&placed.negative, &placed.positive};
  std::size_t next[] = {0, 0};
  for (std::size_t row = 0; row < target.codes.size(); ++row) {
    const std::size_t part = is_positive[row];
    const double twice = 2.0 * static_cast<double>(own[1 - part]->size());
    values[row] = static_cast<std::int32_t>(std::lround((*own[part])[next[part]++] * twice));
  }
}

/// Twice the mid-rank of each configuration in some of the rows.
void write_ranks(const Target& target, const Predictions& predictions, const metric::RowLoss& loss,
                 const std::vector<std::int32_t>& rows, const StopFlag& stop,
                 WholeRowValues& found) {
  const Target truth = target.rows(rows);
  const std::int64_t n = found.n_configurations;
  const auto n_rows = rows.size();
  std::vector<std::vector<std::pair<double, std::int32_t>>> of_row(n_rows);
  for (auto& own : of_row) own.reserve(static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) {
    const auto losses = row_losses(loss, truth, predictions, j, rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
      of_row[i].emplace_back(loss.greater_is_better ? losses[i] : -losses[i],
                             static_cast<std::int32_t>(j));
    }
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    stop.check();
    auto& own = of_row[i];
    std::sort(own.begin(), own.end());
    for (std::size_t first = 0; first < own.size();) {
      std::size_t last = first + 1;
      while (last < own.size() && own[last].first == own[first].first) ++last;
      for (std::size_t at = first; at < last; ++at) {
        found.values[static_cast<std::size_t>(own[at].second * found.n_rows + rows[i])] =
            static_cast<std::int32_t>(first + last + 1);
      }
      first = last;
    }
  }
}

void of_auc(const Target& target, const Predictions& predictions, const Control& control,
            WholeRowValues& found) {
  found.n_parts = 2;
  for (const std::int32_t code : target.codes) found.part_of_row.push_back(code == 1 ? 1 : 0);
  const auto n_positive =
      static_cast<double>(std::ranges::count(found.part_of_row, std::uint8_t{1}));
  found.steps = {0.5 / n_positive, 0.5 / (static_cast<double>(found.n_rows) - n_positive)};
  parallel_for(found.n_configurations, control, 100.0 * static_cast<double>(found.values.size()),
               [&](std::int64_t j, const StopFlag& stop) {
                 stop.check();
                 write_placements(target, predictions, j, found.part_of_row,
                                  found.values.data() + j * found.n_rows);
               });
}

void of_labels(const Target& target, const Predictions& predictions, const Metric& metric,
               const Control& control, WholeRowValues& found) {
  const double right = metric.formula_greater_is_better() ? 1.0 : 0.0;
  parallel_for(found.n_configurations, control, 2.0 * static_cast<double>(found.values.size()),
               [&](std::int64_t j, const StopFlag& stop) {
                 stop.check();
                 const auto values = values_of_rows(metric, target, predictions, j).value();
                 std::ranges::transform(values, found.values.data() + j * found.n_rows,
                                        [&](double value) { return value == right ? 1 : 0; });
               });
}

}  // namespace

bool has_whole_row_values(const Metric& metric) {
  if (const auto* loss = std::get_if<metric::RowLoss>(&metric.kind)) return !loss->root;
  return std::holds_alternative<metric::Auc>(metric.kind) ||
         std::holds_alternative<metric::ZeroOne>(metric.kind);
}

WholeRowValues whole_row_values(const Target& target, const Predictions& predictions,
                                const Metric& metric, const Control& control) {
  WholeRowValues found;
  found.n_rows = target.n_rows();
  found.n_configurations = n_configurations(predictions);
  found.values.resize(static_cast<std::size_t>(found.n_rows * found.n_configurations));
  if (std::holds_alternative<metric::Auc>(metric.kind)) {
    of_auc(target, predictions, control, found);
    return found;
  }
  found.part_of_row.assign(static_cast<std::size_t>(found.n_rows), 0);
  if (std::holds_alternative<metric::ZeroOne>(metric.kind)) {
    of_labels(target, predictions, metric, control, found);
    return found;
  }
  found.steps = {0.5 / static_cast<double>(found.n_configurations), 1.0};
  const auto& loss = std::get<metric::RowLoss>(metric.kind);
  parallel_pieces(found.n_rows, kRowsOfRanks, control,
                  100.0 * static_cast<double>(found.values.size()),
                  [&](std::int64_t first, std::int64_t last, const StopFlag& stop) {
                    std::vector<std::int32_t> rows(static_cast<std::size_t>(last - first));
                    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first));
                    write_ranks(target, predictions, loss, rows, stop, found);
                  });
  return found;
}

}  // namespace bbc::detail
