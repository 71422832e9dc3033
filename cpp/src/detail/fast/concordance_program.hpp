#pragma once

#include <bbc/target.hpp>
#include <cstdint>
#include <vector>

#include "detail/isa/auc_program.hpp"
#include "detail/isa/zero_one_kernel.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

/// Writes the concordance index as programs of AUCs, by halves of time: the events of the earlier
/// half against all rows of the later half, ordered by risk, and each half in itself likewise.
/// What is left, pairs of rows that are near in time, is compared one by one: see NearPairs.
class ConcordanceProgrammer {
 public:
  explicit ConcordanceProgrammer(const Target& target);

  void write(const SortedScores& risks, AucProgram& program);

  /// Rows from the earliest to the latest time, of one time the events first.
  [[nodiscard]] const std::vector<std::int32_t>& rows_by_time() const { return rows_; }
  /// Place of the first row that is comparable with the row at a place, if that is an event.
  [[nodiscard]] const std::vector<std::size_t>& first_later() const { return first_later_; }
  [[nodiscard]] const std::vector<std::uint8_t>& is_event() const { return is_event_; }
  /// Comparable pairs that no halves compare, the event first.
  [[nodiscard]] const std::vector<RowPair>& near_pairs() const { return near_pairs_; }
  /// The rows that the halves compare, as often as they do: later ones, and earlier events.
  [[nodiscard]] const std::vector<std::int32_t>& compared(int code) const {
    return compared_[code];
  }

 private:
  /// Places [first, last) in time, halved before `middle`.
  struct Node {
    std::size_t first;
    std::size_t middle;
    std::size_t last;
    bool any_event;  // in the earlier half
  };
  struct Item {
    std::uint32_t place;
    std::uint32_t line;  // coded; an event is of class 1
    std::uint32_t rank;
  };

  void plan(std::size_t first, std::size_t last);
  /// Codes what a node compares, and puts the earlier half before the later one.
  void split(const Node& node, Item* items);

  std::vector<std::int32_t> rows_;
  std::vector<std::size_t> first_later_;
  std::vector<std::uint8_t> is_event_;
  std::vector<std::uint32_t> place_of_row_;
  std::vector<Node> nodes_;  // before their halves
  std::vector<std::int32_t> compared_[2];
  std::vector<RowPair> near_pairs_;

  AucProgrammer programmer_;
  std::vector<Item> items_;  // the rows of each node at its places, in order of risk
  std::vector<Item> later_;
  std::size_t n_coded_ = 0;
  std::vector<std::uint32_t> coded_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint8_t> tied_;
};

}  // namespace bbc::detail
