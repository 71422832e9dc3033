#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace bbc::detail {

/// Things that tasks work with, used again by later tasks: as many as there are workers. Buffers of
/// a block are large enough for the allocator to hand them back to the system, and clearing fresh
/// pages took 8 % of a call.
template <class T>
class Pool {
 public:
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<T> thing) : pool_(pool), thing_(std::move(thing)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (!thing_) return;  // moved from
      const std::lock_guard lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(thing_));
    }
    T& operator*() const noexcept { return *thing_; }
    T* operator->() const noexcept { return thing_.get(); }

   private:
    Pool& pool_;
    std::unique_ptr<T> thing_;
  };

  /// Something idle, or else what `make` returns (a T by value).
  template <class Make>
  [[nodiscard]] Lease take(const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto thing = std::move(idle_.back());
        idle_.pop_back();
        return Lease(*this, std::move(thing));
      }
      // Room for it when it comes back: the destructor of a lease must not run out of memory.
      idle_.reserve(++n_made_);
    }
    return Lease(*this, std::unique_ptr<T>(new T(make())));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
  std::size_t n_made_ = 0;
};

}  // namespace bbc::detail
