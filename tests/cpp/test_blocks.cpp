// One call, blocks of configurations in any order, any number of threads and any instruction set:
// the same bits.
#include <algorithm>
#include <bbc/correction.hpp>
#include <span>

#include "problem.hpp"

namespace {

using namespace bbc;

struct Data {
  Target target;
  CorrectionOptions options;
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::vector<std::vector<std::int8_t>> labels;  // of each repeat
  std::vector<std::vector<double>> values;

  Data(const char* metric, std::int64_t rows, std::int64_t configurations, int n_repeats)
      : n_rows(rows), n_configurations(configurations) {
    problem::Random random(17);
    options.metric = make_metric(metric);
    options.resampling.n_bootstraps = 200;
    options.resampling.seed = 5;
    const bool of_labels = std::string(metric) == "accuracy";
    if (of_labels) {
      target.kind = Target::Kind::labels;
      target.n_classes = 2;
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      if (of_labels) {
        target.codes.push_back(static_cast<std::int32_t>(random.below(2)));
      } else {
        target.values.push_back(random.uniform());
      }
    }
    for (int repeat = 0; repeat < n_repeats; ++repeat) {
      labels.emplace_back();
      values.emplace_back();
      for (std::int64_t i = 0; i < rows * configurations; ++i) {
        labels.back().push_back(static_cast<std::int8_t>(random.below(2)));
        values.back().push_back(random.uniform());
      }
    }
  }

  [[nodiscard]] std::vector<Predictions> block(std::int64_t first, std::int64_t n) const {
    const std::array<std::int64_t, 3> strides{n_configurations, 1, 1};
    std::vector<Predictions> repeats;
    for (std::size_t repeat = 0; repeat < labels.size(); ++repeat) {
      if (target.kind == Target::Kind::labels) {
        repeats.emplace_back(
            View<std::int8_t>{labels[repeat].data() + first, n_rows, n, 1, strides});
      } else {
        repeats.emplace_back(View<double>{values[repeat].data() + first, n_rows, n, 1, strides});
      }
    }
    return repeats;
  }
};

void check_same(const Estimate& a, const Estimate& b, const std::string& context) {
  CHECK_FOR(a.replicates == b.replicates, context);
  CHECK_FOR(a.replicate_winners == b.replicate_winners, context);
  CHECK_FOR(a.estimate == b.estimate && a.apparent == b.apparent && a.winner == b.winner, context);
  CHECK_FOR(a.replicate_sd == b.replicate_sd && a.interval.low == b.interval.low, context);
}

void run(const Data& data, const std::string& name) {
  problem::set_level("portable");
  const auto all = data.block(0, data.n_configurations);
  const Estimate expected = correct(data.target, all, data.options, {1, {}});
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const std::string context = name + " " + level;
    for (const int n_threads : {1, 2, 5}) {
      check_same(correct(data.target, all, data.options, {n_threads, {}}), expected, context);
    }
    for (const std::int64_t size : {7, 50, 100}) {
      Correction forward(data.target, data.options);
      Correction backward(data.target, data.options);
      for (std::int64_t first = 0; first < data.n_configurations; first += size) {
        const std::int64_t n = std::min(size, data.n_configurations - first);
        forward.add(data.block(first, n), first, {2, {}});
        Correction one(data.target, data.options);
        one.add(data.block(first, n), first, {1, {}});
        one.merge(backward);
        backward = one;
      }
      check_same(forward.finish(), expected, context + " blocks of " + std::to_string(size));
      check_same(backward.finish(), expected, context + " merged blocks");
    }
  }
}

/// Families on shared draws: of each what a call of its own gives, to the number of redraws.
void run_families(const Data& data, const std::string& name) {
  std::vector<std::vector<Predictions>> families;
  const std::int64_t firsts[] = {0, 1, data.n_configurations / 3, data.n_configurations};
  for (int f = 0; f < 3; ++f) families.push_back(data.block(firsts[f], firsts[f + 1] - firsts[f]));
  for (const int n_threads : {1, 3}) {
    const auto found = correct_families(data.target, families, data.options, {n_threads, {}});
    CHECK(found.size() == families.size());
    for (std::size_t f = 0; f < families.size(); ++f) {
      const Estimate own = correct(data.target, families[f], data.options, {1, {}});
      check_same(found[f], own, name + " of a family");
      CHECK_FOR(found[f].n_redrawn == own.n_redrawn, name);
      CHECK_FOR((own.n_redrawn > 0) == (data.n_rows < 5), name);
    }
  }
}

}  // namespace

int main() {
  for (const char* metric : {"accuracy", "mean_squared_error", "mean_absolute_error"}) {
    for (const int n_repeats : {1, 3}) {
      // Enough work for the threads to start.
      run(Data(metric, 130, 230, n_repeats), std::string(metric) + std::to_string(n_repeats));
      run_families(Data(metric, 130, 230, n_repeats), metric);
    }
  }
  run_families(Data("accuracy", 3, 20, 1), "three rows");
  return check::report();
}
