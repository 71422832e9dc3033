// How things lie in memory: aligned arrays, pools, weights and counts turned round, sorted scores.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "detail/fast/sorted_columns.hpp"
#include "detail/isa/simd.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/metrics/ties.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/lane_table.hpp"
#include "detail/support/pool.hpp"
#include "detail/support/replicate_block.hpp"
#include "problem.hpp"

namespace {

using namespace bbc::detail;

void aligned_arrays() {
  for (const std::size_t n : {1U, 7U, 1000U}) {
    Aligned<std::uint16_t> array(n);
    CHECK(array.size() == n);
    CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
    std::fill_n(array.data(), n, std::uint16_t{7});
    const Aligned<std::uint16_t> moved = std::move(array);
    CHECK(moved.size() == n && moved.data()[n - 1] == 7);
  }
  CHECK(Aligned<double>().size() == 0);
}

/// What is handed back is used again, and only then.
void pools() {
  Pool<int> pool;
  int n_made = 0;
  const auto make = [&] { return ++n_made; };
  {
    const auto first = pool.take(make);
    auto second = pool.take(make);
    CHECK(*first == 1 && *second == 2);
    *second = 20;
    const auto moved = std::move(second);
    CHECK(*moved == 20);
  }
  CHECK(n_made == 2);
  const auto one = pool.take(make);
  const auto other = pool.take(make);
  CHECK(*one + *other == 21 && n_made == 2);
  CHECK(*pool.take(make) == 3);
}

void weights_and_lines() {
  problem::Random random(1);
  for (const std::int64_t n_rows : {1, 15, 16, 33, 100}) {
    for (const int n_replicates : {1, 16, 37, kBlock}) {
      for (const std::uint32_t most : {0U, 255U, 256U, 65535U}) {
        ReplicateBlock block = problem::random_block(random, n_rows, n_replicates);
        if (most > 0) {
          block.counts[random.below(static_cast<std::uint32_t>(block.counts.size()))] =
              static_cast<std::uint16_t>(most);
        }
        for (const Side side : {Side::in_bag, Side::out_of_bag}) {
          const LaneTable table(block, side);
          const bool fits = side == Side::out_of_bag || most <= 255;
          CHECK(fits == (table.most() <= 255));
          const auto largest = *std::max_element(block.counts.begin(), block.counts.end());
          CHECK(side == Side::out_of_bag || table.most() >= largest);
          CHECK(fits || table.most() == largest);
          for (std::int64_t row = 0; fits && row <= n_rows; ++row) {
            for (int lane = 0; lane < kBlock; ++lane) {
              int expected = 0;
              if (row < n_rows && lane < n_replicates) {
                const int count = block.replicate(lane)[row];
                expected = side == Side::in_bag ? count : static_cast<int>(count == 0);
              }
              CHECK(table.lines()[row * kLine + lane] == expected);
            }
          }
        }
      }
    }
  }
}

/// Lanes past the last replicate weigh nothing; sample weights multiply.
void interleaved_weights() {
  ReplicateBlock block{3, 2, {4, 0, 1, 1, 0, 2}, {}};
  double weights[2 * 2];
  fill_weights(block, Side::in_bag, 2, 2, weights);
  CHECK(weights[0] == 0.0 && weights[2] == 2.0 && weights[1] == 0.0 && weights[3] == 0.0);
  fill_weights(block, Side::out_of_bag, 1, 2, weights);
  CHECK(weights[0] == 0.0 && weights[2] == 0.0 && weights[1] == 1.0 && weights[3] == 0.0);
  block.row_weights = {0.5, 0.25};
  fill_weights(block, Side::in_bag, 0, 2, weights);
  CHECK(weights[0] == 2.0 && weights[2] == 0.0 && weights[1] == 0.5 && weights[3] == 0.25);
  fill_weights(block, Side::out_of_bag, 0, 2, weights);
  CHECK(weights[0] == 0.0 && weights[2] == 0.25 && weights[1] == 0.0 && weights[3] == 0.0);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Scores that a sort by code finds hard: ties, far apart, huge, tiny, both zeros, infinite.
std::vector<double> hard_scores(problem::Random& random, std::size_t n, std::uint32_t kind) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i) {
    const double uniform = random.uniform();
    const double values[] = {uniform,
                             static_cast<double>(random.below(4)),
                             std::ldexp(uniform - 0.5, static_cast<int>(random.below(2000)) - 1000),
                             uniform < 0.5 ? -1.7e308 : 1.7e308 * uniform,
                             0x1p-1074 * random.below(5),
                             uniform < 0.5 ? -0.0 : 0.0,
                             1.0 + 0x1p-52 * random.below(3),
                             i == 0 ? 1e300 : uniform,
                             i % 3 == 0   ? kInfinity
                             : i % 7 == 0 ? -kInfinity
                                          : uniform};
    scores.push_back(values[kind]);
  }
  return scores;
}

void sorting() {
  problem::Random random(2);
  ScoreSorter sorter;
  SortedScores sorted;
  for (const std::size_t n : {0U, 1U, 2U, 30U, 700U, 5000U}) {
    for (std::uint32_t kind = 0; kind < 9; ++kind) {
      const auto scores = hard_scores(random, n, kind);
      std::vector<std::int32_t> expected(n);
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t a, std::int32_t b) {
        return scores[static_cast<std::size_t>(a)] < scores[static_cast<std::size_t>(b)];
      });
      sorter.sort(scores, sorted);
      const std::string context = "kind " + std::to_string(kind) + " of " + std::to_string(n);
      CHECK_FOR(sorted.rows == expected, context);
      bool any = false;
      for (std::size_t i = 0; i + 1 < n; ++i) {
        const bool tied = scores[static_cast<std::size_t>(expected[i])] ==
                          scores[static_cast<std::size_t>(expected[i + 1])];
        any = any || tied;
        if (!sorted.tied_with_next.empty()) {
          CHECK_FOR((sorted.tied_with_next[i] != 0) == tied, context);
        }
      }
      CHECK_FOR(!any || !sorted.tied_with_next.empty(), context);
      const SortedScores alone = sorted_scores(scores);
      CHECK_FOR(alone.rows == expected, context);
      CHECK_FOR(alone.tied_with_next == sorted.tied_with_next, context);
    }
  }
}

/// Each configuration of each part comes once, sorted, for any number of threads.
void sorted_columns() {
  constexpr std::int64_t kRows = 30;
  constexpr std::int64_t kConfigurations = 21;  // tiles of 8
  problem::Random random(3);
  std::vector<double> scores(kRows * kConfigurations);
  for (double& score : scores) score = random.below(20);
  const bbc::Predictions view =
      bbc::View<double>{scores.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}};
  const std::vector<std::int32_t> some{2, 3, 5, 29};
  const RowsToSort parts[] = {{view, {}}, {view, some}};
  for (const int n_threads : {1, 3}) {
    std::vector<SortedScores> found[2];
    for (auto& of_part : found) of_part.resize(kConfigurations);
    sort_columns(parts, {n_threads, {}}, 1e9, [&] {
      return [&](std::size_t part, std::int64_t j, const SortedScores& sorted) {
        SortedScores& own = found[part][static_cast<std::size_t>(j)];
        CHECK(own.rows.empty());
        own = sorted;
      };
    });
    for (std::size_t part = 0; part < 2; ++part) {
      for (std::int64_t j = 0; j < kConfigurations; ++j) {
        std::vector<double> column;
        read_values(view, j, parts[part].rows, column);
        const SortedScores expected = sorted_scores(column);
        const SortedScores& own = found[part][static_cast<std::size_t>(j)];
        CHECK(own.rows == expected.rows && own.tied_with_next == expected.tied_with_next);
      }
    }
  }
}

void ties() {
  const std::vector<double> scores{2.0, 1.0, 2.0, 3.0, 1.0};
  const std::vector<std::uint8_t> is_positive{1, 0, 0, 1, 1};
  std::vector<std::vector<std::int32_t>> groups;
  const SortedScores order = checked_order(scores, 5);
  for_each_tie(order, [&](std::span<const std::int32_t> rows) {
    groups.emplace_back(rows.begin(), rows.end());
  });
  CHECK((groups == std::vector<std::vector<std::int32_t>>{{1, 4}, {0, 2}, {3}}));
  // Of 6 pairs, rows 0 and 3 win 1.5 and 2, and row 4 half a pair.
  CHECK(twice_right_pairs(order, is_positive) == 8);
}

void simd_levels() {
  SimdLevel before = SimdLevel::portable;
  for (const char* level : problem::kLevels) {
    problem::set_level(level);
    CHECK(simd_level() >= before);
    before = simd_level();
  }
  const SimdLevel levels[] = {SimdLevel::portable, SimdLevel::avx2, SimdLevel::avx512};
  for (int i = 0; i < 3; ++i) {
    problem::set_level(problem::kLevels[i]);
    CHECK(simd_level() <= levels[i]);
  }
  // The environment may change under another thread's hands: nobody looks at it again.
#if defined(_WIN32)
  _putenv("BBC_SIMD=portable");
#else
  setenv("BBC_SIMD", "portable", 1);
#endif
  problem::set_level("avx512");
  CHECK(simd_level() == before);
  CHECK(check::message_of([] {
          problem::set_level("sse9");
        }).starts_with("BBC_SIMD: must be portable"));
}

}  // namespace

int main() {
  aligned_arrays();
  pools();
  weights_and_lines();
  interleaved_weights();
  sorting();
  sorted_columns();
  ties();
  simd_levels();
  return check::report();
}
