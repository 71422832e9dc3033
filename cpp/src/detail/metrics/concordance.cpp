#include "detail/metrics/concordance.hpp"

#include <algorithm>
#include <numeric>

#include "detail/metrics/column_reader.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {

ConcordanceColumns::ConcordanceColumns(const Kind& /*kind*/, const Target& target)
    : rows_(target.values.size()),
      batch_(target.values.size()),
      is_event_(target.values.size()),
      event_weight_(target.values.size(), 1.0) {
  std::iota(rows_.begin(), rows_.end(), 0);
  const auto step_of = [&](std::int32_t row) {
    const auto i = static_cast<std::size_t>(row);
    return std::pair(-target.values[i], target.events[i] != 0);
  };
  std::stable_sort(rows_.begin(), rows_.end(),
                   [&](std::int32_t a, std::int32_t b) { return step_of(a) < step_of(b); });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    is_event_[i] = step_of(rows_[i]).second ? 1 : 0;
    if (!target.event_weights.empty()) {
      event_weight_[i] = target.event_weights[static_cast<std::size_t>(rows_[i])];
    }
    if (i > 0) batch_[i] = batch_[i - 1] + (step_of(rows_[i]) != step_of(rows_[i - 1]) ? 1 : 0);
  }
}

ConcordanceColumns::Column ConcordanceColumns::prepare(std::span<const Predictions> repeats,
                                                       std::int64_t configuration,
                                                       std::span<const std::int32_t> rows) const {
  std::vector<double> risks;
  read_values(repeats[0], configuration, rows, risks);
  std::vector<double> distinct = risks;
  sort_distinct(distinct);
  Column column;
  column.n_ranks = static_cast<std::int32_t>(distinct.size());
  column.ranks.reserve(rows_.size());
  for (const std::int32_t row : rows_) {
    const auto at =
        std::lower_bound(distinct.begin(), distinct.end(), risks[static_cast<std::size_t>(row)]);
    column.ranks.push_back(static_cast<std::int32_t>(at - distinct.begin()));
  }
  return column;
}

}  // namespace bbc::detail
