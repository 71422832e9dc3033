// Bootstrap tilting and MABT, one thread; the R code that the papers used takes 4 to 7 s.
//
//   bench_tilting [rows configurations [replicates]]
//
// Times are medians of whole calls: draws, scores, search and bound.
#include <algorithm>
#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ratio>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double median_ms(const Work& work) {
  std::vector<double> times;
  const auto start = Clock::now();
  do {
    const auto before = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  } while (times.size() < 3 || (Clock::now() - start < std::chrono::milliseconds(500)));
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

/// Two classes of equal size; scores of all configurations have an AUC around 0.8.
bbc::TiltingData make_data(std::int64_t n_rows, std::int64_t n_configurations) {
  bbc::WordStream words(1, 0, 0, 0);
  bbc::TiltingData data;
  data.n_configurations = n_configurations;
  for (std::int64_t i = 0; i < n_rows; ++i) {
    data.is_positive.push_back(static_cast<std::uint8_t>(i % 2));
  }
  for (std::int64_t j = 0; j < n_configurations; ++j) {
    for (std::int64_t i = 0; i < n_rows; ++i) {
      double bell = -6.0;
      for (int k = 0; k < 12; ++k) bell += words.next() / 4294967296.0;
      data.columns.push_back(bell + 1.2 * static_cast<double>(i % 2));
    }
  }
  return data;
}

}  // namespace

int main(int n_arguments, char** arguments) {
  const std::int64_t n_rows = n_arguments > 1 ? std::atoll(arguments[1]) : 125;
  const std::int64_t n_configurations = n_arguments > 2 ? std::atoll(arguments[2]) : 10;
  const bbc::TiltingData data = make_data(n_rows, n_configurations);
  bbc::TiltingOptions options;
  options.n_bootstraps = n_arguments > 3 ? std::atoll(arguments[3]) : 2000;
  bbc::Control control;
  control.n_threads = 1;
  std::printf("%lld rows, %lld configurations, %lld replicates\n", static_cast<long long>(n_rows),
              static_cast<long long>(n_configurations),
              static_cast<long long>(options.n_bootstraps));
  using Variant = bbc::TiltingOptions::Variant;
  for (const Variant variant : {Variant::standard, Variant::published}) {
    options.variant = variant;
    const char* name = variant == Variant::standard ? "standard" : "published";
    std::printf("BT,   %-9s %8.2f ms\n", name,
                median_ms([&] { (void)bbc::tilting(data, options, control); }));
    std::printf("MABT, %-9s %8.2f ms\n", name,
                median_ms([&] { (void)bbc::mabt(data, options, control); }));
  }
  return 0;
}
