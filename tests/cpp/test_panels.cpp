// Panels of configurations and blocks of replicates that threads share: the same bits as one task.
#include <algorithm>
#include <array>
#include <atomic>
#include <bbc/correction.hpp>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "detail/evaluation/cost.hpp"
#include "detail/resampling/shared_block.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 300;
constexpr std::int64_t kConfigurations = 1500;

void order_of_best() {
  const detail::Choice incumbent{2.0, 5};
  CHECK(detail::beats({3.0, 9}, incumbent) && !detail::beats({1.0, 0}, incumbent));
  CHECK(detail::beats({2.0, 4}, incumbent) && !detail::beats({2.0, 5}, incumbent));
  CHECK(!detail::beats({9.0, -1}, incumbent));
  CHECK(detail::beats({-9.0, 0}, {}) && !detail::beats({0.0, -1}, {}));
}

detail::Panels panels_of(const CorrectionOptions& options, std::int64_t n_rows, int n_threads) {
  return {detail::Road::pairs, options, n_rows, 1, kConfigurations, {n_threads, {}}};
}

void bounds() {
  auto options = problem::options_of("roc_auc", 128);
  CHECK(panels_of(options, kRows, 1).size() == 1);
  CHECK(panels_of(options, 1, 64).size() == 1);  // too little work for threads
  std::int64_t before = 0;
  for (const int n_threads : {2, 8, 64, 1000}) {
    const auto panels = panels_of(options, kRows, n_threads);
    CHECK(panels.size() >= before && panels.size() <= n_threads);
    before = panels.size();
    CHECK(panels.first(0) == 0 && panels.first(panels.size()) == kConfigurations);
    for (std::int64_t i = 0; i < panels.size(); ++i) CHECK(panels.first(i) < panels.first(i + 1));
  }
  CHECK(before > 8);
  CHECK(panels_of(options, kRows, 1000).n_workers() == 1000);
  CHECK(panels_of(options, 1 << 20, 1000).n_workers() == 16);  // 256 bytes per row and worker
  options.resampling.n_bootstraps = 64 * 64;
  CHECK(panels_of(options, kRows, 8).size() == 1);  // enough blocks
  options.resampling.n_bootstraps = 128;
  options.selection = selection::OneStandardError{};
  CHECK(panels_of(options, kRows, 64).size() == 1);  // needs all configurations
}

/// Pieces hold as many bytes, whatever they are prepared to.
void pieces() {
  const std::vector<double> one(1);
  const std::int64_t n_rows = 1 << 20;
  const Predictions wide = View<double>{one.data(), n_rows, 1 << 20, 1, {1 << 20, 1, 1}};
  const auto target = problem::labels_of(n_rows);
  const auto size = [&](const char* metric) {
    return detail::piece_size({make_metric(metric), target, {&wide, 1}, {}, {}}, selection::Best{});
  };
  CHECK(size("roc_auc") == 64);
  CHECK(size("mean_squared_error") == 4 * 64);
  CHECK(size("accuracy") == 24 * 64 && size("mcc") == 24 * 64);
  Target survival;
  survival.kind = Target::Kind::survival;
  survival.values.assign(n_rows, 1.0);
  survival.events.assign(n_rows, 1);
  const Metric metric = make_metric("concordance_index");
  CHECK(detail::piece_size({metric, survival, {&wide, 1}, {}, {}}, selection::Best{}) < 16);
  CHECK(detail::prepared_size(detail::Road::time_pairs, survival) > 4.0);
}

void shared_draws() {
  detail::SharedBlocks blocks(2);
  detail::SharedBlock& block = blocks.at(1);
  CHECK(&block == &blocks.at(1) && &block != &blocks.at(0));
  constexpr int kThreads = 8;
  constexpr int kSlices = 50;
  std::vector<int> n_drawn(kSlices);
  int n_prepared = 0;
  std::atomic<int> n_last{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      block.once([&] { ++n_prepared; });
      block.share(kSlices, [&](int slice) { ++n_drawn[static_cast<std::size_t>(slice)]; });
      CHECK(std::count(n_drawn.begin(), n_drawn.end(), 1) == kSlices);
      const detail::Choice choices[] = {{1.0 * (i / 2), 100 - i}, {0.0, i == 3 ? 7 : -1}};
      const int lanes[] = {5, 6};
      block.take(choices, lanes, 2);
      if (block.last_of(kThreads)) ++n_last;
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(n_prepared == 1 && n_last == 1);
  CHECK(block.winners()[5].key == 3.0 && block.winners()[5].configuration == 93);
  CHECK(block.winners()[6].configuration == 7 && block.winners()[7].configuration == -1);
  blocks.forget(1);
}

void shared_errors() {
  detail::SharedBlocks blocks(1);
  detail::SharedBlock& block = blocks.at(0);
  std::atomic<int> n_failed{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      try {
        block.share(8, [](int slice) {
          if (slice == 2) throw std::runtime_error("a draw failed");
        });
      } catch (const std::runtime_error&) {
        ++n_failed;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(n_failed == 4);
}

void same_bits(const char* metric) {
  problem::Random random(3);
  const bool of_labels = std::string(metric) == "accuracy" || std::string(metric) == "mcc";
  std::vector<std::int8_t> labels;
  std::vector<double> values;
  for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) {
    labels.push_back(static_cast<std::int8_t>(random.below(2)));
    values.push_back(random.uniform());
  }
  const std::array<std::int64_t, 3> strides{kConfigurations, 1, 1};
  Predictions predictions = View<double>{values.data(), kRows, kConfigurations, 1, strides};
  if (of_labels) {
    predictions = View<std::int8_t>{labels.data(), kRows, kConfigurations, 1, strides};
  }
  Target target = problem::labels_of(kRows);
  if (std::string(metric) == "mean_squared_error") {
    target = {};
    for (std::int64_t row = 0; row < kRows; ++row) target.values.push_back(random.uniform());
  }
  const auto options = problem::options_of(metric, 150);
  const auto corrected = [&](int n_threads) {
    return correct(target, {&predictions, 1}, options, {n_threads, {}});
  };
  const Estimate expected = corrected(1);
  for (const int n_threads : {2, 7, 40}) {
    const Estimate estimate = corrected(n_threads);
    const std::string context = std::string(metric) + " " + std::to_string(n_threads);
    CHECK_FOR(estimate.replicates == expected.replicates, context);
    CHECK_FOR(estimate.replicate_winners == expected.replicate_winners, context);
    CHECK_FOR(estimate.winner == expected.winner, context);
    CHECK_FOR(estimate.apparent == expected.apparent, context);
    CHECK_FOR(estimate.n_redrawn == expected.n_redrawn, context);
  }
}

}  // namespace

int main() {
  order_of_best();
  bounds();
  pieces();
  shared_draws();
  shared_errors();
  for (const char* metric :
       {"accuracy", "mcc", "mean_squared_error", "roc_auc", "average_precision"}) {
    same_bits(metric);
  }
  return check::report();
}
