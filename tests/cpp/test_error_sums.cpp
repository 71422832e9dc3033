// Error patterns and what is added up from them, by look-up and by pairs of rows, against
// adding up row by row; on all instruction sets.
#include <algorithm>

#include "detail/fast/error_patterns.hpp"
#include "detail/fast/near_pairs.hpp"
#include "detail/fast/zero_one_sums.hpp"
#include "detail/isa/zero_one_kernel.hpp"
#include "detail/support/lane_table.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

struct Data {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  Target target;
  std::vector<std::vector<std::int8_t>> labels;  // [repeat][row * n_configurations + configuration]

  Data(problem::Random& random, std::int64_t rows, std::int64_t configurations,
       std::size_t n_repeats)
      : n_rows(rows), n_configurations(configurations), labels(n_repeats) {
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.label_values = {0, 1};
    for (std::int64_t row = 0; row < rows; ++row) {
      target.codes.push_back(static_cast<std::int32_t>(random.below(2)));
    }
    for (auto& of_repeat : labels) {
      for (std::int64_t i = 0; i < rows * configurations; ++i) {
        of_repeat.push_back(static_cast<std::int8_t>(random.below(2)));
      }
    }
  }
  [[nodiscard]] std::vector<Predictions> views() const {
    std::vector<Predictions> views;
    for (const auto& of_repeat : labels) {
      views.emplace_back(View<std::int8_t>{
          of_repeat.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}});
    }
    return views;
  }
  [[nodiscard]] bool wrong(std::size_t repeat, std::int64_t row, std::int64_t j) const {
    return labels[repeat][static_cast<std::size_t>(row * n_configurations + j)] !=
           target.codes[static_cast<std::size_t>(row)];
  }
  /// Wrong labels of a configuration in all repeats, rows counting as they were drawn.
  [[nodiscard]] std::int64_t errors(const std::uint16_t* counts, std::int64_t j) const {
    std::int64_t sum = 0;
    for (std::size_t repeat = 0; repeat < labels.size(); ++repeat) {
      for (std::int64_t row = 0; row < n_rows; ++row) {
        sum += wrong(repeat, row, j) ? counts[row] : 0;
      }
    }
    return sum;
  }
};

void check_patterns(const Data& data, const ErrorPatterns& patterns, const ZeroOneKernel& kernel,
                    const ReplicateBlock& block, const std::string& context) {
  for (std::int64_t row = 0; row < data.n_rows; row += 1 + row / 7) {
    for (std::size_t repeat = 0; repeat < data.labels.size(); ++repeat) {
      for (std::int64_t j = 0; j < data.n_configurations; ++j) {
        const std::uint64_t bits =
            patterns.bits(row / kChunkRows, static_cast<std::int64_t>(repeat), j);
        const bool bit = (bits >> (row % kChunkRows) & 1U) != 0;
        CHECK_FOR(bit == data.wrong(repeat, row, j), context);
      }
    }
  }
  std::vector<std::uint16_t> undrawn(static_cast<std::size_t>(data.n_rows));
  for (std::int64_t row = 0; row < data.n_rows; ++row) {
    undrawn[static_cast<std::size_t>(row)] = block.replicate(0)[row] == 0 ? 1 : 0;
  }
  const std::int64_t j = data.n_configurations - 1;
  const OutOfBagErrors found =
      kernel.counts.out_of_bag(patterns.column(j), block.replicate(0), data.n_rows);
  CHECK_FOR(found.errors == data.errors(undrawn.data(), j), context);
  CHECK_FOR(found.n_rows == std::count(undrawn.begin(), undrawn.end(), 1), context);
}

void check_sums(const Data& data, ZeroOneSums& sums, const ReplicateBlock& block,
                const std::string& context) {
  const StopFlag never;
  const std::int64_t first = data.n_configurations / 3;
  const std::int64_t n = data.n_configurations - first;
  std::vector<std::vector<std::int64_t>> errors;  // [lane][configuration]
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    errors.emplace_back();
    for (std::int64_t j = 0; j < data.n_configurations; ++j) {
      errors.back().push_back(data.errors(block.replicate(lane), j));
    }
  }
  sums.take(block);
  std::vector<double> all(static_cast<std::size_t>(n * block.n_replicates));
  sums.all(first, data.n_configurations, never, all.data());
  std::vector<std::int32_t> twice(static_cast<std::size_t>(n * kBlock), 5);
  sums.add_to(first, data.n_configurations, 2, never, twice.data());
  FewestErrors fewest[kBlock];
  sums.fewest(first, data.n_configurations, never, fewest);
  std::vector<std::int64_t> more(static_cast<std::size_t>(n), 1);
  sums.count_more(first, data.n_configurations, 0, never, more.data());
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t expected = 1;
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const auto& of_lane = errors[static_cast<std::size_t>(lane)];
      const std::int64_t own = of_lane[static_cast<std::size_t>(first + j)];
      CHECK_FOR(all[static_cast<std::size_t>(lane * n + j)] == static_cast<double>(own), context);
      CHECK_FOR(twice[static_cast<std::size_t>(j * kBlock + lane)] == 5 + 2 * own, context);
      expected += own > of_lane[0] ? 1 : 0;
    }
    CHECK_FOR(more[static_cast<std::size_t>(j)] == expected, context);
  }
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const auto& of_lane = errors[static_cast<std::size_t>(lane)];
    const auto best = std::min_element(of_lane.begin() + first, of_lane.end());
    CHECK_FOR(fewest[lane].errors == *best, context);
    CHECK_FOR(fewest[lane].configuration == best - of_lane.begin(), context);
  }
}

void errors() {
  problem::Random random(1);
  struct Shape {
    std::int64_t n_rows;
    std::int64_t n_configurations;
    std::size_t n_repeats;
    std::uint32_t most;
  };
  for (const Shape& shape :
       {Shape{5, 3, 1, 0}, {50, 70, 2, 0}, {130, 20, 1, 60}, {97, 9, 2, 700}}) {
    const Data data(random, shape.n_rows, shape.n_configurations, shape.n_repeats);
    const auto views = data.views();
    const Metric metric = make_metric("accuracy");
    const EvaluatorInput input{metric, data.target, views, {}, {}};
    const ReplicateBlock block = problem::random_block(random, shape.n_rows, 40, shape.most);
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      const std::string context = std::string(level) + " " + std::to_string(shape.n_rows) + " rows";
      const ZeroOneKernel& kernel = zero_one_kernel(simd_level());
      const ErrorPatterns patterns(input, kernel.patterns, {2, {}});
      ZeroOneSums sums(patterns, kernel.sums);
      check_patterns(data, patterns, kernel, block, context);
      check_sums(data, sums, block, context);
    }
  }
}

/// More wrong labels than 32 bits count: rows that were drawn 65535 times, in many repeats.
void long_sums() {
  constexpr std::int64_t kRows = kChunkRows;
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 2;
  target.label_values = {0, 1};
  target.codes.assign(kRows, 0);
  std::vector<std::int8_t> labels(2 * kRows, 1);
  labels.back() = 0;
  const View<std::int8_t> view{labels.data(), kRows, 2, 1, {2, 1, 1}};
  const std::vector<Predictions> repeats(1400, view);
  const Metric metric = make_metric("zero_one_loss");
  const EvaluatorInput input{metric, target, repeats, {}, {}};
  const ZeroOneKernel& kernel = zero_one_kernel(simd_level());
  const ErrorPatterns patterns(input, kernel.patterns, {1, {}});
  const ReplicateBlock block{1, kRows, std::vector<std::uint16_t>(kRows, 65535), {}};
  ZeroOneSums sums(patterns, kernel.sums);
  sums.take(block);
  FewestErrors fewest[kBlock];
  sums.fewest(0, 2, StopFlag{}, fewest);
  CHECK(fewest[0].configuration == 1);
  CHECK(fewest[0].errors == 65535LL * (kRows - 1) * 1400);
}

/// Risks with ties in some configurations, or in none.
void near_pairs(bool ties) {
  problem::Random random(2);
  constexpr std::int64_t kRows = 30;
  constexpr std::int64_t kConfigurations = 11;
  std::vector<double> risks;
  for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) {
    risks.push_back(ties && i % 2 == 0 ? random.below(3) : random.uniform());
  }
  std::vector<RowPair> pairs;
  for (int i = 0; i < 100; ++i) {
    const auto first = static_cast<std::int32_t>(random.below(kRows));
    pairs.push_back({first, (first + 1 + static_cast<std::int32_t>(random.below(kRows - 1))) %
                                static_cast<std::int32_t>(kRows)});
  }
  const Predictions view =
      View<double>{risks.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}};
  const ReplicateBlock block = problem::random_block(random, kRows, kBlock, kNearMost - 6);
  const LaneTable table(block, Side::in_bag);
  const int most = *std::max_element(block.counts.begin(), block.counts.end());
  CHECK(most <= kNearMost);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const NearPairs near(pairs, view, zero_one_kernel(simd_level()), {1, {}});
    std::vector<std::int32_t> together(static_cast<std::size_t>(kConfigurations * kBlock), 1);
    near.add(table.lines(), most, 0, kConfigurations, StopFlag{}, together.data());
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      const auto won = [&](const RowPair& pair) {
        const double gap = risks[static_cast<std::size_t>(pair.first * kConfigurations + j)] -
                           risks[static_cast<std::size_t>(pair.second * kConfigurations + j)];
        return gap > 0.0 ? 2 : gap == 0.0 ? 1 : 0;
      };
      double alone[kBlock] = {};
      double exact[kBlock] = {};
      near.add(table.lines(), j, alone);
      near.add_exact(table.lines(), j, exact);
      int plain = 0;
      for (const RowPair& pair : pairs) plain += won(pair);
      CHECK_FOR(near.plain_key(j) == plain, level);
      for (int lane = 0; lane < kBlock; ++lane) {
        int expected = 0;
        for (const RowPair& pair : pairs) {
          expected +=
              won(pair) * block.replicate(lane)[pair.first] * block.replicate(lane)[pair.second];
        }
        CHECK_FOR(together[static_cast<std::size_t>(j * kBlock + lane)] == 1 + expected, level);
        CHECK_FOR(alone[lane] == expected && exact[lane] == expected, level);
      }
    }
  }
}

}  // namespace

int main() {
  errors();
  long_sums();
  near_pairs(false);
  near_pairs(true);
  return check::report();
}
