#pragma once

#include <cstdint>
#include <vector>

#include "detail/fast/time_halves.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

/// What the loops of PairCountKernel read for one configuration.
struct PairProgram {
  std::vector<std::uint32_t> words;
  std::size_t n_node_words = 0;  // the rest are pairs
  double times = 2.0;            // 1 where lower risks are counted twice, and tied ones once
};

/// The pairs of a truth, and its events in the order in which the general evaluator adds them up:
/// from the latest to the earliest, those of one time in order of row.
class PairPlan {
 public:
  explicit PairPlan(const Target& target);

  [[nodiscard]] const TimeHalves& halves() const noexcept { return halves_; }
  [[nodiscard]] const std::vector<std::int32_t>& events() const noexcept { return events_; }
  /// Number of an event among these.
  [[nodiscard]] std::uint32_t event_at(std::uint32_t place) const { return event_at_[place]; }

 private:
  TimeHalves halves_;
  std::vector<std::int32_t> events_;  // rows
  std::vector<std::uint32_t> event_at_;
};

/// Writes programs; its memory is used again from program to program.
class PairProgrammer {
 public:
  explicit PairProgrammer(const PairPlan& plan) : plan_(plan) {}
  void write(const SortedScores& risks, PairProgram& program);

 private:
  struct Item {
    std::uint32_t place;
    std::uint32_t row;
    std::uint32_t rank;
  };
  void write_node(const TimeHalves::Node& node, bool any_tie, std::vector<std::uint32_t>& words);
  void split(const TimeHalves::Node& node);
  void write_pairs(bool any_tie, std::vector<std::uint32_t>& words);

  const PairPlan& plan_;
  std::vector<Item> items_;  // the rows of each node at its places, in order of risk
  std::vector<Item> later_;
  std::vector<std::uint32_t> ranks_;  // of rows
  std::vector<std::uint32_t> compared_;
  std::vector<std::uint32_t> counted_;
  std::vector<std::uint32_t> pairs_;
};

}  // namespace bbc::detail
