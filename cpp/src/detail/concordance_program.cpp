#include "detail/concordance_program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bbc::detail {
namespace {

constexpr std::size_t kFew = 8;  // rows that are compared one by one

}  // namespace

ConcordanceProgrammer::ConcordanceProgrammer(const Target& target)
    : rows_(target.values.size()),
      first_later_(rows_.size()),
      is_event_(rows_.size()),
      place_of_row_(rows_.size()),
      programmer_(static_cast<std::int64_t>(rows_.size())) {
  std::iota(rows_.begin(), rows_.end(), 0);
  const auto moment = [&](std::int32_t row) {
    const auto i = static_cast<std::size_t>(row);
    return std::pair(target.values[i], target.events[i] == 0);
  };
  std::stable_sort(rows_.begin(), rows_.end(),
                   [&](std::int32_t a, std::int32_t b) { return moment(a) < moment(b); });
  for (std::size_t place = rows_.size(); place-- > 0;) {
    const bool last = place + 1 == rows_.size();
    first_later_[place] = last || moment(rows_[place]) != moment(rows_[place + 1])
                              ? place + 1
                              : first_later_[place + 1];
    is_event_[place] = moment(rows_[place]).second ? 0 : 1;
    place_of_row_[static_cast<std::size_t>(rows_[place])] = static_cast<std::uint32_t>(place);
  }
  plan(0, rows_.size());
}

/// Halves before the first row of a moment; rows of one moment are not comparable.
void ConcordanceProgrammer::plan(std::size_t first, std::size_t last) {
  const std::size_t half = first + (last - first) / 2;
  std::size_t middle = half;
  while (middle > first && first_later_[middle - 1] > middle) --middle;
  if (middle == first) middle = first_later_[first];
  if (middle >= last) return;
  const bool halves = last - first > kFew;
  nodes_.push_back({first, middle, last, halves});
  if (!halves) return;
  const bool any_event = std::find(is_event_.begin() + static_cast<std::ptrdiff_t>(first),
                                   is_event_.begin() + static_cast<std::ptrdiff_t>(middle),
                                   1) != is_event_.begin() + static_cast<std::ptrdiff_t>(middle);
  for (std::size_t place = first; any_event && place < last; ++place) {
    if (place >= middle) {
      compared_[0].push_back(rows_[place]);
    } else if (is_event_[place] != 0) {
      compared_[1].push_back(rows_[place]);
    }
  }
  plan(first, middle);
  plan(middle, last);
}

void ConcordanceProgrammer::write(const SortedScores& risks, AucProgram& program) {
  items_.resize(rows_.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    items_[i] = {place_of_row_[static_cast<std::size_t>(risks.rows[i])], rank};
    if (risks.tied_with_next.empty() || risks.tied_with_next[i] == 0) ++rank;
  }
  programmer_.begin();
  for (const Node& node : nodes_) {
    Item* items = items_.data() + node.first;
    if (!node.halves) {
      add_one_by_one(node, items);
      continue;
    }
    add_halves(node, items);
    // Either half keeps the order of risk.
    later_.clear();
    Item* earlier = items;
    for (std::size_t i = 0; i < node.last - node.first; ++i) {
      if (items[i].place < node.middle) {
        *earlier++ = items[i];
      } else {
        later_.push_back(items[i]);
      }
    }
    std::copy(later_.begin(), later_.end(), earlier);
  }
  programmer_.finish(program);
}

void ConcordanceProgrammer::add_halves(const Node& node, const Item* items) {
  coded_.clear();
  tied_.clear();
  bool any_tie = false;
  bool any_event = false;
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < node.last - node.first; ++i) {
    const Item item = items[i];
    const bool earlier = item.place < node.middle;
    if (earlier && is_event_[item.place] == 0) continue;
    any_event = any_event || earlier;
    if (!coded_.empty()) {
      tied_.push_back(item.rank == rank ? 1 : 0);
      any_tie = any_tie || item.rank == rank;
    }
    coded_.push_back(AucProgrammer::coded(rows_[item.place], earlier ? 1 : 0));
    rank = item.rank;
  }
  if (!any_event) return;
  tied_.push_back(0);
  if (!any_tie) tied_.clear();
  programmer_.add_part(coded_, tied_);
}

void ConcordanceProgrammer::add_one_by_one(const Node& node, const Item* items) {
  const std::size_t n = node.last - node.first;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_event_[items[i].place] == 0) continue;
    std::uint32_t below[kFew];
    std::size_t n_below = 0;
    std::size_t n_strictly = 0;
    const std::size_t later = first_later_[items[i].place];
    for (std::size_t k = 0; k < n; ++k) {
      if (items[k].rank > items[i].rank || items[k].place < later) continue;
      below[n_below++] = AucProgrammer::coded(rows_[items[k].place], 0);
      n_strictly += items[k].rank < items[i].rank ? 1 : 0;
    }
    programmer_.add_pairs(AucProgrammer::coded(rows_[items[i].place], 1), {below, n_below},
                          n_strictly);
  }
}

}  // namespace bbc::detail
