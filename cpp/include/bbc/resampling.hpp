#pragma once

#include <bbc/export.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace bbc {

namespace detail {
class KeptDraws;
}

/// Memory in bytes for draws that later calls of this process will ask for again, in place of
/// drawing them anew; results do not depend on it. At first 64 MiB; 0 keeps none.
BBC_API void set_draw_memory(std::int64_t bytes);
[[nodiscard]] BBC_API std::int64_t draw_memory();

/// How many replicates there are unless it is said: 5000, for limits that vary between seeds by
/// about one per cent of the interval's width; 1000 where each costs far more, by a metric that is
/// a function of another language, and of the rules "greedy_ensemble", "top_k" and "dominated", the
/// dropping test.
constexpr std::int64_t default_n_bootstraps(std::string_view rule = "best",
                                            bool by_function = false) {
  const bool costly = rule == "greedy_ensemble" || rule == "top_k" || rule == "dominated";
  return costly || by_function ? 1000 : 5000;
}

/// What a replicate draws, and from which random numbers.
struct Resampling {
  std::int64_t n_bootstraps = default_n_bootstraps();
  std::uint64_t seed = 0;
  /// 0 is the correction's stream, t the t-th dropping test's.
  std::uint32_t stream = 0;
  /// Unit of each row, any codes; empty: every row is a unit.
  std::vector<std::int32_t> units;
  /// Stratum of each row, any codes; empty: one stratum.
  std::vector<std::int32_t> strata;
  /// Explicit drawn unit numbers, n_bootstraps x n_units row by row; empty: random draws.
  std::vector<std::int32_t> resamples;
  /// Two-level draws: the fold of each row in each repeat (repeat * n_rows + row), any codes;
  /// negative: a row that the repeat did not predict. Replicate b draws folds of repeat b mod
  /// n_repeats with replacement and, for each fold drawn, as many units within it as it has, each
  /// time anew. The choice is scored in that repeat, on all rows of the folds not drawn. Empty:
  /// units are drawn from all rows.
  std::vector<std::int32_t> folds;

  bool operator==(const Resampling&) const = default;
};

/// Draws replicates: counts are a pure function of (seed, stream, replicate, attempt).
/// Units, strata and the folds of a repeat are numbered in order of their first row.
class Sampler {
 public:
  /// Throws Error when a unit spans strata or a resample names a unit that does not exist, and
  /// beyond 2^31 - 1 rows or 2^32 - 1 replicates. Two-level draws need two folds in every repeat,
  /// and take no explicit resamples.
  BBC_API Sampler(std::int64_t n_rows, const Resampling& resampling);

  [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::int64_t n_units() const noexcept { return n_units_; }
  [[nodiscard]] bool is_explicit() const noexcept { return !resampling_.resamples.empty(); }
  [[nodiscard]] const Resampling& resampling() const noexcept { return resampling_; }
  /// Repeats that replicates take turns in: one unless draws are two-level.
  [[nodiscard]] std::int64_t n_repeats() const noexcept {
    return repeats_.empty() ? 1 : static_cast<std::int64_t>(repeats_.size());
  }
  [[nodiscard]] bool is_two_level() const noexcept { return !repeats_.empty(); }
  /// Two-level draws: the number of folds of the repeat that has the fewest; else 0.
  [[nodiscard]] BBC_API std::int64_t fewest_folds() const;
  /// Two-level draws: the fold of each row in a repeat, -1 where it was not predicted.
  [[nodiscard]] std::span<const std::int32_t> fold_of_row(std::int64_t repeat) const noexcept {
    return repeats_[static_cast<std::size_t>(repeat)].fold_of_row;
  }
  /// Unit of each row; empty: every row is a unit.
  [[nodiscard]] std::span<const std::int32_t> unit_of_row() const noexcept { return unit_of_row_; }

  /// Writes how often each row is in the bag of one attempt at one replicate. Throws Error when
  /// units of many rows make that more than 2^31 - 1 rows in all.
  void draw(std::int64_t replicate, std::uint32_t attempt, std::uint16_t* row_counts) const {
    draw(replicate, 1, attempt, row_counts);
  }
  /// The same for consecutive replicates, [replicate][row]: much faster for few rows.
  BBC_API void draw(std::int64_t first, int n_replicates, std::uint32_t attempt,
                    std::uint16_t* row_counts) const;

  /// The same replicates will be drawn again: they are kept from the first time on.
  BBC_API void expect_again() const;

  /// Two-level draws: the same, and for each row how often its fold was drawn. Rows of folds that
  /// were not drawn (0) are out of bag; rows that the repeat did not predict are on neither side.
  BBC_API void draw_folds(std::int64_t replicate, std::uint32_t attempt, std::uint16_t* row_counts,
                          std::uint16_t* fold_counts) const;

 private:
  /// The folds of one repeat. A unit is the part of a group that lies in one fold.
  struct Repeat {
    std::vector<std::int32_t> fold_of_row;
    std::vector<std::int32_t> unit_of_row;
    std::int64_t n_units = 0;
    std::vector<std::vector<std::vector<std::int32_t>>> units;  // [fold][stratum]
  };

  [[nodiscard]] Repeat make_repeat(std::span<const std::int32_t> folds, std::int64_t repeat) const;
  void draw_units(std::int64_t first, int n_replicates, std::uint32_t attempt,
                  std::uint16_t* unit_counts) const;
  void draw_rows(std::int64_t first, int n_replicates, std::uint32_t attempt,
                 std::uint16_t* row_counts) const;
  void draw_rows_and_folds(std::int64_t replicate, std::uint32_t attempt, std::uint16_t* row_counts,
                           std::uint16_t* fold_counts) const;
  void count_resample(std::int64_t replicate, std::uint16_t* unit_counts) const;

  Resampling resampling_;
  std::int64_t n_rows_;
  std::int64_t n_units_;
  std::vector<std::int32_t> unit_of_row_;
  std::vector<std::int32_t> stratum_of_row_;
  std::vector<std::vector<std::int32_t>> units_of_stratum_;
  std::vector<Repeat> repeats_;
  std::shared_ptr<detail::KeptDraws> kept_;  ///< null: none
};

}  // namespace bbc
