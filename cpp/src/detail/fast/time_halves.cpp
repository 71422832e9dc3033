#include "detail/fast/time_halves.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bbc::detail {

TimeHalves::TimeHalves(const Target& target, std::size_t few)
    : rows_(target.values.size()),
      first_later_(rows_.size()),
      is_event_(rows_.size()),
      place_of_row_(rows_.size()) {
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
  plan(0, rows_.size(), few);
}

/// Halves before the first row of a moment; rows of one moment are not comparable.
void TimeHalves::plan(std::size_t first, std::size_t last, std::size_t few) {
  if (last - first <= few) {
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
  const auto at = is_event_.begin();
  const bool any_event =
      std::any_of(at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(middle),
                  [](std::uint8_t event) { return event != 0; });
  nodes_.push_back({first, middle, last, any_event});
  plan(first, middle, few);
  plan(middle, last, few);
}

}  // namespace bbc::detail
