#pragma once

#include <bbc/data.hpp>
#include <cstdint>
#include <vector>

#include "detail/fast/time_halves.hpp"
#include "detail/isa/auc_program.hpp"
#include "detail/metrics/sorted_scores.hpp"

namespace bbc::detail {

/// Writes the concordance index as programs of AUCs, by halves of time: the events of the earlier
/// half against all rows of the later half, ordered by risk, and each half in itself likewise.
/// What is left, pairs of rows that are near in time, is compared one by one: see NearPairs.
class ConcordanceProgrammer {
 public:
  /// Rows whose pairs are compared one by one. A step of the walk costs some 60 cycles beside its
  /// rows, so that small halves were four fifths of the time.
  static constexpr std::size_t kFew = 40;

  explicit ConcordanceProgrammer(const Target& target);

  void write(const SortedScores& risks, AucProgram& program);

  [[nodiscard]] const std::vector<std::int32_t>& rows_by_time() const { return halves_.rows(); }
  [[nodiscard]] const std::vector<std::size_t>& first_later() const {
    return halves_.first_later();
  }
  [[nodiscard]] const std::vector<std::uint8_t>& is_event() const { return halves_.is_event(); }
  /// Comparable pairs that no halves compare, the event first.
  [[nodiscard]] const std::vector<RowPair>& near_pairs() const { return halves_.near_pairs(); }
  /// The rows that the halves compare, as often as they do: later ones, and earlier events.
  [[nodiscard]] const std::vector<std::int32_t>& compared(int code) const {
    return compared_[code];
  }

 private:
  using Node = TimeHalves::Node;
  struct Item {
    std::uint32_t place;
    std::uint32_t line;  // coded; an event is of class 1
    std::uint32_t rank;
  };

  /// Codes what a node compares, and puts the earlier half before the later one.
  void split(const Node& node, Item* items);

  TimeHalves halves_;
  std::vector<std::int32_t> compared_[2];

  AucProgrammer programmer_;
  std::vector<Item> items_;  // the rows of each node at its places, in order of risk
  std::vector<Item> later_;
  std::size_t n_coded_ = 0;
  std::vector<std::uint32_t> coded_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint8_t> tied_;
};

}  // namespace bbc::detail
