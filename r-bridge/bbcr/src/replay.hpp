#pragma once

// Replicates of a correction, drawn again for what is computed on their out-of-bag rows.
#include <algorithm>
#include <bbc/replicate_scorer.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "convert.hpp"

namespace bbcr {

/// Counts of other rows than those that were drawn. `places` (row, repeat) says which of these
/// each belongs to; a replicate is of one repeat after the other.
class RowCounts {
 public:
  RowCounts(SEXP places, std::int64_t n_drawn)
      : places_(codes_of(places)),
        n_rows_(Rf_isNull(places) ? n_drawn : Rf_nrows(places)),
        n_repeats_(Rf_isNull(places) ? 1 : Rf_ncols(places)),
        n_drawn_(n_drawn) {}

  /// Of the longer side.
  [[nodiscard]] std::int64_t longest() const { return std::max(n_rows_, n_drawn_); }

  [[nodiscard]] std::vector<std::uint16_t> of(std::int64_t first,
                                              std::vector<std::uint16_t> drawn) const {
    if (places_.empty()) return drawn;
    const auto n = static_cast<std::int64_t>(drawn.size()) / n_drawn_;
    std::vector<std::uint16_t> counts;
    counts.reserve(static_cast<std::size_t>(n * n_rows_));
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint16_t* own = drawn.data() + i * n_drawn_;
      const std::int32_t* place = places_.data() + (first + i) % n_repeats_ * n_rows_;
      for (std::int64_t row = 0; row < n_rows_; ++row) counts.push_back(own[place[row]]);
    }
    return counts;
  }

 private:
  std::vector<std::int32_t> places_;
  std::int64_t n_rows_;
  std::int64_t n_repeats_;
  std::int64_t n_drawn_;
};

/// Calls `use(first, counts, winners)` for parts of the replicates; `winners` count from 1.
template <class Use>
void replay(const bbc::Target& target, const bbc::CorrectionOptions& options, SEXP places,
            const cpp11::integers& winners, const bbc::Control& control, const Use& use) {
  const RowCounts rows(places, target.n_rows());
  std::vector<std::int64_t> chosen;
  chosen.reserve(static_cast<std::size_t>(winners.size()));
  for (const int index : winners) chosen.push_back(std::int64_t{index} - 1);
  const auto n_bootstraps = static_cast<std::int64_t>(chosen.size());
  const std::int64_t at_once = std::max<std::int64_t>(1, (std::int64_t{1} << 22) / rows.longest());
  for (std::int64_t first = 0; first < n_bootstraps; first += at_once) {
    const auto n = std::min(at_once, n_bootstraps - first);
    const auto counts = rows.of(first, bbc::scoring_counts(target, options, first, n, control));
    use(first, counts,
        std::span<const std::int64_t>(chosen.data() + first, static_cast<std::size_t>(n)));
  }
}

}  // namespace bbcr
