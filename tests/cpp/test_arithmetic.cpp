// Results, and the caller's floating-point environment, when that is not the usual one.
#include <bbc/correction.hpp>
#include <cfenv>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/parallel.hpp"
#include "problem.hpp"

namespace {

using bbc::detail::Arithmetic;
using bbc::detail::StopFlag;

constexpr int kDirections[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

void set_and_given_back() {
  for (const int direction : kDirections) {
    std::fesetround(direction);
    {
      const Arithmetic arithmetic;
      CHECK(std::fegetround() == FE_TONEAREST);
      const Arithmetic again;
    }
    CHECK(std::fegetround() == direction);
    const std::string message = check::message_of([] {
      const Arithmetic arithmetic;
      bbc::throw_invalid("a", "left by an error");
    });
    CHECK(message == "a: left by an error");
    CHECK(std::fegetround() == direction);
  }
  std::fesetround(FE_TONEAREST);
}

void subnormal_numbers() {
#if defined(__x86_64__)
  const unsigned usual = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr(usual | 0x8040U);  // flush to zero, both ways
  volatile double tiny = 1e-300;
  CHECK(tiny * 1e-10 == 0.0);
  {
    const Arithmetic arithmetic;
    CHECK(tiny * 1e-10 > 0.0);
  }
  CHECK(tiny * 1e-10 == 0.0);
  __builtin_ia32_ldmxcsr(usual);
#endif
  volatile double number = 1e-300;
  CHECK(number * 1e-10 > 0.0);
}

void in_workers() {
  std::fesetround(FE_UPWARD);
  for (const int n_threads : {1, 3}) {
    for (const double nanoseconds : {0.0, 1e9}) {  // on the calling thread, or on others
      std::vector<int> found(50, -1);
      bbc::Control control;
      control.n_threads = n_threads;
      control.poll = [](double) { return true; };
      bbc::detail::parallel_for(50, control, nanoseconds, [&](std::int64_t i, const StopFlag&) {
        found[static_cast<std::size_t>(i)] = std::fegetround();
      });
      CHECK(found == std::vector<int>(50, FE_TONEAREST));
      CHECK(std::fegetround() == FE_UPWARD);
    }
  }
  std::fesetround(FE_TONEAREST);
}

void the_same_bits() {
  problem::Random random(4);
  std::vector<double> scores;
  for (int i = 0; i < 40 * 10; ++i) scores.push_back(random.uniform());
  const bbc::Predictions view = bbc::View<double>{scores.data(), 40, 10, 1, {10, 1, 1}};
  bbc::Target values;
  for (int i = 0; i < 40; ++i) values.values.push_back(random.uniform());
  for (const char* metric : {"roc_auc", "log_loss", "mean_squared_error", "r2"}) {
    const auto options = problem::options_of(metric);
    const bool labels = options.metric.greater_is_better() && std::string(metric) != "r2";
    const auto target =
        labels || std::string(metric) == "log_loss" ? problem::labels_of(40) : values;
    std::vector<bbc::Estimate> found;
    for (const int direction : kDirections) {
      std::fesetround(direction);
      found.push_back(bbc::correct(target, {&view, 1}, options, {2, {}}));
      CHECK(std::fegetround() == direction);
    }
    std::fesetround(FE_TONEAREST);
    for (const auto& one : found) {
      CHECK_FOR(one.replicates == found[0].replicates, metric);
      CHECK_FOR(one.estimate == found[0].estimate, metric);
    }
  }
}

}  // namespace

int main() {
  set_and_given_back();
  subnormal_numbers();
  in_workers();
  the_same_bits();
  return check::report();
}
