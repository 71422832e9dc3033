#include "detail/fast/concordance_program.hpp"

#include <algorithm>

namespace bbc::detail {

ConcordanceProgrammer::ConcordanceProgrammer(const Target& target)
    : halves_(target, kFew), programmer_(static_cast<std::int64_t>(halves_.n_rows())) {
  for (const Node& node : halves_.nodes()) {
    if (!node.any_event) continue;
    for (std::size_t place = node.first; place < node.last; ++place) {
      if (place >= node.middle) {
        compared_[0].push_back(halves_.rows()[place]);
      } else if (is_event()[place] != 0) {
        compared_[1].push_back(halves_.rows()[place]);
      }
    }
  }
}

void ConcordanceProgrammer::write(const SortedScores& risks, AucProgram& program) {
  const std::size_t n_rows = halves_.n_rows();
  items_.resize(n_rows);
  const bool any_tie = !risks.tied_with_next.empty();
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::int32_t row = risks.rows[i];
    const std::uint32_t place = halves_.place_of_row(row);
    items_[i] = {place, AucProgrammer::coded(row, is_event()[place]), rank};
    if (!any_tie || risks.tied_with_next[i] == 0) ++rank;
  }
  coded_.resize(n_rows);
  ranks_.resize(n_rows);
  later_.resize(n_rows);
  programmer_.begin();
  for (const Node& node : halves_.nodes()) {
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
