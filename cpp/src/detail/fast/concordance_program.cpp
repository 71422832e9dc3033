#include "detail/fast/concordance_program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bbc::detail {
namespace {

/// Rows whose pairs are compared one by one. A step of the walk costs some 60 cycles beside its
/// rows, so that small halves were four fifths of the time.
constexpr std::size_t kFew = 40;

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
  if (last - first <= kFew) {
    for (std::size_t place = first; place < last; ++place) {
      if (is_event_[place] == 0) continue;
      for (std::size_t later = first_later_[place]; later < last; ++later) {
        near_pairs_.push_back({rows_[place], rows_[later]});
      }
    }
    return;
  }
  std::size_t middle = first + (last - first) / 2;
  while (middle > first && first_later_[middle - 1] > middle) --middle;
  if (middle == first) middle = first_later_[first];
  if (middle >= last) return;
  bool any_event = false;
  for (std::size_t place = first; place < middle; ++place) {
    if (is_event_[place] == 0) continue;
    any_event = true;
    compared_[1].push_back(rows_[place]);
  }
  for (std::size_t place = middle; any_event && place < last; ++place) {
    compared_[0].push_back(rows_[place]);
  }
  nodes_.push_back({first, middle, last, any_event});
  plan(first, middle);
  plan(middle, last);
}

void ConcordanceProgrammer::write(const SortedScores& risks, AucProgram& program) {
  items_.resize(rows_.size());
  const bool any_tie = !risks.tied_with_next.empty();
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::int32_t row = risks.rows[i];
    const std::uint32_t place = place_of_row_[static_cast<std::size_t>(row)];
    items_[i] = {place, AucProgrammer::coded(row, is_event_[place]), rank};
    if (!any_tie || risks.tied_with_next[i] == 0) ++rank;
  }
  coded_.resize(rows_.size());
  ranks_.resize(rows_.size());
  later_.resize(rows_.size());
  programmer_.begin();
  for (const Node& node : nodes_) {
    split(node, items_.data() + node.first);
    if (!node.any_event) continue;
    tied_.clear();
    if (any_tie) {
      for (std::size_t i = 0; i < n_coded_; ++i) {
        tied_.push_back(i + 1 < n_coded_ && ranks_[i] == ranks_[i + 1] ? 1 : 0);
      }
    }
    programmer_.add_part({coded_.data(), n_coded_}, tied_);
  }
  programmer_.finish(program);
}

/// Everything is written at every row and kept only by moving on: no branch to mispredict.
void ConcordanceProgrammer::split(const Node& node, Item* items) {
  const std::size_t n = node.last - node.first;
  const auto middle = static_cast<std::uint32_t>(node.middle);
  std::size_t n_coded = 0;
  std::size_t n_earlier = 0;
  std::size_t n_later = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Item item = items[i];
    const std::uint32_t earlier = item.place < middle ? 1 : 0;
    // Of the later half all rows are negatives; of the earlier one the events are positives.
    coded_[n_coded] = (item.line & ~1U) | earlier;
    ranks_[n_coded] = item.rank;
    n_coded += (earlier ^ 1U) | (item.line & 1U);
    items[n_earlier] = item;
    n_earlier += earlier;
    later_[n_later] = item;
    n_later += earlier ^ 1U;
  }
  n_coded_ = n_coded;
  std::copy_n(later_.begin(), n_later, items + n_earlier);
}

}  // namespace bbc::detail
