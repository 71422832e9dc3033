#pragma once

#include <cstdint>
#include <vector>

#include "detail/fast/time_halves.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

/// What the loops of PairCountKernel read for one configuration.
struct PairProgram {
  std::vector<std::uint32_t> words;
  std::size_t first_near = 0;  // after the nodes of many rows
  std::size_t first_pair = 0;  // after all nodes
  double times = 2.0;          // 1 where lower risks are counted twice, and tied ones once
};

/// The pairs of a truth, and its events in the order in which the general evaluator adds them up:
/// from the latest to the earliest, those of one time in order of row.
class PairPlan {
 public:
  /// Rows whose pairs are counted one by one: a node costs some 40 cycles beside its rows.
  static constexpr std::size_t kFew = 16;

  explicit PairPlan(const Target& target);

  [[nodiscard]] const TimeHalves& halves() const noexcept { return halves_; }
  [[nodiscard]] const std::vector<std::int32_t>& events() const noexcept { return events_; }
  /// Places [first, last) in time.
  struct Stretch {
    std::size_t first;
    std::size_t last;
  };
  /// Those within which near nodes and pairs lie.
  [[nodiscard]] std::vector<Stretch> near_stretches(bool any_tie) const;
  /// Nodes of so many rows are near: their counts (twice, if any risks tie) sum up to less than 256
  /// but for an accident that is looked for.
  [[nodiscard]] static bool is_near(const TimeHalves::Node& node, bool any_tie) {
    return node.last - node.first <= (any_tie ? 64U : 128U);
  }
  /// The lines of an event and of a row that are near in time, and these rows.
  struct NearPair {
    std::uint32_t event_line;
    std::uint32_t line;
    std::int32_t event;
    std::int32_t row;
  };
  /// In an order in which pairs of one event do not follow each other.
  [[nodiscard]] const std::vector<NearPair>& near_pairs() const noexcept { return near_pairs_; }
  /// Number of an event among these.
  [[nodiscard]] std::uint32_t event_at(std::uint32_t place) const { return event_at_[place]; }

 private:
  TimeHalves halves_;
  std::vector<std::int32_t> events_;  // rows
  std::vector<std::uint32_t> event_at_;
  std::vector<NearPair> near_pairs_;
};

/// Writes programs; its memory is used again from program to program.
class PairProgrammer {
 public:
  explicit PairProgrammer(const PairPlan& plan) : plan_(plan) {}
  void write(const SortedScores& risks, PairProgram& program);

 private:
  struct Item {
    std::uint32_t place;
    std::uint32_t line;        // of the row
    std::uint32_t event_line;  // of the event
    std::uint32_t is_event;
    std::uint32_t rank;
  };
  /// Puts the earlier half before the later one, each in order of risk; what the node compares is
  /// left behind.
  void split(const TimeHalves::Node& node);
  /// The same for risks that tie: events are counted below their ties, and up to them.
  void compare_ties(const TimeHalves::Node& node);
  void write_pairs(bool any_tie, std::vector<std::uint32_t>& words);

  const PairPlan& plan_;
  std::vector<Item> items_;  // the rows of each node at its places, in order of risk
  std::vector<Item> later_;
  std::vector<std::uint32_t> ranks_;  // of rows
  std::vector<std::uint32_t> compared_;
  std::vector<std::uint32_t> counted_;
  std::vector<std::uint32_t> tied_;
  std::size_t n_compared_ = 0;
  std::size_t n_counted_ = 0;  // words
  std::vector<std::uint32_t> far_;
  std::vector<std::uint32_t> near_;
};

}  // namespace bbc::detail
