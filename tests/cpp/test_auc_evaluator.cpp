// The fast AUC evaluator against the general one, which walks every replicate in doubles, and
// against sorting every replicate from scratch: the same bits on all instruction sets.
#include <algorithm>
#include <bbc/philox.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "check.hpp"
#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/isa/simd.hpp"
#include "detail/metrics/auc.hpp"

namespace {

using bbc::detail::AucEvaluator;
using bbc::detail::Choice;
using bbc::detail::ReplicateBlock;

class Random {
 public:
  explicit Random(std::uint64_t seed) : stream_(seed, 0, 0, 0) {}
  std::uint32_t below(std::uint32_t bound) { return stream_.below(bound); }
  double uniform() { return stream_.next() / 4294967296.0; }
  /// Near enough to a normal variable.
  double bell() { return uniform() + uniform() + uniform() + uniform() - 2.0; }

 private:
  bbc::WordStream stream_;
};

enum class Scores {
  distinct,
  rounded,        // ties within and between classes
  constant,       // one tie of all rows
  two_values,     // two tie of all rowss
  one_row_apart,  // a tie of all rows and a row
  near,           // distinct as float64, equal as float32
  zeros,          // 0.0 and -0.0 tie
  denormal,
  huge,       // the range overflows
  separated,  // all positives above
};

double draw(Random& random, Scores kind, std::int64_t row, bool positive) {
  const double score = random.bell() + (positive ? 0.4 : 0.0);
  switch (kind) {
    case Scores::distinct:
      return score;
    case Scores::rounded:
      return std::round(4.0 * score);
    case Scores::constant:
      return 0.25;
    case Scores::two_values:
      return score > 0.0 ? 1.0 : -1.0;
    case Scores::one_row_apart:
      return row == 3 ? 1.0 : 0.5;
    case Scores::near:
      return 1.0 + 1e-12 * std::round(50.0 * score);
    case Scores::zeros:
      return random.below(2) == 0 ? 0.0 : (random.below(3) == 0 ? score : -0.0);
    case Scores::denormal:
      return std::round(20.0 * score) * std::numeric_limits<double>::denorm_min();
    case Scores::huge:
      return score * 7e307;
    case Scores::separated:
      return random.bell() + (positive ? 5.0 : 0.0);
  }
  return 0.0;
}

struct Problem {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  bbc::Target target;
  std::vector<std::vector<double>> scores;  // per repeat, row by row
  std::vector<std::int32_t> folds;

  Problem(Random& random, std::int64_t rows, std::int64_t configurations, int n_repeats,
          int n_folds, double share, std::vector<Scores> kinds)
      : n_rows(rows), n_configurations(configurations) {
    target.kind = bbc::Target::Kind::labels;
    target.n_classes = 2;
    for (std::int64_t i = 0; i < rows; ++i) {
      // Both classes are there, however small the share.
      target.codes.push_back(i == 0 ? 0 : i == 1 ? 1 : random.uniform() < share ? 1 : 0);
    }
    scores.resize(static_cast<std::size_t>(n_repeats));
    for (auto& of_repeat : scores) {
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < configurations; ++j) {
          const auto kind = kinds[static_cast<std::size_t>(j) % kinds.size()];
          // Every fifth configuration repeats the one before.
          of_repeat.push_back(j % 5 == 4 ? of_repeat.back()
                                         : draw(random, kind, i, target.codes[i] == 1));
        }
        if (n_folds > 0) folds.push_back(static_cast<std::int32_t>(random.below(n_folds)));
      }
    }
  }

  [[nodiscard]] std::vector<bbc::Predictions> views() const {
    std::vector<bbc::Predictions> out;
    for (const auto& of_repeat : scores) {
      out.emplace_back(bbc::View<double>{
          of_repeat.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}});
    }
    return out;
  }
};

/// Bootstrap counts; `most` > 0: any counts up to it, as explicit resamples may have.
ReplicateBlock draw_block(Random& random, std::int64_t n_rows, int n_replicates,
                          std::uint32_t most) {
  ReplicateBlock block{n_replicates, n_rows, {}, {}};
  block.counts.resize(static_cast<std::size_t>(n_rows * n_replicates));
  for (int lane = 0; lane < n_replicates; ++lane) {
    auto* counts = block.counts.data() + lane * n_rows;
    do {
      std::fill_n(counts, n_rows, std::uint16_t{0});
      for (std::int64_t i = 0; i < n_rows; ++i) {
        if (most > 0) {
          counts[i] = static_cast<std::uint16_t>(random.below(most + 1));
        } else {
          ++counts[random.below(static_cast<std::uint32_t>(n_rows))];
        }
      }
      // The driver redraws what leaves a class out.
    } while (counts[0] == 0 || counts[1] == 0);
  }
  return block;
}

/// Twice the pairs in the right order, sorting anew.
double brute_force(const Problem& problem, const std::uint16_t* counts, std::int64_t j) {
  double key = 0.0;
  for (const auto& scores : problem.scores) {
    struct Row {
      double score;
      int code;
      double count;
    };
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < problem.n_rows; ++i) {
      rows.push_back({scores[i * problem.n_configurations + j], problem.target.codes[i],
                      static_cast<double>(counts[i])});
    }
    std::sort(rows.begin(), rows.end(),
              [](const Row& a, const Row& b) { return a.score < b.score; });
    double below = 0.0;
    for (std::size_t first = 0; first < rows.size();) {
      double tied[2] = {};
      std::size_t last = first;
      for (; last < rows.size() && rows[last].score == rows[first].score; ++last) {
        tied[rows[last].code] += rows[last].count;
      }
      key += tied[1] * (2.0 * below + tied[0]);
      below += tied[0];
      first = last;
    }
  }
  return key;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void compare(const Problem& problem, const ReplicateBlock& block, bool brute) {
  const auto views = problem.views();
  const bbc::Metric metric = bbc::make_metric("roc_auc");
  const bbc::detail::EvaluatorInput input{metric, problem.target, views, problem.folds, {}};
  bbc::Control control;
  control.n_threads = 1 + static_cast<int>(problem.n_rows % 2);
  const auto general =
      bbc::detail::make_columns<bbc::detail::AucColumns>(bbc::metric::Auc{}, input, control);
  const AucEvaluator fast(input, control);
  const bbc::detail::StopFlag stop;

  const auto n_keys = static_cast<std::size_t>(block.n_replicates * problem.n_configurations);
  std::vector<double> general_keys(n_keys);
  std::vector<double> fast_keys(n_keys);
  general->keys(block, 0, problem.n_configurations, stop, general_keys.data());
  fast.keys(block, 0, problem.n_configurations, stop, fast_keys.data());
  CHECK(same_bits(general_keys, fast_keys));
  if (brute) {
    for (int lane = 0; lane < block.n_replicates; lane += 7) {
      for (std::int64_t j = 0; j < problem.n_configurations; ++j) {
        CHECK(fast_keys[lane * problem.n_configurations + j] ==
              brute_force(problem, block.replicate(lane), j));
      }
    }
  }

  Choice general_best[64];
  Choice fast_best[64];
  general->best(block, stop, general_best);
  fast.best(block, stop, fast_best);
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    CHECK(general_best[lane].configuration == fast_best[lane].configuration);
    CHECK(general_best[lane].key == fast_best[lane].key);
  }
  general_best[0].configuration = -1;
  const auto n_lanes = static_cast<std::size_t>(block.n_replicates);
  std::vector<double> general_scores(n_lanes, -1.0);
  std::vector<double> fast_scores(n_lanes, -1.0);
  general->in_bag(block, general_best, stop, general_scores.data());
  fast.in_bag(block, general_best, stop, fast_scores.data());
  CHECK(same_bits(general_scores, fast_scores));
  // Lanes whose out-of-bag rows lack a class have no value; the driver never asks for them.
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    bool has[2] = {};
    for (std::int64_t i = 0; i < block.n_rows; ++i) {
      if (block.replicate(lane)[i] == 0) has[problem.target.codes[i]] = true;
    }
    if (!has[0] || !has[1]) general_best[lane].configuration = -1;
  }
  general->out_of_bag(block, general_best, stop, general_scores.data());
  fast.out_of_bag(block, general_best, stop, fast_scores.data());
  CHECK(same_bits(general_scores, fast_scores));
}

const std::vector<Scores> kAllKinds{Scores::distinct,      Scores::rounded, Scores::constant,
                                    Scores::two_values,    Scores::near,    Scores::zeros,
                                    Scores::one_row_apart, Scores::huge,    Scores::denormal,
                                    Scores::separated};

void test_shapes() {
  Random random(1);
  for (const std::int64_t n_rows : {2, 3, 7, 8, 9, 50, 127, 128, 129, 257, 1000}) {
    for (const double share : {0.5, 0.02, 0.98}) {
      const Problem problem(random, n_rows, 23, 1, 0, share, kAllKinds);
      compare(problem, draw_block(random, n_rows, 64, 0), true);
      compare(problem, draw_block(random, n_rows, 5, 0), true);
    }
  }
  const Problem problem(random, 5000, 11, 1, 0, 0.4, kAllKinds);
  compare(problem, draw_block(random, 5000, 64, 0), true);
}

void test_several_segments() {
  Random random(2);
  const Problem problem(random, 40000, 3, 1, 0, 0.4, {Scores::distinct, Scores::rounded});
  ReplicateBlock block = draw_block(random, 40000, 64, 0);
  compare(problem, block, false);
  // The largest count of a table that is packed, and the smallest of one that is not.
  for (const std::uint16_t largest : {std::uint16_t{15}, std::uint16_t{16}}) {
    block.counts[40000 * 63 + 39999] = largest;
    compare(problem, block, false);
  }
}

/// By itself: what the walks sum up is checked, and a wrong one would only be slow.
void test_packed_lines() {
  Random random(6);
  constexpr std::int64_t kRows = 40000;
  const ReplicateBlock block = draw_block(random, kRows, 64, 0);
  bbc::detail::LaneTable table(block, bbc::detail::Side::in_bag);
  CHECK(table.packed() == nullptr);
  table.pack();
  CHECK(table.packed() != nullptr);
  if (table.packed() == nullptr) return;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint8_t> tied;
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto row = (i * 7919) % kRows;
    const auto code = static_cast<std::int32_t>(random.below(2));
    rows.push_back(bbc::detail::AucProgrammer::coded(row, code));
    tied.push_back(i + 1 < kRows && random.below(3) == 0 ? 1 : 0);
  }
  bbc::detail::AucProgrammer programmer(kRows);
  programmer.begin();
  programmer.add_part(rows, tied);
  bbc::detail::AucProgram program;
  programmer.finish(program);
  CHECK(program.segment_ends.size() > 2);
  const bbc::detail::AucLoops& loops = bbc::detail::auc_loops(bbc::detail::simd_level());
  const std::uint32_t* at = program.words.data();
  for (const std::uint32_t segment_end : program.segment_ends) {
    const std::uint32_t* end = program.words.data() + segment_end;
    bbc::detail::AucSums sums;
    bbc::detail::AucSums packed;
    loops.walk(at, end, table.lines(), &sums);
    loops.walk_packed(at, end, table.packed(), &packed);
    CHECK(std::memcmp(&sums, &packed, sizeof sums) == 0);
    at = end;
  }
  ReplicateBlock large = block;
  large.counts[0] = 16;
  bbc::detail::LaneTable unpacked(large, bbc::detail::Side::in_bag);
  unpacked.pack();
  CHECK(unpacked.packed() == nullptr);
}

void test_repeats_and_folds() {
  Random random(3);
  for (const int n_repeats : {1, 3}) {
    for (const int n_folds : {0, 5}) {
      const Problem problem(random, 211, 13, n_repeats, n_folds, 0.5, kAllKinds);
      compare(problem, draw_block(random, 211, 64, 0), n_folds == 0);
    }
  }
}

void test_large_counts() {
  Random random(4);
  // 3: partial sums stay small. 40, 255: bytes overflow. 256 and more: counts do not fit bytes.
  for (const std::uint32_t most : {3U, 10U, 40U, 255U, 256U, 65535U}) {
    const Problem problem(random, 300, 13, 2, 0, 0.5, kAllKinds);
    compare(problem, draw_block(random, 300, 64, most), true);
  }
}

void test_every_row_once() {
  Random random(5);
  const Problem problem(random, 311, 17, 2, 0, 0.5, kAllKinds);
  const ReplicateBlock block{1, 311, std::vector<std::uint16_t>(311, 1), {}};
  compare(problem, block, true);
}

}  // namespace

int main() {
  // A level that this processor does not have runs as the next lower one.
  for (const char* level : {"portable", "avx2", "avx512"}) {
    bbc::detail::limit_simd(level);
    test_shapes();
    test_several_segments();
    test_packed_lines();
    test_repeats_and_folds();
    test_large_counts();
    test_every_row_once();
  }
  return check::report();
}
