#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// What a replicate draws, and from which random numbers.
struct Resampling {
  std::int64_t n_bootstraps = 1000;
  std::uint64_t seed = 0;
  /// 0 is the correction's stream, t the t-th dropping test's.
  std::uint32_t stream = 0;
  /// Unit of each row, any codes; empty: every row is a unit.
  std::vector<std::int32_t> units;
  /// Stratum of each row, any codes; empty: one stratum.
  std::vector<std::int32_t> strata;
  /// Explicit drawn unit numbers, n_bootstraps x n_units row by row; empty: random draws.
  std::vector<std::int32_t> resamples;

  bool operator==(const Resampling&) const = default;
};

/// Draws replicates: counts are a pure function of (seed, stream, replicate, attempt).
/// Units and strata are numbered in order of their first row.
class Sampler {
 public:
  /// Throws Error when a unit spans strata or a resample names a unit that does not exist, and
  /// beyond 2^31 - 1 rows or 2^32 - 1 replicates.
  Sampler(std::int64_t n_rows, const Resampling& resampling);

  [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::int64_t n_units() const noexcept { return n_units_; }
  [[nodiscard]] bool is_explicit() const noexcept { return !resampling_.resamples.empty(); }
  [[nodiscard]] const Resampling& resampling() const noexcept { return resampling_; }
  /// Unit of each row; empty: every row is a unit.
  [[nodiscard]] std::span<const std::int32_t> unit_of_row() const noexcept { return unit_of_row_; }

  /// Writes how often each row is in the bag of one attempt at one replicate. Throws Error when
  /// units of many rows make that more than 2^31 - 1 rows in all.
  void draw(std::int64_t replicate, std::uint32_t attempt, std::uint16_t* row_counts) const {
    draw(replicate, 1, attempt, row_counts);
  }
  /// The same for consecutive replicates, [replicate][row]: much faster for few rows.
  void draw(std::int64_t first, int n_replicates, std::uint32_t attempt,
            std::uint16_t* row_counts) const;

 private:
  void draw_units(std::int64_t first, int n_replicates, std::uint32_t attempt,
                  std::uint16_t* unit_counts) const;
  void count_resample(std::int64_t replicate, std::uint16_t* unit_counts) const;

  Resampling resampling_;
  std::int64_t n_rows_;
  std::int64_t n_units_;
  std::vector<std::int32_t> unit_of_row_;
  std::vector<std::vector<std::int32_t>> units_of_stratum_;
};

}  // namespace bbc
