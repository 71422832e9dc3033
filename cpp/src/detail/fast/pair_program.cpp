#include "detail/fast/pair_program.hpp"

#include <algorithm>

#include "detail/isa/pair_counts.hpp"

namespace bbc::detail {
namespace {

/// Rows whose pairs are counted one by one: a node costs some 40 cycles beside its rows.
constexpr std::size_t kFew = 16;

/// Stretches of the pairs that are taken in turns, so that no event's count waits for its own.
constexpr std::size_t kTurns = 8;

std::uint32_t line_of(std::size_t number) { return static_cast<std::uint32_t>(number * kBlock); }

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
}

void PairProgrammer::write(const SortedScores& risks, PairProgram& program) {
  const std::size_t n_rows = plan_.halves().n_rows();
  items_.resize(n_rows);
  later_.resize(n_rows);
  ranks_.resize(n_rows);
  const bool any_tie = !risks.tied_with_next.empty();
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::int32_t row = risks.rows[i];
    items_[i] = {plan_.halves().place_of_row(row), static_cast<std::uint32_t>(row), rank};
    ranks_[static_cast<std::size_t>(row)] = rank;
    if (!risks.is_tied_with_next(i)) ++rank;
  }
  std::vector<std::uint32_t> words;
  for (const auto& node : plan_.halves().nodes()) {
    if (node.any_event) write_node(node, any_tie, words);
    split(node);
  }
  program.n_node_words = words.size();
  program.times = any_tie ? 1.0 : 2.0;
  write_pairs(any_tie, words);
  program.words.assign(words.begin(), words.end());
}

void PairProgrammer::write_node(const TimeHalves::Node& node, bool any_tie,
                                std::vector<std::uint32_t>& words) {
  compared_.clear();
  counted_.clear();
  for (std::size_t i = node.first; i < node.last;) {
    const std::size_t n_lower = compared_.size();
    std::size_t end = i;
    for (; end < node.last && items_[end].rank == items_[i].rank; ++end) {
      if (items_[end].place >= node.middle) compared_.push_back(line_of(items_[end].row));
    }
    for (; i < end; ++i) {
      const std::uint32_t place = items_[i].place;
      if (place >= node.middle || plan_.halves().is_event()[place] == 0) continue;
      const std::uint32_t event = line_of(plan_.event_at(place));
      counted_.insert(counted_.end(), {event, line_of(n_lower)});
      if (any_tie) counted_.insert(counted_.end(), {event, line_of(compared_.size())});
    }
  }
  words.push_back(static_cast<std::uint32_t>(compared_.size()));
  words.push_back(static_cast<std::uint32_t>(counted_.size() / 2));
  words.insert(words.end(), compared_.begin(), compared_.end());
  words.insert(words.end(), counted_.begin(), counted_.end());
}

/// Puts the earlier half before the later one, each in order of risk.
void PairProgrammer::split(const TimeHalves::Node& node) {
  std::size_t n_earlier = node.first;
  std::size_t n_later = 0;
  for (std::size_t i = node.first; i < node.last; ++i) {
    const Item item = items_[i];
    const bool earlier = item.place < node.middle;
    items_[n_earlier] = item;
    n_earlier += earlier ? 1 : 0;
    later_[n_later] = item;
    n_later += earlier ? 0 : 1;
  }
  std::copy_n(later_.begin(), n_later, items_.begin() + static_cast<std::ptrdiff_t>(n_earlier));
}

void PairProgrammer::write_pairs(bool any_tie, std::vector<std::uint32_t>& words) {
  pairs_.clear();
  for (const RowPair& pair : plan_.halves().near_pairs()) {
    const std::uint32_t own = ranks_[static_cast<std::size_t>(pair.first)];
    const std::uint32_t other = ranks_[static_cast<std::size_t>(pair.second)];
    if (own < other || (own == other && !any_tie)) continue;
    const std::uint32_t event = line_of(plan_.event_at(plan_.halves().place_of_row(pair.first)));
    const std::uint32_t row = line_of(static_cast<std::size_t>(pair.second));
    pairs_.insert(pairs_.end(), {event, row});
    if (any_tie && own > other) pairs_.insert(pairs_.end(), {event, row});
  }
  const std::size_t n_pairs = pairs_.size() / 2;
  const std::size_t stretch = (n_pairs + kTurns - 1) / kTurns;
  for (std::size_t i = 0; i < stretch; ++i) {
    for (std::size_t pair = i; pair < n_pairs; pair += stretch) {
      words.insert(words.end(), {pairs_[2 * pair], pairs_[2 * pair + 1]});
    }
  }
}

}  // namespace bbc::detail
