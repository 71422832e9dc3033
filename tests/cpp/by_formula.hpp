#pragma once

// A column metric under every plan (counts, sample weights, folds, repeats, both sides) against its
// formula, computed slowly from a list of weighted rows.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detail/evaluation/column_evaluator.hpp"
#include "detail/evaluation/column_evaluators.hpp"
#include "problem.hpp"

namespace by_formula {

/// Rows and what each weighs, which is more than nothing.
struct Sample {
  std::vector<std::size_t> rows;
  std::vector<double> weights;

  [[nodiscard]] std::size_t size() const { return rows.size(); }
  [[nodiscard]] double total() const {
    double sum = 0.0;
    for (const double weight : weights) sum += weight;
    return sum;
  }
};

/// Predictions of several repeats: values[repeat][(row * n_configurations + configuration) *
/// n_outputs + output].
template <class T>
struct Block {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::int64_t n_outputs = 1;
  std::vector<std::vector<T>> values{};

  [[nodiscard]] T operator()(std::size_t repeat, std::size_t row, std::int64_t configuration,
                             std::int64_t output = 0) const {
    const auto first = static_cast<std::int64_t>(row) * n_configurations + configuration;
    return values[repeat][static_cast<std::size_t>(first * n_outputs + output)];
  }
  /// Fills every repeat with draw(row, configuration); the last configuration repeats the first.
  template <class Draw>
  void fill(std::size_t n_repeats, const Draw& draw) {
    for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
      auto& block = values.emplace_back();
      for (std::int64_t row = 0; row < n_rows; ++row) {
        const std::size_t start = block.size();
        for (std::int64_t j = 0; j + 1 < n_configurations; ++j) {
          for (std::int64_t k = 0; k < n_outputs; ++k) block.push_back(draw(row, j));
        }
        for (std::int64_t k = 0; k < n_outputs; ++k) {
          block.push_back(block[start + static_cast<std::size_t>(k)]);
        }
      }
    }
  }
  [[nodiscard]] std::vector<bbc::Predictions> views() const {
    std::vector<bbc::Predictions> views;
    for (const auto& block : values) {
      views.emplace_back(bbc::View<T>{block.data(),
                                      n_rows,
                                      n_configurations,
                                      n_outputs,
                                      {n_configurations * n_outputs, n_outputs, 1}});
    }
    return views;
  }
};

/// How rows are put together.
struct Plan {
  bool weighted;
  std::vector<std::int32_t> folds;  ///< [repeat][row]; empty: pooled
  std::vector<double> row_weights;

  Plan(problem::Random& random, std::int64_t n_rows, std::size_t n_repeats, bool weights,
       bool by_fold)
      : weighted(weights) {
    const auto n = static_cast<std::size_t>(n_rows);
    for (std::size_t i = 0; by_fold && i < n * n_repeats; ++i) {
      // One row in ten was not predicted by the repeat.
      folds.push_back(i % n < 3 ? static_cast<std::int32_t>(i % n)
                                : static_cast<std::int32_t>(random.below(10)) % 4 - 1);
    }
    for (std::size_t i = 0; weights && i < n; ++i) {
      row_weights.push_back(i % 5 == 4 ? 0.0 : 0.1 + random.uniform());
    }
  }

  /// The rows of each fold that a side of a replicate holds.
  [[nodiscard]] std::vector<Sample> samples(const std::uint16_t* counts, bbc::detail::Side side,
                                            std::size_t repeat, std::size_t n_rows) const {
    std::vector<Sample> samples(folds.empty() ? 1 : 3);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::int32_t fold = folds.empty() ? 0 : folds[repeat * n_rows + row];
      double weight = counts[row];
      if (side == bbc::detail::Side::out_of_bag) weight = counts[row] == 0 ? 1.0 : 0.0;
      if (weighted) weight *= row_weights[row];
      if (fold < 0 || weight == 0.0) continue;
      samples[static_cast<std::size_t>(fold)].rows.push_back(row);
      samples[static_cast<std::size_t>(fold)].weights.push_back(weight);
    }
    return samples;
  }
};

/// The value of one configuration on one side: `formula(sample, repeat, configuration)` has none
/// where the truth leaves the metric undefined.
template <class Formula>
std::optional<double> expected(const Plan& plan, const std::uint16_t* counts,
                               bbc::detail::Side side, std::size_t n_repeats, std::size_t n_rows,
                               std::int64_t configuration, const Formula& formula) {
  double sum = 0.0;
  for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
    double of_folds = 0.0;
    int n_defined = 0;
    for (const Sample& sample : plan.samples(counts, side, repeat, n_rows)) {
      if (sample.size() == 0) continue;
      const std::optional<double> value = formula(sample, repeat, configuration);
      if (!value) continue;
      of_folds += *value;
      ++n_defined;
    }
    if (n_defined == 0) return {};
    sum += of_folds / n_defined;
  }
  return sum / static_cast<double>(n_repeats);
}

inline bool near(double value, double expected, double tolerance = 1e-12) {
  return std::fabs(value - expected) <= tolerance * std::max(1.0, std::fabs(expected));
}

/// `exact_ties`: keys of one repeat, pooled and without weights, are equal exactly if the scores
/// are; `tolerance` is for scores.
struct Strictness {
  bool exact_ties = true;
  double tolerance = 1e-12;
};

/// Keys order the configurations as the scores do, and choose as a plain search would.
inline void check_choice(const bbc::detail::Evaluator& evaluator,
                         const bbc::detail::ReplicateBlock& replicates,
                         const std::vector<double>& scores, double direction, bool exact,
                         const std::string& context) {
  const bbc::detail::StopFlag never;
  const std::int64_t n = evaluator.n_configurations();
  std::vector<double> keys(scores.size());
  evaluator.keys(replicates, 0, n, never, keys.data());
  std::vector<bbc::detail::Choice> choices(static_cast<std::size_t>(replicates.n_replicates));
  evaluator.best(replicates, never, choices.data());
  std::vector<std::int64_t> worse(static_cast<std::size_t>(n));
  std::vector<std::int64_t> expected_worse(worse.size());
  evaluator.count_worse(replicates, n / 2, never, worse.data());
  for (int lane = 0; lane < replicates.n_replicates; ++lane) {
    const double* key = keys.data() + lane * n;
    const double* score = scores.data() + lane * n;
    for (std::int64_t a = 0; a < n; ++a) {
      for (std::int64_t b = 0; b < n; ++b) {
        const double ahead = direction * (score[a] - score[b]);
        if (ahead > 1e-8) CHECK_FOR(key[a] > key[b], context + " key order");
        if (exact && std::fabs(ahead) < 1e-13) CHECK_FOR(key[a] == key[b], context + " key tie");
      }
      if (key[a] < key[n / 2]) ++expected_worse[static_cast<std::size_t>(a)];
    }
    CHECK_FOR(key[0] == key[n - 1], context + " key of a duplicate");
    const auto& choice = choices[static_cast<std::size_t>(lane)];
    CHECK_FOR(choice.configuration == std::max_element(key, key + n) - key, context + " best");
    CHECK_FOR(check::same(choice.key, key[choice.configuration]), context + " best key");
  }
  CHECK_FOR(worse == expected_worse, context + " count_worse");
}

/// Compares everything that the general evaluator of M, or with sample weights of Weighted, says
/// of some random replicates with the formula.
template <class M, class Weighted = M, class T, class Formula>
void check(const bbc::Metric& metric, const bbc::Target& target, const Block<T>& block,
           problem::Random& random, const Formula& formula, const std::string& context,
           Strictness strictness = {}) {
  using bbc::detail::Side;
  const auto views = block.views();
  const auto n_rows = static_cast<std::size_t>(block.n_rows);
  const std::int64_t n = block.n_configurations;
  constexpr int kReplicates = 11;  // not a multiple of the lanes
  for (int variant = 0; variant < 4; ++variant) {
    const Plan plan(random, block.n_rows, views.size(), variant % 2 == 1, variant >= 2);
    const std::string place = context + " variant " + std::to_string(variant);
    const bbc::detail::EvaluatorInput input{metric, target, views, plan.folds, plan.row_weights};
    const auto& kind = std::get<typename M::Kind>(metric.kind);
    const auto evaluator = plan.weighted ? bbc::detail::make_columns<Weighted>(kind, input, {1, {}})
                                         : bbc::detail::make_columns<M>(kind, input, {1, {}});
    bbc::detail::ReplicateBlock replicates{0, block.n_rows, {}, plan.row_weights};
    std::vector<double> scores[2];
    for (int attempt = 0; attempt < 300 && replicates.n_replicates < kReplicates; ++attempt) {
      const auto drawn = problem::random_block(random, block.n_rows, 1, random.below(8));
      std::vector<double> of_side[2];
      for (const Side side : {Side::in_bag, Side::out_of_bag}) {
        for (std::int64_t j = 0; j < n; ++j) {
          const auto value =
              expected(plan, drawn.counts.data(), side, views.size(), n_rows, j, formula);
          if (value) of_side[static_cast<int>(side)].push_back(*value);
        }
      }
      if (std::min(of_side[0].size(), of_side[1].size()) < static_cast<std::size_t>(n)) continue;
      replicates.counts.insert(replicates.counts.end(), drawn.counts.begin(), drawn.counts.end());
      for (int side = 0; side < 2; ++side) {
        scores[side].insert(scores[side].end(), of_side[side].begin(), of_side[side].end());
      }
      ++replicates.n_replicates;
    }
    CHECK_FOR(replicates.n_replicates > 0, place + ": no replicate is defined");
    const bbc::detail::StopFlag never;
    std::vector<double> all(scores[0].size());
    evaluator->scores(replicates, 0, n, never, all.data());
    for (std::int64_t j = 0; j < n; ++j) {
      std::vector<bbc::detail::Choice> choices(static_cast<std::size_t>(replicates.n_replicates),
                                               {0.0, j});
      std::vector<double> in_bag(choices.size());
      std::vector<double> out_of_bag(choices.size());
      evaluator->in_bag(replicates, choices.data(), never, in_bag.data());
      evaluator->out_of_bag(replicates, choices.data(), never, out_of_bag.data());
      for (std::size_t lane = 0; lane < choices.size(); ++lane) {
        const auto at = lane * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
        const std::string of = place + " configuration " + std::to_string(j) + ": ";
        const auto message = [&](double value, double wanted) {
          return of + std::to_string(value) + ", not " + std::to_string(wanted);
        };
        CHECK_FOR(near(in_bag[lane], scores[0][at], strictness.tolerance),
                  message(in_bag[lane], scores[0][at]) + " in bag");
        CHECK_FOR(near(out_of_bag[lane], scores[1][at], strictness.tolerance),
                  message(out_of_bag[lane], scores[1][at]) + " out of bag");
        CHECK_FOR(check::same(all[at], in_bag[lane]), of + "scores and in_bag differ");
      }
    }
    const bool exact = strictness.exact_ties && variant == 0 && views.size() == 1;
    check_choice(*evaluator, replicates, scores[0], metric.formula_greater_is_better() ? 1.0 : -1.0,
                 exact, place);
  }
}

}  // namespace by_formula
