#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "detail/support/large_pages.hpp"

namespace bbc::detail {

/// An array on cache-line boundaries whose elements are left uninitialised: vector loads never
/// straddle two lines, and nothing is cleared that will be written anyway.
template <class T>
class Aligned {
  static_assert(std::is_trivial_v<T>);

 public:
  Aligned() = default;
  explicit Aligned(std::size_t size)
      : data_(static_cast<T*>(::operator new(size * sizeof(T) + kLine, std::align_val_t{kLine}))),
        size_(size) {
    ask_for_large_pages(data_.get(), size * sizeof(T));
  }

  [[nodiscard]] T* data() noexcept { return data_.get(); }
  [[nodiscard]] const T* data() const noexcept { return data_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  static constexpr std::size_t kLine = 64;
  struct Free {
    void operator()(T* data) const noexcept {
      ::operator delete(static_cast<void*>(data), std::align_val_t{kLine});
    }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace bbc::detail
