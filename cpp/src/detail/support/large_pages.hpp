#pragma once

#include <cstddef>
#include <vector>

namespace bbc::detail {

/// Asks for pages of 2 MB behind a large array that has not been written yet, where the system
/// gives them on request (Linux). An array of 64 MB then costs 32 page faults in place of 16,000,
/// for which threads would wait in turn, and random access misses the translation buffer less
/// often: accuracy of 10^6 rows takes 0.6 to 0.9 of the time. Small arrays are left alone.
void ask_for_large_pages(void* data, std::size_t n_bytes) noexcept;

/// Resizes an array that may become large, and asks before its new elements are written.
template <class T>
void resize_large(std::vector<T>& array, std::size_t size) {
  if (array.capacity() < size) {
    array.reserve(size);
    ask_for_large_pages(array.data(), size * sizeof(T));
  }
  array.resize(size);
}

}  // namespace bbc::detail
