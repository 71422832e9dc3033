#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "detail/metrics/evaluator.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/pool.hpp"

namespace bbc::detail {

/// A block of replicates that several tasks work on, one panel of configurations each.
class SharedBlock {
 public:
  explicit SharedBlock(Pool<Replicates::Drawn>& pool)
      : drawn_(pool.take([] { return Replicates::Drawn(); })) {}

  /// What the first task does, while the others wait.
  template <class Prepare>
  void once(const Prepare& prepare) {
    const std::lock_guard lock(mutex_);
    if (!prepared_) prepare();
    prepared_ = true;
  }

  /// Calls draw(i) for each i below n that no other task has taken, and returns when all are done.
  /// An error of one reaches all.
  template <class Draw>
  void share(int n, const Draw& draw) {
    std::unique_lock lock(mutex_);
    while (n_taken_ < n) {
      const int i = n_taken_++;
      std::exception_ptr error;
      lock.unlock();
      try {
        draw(i);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error && !error_) error_ = error;
      if (++n_done_ == n) done_.notify_all();
    }
    done_.wait(lock, [&] { return n_done_ == n; });
    if (error_) std::rethrow_exception(error_);
  }

  [[nodiscard]] Replicates::Drawn& drawn() const noexcept { return *drawn_; }

  /// Keeps the best of all panels. `lanes` are those of the choices.
  void take(const Choice* choices, const int* lanes, int n) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < n; ++i) {
      Choice& winner = winners_[lanes[i]];
      if (beats(choices[i], winner)) winner = choices[i];
    }
  }
  /// Of each lane, once all panels have been taken.
  [[nodiscard]] const Choice* winners() const noexcept { return winners_; }
  /// Whether the panel that has just been taken was the last of `n`. After any other panel, the
  /// block may be gone.
  [[nodiscard]] bool last_of(std::int64_t n) noexcept { return ++n_panels_ == n; }

 private:
  Pool<Replicates::Drawn>::Lease drawn_;
  std::mutex mutex_;
  std::condition_variable done_;
  bool prepared_ = false;
  int n_taken_ = 0;
  int n_done_ = 0;
  std::exception_ptr error_;
  Choice winners_[kBlock];
  std::atomic<std::int64_t> n_panels_{0};
};

/// The blocks that tasks work on, from the first task of each to its last: as many at a time as
/// there are workers.
class SharedBlocks {
 public:
  explicit SharedBlocks(std::int64_t n) : blocks_(static_cast<std::size_t>(n)) {}

  [[nodiscard]] SharedBlock& at(std::int64_t i) {
    const std::lock_guard lock(mutex_);
    auto& block = blocks_[static_cast<std::size_t>(i)];
    if (block == nullptr) block = std::make_unique<SharedBlock>(drawn_);
    return *block;
  }
  void forget(std::int64_t i) { blocks_[static_cast<std::size_t>(i)].reset(); }

 private:
  Pool<Replicates::Drawn> drawn_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SharedBlock>> blocks_;
};

}  // namespace bbc::detail
