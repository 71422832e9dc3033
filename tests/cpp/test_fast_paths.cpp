// The parts of the fast evaluators by themselves: programs of rows in order of score and their
// walks, exact sums of losses, and what leaves the candidates: the grid, and rough scores.
#include <algorithm>
#include <cmath>

#include "detail/fast/concordance_program.hpp"
#include "detail/fast/loss_columns.hpp"
#include "detail/fast/loss_grid.hpp"
#include "detail/fast/loss_search.hpp"
#include "detail/fast/rough_search.hpp"
#include "detail/isa/auc_program.hpp"
#include "detail/isa/auc_walk.hpp"
#include "detail/isa/row_loss_kernel.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/lane_table.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

/// Rows in ascending order of score.
struct Part {
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> codes;
  std::vector<std::uint8_t> tied_with_next;  // empty: none

  Part(problem::Random& random, std::int32_t n_rows, std::uint32_t rarity_of_steps) {
    bool any = false;
    for (std::int32_t i = 0; i < n_rows; ++i) {
      rows.push_back((7 * i + 3) % n_rows);
      codes.push_back(static_cast<std::int32_t>(random.below(2)));
      const bool tied = i + 1 < n_rows && random.below(rarity_of_steps) > 0;
      tied_with_next.push_back(tied ? 1 : 0);
      any = any || tied;
    }
    if (!any) tied_with_next.clear();
  }
  /// Twice the pairs in the right order.
  template <class Weight>
  [[nodiscard]] double twice_pairs(const Weight& weight) const {
    double sum = 0.0;
    std::size_t tie = 0;
    std::vector<std::size_t> ties;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ties.push_back(tie);
      if (tied_with_next.empty() || tied_with_next[i] == 0) ++tie;
    }
    for (std::size_t a = 0; a < rows.size(); ++a) {
      for (std::size_t b = 0; codes[a] == 1 && b < rows.size(); ++b) {
        if (codes[b] == 1 || ties[b] > ties[a]) continue;
        sum += (ties[b] == ties[a] ? 1.0 : 2.0) * weight(rows[a]) * weight(rows[b]);
      }
    }
    return sum;
  }
};

void programs_and_walks() {
  problem::Random random(3);
  // Single rows; a few; steps of 128; ties within steps, and of more rows than a step has.
  for (const std::int32_t n_rows : {1, 2, 33, 128, 129, 400}) {
    for (const std::uint32_t rarity : {1U, 2U, 6U, 1000U}) {
      const std::vector<Part> parts{Part(random, n_rows, rarity), Part(random, n_rows, rarity)};
      AucProgrammer programmer(n_rows);
      programmer.begin();
      for (const Part& part : parts) {
        std::vector<std::uint32_t> coded;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
          coded.push_back(AucProgrammer::coded(part.rows[i], part.codes[i]));
        }
        programmer.add_part(coded, part.tied_with_next);
      }
      AucProgram program;
      programmer.finish(program);
      const auto expected = [&](const auto& weight) {
        return parts[0].twice_pairs(weight) + parts[1].twice_pairs(weight);
      };
      const std::string context = std::to_string(n_rows) + " rows " + std::to_string(rarity);
      CHECK_FOR(program.plain_key == expected([](std::int32_t) { return 1.0; }), context);
      const ReplicateBlock block = problem::random_block(random, n_rows, kBlock);
      const LaneTable table(block, Side::in_bag);
      double exact[kBlock];
      auc_walk_exact(program, table.lines(), exact);
      std::vector<AucSums> sums;
      for (const char* level : problem::levels()) {
        problem::set_level(level);
        AucSums of_level{};
        if (program.segment_ends.size() == 1) {
          auc_loops(simd_level())
              .walk(program.words.data(), program.words.data() + program.words.size(),
                    table.lines(), &of_level);
        }
        sums.push_back(of_level);
      }
      for (int lane = 0; lane < kBlock; ++lane) {
        const double pairs =
            expected([&](std::int32_t row) -> double { return block.replicate(lane)[row]; });
        CHECK_FOR(exact[lane] == pairs, context);
        if (program.segment_ends.size() != 1) continue;
        for (const AucSums& of_level : sums) {
          CHECK_FOR(of_level.twice_pairs[lane] == pairs, context);
        }
      }
    }
  }
}

/// Halves and near pairs together compare every comparable pair once.
void comparable_pairs() {
  problem::Random random(4);
  for (const int n_rows : {3, 40, 41, 150}) {
    Target target;
    target.kind = Target::Kind::survival;
    for (int row = 0; row < n_rows; ++row) {
      target.values.push_back(random.below(60));
      target.events.push_back(static_cast<std::uint8_t>(random.below(2)));
    }
    ConcordanceProgrammer programmer(target);
    std::vector<double> risks;
    for (int row = 0; row < n_rows; ++row) risks.push_back(random.below(20));
    SortedScores sorted;
    ScoreSorter().sort(risks, sorted);
    AucProgram program;
    programmer.write(sorted, program);
    double expected = 0.0;
    double near = 0.0;
    const auto won = [&](std::size_t a, std::size_t b) {
      return risks[a] > risks[b] ? 2.0 : risks[a] == risks[b] ? 1.0 : 0.0;
    };
    for (std::size_t a = 0; a < risks.size(); ++a) {
      for (std::size_t b = 0; target.events[a] != 0 && b < risks.size(); ++b) {
        const double gap = target.values[b] - target.values[a];
        if (gap > 0.0 || (gap == 0.0 && target.events[b] == 0)) expected += won(a, b);
      }
    }
    for (const RowPair& pair : programmer.near_pairs()) {
      near += won(static_cast<std::size_t>(pair.first), static_cast<std::size_t>(pair.second));
    }
    CHECK_FOR(program.plain_key + near == expected, std::to_string(n_rows));
  }
}

/// By itself: what the walks sum up is checked, and a wrong one would only be slow.
void packed_lines() {
  problem::Random random(6);
  constexpr std::int64_t kRows = 40000;
  const ReplicateBlock block = problem::random_block(random, kRows, 64);
  LaneTable table(block, Side::in_bag);
  CHECK(table.packed() == nullptr);
  table.pack();
  CHECK(table.packed() != nullptr);
  if (table.packed() == nullptr) return;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> tied;
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto row = (i * 7919) % kRows;
    const auto code = static_cast<std::int32_t>(random.below(2));
    rows.push_back(AucProgrammer::coded(row, code));
    tied.push_back(i + 1 < kRows && random.below(3) == 0 ? 1 : 0);
  }
  AucProgrammer programmer(kRows);
  programmer.begin();
  programmer.add_part(rows, tied);
  AucProgram program;
  programmer.finish(program);
  CHECK(program.segment_ends.size() > 2);
  const AucLoops& loops = auc_loops(simd_level());
  const std::uint32_t* at = program.words.data();
  for (const std::uint32_t segment_end : program.segment_ends) {
    const std::uint32_t* end = program.words.data() + segment_end;
    AucSums sums;
    AucSums packed;
    loops.walk(at, end, table.lines(), &sums);
    loops.walk_packed(at, end, table.packed(), &packed);
    CHECK(std::memcmp(&sums, &packed, sizeof sums) == 0);
    at = end;
  }
  ReplicateBlock large = block;
  large.counts[0] = 16;
  LaneTable unpacked(large, Side::in_bag);
  unpacked.pack();
  CHECK(unpacked.packed() == nullptr);
}

struct Losses {
  static constexpr double kSmooth = 1.0;
  std::int64_t n_rows;
  std::int64_t n_configurations;
  Target target;
  std::vector<double> values[2];
  Metric metric = make_metric("row_loss");

  Losses(problem::Random& random, std::int64_t rows, std::int64_t configurations, double outlier)
      : n_rows(rows), n_configurations(configurations) {
    target.values.assign(static_cast<std::size_t>(rows), 0.0);
    for (auto& of_repeat : values) {
      double of_row = 0.0;
      for (std::int64_t i = 0; i < rows * configurations; ++i) {
        if (i % configurations == 0) of_row = random.uniform();
        // Equal losses, nearly equal ones and some that are not.
        const double loss = 0.25 + 1e-9 * random.below(3) + (random.below(9) == 0 ? 0.5 : 0.0);
        of_repeat.push_back(random.below(50) == 0 ? outlier : loss);
        // Or such that what the grid rounds away decides.
        if (outlier == kSmooth) of_repeat.back() = of_row + 1e-5 * random.uniform();
      }
    }
  }
  [[nodiscard]] std::vector<Predictions> views() const {
    std::vector<Predictions> views;
    for (const auto& of_repeat : values) {
      views.emplace_back(
          View<double>{of_repeat.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}});
    }
    return views;
  }
  [[nodiscard]] double sum(const std::uint16_t* counts, std::int64_t j) const {
    ExactSum sum;
    for (const auto& of_repeat : values) {
      for (std::int64_t row = 0; row < n_rows; ++row) {
        for (int i = 0; i < counts[row]; ++i) {
          sum.add(of_repeat[static_cast<std::size_t>(row * n_configurations + j)]);
        }
      }
    }
    return sum.round();
  }
};

/// 1 + 2^-53 + 2^-106: the last term decides a tie that two doubles do not show.
void rounded_sums() {
  const double losses[] = {1.0, 0x1p-53, 0x1p-106, 0.0, 0.0};
  Target target;
  target.values.assign(5, 0.0);
  const Metric metric = make_metric("row_loss");
  const Predictions view = View<double>{losses, 5, 1, 1, {1, 1, 1}};
  const EvaluatorInput input{metric, target, {&view, 1}, {}, {}};
  const double weights[] = {1.0, 1.0, 1.0, 1.0, 1.0};
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const LossColumns columns(std::get<metric::RowLoss>(metric.kind), input,
                              row_loss_kernel(simd_level()));
    CHECK_FOR(columns.sum(0, weights, 5.0) == 1.0 + 0x1p-52, level);
  }
}

void sums_and_candidates() {
  problem::Random random(5);
  for (const double outlier : {Losses::kSmooth, 0.3, -1e6, 1e12}) {
    for (const auto& [n_rows, n_configurations] :
         {std::pair<std::int64_t, std::int64_t>{9, 5}, {70, 100}, {1030, 50}}) {
      const Losses losses(random, n_rows, n_configurations, outlier);
      const auto views = losses.views();
      const EvaluatorInput input{losses.metric, losses.target, views, {}, {}};
      const auto& kind = std::get<metric::RowLoss>(losses.metric.kind);
      const int n_replicates = n_rows > 1000 ? 2 : 20;
      const ReplicateBlock block = problem::random_block(random, n_rows, n_replicates);
      for (const char* level : problem::levels()) {
        problem::set_level(level);
        const std::string context = std::string(level) + " " + std::to_string(n_rows) + " rows";
        const RowLossKernel& kernel = row_loss_kernel(simd_level());
        const LossColumns columns(kind, input, kernel);
        const LossGrid grid(kind, input, kernel, grid_kernel(simd_level()), {1, {}});
        LossSearch search(grid, kernel);
        CHECK_FOR(columns.n_repeats() == 2 && grid.n_configurations() == n_configurations, context);
        CHECK_FOR(search.run(block, 0, n_configurations, StopFlag{}), context);
        for (int lane = 0; lane < n_replicates; ++lane) {
          const std::uint16_t* counts = block.replicate(lane);
          const std::vector<double> weights(counts, counts + n_rows);
          double total = 0.0;
          for (const double weight : weights) total += weight;
          std::vector<double> sums;
          for (std::int64_t j = 0; j < n_configurations; ++j) {
            sums.push_back(columns.sum(j, weights.data(), total));
            const bool asked = n_rows < 1000 || j % 10 == 0;
            if (asked) CHECK_FOR(sums.back() == losses.sum(counts, j), context);
          }
          // A configuration with the smallest sum is a candidate, and not all configurations are.
          const double least = *std::min_element(sums.begin(), sums.end());
          std::vector<bool> candidate(sums.size());
          search.for_each_candidate(
              lane, [&](std::int64_t j) { candidate[static_cast<std::size_t>(j)] = true; });
          for (std::size_t j = 0; j < sums.size(); ++j) {
            CHECK_FOR(sums[j] > least || candidate[j], context);
            CHECK_FOR(sums[j] - least < 0.1 * std::fabs(outlier) || !candidate[j], context);
          }
        }
      }
    }
  }
  // Counts that the kernels cannot multiply.
  const Losses losses(random, 20, 3, 0.5);
  const auto views = losses.views();
  const EvaluatorInput input{losses.metric, losses.target, views, {}, {}};
  const auto& kind = std::get<metric::RowLoss>(losses.metric.kind);
  const RowLossKernel& kernel = row_loss_kernel(simd_level());
  const LossGrid grid(kind, input, kernel, grid_kernel(simd_level()), {1, {}});
  LossSearch search(grid, kernel);
  CHECK(!search.run(problem::random_block(random, 20, 3, 65000), 0, grid.n_configurations(),
                    StopFlag{}));
}

/// What may be the best is kept, and what is not a number is.
void rough_search() {
  RoughSearch search;
  search.begin();
  RoughScores scores{};
  const auto take = [&](std::int64_t configuration, double score, double error) {
    std::fill_n(scores.of, kBlock, score);
    std::fill_n(scores.error, kBlock, error);
    search.take(configuration, scores, 2);
  };
  take(4, 1.0, 0.1);
  take(2, 1.2, 0.1);
  take(7, 0.5, 0.1);
  take(9, std::nan(""), 0.0);
  std::vector<std::int64_t> asked;
  const Choice best = search.best(1, [&](std::int64_t configuration) {
    asked.push_back(configuration);
    return 1.0;
  });
  CHECK(best.configuration == 2);
  CHECK(asked == std::vector<std::int64_t>({9, 2, 4}));
  CHECK(RoughWeights::suit({}));
  const std::vector<double> small{1.0, 1e-300};
  CHECK(!RoughWeights::suit(small));
}

}  // namespace

int main() {
  programs_and_walks();
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    packed_lines();
  }
  comparable_pairs();
  rounded_sums();
  sums_and_candidates();
  rough_search();
  return check::report();
}
