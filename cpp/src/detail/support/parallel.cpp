#include "detail/support/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace bbc::detail {
namespace {

// In nanoseconds: work that is worth several threads, and the least for each of them.
constexpr double kThreadingPays = 3e5;
constexpr double kWorkOfThread = 1e5;
constexpr auto kPollInterval = std::chrono::milliseconds(50);

class Run {
 public:
  Run(std::int64_t n_tasks, const std::function<void(std::int64_t, const StopFlag&)>& task)
      : n_tasks_(n_tasks), task_(task) {}

  /// What every worker does; never throws. Where the calling thread works, it polls by itself.
  void work(const std::function<bool(double)>& poll = {}) noexcept {
    const Arithmetic arithmetic;
    using Clock = std::chrono::steady_clock;
    auto polled = poll ? Clock::now() : Clock::time_point();
    try {
      for (;;) {
        const std::int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= n_tasks_) break;
        stop_.check();
        task_(index, stop_);
        done_.fetch_add(1, std::memory_order_relaxed);
        if (!poll || Clock::now() - polled < kPollInterval) continue;
        ask(poll);
        polled = Clock::now();
      }
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex_);
    ++n_ended_;
    ended_.notify_one();
  }

  /// What `poll` throws ends the wait, and not the workers.
  void poll_until_ended(int n_workers, const std::function<bool(double)>& poll) {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, kPollInterval, [&] { return n_ended_ == n_workers; })) {
      if (!poll || error_) continue;
      lock.unlock();
      ask(poll);
      lock.lock();
    }
  }

  /// Throws if the caller wants no more.
  void ask(const std::function<bool(double)>& poll) const {
    const auto done = static_cast<double>(done_.load(std::memory_order_relaxed));
    if (!poll(done / static_cast<double>(n_tasks_))) {
      throw Error(ErrorCode::cancelled, "poll", "stopped by the caller");
    }
  }

  void stop() noexcept { stop_.raise(); }

  void fail(std::exception_ptr error) noexcept {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    stop_.raise();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  /// A worker that could not be started.
  void forgo() {
    const std::lock_guard lock(mutex_);
    ++n_ended_;
  }

 private:
  std::int64_t n_tasks_;
  const std::function<void(std::int64_t, const StopFlag&)>& task_;
  StopFlag stop_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> done_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  int n_ended_ = 0;
  std::exception_ptr error_;
};

/// The threads of one run. They end before it does, however the calling thread leaves: by an
/// exception of `poll`, or because the thread itself is ended (pthread_exit, pthread_cancel).
class Workers {
 public:
  Workers(int n_workers, Run& run) : run_(run) {
    threads_.reserve(static_cast<std::size_t>(n_workers));
    for (int worker = 0; worker < n_workers; ++worker) {
      try {
        threads_.emplace_back([&run] { run.work(); });
      } catch (...) {
        // The machine has no thread left to give: fewer workers do the same work.
        run.forgo();
      }
    }
  }
  ~Workers() {
    run_.stop();
    for (auto& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  [[nodiscard]] bool empty() const noexcept { return threads_.empty(); }

 private:
  Run& run_;
  std::vector<std::thread> threads_;
};

/// Cores of the machine, which are counted once: the system takes five microseconds to say.
int n_cores() {
  static const auto n = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return n;
}

/// As many threads as pay: to start and to end one takes tens of microseconds, and more than the
/// machine can run at a time take turns only.
std::int64_t most_that_pay(double expected_nanoseconds) {
  const double by_work = std::min(expected_nanoseconds / kWorkOfThread, 1e6);
  return std::min(std::int64_t{2} * n_cores(), static_cast<std::int64_t>(by_work));
}

}  // namespace

int n_workers(const Control& control, double expected_nanoseconds) {
  if (expected_nanoseconds < kThreadingPays) return 1;
  return control.n_threads > 0 ? control.n_threads : n_cores();
}

void parallel_for(std::int64_t n_tasks, const Control& control, double expected_nanoseconds,
                  const std::function<void(std::int64_t, const StopFlag&)>& task) {
  if (n_tasks <= 0) return;
  const bool small = expected_nanoseconds < kThreadingPays;
  const int wanted = detail::n_workers(control, expected_nanoseconds);
  const int n_workers = static_cast<int>(
      std::min({std::int64_t{wanted}, n_tasks, most_that_pay(expected_nanoseconds)}));
  Run run(n_tasks, task);
  if (small || (n_workers == 1 && !control.poll)) {
    run.work();
    run.rethrow();
    return;
  }
  {
    const Workers workers(n_workers, run);
    if (workers.empty()) {
      run.work(control.poll);
    } else {
      run.poll_until_ended(n_workers, control.poll);
    }
  }
  run.rethrow();
}

void parallel_pieces(std::int64_t n, std::int64_t size, const Control& control,
                     double expected_nanoseconds,
                     const std::function<void(std::int64_t, std::int64_t, const StopFlag&)>& task) {
  parallel_for((n + size - 1) / size, control, expected_nanoseconds,
               [&](std::int64_t i, const StopFlag& stop) {
                 task(i * size, std::min((i + 1) * size, n), stop);
               });
}

}  // namespace bbc::detail
