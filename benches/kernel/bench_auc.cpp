// AUC: the whole correction and its parts, by instruction set.
//
//   bench_auc [rows configurations [replicates]]
//
// Times are medians; a cell is one (replicate, row, configuration).
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/philox.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ratio>
#include <string>
#include <vector>

#include "detail/isa/auc_program.hpp"
#include "detail/isa/auc_walk.hpp"
#include "detail/isa/simd.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/resampling/replicates.hpp"
#include "detail/support/lane_table.hpp"

namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double median_ns(const Work& work) {
  std::vector<double> times;
  const auto start = Clock::now();
  do {
    const auto before = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - before).count());
  } while (times.size() < 3 || (Clock::now() - start < std::chrono::milliseconds(500)));
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  return times[times.size() / 2];
}

struct Problem {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  bbc::Target target;
  std::vector<double> scores;

  Problem(std::int64_t rows, std::int64_t configurations)
      : n_rows(rows), n_configurations(configurations) {
    bbc::WordStream words(1, 0, 0, 0);
    const auto uniform = [&] { return words.next() / 4294967296.0; };
    target.kind = bbc::Target::Kind::labels;
    target.n_classes = 2;
    for (std::int64_t i = 0; i < rows; ++i) {
      target.codes.push_back(i < 2 ? static_cast<std::int32_t>(i) : uniform() < 0.5 ? 1 : 0);
    }
    // Binormal scores, all configurations with an AUC around 0.76.
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < configurations; ++j) {
        double bell = -6.0;
        for (int k = 0; k < 12; ++k) bell += uniform();
        scores.push_back(bell + target.codes[i]);
      }
    }
  }

  [[nodiscard]] bbc::Predictions view() const {
    return bbc::View<double>{scores.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}};
  }
};

void bench_correct(const Problem& problem, std::int64_t n_bootstraps) {
  const bbc::Predictions view = problem.view();
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("roc_auc");
  options.resampling.n_bootstraps = n_bootstraps;
  const double cells = static_cast<double>(n_bootstraps * problem.n_rows) *
                       static_cast<double>(problem.n_configurations);
  for (const char* level : {"portable", "avx2", "avx512"}) {
    bbc::detail::limit_simd(level);
    for (const int n_threads : {1, 2}) {
      bbc::Control control;
      control.n_threads = n_threads;
      double sink = 0.0;
      const double time = median_ns(
          [&] { sink += bbc::correct(problem.target, {&view, 1}, options, control).estimate; });
      std::printf("correct, %-8s %d thread%s %10.3f ms %8.4f ns per cell\n", level, n_threads,
                  n_threads == 1 ? ": " : "s:", time * 1e-6, time / cells);
    }
  }
}

/// `elements` are rows times programs.
void bench_walks(const std::vector<bbc::detail::AucProgram>& programs,
                 const bbc::detail::LaneTable& table, double elements) {
  namespace detail = bbc::detail;
  for (const auto level :
       {detail::SimdLevel::portable, detail::SimdLevel::avx2, detail::SimdLevel::avx512}) {
    if (level > detail::simd_level()) continue;
    const auto walk = detail::auc_loops(level).walk;
    detail::AucSums sums;
    const double time = median_ns([&] {
      for (const auto& program : programs) {
        const std::uint32_t* at = program.words.data();
        for (const std::uint32_t end : program.segment_ends) {
          walk(at, program.words.data() + end, table.lines(), &sums);
          at = program.words.data() + end;
        }
      }
    });
    std::printf("walk, level %d: %.4f ns per cell\n", static_cast<int>(level),
                time / elements / detail::kBlock);
  }
}

void bench_parts(const Problem& problem) {
  namespace detail = bbc::detail;
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric("roc_auc");
  const detail::Replicates replicates(problem.target, options, detail::RequiredSides::both_sides);
  const double cells = static_cast<double>(problem.n_rows) * detail::kBlock;
  const double draw = median_ns([&] { (void)replicates.draw(0, detail::kBlock); });
  std::printf("draws:     %6.2f ns per row and replicate\n", draw / cells);
  const auto drawn = replicates.draw(0, detail::kBlock);
  const double fill =
      median_ns([&] { const detail::LaneTable table(drawn.block, detail::Side::in_bag); });
  std::printf("table:     %6.2f ns per row and replicate\n", fill / cells);

  const auto n = static_cast<std::size_t>(std::min<std::int64_t>(problem.n_configurations, 50));
  std::vector<std::vector<double>> columns(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < problem.n_rows; ++i) {
      columns[j].push_back(problem.scores[i * problem.n_configurations + j]);
    }
  }
  std::vector<detail::SortedScores> sorted(n);
  std::vector<detail::AucProgram> programs(n);
  const double elements = static_cast<double>(n) * static_cast<double>(problem.n_rows);
  const double sort = median_ns([&] {
    detail::ScoreSorter sorter;
    for (std::size_t j = 0; j < n; ++j) sorter.sort(columns[j], sorted[j]);
  });
  std::printf("sort:      %6.2f ns per row and configuration\n", sort / elements);
  const double write = median_ns([&] {
    detail::AucProgrammer programmer(problem.n_rows);
    std::vector<std::uint32_t> rows(sorted[0].rows.size());
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::int32_t row = sorted[j].rows[i];
        rows[i] = detail::AucProgrammer::coded(row, problem.target.codes[row]);
      }
      programmer.begin();
      programmer.add_part(rows, sorted[j].tied_with_next);
      programmer.finish(programs[j]);
    }
  });
  std::printf("programs:  %6.2f ns per row and configuration\n", write / elements);
  bench_walks(programs, detail::LaneTable(drawn.block, detail::Side::in_bag), elements);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n_rows = argc > 1 ? std::atoll(argv[1]) : 500;
  const std::int64_t n_configurations = argc > 2 ? std::atoll(argv[2]) : 500;
  const std::int64_t n_bootstraps = argc > 3 ? std::atoll(argv[3]) : 1000;
  const Problem problem(n_rows, n_configurations);
  bench_parts(problem);
  bench_correct(problem, n_bootstraps);
  return 0;
}
