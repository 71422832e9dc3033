#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
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

/// Blocks of replicates that stay from call to call, so that a stream of small blocks of
/// configurations need not draw them anew each time; none where they are too large. Copies share
/// them.
class KeptBlocks {
 public:
  KeptBlocks(const Replicates& replicates, std::int64_t n_rows) {
    constexpr double kMostBytes = 64.0 * 1024.0 * 1024.0;
    const std::int64_t n = replicates.n_bootstraps();
    const double n_counts = static_cast<double>(n_rows) * static_cast<double>(n) *
                            (replicates.is_two_level() ? 2.0 : 1.0);
    if (n_counts * sizeof(std::uint16_t) > kMostBytes) return;
    blocks_.resize(static_cast<std::size_t>((n + kBlock - 1) / kBlock));
  }

  /// Null if the block is to be drawn.
  [[nodiscard]] const Replicates::Drawn* find(std::int64_t block) const noexcept {
    return blocks_.empty() ? nullptr : blocks_[static_cast<std::size_t>(block)].get();
  }
  void keep(std::int64_t block, const SharedBlock& shared) {
    if (blocks_.empty() || find(block) != nullptr) return;
    blocks_[static_cast<std::size_t>(block)] =
        std::make_shared<const Replicates::Drawn>(std::move(shared.drawn()));
  }

 private:
  std::vector<std::shared_ptr<const Replicates::Drawn>> blocks_;
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
