#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bbc::detail {

/// Numbered values that are made when they are first asked for, by any thread, and kept: what has
/// been made is found without the lock.
template <class T>
class OnceEach {
 public:
  explicit OnceEach(std::size_t n) : values_(n), known_(n) {}

  /// Null where it has not been made.
  [[nodiscard]] const T* find(std::size_t at) const noexcept {
    return known_[at].load(std::memory_order_acquire);
  }
  /// Whichever thread came first: two threads make the same.
  const T& keep(std::size_t at, std::unique_ptr<const T> made) {
    const std::lock_guard lock(mutex_);
    auto& place = values_[at];
    if (place != nullptr) return *place;
    place = std::move(made);
    known_[at].store(place.get(), std::memory_order_release);
    return *place;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<const T>> values_;
  std::vector<std::atomic<const T*>> known_;
};

}  // namespace bbc::detail
