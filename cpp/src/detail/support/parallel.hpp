#pragma once

#include <atomic>
#include <bbc/control.hpp>
#include <bbc/error.hpp>
#include <cstdint>
#include <functional>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

/// Read by tasks so that a call can stop in the middle of a block of work.
class StopFlag {
 public:
  void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
  /// Throws ErrorCode::cancelled once the flag is raised. Cheap: call it every millisecond or so.
  void check() const {
    if (raised_.load(std::memory_order_relaxed)) throw Error(ErrorCode::cancelled, "poll", "stop");
  }

 private:
  std::atomic<bool> raised_{false};
};

/// Workers that `parallel_for` starts if there are as many tasks.
[[nodiscard]] int n_workers(const Control& control, double expected_nanoseconds);

/// Runs task(i, stop) for i in [0, n_tasks) and returns when all are done. Tasks are taken in
/// order by `control.n_threads` workers while the calling thread polls; where no thread can be
/// started, it does both. The first exception of a task is rethrown here after all workers have
/// ended. Work below about 0.3 ms
/// (`expected_nanoseconds`, all tasks together) runs on the calling thread.
void parallel_for(std::int64_t n_tasks, const Control& control, double expected_nanoseconds,
                  const std::function<void(std::int64_t, const StopFlag&)>& task);

/// The same for tasks that take `size` of [0, n) at a time: task(first, last, stop).
void parallel_pieces(std::int64_t n, std::int64_t size, const Control& control,
                     double expected_nanoseconds,
                     const std::function<void(std::int64_t, std::int64_t, const StopFlag&)>& task);

}  // namespace bbc::detail
