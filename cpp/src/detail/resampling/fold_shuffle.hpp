#pragma once

#include <bbc/data.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc::detail {

/// The class of each row, or whether it is an event or censored; of a real truth all are alike.
[[nodiscard]] std::vector<std::int32_t> classes_of_rows(const Target& target);

/// The folds of the rows in each repeat, and their random permutations: within strata, whole
/// groups, every repeat by itself.
class FoldShuffle {
 public:
  /// `strata` has any code for each row, `folds` as ModelLuckOptions has them; rows of one unit go
  /// together.
  FoldShuffle(std::span<const std::int32_t> strata, std::span<const std::int32_t> folds,
              const std::vector<std::int32_t>& units, std::uint64_t seed, std::uint32_t stream);

  /// Why permutations tell nothing; empty if they do.
  [[nodiscard]] std::string untestable() const;
  [[nodiscard]] std::size_t n_repeats() const noexcept { return repeats_.size(); }
  [[nodiscard]] std::int64_t n_folds(std::size_t repeat) const noexcept {
    return repeats_[repeat].n_folds;
  }
  [[nodiscard]] std::int64_t most_folds() const;
  /// Fold of each row in a repeat, from 0 without gaps; -1 where it was not predicted.
  [[nodiscard]] std::span<const std::int8_t> given(std::size_t repeat) const noexcept {
    return repeats_[repeat].fold_of_row;
  }
  /// One attempt at a permutation: (repeat, row), as `given`.
  void draw(std::uint32_t permutation, std::uint32_t attempt, std::int8_t* fold_of_row) const;

 private:
  struct Repeat {
    std::int64_t n_folds = 0;
    std::vector<std::int8_t> fold_of_row;
    std::vector<std::int8_t> fold_of_unit;
    std::vector<std::vector<std::int32_t>> units_of_stratum;
    bool split = false;             // a unit has rows in several folds
    std::int64_t fewest_units = 0;  // of a fold
  };

  [[nodiscard]] Repeat make_repeat(std::span<const std::int32_t> folds,
                                   const std::vector<std::int32_t>& stratum_of_unit) const;
  [[nodiscard]] std::size_t unit_of(std::size_t row) const noexcept {
    return unit_of_row_.empty() ? row : static_cast<std::size_t>(unit_of_row_[row]);
  }

  std::size_t n_rows_;
  std::vector<std::int32_t> unit_of_row_;  // empty: every row is one
  std::size_t n_units_;
  std::uint64_t seed_;
  std::uint32_t stream_;
  std::vector<Repeat> repeats_;
};

}  // namespace bbc::detail
