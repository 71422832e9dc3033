#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "detail/isa/draw_kernel.hpp"

namespace bbc::detail {

/// Draws units with replacement: what WordStream::below gives draw after draw, many at a time.
class UnitDraws {
 public:
  UnitDraws(std::uint64_t seed, std::uint32_t stream)
      : kernel_(draw_kernel(simd_level())), key_(philox_key(seed)), stream_(stream) {}

  /// counts[i * n_units + unit], zero before: how often replicate `first` + i draws each of all
  /// units.
  void add(std::int64_t first, int n_replicates, std::uint32_t attempt, std::int64_t n_units,
           std::uint16_t* counts) const;

  /// The same for one replicate that draws within each stratum, in order.
  void add(std::int64_t replicate, std::uint32_t attempt,
           std::span<const std::vector<std::int32_t>> units_of_stratum,
           std::uint16_t* counts) const;

  /// Folds with replacement and, for each fold drawn, as many units of each of its strata as it
  /// has: `units` are numbers by fold and stratum.
  void add_two_level(std::int64_t replicate, std::uint32_t attempt,
                     std::span<const std::vector<std::vector<std::int32_t>>> units,
                     std::uint16_t* unit_counts, std::uint16_t* fold_counts) const;

 private:
  class BufferedWordStream;

  /// Calls count(unit) for each draw of a replicate.
  template <class Count>
  void add_one(PhiloxRange range, std::int64_t n_units, const Count& count) const;

  const DrawKernel& kernel_;
  PhiloxKey key_;
  std::uint32_t stream_;
};

}  // namespace bbc::detail
