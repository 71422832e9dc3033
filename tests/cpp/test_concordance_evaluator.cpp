// The fast concordance index against the general one, which walks a Fenwick tree, and against
// comparing all pairs: the same bits on all instruction sets.
#include <cmath>

#include "detail/evaluation/column_evaluator.hpp"
#include "detail/fast/auc_evaluator.hpp"
#include "detail/metrics/concordance.hpp"
#include "problem.hpp"

namespace {

using bbc::detail::AucEvaluator;
using bbc::detail::ReplicateBlock;

struct Data {
  bbc::Target target;
  std::int64_t n_configurations;
  std::vector<std::vector<double>> risks;  // per repeat, row by row

  /// `n_times` distinct times; every third configuration's risks tie, every fifth's are constant.
  Data(problem::Random& random, std::int64_t n_rows, std::int64_t configurations, int n_repeats,
       std::uint32_t n_times, double event_share)
      : n_configurations(configurations), risks(static_cast<std::size_t>(n_repeats)) {
    target.kind = bbc::Target::Kind::survival;
    for (std::int64_t i = 0; i < n_rows; ++i) {
      target.values.push_back(i == 0 ? -1.0 : random.below(n_times));
      target.events.push_back(i == 0 || random.uniform() < event_share ? 1 : 0);
    }
    for (auto& of_repeat : risks) {
      for (std::int64_t i = 0; i < n_rows; ++i) {
        for (std::int64_t j = 0; j < configurations; ++j) {
          const double risk = random.uniform() - 0.3 * target.values[i] / n_times;
          of_repeat.push_back(j % 5 == 4 ? 1.0 : j % 3 == 2 ? std::round(5.0 * risk) : risk);
        }
      }
    }
  }

  [[nodiscard]] std::vector<bbc::Predictions> views() const {
    std::vector<bbc::Predictions> out;
    for (const auto& of_repeat : risks) {
      out.emplace_back(bbc::View<double>{
          of_repeat.data(), target.n_rows(), n_configurations, 1, {n_configurations, 1, 1}});
    }
    return out;
  }
};

double all_pairs(const Data& data, const std::uint16_t* counts, std::int64_t j) {
  double key = 0.0;
  const auto n = static_cast<std::size_t>(data.target.n_rows());
  for (const auto& risks : data.risks) {
    const auto risk = [&](std::size_t i) { return risks[i * data.n_configurations + j]; };
    for (std::size_t a = 0; a < n; ++a) {
      if (data.target.events[a] == 0) continue;
      for (std::size_t b = 0; b < n; ++b) {
        const double gap = data.target.values[b] - data.target.values[a];
        if (gap < 0.0 || (gap == 0.0 && data.target.events[b] != 0)) continue;
        const double concordant = risk(a) > risk(b) ? 2.0 : risk(a) == risk(b) ? 1.0 : 0.0;
        key += concordant * counts[a] * counts[b];
      }
    }
  }
  return key;
}

void compare(const Data& data, const ReplicateBlock& block, const std::string& context,
             bool pairs) {
  const auto views = data.views();
  const bbc::Metric metric = bbc::make_metric("concordance_index");
  const bbc::detail::EvaluatorInput input{metric, data.target, views, {}, {}};
  const bbc::detail::ColumnEvaluator<bbc::detail::ConcordanceColumns> general(
      bbc::metric::Concordance{}, input, {});
  const AucEvaluator fast(input, {});
  problem::check_equal(fast, general, block, context);
  if (!pairs) return;
  const bbc::detail::StopFlag never;
  std::vector<double> keys(static_cast<std::size_t>(block.n_replicates * data.n_configurations));
  fast.keys(block, 0, data.n_configurations, never, keys.data());
  for (int lane = 0; lane < block.n_replicates; lane += 13) {
    for (std::int64_t j = 0; j < data.n_configurations; ++j) {
      CHECK_FOR(keys[lane * data.n_configurations + j] == all_pairs(data, block.replicate(lane), j),
                context + " all pairs");
    }
  }
}

/// Row 0 is the first event: with it and another row in the bag and out of it, all is defined.
ReplicateBlock bag_of(problem::Random& random, std::int64_t n_rows, int n_replicates,
                      std::uint32_t most) {
  return problem::random_block(random, n_rows, n_replicates, most);
}

}  // namespace

int main() {
  for (const char* level : problem::kLevels) {
    problem::set_level(level);
    problem::Random random(11);
    for (const std::int64_t n_rows : {2, 3, 8, 9, 17, 64, 150, 400}) {
      for (const std::uint32_t n_times : {1U, 4U, 1000000U}) {
        for (const double event_share : {0.1, 0.6, 1.0}) {
          const Data data(random, n_rows, 11, 1, n_times, event_share);
          const std::string context = std::string(level) + ", " + std::to_string(n_rows) +
                                      " rows, " + std::to_string(n_times) + " times";
          compare(data, bag_of(random, n_rows, 64, 0), context, n_rows <= 150);
        }
      }
    }
    for (const std::uint32_t most : {15U, 16U, 200U, 300U, 60000U}) {
      const Data data(random, 90, 11, 2, 50, 0.6);
      compare(data, bag_of(random, 90, 20, most), "counts to " + std::to_string(most), true);
    }
    // No ties, which the first two configurations never have; several panels; whole leaves.
    for (const std::int64_t n_rows : {40, 41, 120}) {
      const Data untied(random, n_rows, 2, 2, 1000, 0.7);
      compare(untied, bag_of(random, n_rows, 64, 0), "no ties", true);
      compare(untied, bag_of(random, n_rows, 33, 15), "no ties, counts to 15", true);
    }
    const Data panels(random, 60, 600, 1, 30, 0.6);
    compare(panels, bag_of(random, 60, 64, 0), "600 configurations", false);
    const Data large(random, 2500, 4, 1, 100000, 0.5);
    compare(large, bag_of(random, 2500, 64, 0), "2500 rows", false);
    const Data once(random, 200, 9, 2, 100, 0.5);
    compare(once, {1, 200, std::vector<std::uint16_t>(200, 1), {}}, "every row once", true);
  }
  return check::report();
}
