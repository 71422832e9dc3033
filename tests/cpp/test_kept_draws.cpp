// Draws that a process keeps are those that it would draw anew.
#include <algorithm>
#include <bbc/resampling.hpp>
#include <thread>
#include <vector>

#include "check.hpp"
#include "detail/resampling/kept_draws.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 37;
constexpr int kReplicates = 150;
constexpr std::int64_t kEnough = 1 << 20;

/// Counts of rows and, in two-level draws, of their folds behind them.
std::vector<std::uint16_t> draw(const Sampler& sampler, int at_once) {
  std::vector<std::uint16_t> rows(static_cast<std::size_t>(kReplicates * kRows));
  if (!sampler.is_two_level()) {
    for (int first = 0; first < kReplicates; first += at_once) {
      const int n = std::min(at_once, kReplicates - first);
      sampler.draw(first, n, 0, rows.data() + first * kRows);
    }
    return rows;
  }
  std::vector<std::uint16_t> folds(rows.size());
  for (int i = 0; i < kReplicates; ++i) {
    sampler.draw_folds(i, 0, rows.data() + i * kRows, folds.data() + i * kRows);
  }
  rows.insert(rows.end(), folds.begin(), folds.end());
  return rows;
}

std::vector<Resampling> plans() {
  Resampling plain;
  plain.n_bootstraps = kReplicates;
  plain.seed = 11;
  Resampling grouped = plain;
  Resampling stratified = plain;
  Resampling two_level = plain;
  Resampling few = plain;  // a group is drawn more than 15 times now and then
  for (std::int32_t row = 0; row < kRows; ++row) {
    grouped.units.push_back(row / 5);
    stratified.strata.push_back(row % 3);
    two_level.folds.push_back(row % 4);
    few.units.push_back(row < 2 ? row : 2);
  }
  Resampling other_seed = plain;
  other_seed.seed = 12;
  Resampling other_stream = plain;
  other_stream.stream = 1;
  return {plain, grouped, stratified, two_level, few, other_seed, other_stream};
}

std::vector<std::vector<std::uint16_t>> drawn_anew() {
  set_draw_memory(0);
  std::vector<std::vector<std::uint16_t>> found;
  for (const Resampling& plan : plans()) found.push_back(draw(Sampler(kRows, plan), 1));
  return found;
}

void kept_is_drawn() {
  const auto expected = drawn_anew();
  set_draw_memory(kEnough);
  for (const bool again : {false, true}) {
    for (const int at_once : {1, 8, 64, 150}) {
      std::size_t i = 0;
      for (const Resampling& plan : plans()) {
        const Sampler sampler(kRows, plan);
        if (again) sampler.expect_again();
        for (int time = 0; time < 3; ++time) CHECK(draw(sampler, at_once) == expected[i]);
        ++i;
      }
    }
  }
}

void later_attempts_and_replicates_are_others() {
  const Resampling plan = plans()[0];
  const auto draws = [&] {
    const Sampler sampler(kRows, plan);
    std::vector<std::uint16_t> counts(2 * kRows);
    sampler.draw(3, 1, 1, counts.data());
    sampler.draw(kReplicates, 1, 0, counts.data() + kRows);
    return counts;
  };
  set_draw_memory(0);
  const auto expected = draws();
  set_draw_memory(kEnough);
  for (int time = 0; time < 3; ++time) {
    draw(Sampler(kRows, plan), 64);
    CHECK(draws() == expected);
  }
}

/// Kept from the second time on, in so much memory and no more.
void memory_has_a_limit() {
  const auto is_kept = [](const Resampling& plan) {
    std::vector<std::uint16_t> counts(2 * kRows);
    const auto kept = detail::kept_draws(plan.folds.empty() ? kRows : 2 * kRows, plan);
    return kept != nullptr && kept->find(0, 1, counts.data());
  };
  set_draw_memory(kEnough);
  Resampling plan = plans()[0];
  plan.seed = 99;
  CHECK(!is_kept(plan));
  draw(Sampler(kRows, plan), 64);
  CHECK(!is_kept(plan));
  draw(Sampler(kRows, plan), 64);
  CHECK(is_kept(plan));
  // Others in its place: each takes 150 x 19 bytes.
  set_draw_memory(10 * 150 * 19);
  for (int i = 0; i < 12; ++i) {
    Resampling other = plan;
    other.seed = static_cast<std::uint64_t>(1000 + i);
    const Sampler sampler(kRows, other);
    sampler.expect_again();
    draw(sampler, 64);
    CHECK(is_kept(other));
  }
  CHECK(!is_kept(plan));
  set_draw_memory(150 * 19 - 1);
  draw(Sampler(kRows, plan), 64);
  draw(Sampler(kRows, plan), 64);
  CHECK(!is_kept(plan));
  set_draw_memory(-5);
  CHECK(draw_memory() == 0);
}

void threads_share_them() {
  const auto expected = drawn_anew();
  set_draw_memory(kEnough);
  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int time = 0; time < 20; ++time) {
        std::size_t i = 0;
        for (const Resampling& plan : plans()) {
          right[t] += draw(Sampler(kRows, plan), 8) == expected[i++] ? 1 : 0;
        }
        if (t == 0) set_draw_memory(time % 2 == 0 ? 20'000 : kEnough);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const int n : right) CHECK(n == 20 * static_cast<int>(expected.size()));
}

}  // namespace

int main() {
  kept_is_drawn();
  later_attempts_and_replicates_are_others();
  memory_has_a_limit();
  threads_share_them();
  return check::report();
}
