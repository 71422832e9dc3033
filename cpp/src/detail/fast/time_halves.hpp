#pragma once

#include <bbc/data.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "detail/isa/zero_one_kernel.hpp"

namespace bbc::detail {

/// Comparable pairs by halves of time: those of an event of the earlier half and a row of the later
/// half, and those within each half likewise, down to few rows, whose pairs are listed.
class TimeHalves {
 public:
  /// Places [first, last) in time, halved before `middle`.
  struct Node {
    std::size_t first;
    std::size_t middle;
    std::size_t last;
    bool any_event;  // in the earlier half
  };

  /// Pairs of at most `few` rows are listed.
  TimeHalves(const Target& target, std::size_t few);

  [[nodiscard]] std::size_t n_rows() const noexcept { return rows_.size(); }
  /// Rows from the earliest to the latest time, of one time the events first.
  [[nodiscard]] const std::vector<std::int32_t>& rows() const noexcept { return rows_; }
  /// Place of the first row that is comparable with the row at a place, if that is an event.
  [[nodiscard]] const std::vector<std::size_t>& first_later() const noexcept {
    return first_later_;
  }
  [[nodiscard]] const std::vector<std::uint8_t>& is_event() const noexcept { return is_event_; }
  [[nodiscard]] std::uint32_t place_of_row(std::int32_t row) const {
    return place_of_row_[static_cast<std::size_t>(row)];
  }
  /// Before their halves.
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  /// Comparable pairs that no halves compare, the event first.
  [[nodiscard]] const std::vector<RowPair>& near_pairs() const noexcept { return near_pairs_; }

 private:
  void plan(std::size_t first, std::size_t last, std::size_t few);

  std::vector<std::int32_t> rows_;
  std::vector<std::size_t> first_later_;
  std::vector<std::uint8_t> is_event_;
  std::vector<std::uint32_t> place_of_row_;
  std::vector<Node> nodes_;
  std::vector<RowPair> near_pairs_;
};

}  // namespace bbc::detail
