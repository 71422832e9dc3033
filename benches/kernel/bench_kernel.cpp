// Times of whole corrections and of their stages, for profiling:
//
//     bench_kernel [start of names]
//
// prints the median and the least time of each, the least processor time (of all threads), and what
// a cell (replicate x row x configuration) costs at the least. BBC_SIMD chooses the instruction
// set.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/philox.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "detail/metrics/evaluator.hpp"
#include "detail/resampling/replicates.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Problem {
  std::string metric;
  std::int64_t n_rows;
  std::int64_t n_configurations;
  bbc::Target target;
  std::vector<std::int8_t> labels;
  std::vector<double> values;
  std::vector<bbc::Predictions> repeats;
  bbc::CorrectionOptions options;

  Problem(std::string name, std::int64_t rows, std::int64_t configurations)
      : metric(std::move(name)), n_rows(rows), n_configurations(configurations) {
    bbc::WordStream words(1, 0, 0, 0);
    const auto uniform = [&] { return words.next() * 0x1p-32; };
    const auto bell = [&] { return uniform() + uniform() + uniform() + uniform() - 2.0; };
    options.metric = bbc::make_metric(metric);
    const bool real = metric == "mean_squared_error";
    const bool of_labels = metric == "zero_one_loss";
    target.kind = real ? bbc::Target::Kind::real : bbc::Target::Kind::labels;
    target.n_classes = real ? 0 : 2;
    for (std::int64_t i = 0; i < rows; ++i) {
      const double truth = bell();
      if (real) {
        target.values.push_back(truth);
      } else {
        target.codes.push_back(truth > 0.0 ? 1 : 0);
      }
      for (std::int64_t j = 0; j < configurations; ++j) {
        const double value = truth + bell() * (1.0 + 0.1 * static_cast<double>(j % 10));
        if (of_labels) {
          labels.push_back(value > 0.0 ? 1 : 0);
        } else {
          values.push_back(value);
        }
      }
    }
    const std::array<std::int64_t, 3> strides{configurations, 1, 1};
    if (of_labels) {
      repeats.emplace_back(bbc::View<std::int8_t>{labels.data(), rows, configurations, 1, strides});
    } else {
      repeats.emplace_back(bbc::View<double>{values.data(), rows, configurations, 1, strides});
    }
  }
};

class Bench {
 public:
  explicit Bench(std::string wanted) : wanted_(std::move(wanted)) {}

  /// Whether any timing whose name starts like this is wanted.
  [[nodiscard]] bool wants(const std::string& start) const {
    const auto n = std::min(start.size(), wanted_.size());
    return start.compare(0, n, wanted_, 0, n) == 0;
  }

  /// Runs `body` for about a third of a second.
  void time(const std::string& name, double cells, const std::function<void()>& body) const {
    if (name.compare(0, wanted_.size(), wanted_) != 0) return;
    std::vector<double> times;
    double least_cpu = 1e9;
    const auto end = Clock::now() + std::chrono::milliseconds(350);
    do {
      const auto start = Clock::now();
      const auto start_cpu = std::clock();
      body();
      least_cpu = std::min(least_cpu, static_cast<double>(std::clock() - start_cpu));
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    } while (Clock::now() < end || times.size() < 3);
    std::sort(times.begin(), times.end());
    std::printf("%-44s median %9.1f  least %9.1f  cpu %9.1f us  %9.5f ns/cell\n", name.c_str(),
                1e6 * times[times.size() / 2], 1e6 * times[0], 1e6 * least_cpu / CLOCKS_PER_SEC,
                1e9 * times[0] / cells);
    std::fflush(stdout);
  }

 private:
  std::string wanted_;
};

void bench_problem(const Bench& bench, const std::string& name, const Problem& problem) {
  const double rows_drawn = 1000.0 * static_cast<double>(problem.n_rows);
  const double cells = rows_drawn * static_cast<double>(problem.n_configurations);
  const bbc::Control one{1, {}};
  for (const int n_threads : {1, 2}) {
    bench.time(name + "correct, " + std::to_string(n_threads) + " threads", cells, [&] {
      (void)bbc::correct(problem.target, problem.repeats, problem.options, {n_threads, {}});
    });
  }
  bbc::Target target = problem.target;
  for (std::int32_t code = 0; code < target.n_classes; ++code) target.label_values.push_back(code);
  const bbc::detail::EvaluatorInput input{problem.options.metric, target, problem.repeats, {}, {}};
  const bbc::detail::Replicates replicates(target, problem.options,
                                           bbc::detail::RequiredSides::both_sides);
  bench.time(name + "draw", rows_drawn, [&] {
    for (std::int64_t first = 0; first < 1000; first += 64) {
      (void)replicates.draw(first, static_cast<int>(std::min<std::int64_t>(64, 1000 - first)));
    }
  });
  bench.time(name + "prepare", cells / 1000.0,
             [&] { (void)bbc::detail::make_evaluator(input, one); });
  const auto evaluator = bbc::detail::make_evaluator(input, one);
  const auto drawn = replicates.draw(0, 64);
  const bbc::detail::StopFlag stop;
  bbc::detail::Choice choices[64];
  double scores[64];
  bench.time(name + "best of 64 replicates", 0.064 * cells,
             [&] { evaluator->best(drawn.block, stop, choices); });
  bench.time(name + "out of bag of 64 replicates", 0.064 * rows_drawn,
             [&] { evaluator->out_of_bag(drawn.block, choices, stop, scores); });
}

}  // namespace

int main(int argc, char** argv) {
  const Bench bench(argc > 1 ? argv[1] : "");
  for (const char* metric : {"zero_one_loss", "mean_squared_error", "roc_auc"}) {
    for (const auto& [n_rows, n_configurations] :
         {std::pair<std::int64_t, std::int64_t>{20, 50}, {100, 200}, {500, 500}, {1000, 2000}}) {
      const std::string name = std::string(metric) + " " + std::to_string(n_rows) + " x " +
                               std::to_string(n_configurations) + " ";
      if (!bench.wants(name)) continue;
      bench_problem(bench, name, Problem(metric, n_rows, n_configurations));
    }
  }
}
