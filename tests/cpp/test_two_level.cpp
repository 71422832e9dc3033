// Two-level draws: folds of one repeat, units within them, and a choice by all repeats that is
// scored on the folds left out of that one.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/inference.hpp>
#include <bbc/philox.hpp>
#include <bbc/resampling.hpp>
#include <bbc/winners.hpp>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace {

using namespace bbc;
using check::message_of;

constexpr std::int64_t kRows = 30;
constexpr std::int64_t kConfigurations = 6;
constexpr std::int64_t kReplicates = 120;
constexpr std::uint64_t kSeed = 5;

struct Draw {
  std::vector<int> rows = std::vector<int>(kRows);
  std::map<std::int32_t, int> folds;  // how often each was drawn
};

using Units = std::vector<std::vector<std::size_t>>;  // rows of each unit

/// The definition, one word after the other: folds, then the units of each fold drawn.
Draw draw_by_hand(const std::vector<std::int32_t>& order, std::map<std::int32_t, Units>& units,
                  std::uint32_t replicate, std::uint32_t attempt) {
  WordStream words(kSeed, 0, replicate, attempt);
  Draw draw;
  std::vector<std::int32_t> drawn;
  for (std::size_t i = 0; i < order.size(); ++i) {
    drawn.push_back(order[words.below(static_cast<std::uint32_t>(order.size()))]);
  }
  for (const std::int32_t fold : order) draw.folds[fold] = 0;
  for (const std::int32_t fold : drawn) {
    ++draw.folds[fold];
    const Units& of_fold = units[fold];
    for (std::size_t i = 0; i < of_fold.size(); ++i) {
      for (const auto row : of_fold[words.below(static_cast<std::uint32_t>(of_fold.size()))]) {
        ++draw.rows[row];
      }
    }
  }
  return draw;
}

struct Data {
  Target target;
  CorrectionOptions options = problem::options_of("mean_squared_error", kReplicates);
  std::vector<std::vector<double>> values;

  explicit Data(std::size_t n_repeats) {
    problem::Random random(3);
    for (std::int64_t row = 0; row < kRows; ++row) target.values.push_back(random.uniform());
    for (std::size_t r = 0; r < n_repeats; ++r) {
      values.emplace_back();
      for (std::int64_t i = 0; i < kRows * kConfigurations; ++i) {
        values.back().push_back(random.uniform());
      }
      for (std::int64_t row = 0; row < kRows; ++row) {
        options.resampling.folds.push_back(
            static_cast<std::int32_t>((7 * row + row / 6) % (5 - r)));
      }
    }
    options.resampling.seed = kSeed;
  }
  [[nodiscard]] std::vector<Predictions> views() const {
    std::vector<Predictions> views;
    for (const auto& own : values) {
      views.emplace_back(
          View<double>{own.data(), kRows, kConfigurations, 1, {kConfigurations, 1, 1}});
    }
    return views;
  }
  [[nodiscard]] std::int32_t fold(std::size_t repeat, std::size_t row) const {
    return options.resampling.folds[repeat * kRows + row];
  }
  /// Folds in order of their first row, and the rows of each.
  [[nodiscard]] std::pair<std::vector<std::int32_t>, std::map<std::int32_t, Units>> parts(
      std::size_t repeat) const {
    std::vector<std::int32_t> order;
    std::map<std::int32_t, Units> units;
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::int32_t own = fold(repeat, row);
      if (own < 0) continue;
      if (units[own].empty()) order.push_back(own);
      units[own].push_back({row});
    }
    return {order, units};
  }
  template <class Counts>
  [[nodiscard]] double squared(std::size_t repeat, std::int64_t j, const Counts& counts) const {
    double sum = 0.0;
    double n = 0.0;
    for (std::size_t row = 0; row < kRows; ++row) {
      const double gap =
          target.values[row] - values[repeat][row * kConfigurations + static_cast<std::size_t>(j)];
      sum += counts(row) * gap * gap;
      n += counts(row);
    }
    return sum / n;
  }
};

/// Chooses by the mean over repeats of the in-bag losses; scores on what the repeat left out.
void replicates_by_hand(std::size_t n_repeats) {
  const Data data(n_repeats);
  const auto views = data.views();
  const Estimate estimate = correct(data.target, views, data.options);
  std::int64_t n_redrawn = 0;
  for (std::uint32_t b = 0; b < kReplicates; ++b) {
    const std::size_t repeat = b % n_repeats;
    auto [order, units] = data.parts(repeat);
    Draw draw;
    for (std::uint32_t attempt = 0;; ++attempt) {
      draw = draw_by_hand(order, units, b, attempt);
      const auto left_out = [](const auto& fold) { return fold.second == 0; };
      if (std::any_of(draw.folds.begin(), draw.folds.end(), left_out)) break;
      ++n_redrawn;
    }
    std::int64_t best = 0;
    double least = 0.0;
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      double loss = 0.0;
      for (std::size_t r = 0; r < n_repeats; ++r) {
        loss += data.squared(r, j, [&](std::size_t row) { return double(draw.rows[row]); });
      }
      if (j == 0 || loss < least) {
        best = j;
        least = loss;
      }
    }
    CHECK(estimate.replicate_winners[b] == best);
    const double score = data.squared(repeat, best, [&](std::size_t row) {
      return draw.folds[data.fold(repeat, row)] == 0 ? 1.0 : 0.0;
    });
    CHECK(std::fabs(estimate.replicates[b] - score) < 1e-12);
  }
  CHECK(estimate.n_redrawn == n_redrawn && n_redrawn > 0);
  CHECK(estimate.interval.low < estimate.interval.high);
}

/// Rows that a repeat did not predict are on neither side; a group that folds divide is drawn in
/// parts.
void groups_and_missing_rows() {
  Resampling resampling;
  resampling.seed = kSeed;
  for (std::int32_t row = 0; row < kRows; ++row) {
    resampling.units.push_back(row / 3);
    resampling.folds.push_back(row == 4 || row == 17 ? -1 : row % 2 == 0 ? row / 10 : 3);
  }
  const Sampler sampler(kRows, resampling);
  std::vector<std::int32_t> order;
  std::map<std::int32_t, Units> units;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> place;
  for (std::size_t row = 0; row < kRows; ++row) {
    const auto fold = resampling.folds[row];
    if (fold < 0) continue;
    if (units[fold].empty()) order.push_back(fold);
    const auto found = place.try_emplace({fold, resampling.units[row]}, units[fold].size());
    if (found.second) units[fold].emplace_back();
    units[fold][found.first->second].push_back(row);
  }
  for (std::uint32_t b = 0; b < 50; ++b) {
    const Draw draw = draw_by_hand(order, units, b, 0);
    std::vector<std::uint16_t> counts(kRows);
    std::vector<std::uint16_t> of_fold(kRows);
    sampler.draw_folds(b, 0, counts.data(), of_fold.data());
    for (std::size_t row = 0; row < kRows; ++row) {
      const auto fold = resampling.folds[row];
      CHECK(counts[row] == draw.rows[row]);
      CHECK(of_fold[row] == (fold < 0 ? 1 : draw.folds.at(fold)));
    }
  }
}

void few_folds() {
  Data data(1);
  for (auto& fold : data.options.resampling.folds) fold %= 3;
  const Estimate estimate = correct(data.target, data.views(), data.options);
  CHECK(estimate.interval.low < estimate.estimate && estimate.estimate < estimate.interval.high);
  CHECK(std::ranges::any_of(estimate.rates, [](const RateTerm& term) {
    return term.form == RateTerm::Form::few_folds && term.n == 3.0;
  }));
}

void refusals() {
  Data data(1);
  const auto message = [&] {
    return message_of([&] { (void)correct(data.target, data.views(), data.options); });
  };
  CHECK(message_of([&] { (void)dominated(data.target, data.views(), data.options, 0.9); }) ==
        "resampling: tests of dominance draw rows or groups, not folds");
  data.options.resampling.resamples.assign(kRows * kReplicates, 0);
  CHECK(message() == "resamples: two-level draws are random only");
  data.options.resampling.resamples.clear();
  data.options.resampling.folds.assign(kRows, 2);
  CHECK(message() == "folds: two-level draws need at least two folds at repeat 0");
  data.options.resampling.folds.pop_back();
  CHECK(message() == "folds: 29 values for repeats of 30 rows");
  data.options.resampling.folds.assign(2 * kRows, 1);
  for (std::size_t i = 0; i < kRows; ++i) data.options.resampling.folds[2 * i] = 0;
  CHECK(message() == "folds: 60 values for 1 repeats of 30 rows");
  // One positive row lies in one fold: never in bag and out of bag.
  Data ranked(1);
  ranked.options.metric = make_metric("roc_auc");
  ranked.target.kind = Target::Kind::labels;
  ranked.target.n_classes = 2;
  ranked.target.codes.assign(kRows, 0);
  ranked.target.codes[3] = 1;
  CHECK(
      message_of([&] { (void)correct(ranked.target, ranked.views(), ranked.options); }) ==
      "target: class 1 has 1 row, so it is never both in bag and out of bag, and the metric needs "
      "it on either side");
}

}  // namespace

int main() {
  for (const std::size_t n_repeats : {1U, 2U}) replicates_by_hand(n_repeats);
  groups_and_missing_rows();
  few_folds();
  refusals();
  return check::report();
}
