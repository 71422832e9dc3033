// Tables of subset sums from counts of any size, and their sums in 8, 16 and 64 bits.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "detail/fast/chunk_tables.hpp"
#include "detail/fast/panel_sums.hpp"
#include "problem.hpp"

namespace {

using namespace bbc::detail;

/// A table whose entry for pattern p is p + lane % 2 in every lane; configurations of given
/// patterns.
struct Table {
  alignas(64) std::uint8_t entries[kPatterns * kBlock];
  std::vector<std::uint16_t> offsets;

  explicit Table(const std::vector<int>& patterns) {
    for (int i = 0; i < kPatterns * kBlock; ++i) {
      entries[i] = static_cast<std::uint8_t>(i / kBlock + i % 2);
    }
    for (const int pattern : patterns) {
      offsets.push_back(static_cast<std::uint16_t>(pattern << kPatternShift));
      offsets.resize(offsets.size() + kChunkGroups - 1);
    }
  }
};

void sums_of_any_size() {
  const std::vector<int> patterns{60, 7, 3, 3};
  const Table table(patterns);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    PanelSums sums(5, zero_one_kernel(simd_level()).sums);
    // 4 x 61 fits 8 bits, 1,074 x 61 fits 16, and nothing above.
    for (const int n : {1, 4, 5, 1074, 1075, 5000}) {
      for (const bool best : {false, true}) {
        sums.start(4, best);
        for (int i = 1; i <= n; ++i) {
          sums.add({table.entries, 1, table.offsets.data(), 61, i < n ? 61 : 0, i == n});
        }
        CHECK_FOR(sums.fit_words() == (n <= 1074), level);
        for (int lane = 0; best && sums.fit_words() && lane < kBlock; ++lane) {
          CHECK_FOR(sums.fewest(lane) == n * (3 + lane % 2) && sums.where(lane) == 2, level);
        }
        if (best && sums.fit_words()) continue;
        sums.visit([&](const auto* found) {
          for (std::size_t j = 0; j < patterns.size(); ++j, found += kBlock) {
            for (int lane = 0; lane < kBlock; ++lane) {
              const std::int64_t sum = found[word_of_lane(lane)];
              CHECK_FOR(sum == std::int64_t{n} * (patterns[j] + lane % 2), level);
            }
          }
        });
      }
    }
  }
}

/// What all passes' entries of a chunk's patterns come to.
template <class Count>
void check_tables(ChunkTables& tables, const ErrorPatterns& patterns, std::size_t n_passes,
                  const Count& count) {
  CHECK(tables.passes().size() == n_passes);
  for (std::int64_t chunk = 0; chunk < patterns.n_chunks(); ++chunk) {
    const int n_rows = patterns.rows_of_chunk(chunk);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(kChunkGroups * kPatterns * kBlock));
    for (const ChunkTables::Pass& pass : tables.passes()) {
      if (pass.chunk != chunk) continue;
      const std::uint8_t* entries = tables.build(pass);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += entries[i];
    }
    for (int row = 0; row < n_rows; ++row) {
      const int pattern = 1 << row % kGroupRows | (row % kGroupRows > 0 ? 1 : 0);
      const std::int64_t first = chunk * kChunkRows + row / kGroupRows * kGroupRows;
      for (int lane = 0; lane < kBlock; ++lane) {
        const std::int64_t expected =
            count(chunk * kChunkRows + row, lane) + (row % kGroupRows > 0 ? count(first, lane) : 0);
        const int at = (row / kGroupRows * kPatterns + pattern) * kBlock + lane;
        CHECK(sums[static_cast<std::size_t>(at)] == expected);
      }
    }
  }
}

void tables_of_rows() {
  problem::Random random(4);
  constexpr std::int64_t kRows = 70;  // a chunk of 48, and one of 22
  const ErrorPatterns patterns(kRows, 1, 1);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    ChunkTables tables(patterns, zero_one_kernel(simd_level()).sums);
    // Small counts; one that no byte can add up in passes of five; one that fits no byte.
    for (const auto& [largest, n_passes] :
         {std::pair<std::uint16_t, std::size_t>{9, 2}, {255, 51 + 51}, {300, 60 + 60}}) {
      ReplicateBlock block = problem::random_block(random, kRows, kBlock);
      block.counts[5] = block.counts[60] = largest;
      tables.take(block);
      CHECK(tables.n_replicates() == kBlock);
      check_tables(tables, patterns, n_passes, [&](std::int64_t row, int lane) {
        return std::int64_t{block.replicate(lane)[row]};
      });
    }
  }
}

void tables_of_pairs() {
  problem::Random random(5);
  constexpr std::int64_t kRows = 40;
  const ReplicateBlock block = problem::random_block(random, kRows, kBlock);
  const LaneTable lines(block, Side::in_bag);
  std::vector<RowPair> pairs;
  for (std::int32_t i = 0; i < 60; ++i) pairs.push_back({i % 40, (7 * i + 1) % 40});
  const ErrorPatterns patterns(60, 1, 1);
  ChunkTables tables(patterns, zero_one_kernel(simd_level()).sums);
  const int most = *std::max_element(block.counts.begin(), block.counts.end());
  tables.take(pairs, lines.lines(), most);
  check_tables(tables, patterns, tables.passes().size(), [&](std::int64_t pair, int lane) {
    const RowPair& rows = pairs[static_cast<std::size_t>(pair)];
    return std::int64_t{block.replicate(lane)[rows.first]} * block.replicate(lane)[rows.second];
  });
}

}  // namespace

int main() {
  sums_of_any_size();
  tables_of_rows();
  tables_of_pairs();
  return check::report();
}
