#pragma once

#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Whether the units can be split in two so that a sample is defined on both sides.
///
/// `defined(used)` tells it of the units whose flag is set, of which all together are defined. It
/// must be a property of pairs, such as two different values or a comparable pair: a sample is
/// defined exactly if one of its units is, or two of them together.
template <class IsDefined>
[[nodiscard]] bool both_sides_possible(std::int64_t n_units, const IsDefined& defined) {
  using Flags = std::vector<std::uint8_t>;
  const auto at = [](Flags& flags, std::int64_t unit) -> std::uint8_t& {
    return flags[static_cast<std::size_t>(unit)];
  };
  // The first unit that makes a pair with `fixed` among the allowed ones, by bisection; -1 if
  // `fixed` is defined by itself, n_units if there is none.
  const auto partner = [&](std::int64_t fixed, const Flags& allowed) {
    std::int64_t low = -1;
    std::int64_t high = n_units;
    while (low < high) {
      const std::int64_t middle = (low + high + 1) / 2 - 1;
      Flags used(allowed.begin(), allowed.begin() + middle + 1);
      used.resize(allowed.size());
      if (fixed >= 0) at(used, fixed) = 1;
      if (defined(used)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  };
  Flags allowed(static_cast<std::size_t>(n_units), 1);
  const std::int64_t one = partner(-1, allowed);
  const std::int64_t other = partner(one, allowed);
  at(allowed, one) = 0;
  if (other < 0) return defined(allowed);
  at(allowed, other) = 0;
  if (defined(allowed)) return true;
  // Every pair has one of the two: each needs a partner of its own.
  const std::int64_t of_one = partner(one, allowed);
  const std::int64_t of_other = partner(other, allowed);
  if (of_one == n_units || of_other == n_units) return false;
  if (of_one != of_other) return true;
  at(allowed, of_one) = 0;
  return partner(one, allowed) < n_units || partner(other, allowed) < n_units;
}

}  // namespace bbc::detail
