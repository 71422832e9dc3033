#pragma once

// Random censored times with risks, and what fast evaluators of the concordance index are compared
// with: the general one, which walks a Fenwick tree, and all pairs.
#include <cmath>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/metrics/concordance.hpp"
#include "problem.hpp"

namespace survival {

struct Data {
  bbc::Target target;
  std::int64_t n_configurations;
  std::vector<std::vector<double>> risks;  // per repeat, row by row

  /// `n_times` distinct times; every third configuration's risks tie, every fifth's are constant.
  /// Row 0 is the first event: with it and another row in bag and out of bag, all is defined.
  Data(problem::Random& random, std::int64_t n_rows, std::int64_t configurations, int n_repeats,
       std::uint32_t n_times, double event_share, bool weighted)
      : n_configurations(configurations), risks(static_cast<std::size_t>(n_repeats)) {
    target.kind = bbc::Target::Kind::survival;
    for (std::int64_t i = 0; i < n_rows; ++i) {
      target.values.push_back(i == 0 ? -1.0 : random.below(n_times));
      target.events.push_back(i == 0 || random.uniform() < event_share ? 1 : 0);
      if (!weighted) continue;
      target.event_weights.push_back(target.events.back() == 0 ? 0.0 : 1.0 / random.uniform());
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

/// Twice the pairs in the right order, weighted if events are.
inline double all_pairs(const Data& data, const std::uint16_t* counts, std::int64_t j) {
  double key = 0.0;
  const auto n = static_cast<std::size_t>(data.target.n_rows());
  for (const auto& risks : data.risks) {
    const auto risk = [&](std::size_t i) { return risks[i * data.n_configurations + j]; };
    for (std::size_t a = 0; a < n; ++a) {
      if (data.target.events[a] == 0) continue;
      const double weight = data.target.event_weights.empty() ? 1.0 : data.target.event_weights[a];
      for (std::size_t b = 0; b < n; ++b) {
        const double gap = data.target.values[b] - data.target.values[a];
        if (gap < 0.0 || (gap == 0.0 && data.target.events[b] != 0)) continue;
        const double concordant = risk(a) > risk(b) ? 2.0 : risk(a) == risk(b) ? 1.0 : 0.0;
        key += weight * concordant * counts[a] * counts[b];
      }
    }
  }
  return key;
}

/// Compares an evaluator's keys with all pairs: exactly unless they are weighted.
inline void compare_pairs(const Data& data, const bbc::detail::Evaluator& evaluator,
                          const bbc::detail::ReplicateBlock& block, const std::string& context) {
  const bbc::detail::StopFlag never;
  std::vector<double> keys(static_cast<std::size_t>(block.n_replicates * data.n_configurations));
  evaluator.keys(block, 0, data.n_configurations, never, keys.data());
  const double tolerance = data.target.event_weights.empty() ? 0.0 : 1e-12;
  for (int lane = 0; lane < block.n_replicates; lane += 13) {
    for (std::int64_t j = 0; j < data.n_configurations; ++j) {
      const double expected = all_pairs(data, block.replicate(lane), j);
      const double key = keys[lane * data.n_configurations + j];
      CHECK_FOR(std::fabs(key - expected) <= tolerance * expected, context + " all pairs");
    }
  }
}

inline std::unique_ptr<bbc::detail::Evaluator> general(const bbc::detail::EvaluatorInput& input) {
  return bbc::detail::make_columns<bbc::detail::ConcordanceColumns>(bbc::metric::Concordance{},
                                                                    input, {});
}

/// Compares an evaluator with the general one and, if asked, with all pairs.
template <class Fast>
void compare(const Data& data, const bbc::detail::ReplicateBlock& block, const std::string& context,
             bool pairs) {
  const auto views = data.views();
  const bbc::Metric metric = bbc::make_metric("concordance_index");
  const bbc::detail::EvaluatorInput input{metric, data.target, views, {}, {}};
  CHECK(Fast::suits(input));
  const Fast fast(input, {});
  problem::check_equal(fast, *general(input), block, context);
  if (pairs) compare_pairs(data, fast, block, context);
}

}  // namespace survival
