#include <algorithm>

#include "detail/fast/rough_scores.hpp"

namespace bbc::detail {

Rough<ConcordanceColumns>::Rough(const metric::Concordance& /*kind*/, const Target& target,
                                 const ConcordanceColumns& /*metric*/)
    : halves_(target, kFew), event_of_row_(halves_.n_rows(), -1) {
  // Products of smaller weights vanish in float32.
  constexpr double kLeast = 1e-8;
  double largest = 0.0;
  for (const double weight : target.event_weights) largest = std::max(largest, weight);
  for (std::size_t place = 0; place < halves_.n_rows(); ++place) {
    if (halves_.is_event()[place] == 0) continue;
    const std::int32_t row = halves_.rows()[place];
    event_of_row_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(events_.size());
    events_.push_back(row);
    const double weight = target.event_weights.empty()
                              ? 1.0
                              : target.event_weights[static_cast<std::size_t>(row)] / largest;
    usable_ = usable_ && (weight == 0.0 || weight >= kLeast);
    event_weights_.push_back(static_cast<float>(weight));
  }
}

Rough<ConcordanceColumns>::Column Rough<ConcordanceColumns>::prepare(
    const ConcordanceColumns& metric, const ConcordanceColumns::Column& exact) const {
  const std::size_t n_rows = halves_.n_rows();
  Column column;
  std::vector<std::int32_t> ranks(n_rows);  // of rows
  for (std::size_t i = 0; i < n_rows; ++i) {
    ranks[static_cast<std::size_t>(metric.rows()[i])] = exact.ranks[i];
  }
  std::vector<std::size_t> begins(static_cast<std::size_t>(exact.n_ranks) + 1);
  for (const std::int32_t rank : ranks) ++begins[static_cast<std::size_t>(rank) + 1];
  for (std::size_t rank = 1; rank < begins.size(); ++rank) begins[rank] += begins[rank - 1];
  // The rows of each node are at its places, in order of risk.
  std::vector<std::int32_t> rows(n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) {
    rows[begins[static_cast<std::size_t>(ranks[row])]++] = static_cast<std::int32_t>(row);
  }
  std::vector<std::int32_t> later;
  std::vector<std::uint32_t> steps;
  for (const TimeHalves::Node& node : halves_.nodes()) {
    later.clear();
    steps.clear();
    std::int32_t last_rank = -1;
    std::int32_t event_rank = -1;
    std::size_t n_kept = 0;  // what is above the last event is in no pair
    std::size_t n_earlier = node.first;
    for (std::size_t i = node.first; i < node.last; ++i) {
      const std::int32_t row = rows[i];
      const auto at = static_cast<std::size_t>(row);
      const bool is_later = halves_.place_of_row(row) >= node.middle;
      if (is_later) {
        later.push_back(row);
      } else {
        rows[n_earlier++] = row;
      }
      if (!is_later && event_of_row_[at] < 0) continue;
      if (ranks[at] == last_rank) steps.back() |= RoughStep::kTied;
      last_rank = ranks[at];
      const auto event = static_cast<std::int64_t>(n_rows) + event_of_row_[at];
      steps.push_back(RoughStep::of(is_later ? row : event, !is_later, false));
      if (!is_later) event_rank = ranks[at];
      if (ranks[at] == event_rank) n_kept = steps.size();
    }
    std::copy(later.begin(), later.end(), rows.begin() + static_cast<std::ptrdiff_t>(n_earlier));
    steps.resize(n_kept);
    if (n_kept == 0) continue;
    steps.back() &= ~RoughStep::kTied;
    if (static_cast<std::int64_t>(n_kept) <= kRoughRows) {
      column.short_walks.push_back(static_cast<std::uint32_t>(n_kept));
      column.short_walks.insert(column.short_walks.end(), steps.begin(), steps.end());
    } else {
      column.stretch = std::max(column.stretch, rough_stretch(steps));
      column.long_walks.push_back(steps);
    }
  }
  take_near_pairs(ranks, column);
  column.stretch = std::max(column.stretch, 2.0 * static_cast<double>(kRoughRows));
  return column;
}

/// A walk for each event, which ends with it.
void Rough<ConcordanceColumns>::take_near_pairs(std::span<const std::int32_t> ranks,
                                                Column& column) const {
  const std::vector<RowPair>& pairs = halves_.near_pairs();
  std::vector<std::uint32_t> tied;
  for (std::size_t i = 0; i < pairs.size();) {
    const auto event = static_cast<std::size_t>(pairs[i].first);
    const std::size_t header = column.short_walks.size();
    column.short_walks.push_back(0);
    tied.clear();
    for (; i < pairs.size() && static_cast<std::size_t>(pairs[i].first) == event; ++i) {
      const auto row = static_cast<std::int64_t>(pairs[i].second);
      const std::int32_t rank = ranks[static_cast<std::size_t>(row)];
      if (rank < ranks[event]) column.short_walks.push_back(RoughStep::of(row, false, false));
      if (rank == ranks[event]) tied.push_back(RoughStep::of(row, false, true));
    }
    column.short_walks.insert(column.short_walks.end(), tied.begin(), tied.end());
    const std::size_t n = column.short_walks.size() - header;  // with the event
    if (n == 1) {
      column.short_walks.pop_back();
      continue;
    }
    const std::int64_t own = static_cast<std::int64_t>(halves_.n_rows()) + event_of_row_[event];
    column.short_walks.push_back(RoughStep::of(own, true, false));
    column.short_walks[header] = static_cast<std::uint32_t>(n);
  }
}

Rough<ConcordanceColumns>::Shared Rough<ConcordanceColumns>::shared(const RoughKernel& /*kernel*/,
                                                                    const RoughRows& rows) const {
  const auto n_rows = static_cast<std::size_t>(rows.n);
  Shared shared{Aligned<float>((n_rows + events_.size()) * kBlock), {}};
  float* of_row = shared.weights.data();
  std::copy_n(rows.weights, n_rows * kBlock, of_row);
  float* of_event = of_row + n_rows * kBlock;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const float* own = rows.weights + std::int64_t{events_[i]} * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) *of_event++ = event_weights_[i] * own[lane];
  }
  std::fill_n(shared.pairs, kBlock, 0.0);
  double later[kBlock] = {};
  std::size_t n_added = n_rows;
  std::size_t event = events_.size();  // they stand in order of place
  for (std::size_t place = n_rows; place-- > 0;) {
    for (; n_added > halves_.first_later()[place]; --n_added) {
      const float* added = of_row + std::int64_t{halves_.rows()[n_added - 1]} * kBlock;
      for (int lane = 0; lane < kBlock; ++lane) later[lane] += added[lane];
    }
    if (halves_.is_event()[place] == 0) continue;
    const float* own = of_row + (n_rows + --event) * kBlock;
    for (int lane = 0; lane < kBlock; ++lane) shared.pairs[lane] += 2.0 * own[lane] * later[lane];
  }
  return shared;
}

void Rough<ConcordanceColumns>::add(const RoughKernel& kernel, const RoughRows& rows,
                                    const Shared& shared, std::span<const Column* const> columns,
                                    RoughScores* scores) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = *columns[i];
    RoughScores& s = scores[i];
    std::fill_n(s.of, kBlock, 0.0);
    const float* weights = shared.weights.data();
    kernel.add_walks(column.short_walks.data(),
                     static_cast<std::int64_t>(column.short_walks.size()), weights, s.of);
    for (const std::vector<std::uint32_t>& walk : column.long_walks) {
      kernel.add_pairs(walk.data(), static_cast<std::int64_t>(walk.size()), weights, s.of);
    }
    // As of AUC; an event's weight is rounded, too, and so is its product.
    const double relative =
        1.01 * (3.0 * column.stretch + 24.0) * kRoughUnit + rough_rounding(rows.n);
    for (int lane = 0; lane < kBlock; ++lane) {
      s.of[lane] /= shared.pairs[lane];
      s.error[lane] =
          usable_ ? relative * s.of[lane] + 0x1p-100 : std::numeric_limits<double>::infinity();
    }
  }
}

}  // namespace bbc::detail
