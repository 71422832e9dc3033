// Tilted samples from their definitions: influence values as derivatives, the importance of a
// replicate as a product over its draws, and bounds where the tilted probability is alpha.
#include <algorithm>
#include <bbc/intervals.hpp>
#include <cmath>

#include "detail/intervals/influence.hpp"
#include "detail/intervals/tilt.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using detail::Tilt;
using detail::TiltingReplicates;
using Values = std::vector<double>;

constexpr std::int64_t kRows = 18;
constexpr std::int64_t kBootstraps = 600;

bool near(double value, double expected, double tolerance = 1e-12) {
  return std::fabs(value - expected) <= tolerance * std::max(1.0, std::fabs(expected));
}

TiltingData data_of(bool auc, std::uint64_t seed) {
  problem::Random random(seed);
  TiltingData data;
  data.n_configurations = 4;
  data.selected = 2;
  for (std::int64_t row = 0; auc && row < kRows; ++row) data.is_positive.push_back(row % 3 == 0);
  for (std::int64_t j = 0; j < data.n_configurations; ++j) {
    for (std::int64_t row = 0; row < kRows; ++row) {
      const double signal = auc ? 2.0 * data.is_positive[static_cast<std::size_t>(row)] : 0.0;
      data.columns.push_back(auc ? 0.5 * random.below(6) + signal : random.below(4) > 0 ? 1 : 0);
    }
  }
  return data;
}

TiltingOptions options_of(std::uint64_t seed) {
  TiltingOptions options;
  options.n_bootstraps = kBootstraps;
  options.seed = seed;
  return options;
}

/// The score of a configuration as a share, every row counting its weight.
double score(const TiltingData& data, const Values& weights, std::int64_t configuration) {
  const auto value = [&](std::size_t row) {
    return data.columns[static_cast<std::size_t>(configuration * kRows) + row];
  };
  double part = 0.0;
  double whole = 0.0;
  for (std::size_t a = 0; a < kRows; ++a) {
    if (data.is_positive.empty()) {
      part += weights[a] * value(a);
      whole += weights[a];
      continue;
    }
    for (std::size_t b = 0; data.is_positive[a] != 0 && b < kRows; ++b) {
      if (data.is_positive[b] != 0) continue;
      const double won = value(a) > value(b) ? 1.0 : value(a) == value(b) ? 0.5 : 0.0;
      part += weights[a] * weights[b] * won;
      whole += weights[a] * weights[b];
    }
  }
  return part / whole;
}

/// Rows of each stratum: classes for the AUC.
std::vector<std::vector<std::size_t>> strata(const TiltingData& data) {
  std::vector<std::vector<std::size_t>> rows(data.is_positive.empty() ? 1 : 2);
  for (std::size_t row = 0; row < kRows; ++row) {
    rows[data.is_positive.empty() ? 0 : data.is_positive[row]].push_back(row);
  }
  return rows;
}

/// The slope of the AUC as a row gains weight at the cost of its class, times all rows.
void influence_is_a_derivative() {
  const TiltingData data = data_of(true, 1);
  const Values influence = detail::influence_of_auc(data);
  constexpr double kStep = 1e-6;
  for (const auto& rows : strata(data)) {
    for (const std::size_t row : rows) {
      Values weights(kRows, 1.0);
      weights[row] += kStep * static_cast<double>(kRows);
      const double slope = (score(data, weights, 2) - score(data, Values(kRows, 1.0), 2)) / kStep;
      // A row's own class is what it is weighed against.
      CHECK(near(influence[row], slope, 1e-4));
    }
  }
}

/// AUCs that are linear in the counts: regression finds the slopes, centred in each class.
void influence_by_regression() {
  const TiltingData data = data_of(true, 2);
  const TiltingOptions options = options_of(7);
  const Sampler sampler = detail::tilting_sampler(data, options);
  problem::Random random(3);
  Values slopes;
  for (std::int64_t row = 0; row < kRows; ++row) slopes.push_back(random.uniform());
  Values aucs;
  std::vector<std::uint16_t> counts(kRows);
  for (std::int64_t b = 0; b < kBootstraps; ++b) {
    sampler.draw(b, 0, counts.data());
    double auc = 0.5;
    for (std::size_t row = 0; row < kRows; ++row) {
      auc += slopes[row] * counts[row] / (data.is_positive[row] != 0 ? 6.0 : 12.0);
    }
    aucs.push_back(auc);
  }
  const Values influence = detail::influence_by_regression(data, options, aucs);
  for (const auto& rows : strata(data)) {
    double mean = 0.0;
    for (const std::size_t row : rows) mean += slopes[row] / static_cast<double>(rows.size());
    for (const std::size_t row : rows) CHECK(near(influence[row], slopes[row] - mean, 1e-9));
  }
}

/// Draws of replicates and their importance, with the weights of the rows by hand.
struct ByHand {
  std::vector<std::vector<std::uint16_t>> counts;
  Values influence;
  std::vector<std::vector<std::size_t>> rows;

  ByHand(const TiltingData& data, const TiltingOptions& options) : rows(strata(data)) {
    const Sampler sampler = detail::tilting_sampler(data, options);
    for (std::int64_t b = 0; b < options.n_bootstraps; ++b) {
      counts.emplace_back(kRows);
      sampler.draw(b, 0, counts.back().data());
    }
    const auto column = detail::column_of(data, data.selected);
    influence.assign(column.begin(), column.end());
    if (!data.is_positive.empty()) influence = detail::influence_of_auc(data);
  }

  /// w_i proportional to exp(tau L_i), 1 in each stratum.
  [[nodiscard]] Values weights(double tau) const {
    Values weights(kRows);
    for (const auto& stratum : rows) {
      double sum = 0.0;
      for (const std::size_t row : stratum) sum += std::exp(tau * influence[row]);
      for (const std::size_t row : stratum) weights[row] = std::exp(tau * influence[row]) / sum;
    }
    return weights;
  }
  /// The product over draws of weight over 1 / n.
  [[nodiscard]] double importance(std::size_t b, double tau) const {
    const Values of_rows = weights(tau);
    double product = 1.0;
    for (const auto& stratum : rows) {
      for (const std::size_t row : stratum) {
        product *= std::pow(static_cast<double>(stratum.size()) * of_rows[row], counts[b][row]);
      }
    }
    return product;
  }
};

void replicates_and_importance(bool auc) {
  const TiltingData data = data_of(auc, 4);
  const TiltingOptions options = options_of(11);
  const ByHand hand(data, options);
  const TiltingReplicates all = detail::draw_tilting_replicates(data, options, false, {2, {}});
  const TiltingReplicates one = detail::draw_tilting_replicates(data, options, true, {1, {}});
  CHECK(all.size() == kBootstraps && all.drawn.size() == 4 && one.drawn.size() == 1);
  CHECK(all.largest == (auc ? 2.0 * 6.0 * 12.0 : 18.0));
  CHECK(one.observed[0] == all.observed[2] && one.drawn[0] == all.drawn[2]);
  for (std::size_t b = 0; b < kBootstraps; b += 7) {
    const Values counts(hand.counts[b].begin(), hand.counts[b].end());
    double sum = 0.0;
    for (std::size_t row = 0; row < kRows; ++row) sum += counts[row] * hand.influence[row];
    CHECK(near(all.influence_sums[b], sum));
    for (std::size_t j = 0; j < 4; ++j) {
      const double expected = score(data, counts, static_cast<std::int64_t>(j)) * all.largest;
      CHECK(near(all.drawn[j][b], expected));
    }
  }
  const Tilt tilt(all);
  for (const double tau : {-3.0, -0.4, 0.0, 0.7}) {
    const Values weights = tilt.weights(tau, kRows);
    const Values expected = hand.weights(tau);
    for (std::size_t row = 0; row < kRows; ++row) CHECK(near(weights[row], expected[row]));
    CHECK(near(detail::weighted_score(data, weights), score(data, expected, 2)));
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t b = 0; b < kBootstraps; ++b) {
      const double importance = hand.importance(b, tau);
      const double tilted = std::exp(tau * all.influence_sums[b] + tilt.log_constant(tau));
      CHECK(near(tilted / importance, 1.0, 1e-10));
      sum += importance;
      squares += importance * importance;
    }
    CHECK(near(tilt.effective_sample_size(tau), sum * sum / squares, 1e-9));
  }
}

/// p(tau) of the single bound: the tilted probability of a score as good as the observed one.
double beat_probability(const ByHand& hand, const TiltingReplicates& replicates, double tau,
                        double side) {
  double sum = 0.0;
  for (std::size_t b = 0; b < kBootstraps; ++b) {
    const double ahead = side * (replicates.drawn[0][b] - replicates.observed[0]);
    sum += hand.importance(b, tau) * (ahead > 0.0 ? 1.0 : ahead == 0.0 ? 0.5 : 0.0);
  }
  return sum / static_cast<double>(kBootstraps);
}

/// p(tau) of MABT: 1 - G(F(tau)).
double adjusted_probability(const ByHand& hand, const TiltingReplicates& replicates, double tau) {
  double all = 0.0;
  double not_better = 0.0;
  Values largest(kBootstraps);
  for (std::size_t b = 0; b < kBootstraps; ++b) {
    const double importance = hand.importance(b, tau);
    all += importance;
    if (replicates.drawn[2][b] <= replicates.observed[2]) not_better += importance;
    for (const Values& drawn : replicates.drawn) {
      const auto rank = std::count_if(drawn.begin(), drawn.end(),
                                      [&](double value) { return value <= drawn[b]; });
      largest[b] = std::max(largest[b], static_cast<double>(rank) / (kBootstraps + 1));
    }
  }
  const auto below = std::count_if(largest.begin(), largest.end(),
                                   [&](double value) { return value <= not_better / all; });
  return 1.0 - static_cast<double>(below) / kBootstraps;
}

void bounds(bool auc) {
  const TiltingData data = data_of(auc, 4);
  TiltingOptions options = options_of(11);
  const ByHand hand(data, options);
  const auto one = detail::draw_tilting_replicates(data, options, true, {});
  for (const double side : {1.0, -1.0}) {
    options.confidence.alternative = side > 0.0 ? Alternative::greater : Alternative::less;
    const TiltingResult result = tilting(data, options, {1, {}});
    CHECK(result.bound.feasible && result.tau * side < 0.0 && result.n_bootstraps == kBootstraps);
    const double limit = side > 0.0 ? result.bound.interval.low : result.bound.interval.high;
    CHECK(near(limit, score(data, hand.weights(result.tau), 2)));
    CHECK(near(result.bound.estimate, score(data, Values(kRows, 1.0), 2)));
    CHECK(near(beat_probability(hand, one, result.tau, side), 0.05, 1e-9));
    CHECK(near(result.effective_sample_size, Tilt(one).effective_sample_size(result.tau)));
  }
  options.confidence = {0.9, Alternative::two_sided};
  const auto both = tilting(data, options);
  options.confidence = {0.95, Alternative::greater};
  CHECK(near(both.bound.interval.low, tilting(data, options).bound.interval.low, 1e-9));

  const auto all = detail::draw_tilting_replicates(data, options, false, {});
  const TiltingResult adjusted = mabt(data, options);
  CHECK(adjusted.bound.feasible && adjusted.tau < 0.0);
  CHECK(near(adjusted.bound.interval.low, score(data, hand.weights(adjusted.tau), 2)));
  CHECK(adjusted.bound.interval.high == 1.0);
  // It falls in steps: the bound is where the last step above alpha ends.
  CHECK(adjusted_probability(hand, all, adjusted.tau - 1e-6) <= 0.05 + 1e-12);
  CHECK(adjusted_probability(hand, all, adjusted.tau + 1e-6) > 0.05);
  // The best of several is bounded with more care than one that nobody chose.
  CHECK(adjusted.bound.interval.low <= tilting(data, options).bound.interval.low);
}

void infeasible_where_perfect() {
  TiltingData data;
  data.columns.assign(kRows, 1.0);
  for (const auto& result : {tilting(data, options_of(1)), mabt(data, options_of(1))}) {
    CHECK(!result.bound.feasible && result.bound.estimate == 1.0);
    CHECK(result.bound.reason.starts_with("the score is perfect"));
  }
}

}  // namespace

int main() {
  influence_is_a_derivative();
  influence_by_regression();
  for (const bool auc : {true, false}) {
    replicates_and_importance(auc);
    bounds(auc);
  }
  infeasible_where_perfect();
  return check::report();
}
