#pragma once

#include <span>
#include <vector>

namespace bbc::detail {

/// A copy of the caller's memory, which another thread or process may write to during the call:
/// what was checked once is what is used.
template <class T>
[[nodiscard]] std::vector<T> owned(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace bbc::detail
