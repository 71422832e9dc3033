#include "detail/fast/pair_program.hpp"

#include <algorithm>
#include <utility>

#include "detail/isa/pair_counts.hpp"

namespace bbc::detail {
namespace {

/// Stretches of the pairs that are taken in turns, so that no event's count waits for its own.
constexpr std::size_t kTurns = 8;

std::uint32_t line_of(std::size_t number) { return static_cast<std::uint32_t>(number * kBlock); }

void append(const std::vector<std::uint32_t>& from, std::size_t n, std::vector<std::uint32_t>& to) {
  to.insert(to.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(n));
}

}  // namespace

PairPlan::PairPlan(const Target& target) : halves_(target, kFew), event_at_(halves_.n_rows()) {
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < halves_.n_rows(); ++place) {
    if (halves_.is_event()[place] != 0) places.push_back(place);
  }
  const auto time_at = [&](std::uint32_t place) {
    return target.values[static_cast<std::size_t>(halves_.rows()[place])];
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return time_at(a) > time_at(b); });
  for (const std::uint32_t place : places) {
    event_at_[place] = static_cast<std::uint32_t>(events_.size());
    events_.push_back(halves_.rows()[place]);
  }
  const auto& pairs = halves_.near_pairs();
  const std::size_t stretch = (pairs.size() + kTurns - 1) / kTurns;
  for (std::size_t i = 0; i < stretch; ++i) {
    for (std::size_t pair = i; pair < pairs.size(); pair += stretch) {
      const auto [event, row] = std::pair(pairs[pair].first, pairs[pair].second);
      near_pairs_.push_back({line_of(event_at_[halves_.place_of_row(event)]),
                             line_of(static_cast<std::size_t>(row)), event, row});
    }
  }
}

/// What far nodes leave between their middles, where there is any pair.
std::vector<PairPlan::Stretch> PairPlan::near_stretches(bool any_tie) const {
  std::vector<std::size_t> ends{halves_.n_rows()};
  for (const auto& node : halves_.nodes()) {
    if (!is_near(node, any_tie)) ends.push_back(node.middle);
  }
  std::sort(ends.begin(), ends.end());
  std::vector<Stretch> stretches;
  std::size_t first = 0;
  for (const std::size_t last : ends) {
    bool any_pair = false;
    for (std::size_t place = first; place < last && !any_pair; ++place) {
      any_pair = halves_.is_event()[place] != 0 && halves_.first_later()[place] < last;
    }
    if (any_pair) stretches.push_back({first, last});
    first = last;
  }
  return stretches;
}

void PairProgrammer::write(const SortedScores& risks, PairProgram& program) {
  const std::size_t n_rows = plan_.halves().n_rows();
  items_.resize(n_rows);
  later_.resize(n_rows);
  ranks_.resize(n_rows);
  compared_.resize(n_rows + 1);
  counted_.resize(4 * n_rows + 2);
  const bool any_tie = !risks.tied_with_next.empty();
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::int32_t row = risks.rows[i];
    const std::uint32_t place = plan_.halves().place_of_row(row);
    items_[i] = {place, line_of(static_cast<std::size_t>(row)), line_of(plan_.event_at(place)),
                 plan_.halves().is_event()[place], rank};
    ranks_[static_cast<std::size_t>(row)] = rank;
    if (!risks.is_tied_with_next(i)) ++rank;
  }
  far_.clear();
  near_.clear();
  for (const auto& node : plan_.halves().nodes()) {
    if (any_tie) compare_ties(node);
    split(node);
    if (!node.any_event) continue;
    auto& words = PairPlan::is_near(node, any_tie) ? near_ : far_;
    const std::size_t n_counted = any_tie ? tied_.size() : n_counted_;
    words.push_back(static_cast<std::uint32_t>(n_compared_));
    words.push_back(static_cast<std::uint32_t>(n_counted / 2));
    append(compared_, n_compared_, words);
    append(any_tie ? tied_ : counted_, n_counted, words);
  }
  program.first_near = far_.size();
  far_.insert(far_.end(), near_.begin(), near_.end());
  program.first_pair = far_.size();
  program.times = any_tie ? 1.0 : 2.0;
  write_pairs(any_tie, far_);
  program.words.assign(far_.begin(), far_.end());
}

/// Everything is written at every row and kept only by moving on: no branch to mispredict.
void PairProgrammer::split(const TimeHalves::Node& node) {
  std::size_t n_earlier = node.first;
  std::size_t n_later = 0;
  std::size_t n_counted = 0;
  for (std::size_t i = node.first; i < node.last; ++i) {
    const Item item = items_[i];
    const std::size_t earlier = item.place < node.middle ? 1 : 0;
    items_[n_earlier] = item;
    n_earlier += earlier;
    counted_[n_counted] = item.event_line;
    counted_[n_counted + 1] = line_of(n_later);
    n_counted += 2 * (earlier & item.is_event);
    later_[n_later] = item;
    compared_[n_later] = item.line;
    n_later += 1 - earlier;
  }
  n_compared_ = n_later;
  n_counted_ = n_counted;
  std::copy_n(later_.begin(), n_later, items_.begin() + static_cast<std::ptrdiff_t>(n_earlier));
}

void PairProgrammer::compare_ties(const TimeHalves::Node& node) {
  tied_.clear();
  std::size_t n_later = 0;
  for (std::size_t i = node.first; i < node.last;) {
    const std::size_t n_lower = n_later;
    std::size_t end = i;
    for (; end < node.last && items_[end].rank == items_[i].rank; ++end) {
      n_later += items_[end].place >= node.middle ? 1 : 0;
    }
    for (; i < end; ++i) {
      if (items_[i].place >= node.middle || items_[i].is_event == 0) continue;
      tied_.insert(tied_.end(), {items_[i].event_line, line_of(n_lower), items_[i].event_line,
                                 line_of(n_later)});
    }
  }
}

void PairProgrammer::write_pairs(bool any_tie, std::vector<std::uint32_t>& words) {
  const auto& pairs = plan_.near_pairs();
  std::size_t n = words.size();
  words.resize(n + (any_tie ? 4 : 2) * pairs.size() + 2);
  for (const PairPlan::NearPair& pair : pairs) {
    const std::uint32_t own = ranks_[static_cast<std::size_t>(pair.event)];
    const std::uint32_t other = ranks_[static_cast<std::size_t>(pair.row)];
    words[n] = pair.event_line;
    words[n + 1] = pair.line;
    n += own > other ? 2 : 0;
    if (!any_tie) continue;
    words[n] = pair.event_line;
    words[n + 1] = pair.line;
    n += own >= other ? 2 : 0;
  }
  words.resize(n);
}

}  // namespace bbc::detail
