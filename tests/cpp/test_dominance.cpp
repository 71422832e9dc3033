// The dropping test against counting, replicate by replicate, who is strictly worse than the best.
#include <bbc/inference.hpp>
#include <cmath>

#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 30;
constexpr std::int64_t kConfigurations = 7;

struct Data {
  Target target;
  std::vector<double> values;  // [row][configuration]
  CorrectionOptions options;

  Data(const char* metric, std::uint64_t seed) {
    problem::Random random(seed);
    const bool of_labels = std::string(metric) == "accuracy" || std::string(metric) == "roc_auc";
    target.kind = of_labels ? Target::Kind::labels : Target::Kind::real;
    target.n_classes = of_labels ? 2 : 0;
    for (std::int64_t row = 0; row < kRows; ++row) {
      if (of_labels) target.codes.push_back(row == 0 ? 1 : static_cast<std::int32_t>(row % 3 == 0));
      target.values.push_back(0.25 * random.below(9));
    }
    // The first is the best, the last its copy, and they get worse in between.
    for (std::int64_t row = 0; row < kRows; ++row) {
      const double truth = of_labels ? target.codes[static_cast<std::size_t>(row)]
                                     : target.values[static_cast<std::size_t>(row)];
      for (std::int64_t j = 0; j + 1 < kConfigurations; ++j) {
        const bool noise = random.uniform() < 0.1 + 0.08 * static_cast<double>(j);
        values.push_back(noise ? random.below(2) : truth);
      }
      values.push_back(values[static_cast<std::size_t>(row * kConfigurations)]);
    }
    options.metric = make_metric(metric);
    options.resampling.n_bootstraps = 130;
    options.resampling.seed = seed;
    options.resampling.stream = 4;
  }

  /// The metric on rows that count `counts` times, times the number of rows or pairs: exact.
  [[nodiscard]] double score(const std::vector<std::uint16_t>& counts, std::int64_t j) const {
    const auto value = [&](std::int64_t row) {
      return values[static_cast<std::size_t>(row * kConfigurations + j)];
    };
    double score = 0.0;
    for (std::int64_t a = 0; a < kRows; ++a) {
      const auto row = static_cast<std::size_t>(a);
      if (std::holds_alternative<metric::ZeroOne>(options.metric.kind)) {
        score += value(a) == target.codes[row] ? counts[row] : 0.0;
      } else if (std::holds_alternative<metric::RowLoss>(options.metric.kind)) {
        const double gap = value(a) - target.values[row];
        score -= counts[row] * gap * gap;
      } else {
        for (std::int64_t b = 0; target.codes[row] == 1 && b < kRows; ++b) {
          const auto other = static_cast<std::size_t>(b);
          if (target.codes[other] == 1) continue;
          const double won = value(a) > value(b) ? 1.0 : value(a) == value(b) ? 0.5 : 0.0;
          score += won * counts[row] * counts[other];
        }
      }
    }
    return score;
  }

  [[nodiscard]] bool in_bag_defined(const std::vector<std::uint16_t>& counts) const {
    if (!std::holds_alternative<metric::Auc>(options.metric.kind)) return true;
    bool seen[2] = {};
    for (std::size_t row = 0; row < counts.size(); ++row) {
      if (counts[row] > 0) seen[target.codes[row]] = true;
    }
    return seen[0] && seen[1];
  }
};

Dominance test(const Data& data, double level, int n_threads = 1) {
  std::vector<std::int8_t> labels(data.values.begin(), data.values.end());
  const std::array<std::int64_t, 3> strides{kConfigurations, 1, 1};
  Predictions view = View<double>{data.values.data(), kRows, kConfigurations, 1, strides};
  if (std::holds_alternative<metric::ZeroOne>(data.options.metric.kind)) {
    view = View<std::int8_t>{labels.data(), kRows, kConfigurations, 1, strides};
  }
  return dominated(data.target, {&view, 1}, data.options, level, {n_threads, {}});
}

void run(const char* metric, std::uint64_t seed) {
  const Data data(metric, seed);
  std::int64_t best = 0;
  const std::vector<std::uint16_t> all(kRows, 1);
  for (std::int64_t j = 1; j < kConfigurations; ++j) {
    if (data.score(all, j) > data.score(all, best)) best = j;
  }
  const Sampler sampler(kRows, data.options.resampling);
  std::vector<double> worse(kConfigurations);
  std::vector<std::uint16_t> counts(kRows);
  const std::int64_t n = data.options.resampling.n_bootstraps;
  for (std::int64_t b = 0; b < n; ++b) {
    // Nothing need be left out of bag.
    std::uint32_t attempt = 0;
    do sampler.draw(b, attempt++, counts.data());
    while (!data.in_bag_defined(counts));
    for (std::int64_t j = 0; j < kConfigurations; ++j) {
      if (data.score(counts, j) < data.score(counts, best)) ++worse[static_cast<std::size_t>(j)];
    }
  }
  for (const double level : {0.0, 0.5, 0.99}) {
    const Dominance result = test(data, level, 1 + static_cast<int>(seed % 2));
    CHECK_FOR(result.best == best, metric);
    CHECK_FOR(result.dominated[static_cast<std::size_t>(best)] == 0, metric);
    for (std::size_t j = 0; j < worse.size(); ++j) {
      const double share = worse[j] / static_cast<double>(n);
      CHECK_FOR(result.share_worse[j] == share, std::string(metric) + " " + std::to_string(j));
      CHECK_FOR((result.dominated[j] != 0) == (share > level), metric);
    }
  }
}

/// Explicit resamples: exactly half the replicates are worse, and half is not more than half.
void level_is_strict() {
  Data data("mean_squared_error", 1);
  data.target.values = {0.0, 0.0, 0.0};
  const std::vector<double> values{0.0, 1.0, 0.0, 0.0, 0.0, 0.0};  // (row, configuration)
  data.options.resampling = {};
  data.options.resampling.n_bootstraps = 2;
  data.options.resampling.resamples = {0, 1, 1, 1, 1, 2};
  const Predictions view = View<double>{values.data(), 3, 2, 1, {2, 1, 1}};
  const auto at = [&](double level) {
    return dominated(data.target, {&view, 1}, data.options, level);
  };
  CHECK(at(0.5).best == 0);
  CHECK((at(0.5).share_worse == std::vector<double>{0.0, 0.5}));
  CHECK((at(0.5).dominated == std::vector<std::uint8_t>{0, 0}));
  CHECK((at(0.49).dominated == std::vector<std::uint8_t>{0, 1}));
  CHECK(check::message_of([&] { (void)at(1.5); }) == "dropping_level: must be between 0 and 1");
  CHECK(check::message_of([&] { (void)at(std::nan("")); }) ==
        "dropping_level: must be between 0 and 1");
}

}  // namespace

int main() {
  for (const char* metric : {"accuracy", "roc_auc", "mean_squared_error"}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) run(metric, seed);
  }
  level_is_strict();
  return check::report();
}
