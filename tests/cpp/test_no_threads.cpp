// A call that finds no thread to start does all the work itself, reports its progress, and stops
// when it is told to.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/support/parallel.hpp"

#ifdef __GLIBC__
#include <pthread.h>
#endif

namespace {

constexpr std::int64_t kTasks = 40;
constexpr double kLong = 1e9;  // nanoseconds

/// Where the C library allows it, no thread can be started from here on: its stack is too large.
/// Elsewhere workers do the same work, and the calling thread polls.
void refuse_threads() {
#ifdef __GLIBC__
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstacksize(&attributes, std::size_t{1} << 62U) == 0);
  CHECK(pthread_setattr_default_np(&attributes) == 0);
  pthread_attr_destroy(&attributes);
#endif
}

/// Each task takes 5 ms; the shares that poll was told, until it has seen `n_polls`.
std::vector<double> shares_of(std::size_t n_polls, std::int64_t& n_done) {
  std::vector<double> shares;
  bbc::Control control;
  control.n_threads = 1;
  control.poll = [&](double done) {
    shares.push_back(done);
    return shares.size() < n_polls;
  };
  n_done = 0;
  bbc::detail::parallel_for(
      kTasks, control, kLong, [&](std::int64_t, const bbc::detail::StopFlag&) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        while (std::chrono::steady_clock::now() < end) continue;
        ++n_done;
      });
  return shares;
}

}  // namespace

int main() {
  refuse_threads();
  std::int64_t n_done = 0;
  const auto shares = shares_of(1000, n_done);
  CHECK(n_done == kTasks);
  CHECK(!shares.empty());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    CHECK(shares[i] >= 0.0 && shares[i] <= 1.0 && (i == 0 || shares[i] >= shares[i - 1]));
  }
  const std::string message = check::message_of([&] { (void)shares_of(1, n_done); });
  CHECK_FOR(message == "poll: stopped by the caller", message);
  CHECK(n_done < kTasks);
  return check::report();
}
