// Whole corrections against one that sorts the drawn rows of every replicate anew and compares
// integers: random shapes, ties, degenerate columns and groups, on all instruction sets.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/resampling.hpp>

#include "problem.hpp"

namespace {

using namespace bbc;

enum class Kind { accuracy, auc, concordance };
constexpr const char* kNames[] = {"accuracy", "roc_auc", "concordance_index"};

/// A score as the fraction that it is: the numerator decides among configurations.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 0;
  [[nodiscard]] double value() const {
    return static_cast<double>(numerator) / static_cast<double>(denominator);
  }
};

struct Data {
  Kind kind;
  Target target;
  CorrectionOptions options;
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::vector<double> scores;  // row by row
  std::vector<std::int32_t> labels;

  Data(problem::Random& random, Kind of, std::int64_t rows, std::int64_t configurations)
      : kind(of), n_rows(rows), n_configurations(configurations) {
    options.metric = make_metric(kNames[static_cast<int>(of)]);
    options.resampling.n_bootstraps = 3 + random.below(90);
    options.resampling.seed = random.below(1000);
    options.confidence_level = 0.01;
    if (random.below(3) == 0) {
      for (std::int64_t row = 0; row < rows; ++row) {
        options.resampling.units.push_back(static_cast<std::int32_t>(row / 2));
      }
    }
    target.kind = of == Kind::concordance ? Target::Kind::survival : Target::Kind::labels;
    if (of != Kind::concordance) target.n_classes = 2;
    for (std::int64_t row = 0; row < rows; ++row) {
      if (of == Kind::concordance) {
        // The first rows are pairs that can be compared, in more than one group.
        target.values.push_back(row < 8 ? static_cast<double>(row) : random.below(20));
        target.events.push_back(row < 8 || random.below(3) > 0 ? 1 : 0);
      } else {
        // Groups are pairs of rows: both classes are in more than one.
        target.codes.push_back(static_cast<std::int32_t>(row < 8 ? row % 2 : random.below(2)));
      }
    }
    scores.resize(static_cast<std::size_t>(rows * configurations));
    labels.resize(scores.size());
    for (std::int64_t j = 0; j < configurations; ++j) {
      const std::uint32_t levels = 1 + (random.below(4) == 0 ? 1000 : random.below(9));
      for (std::int64_t row = 0; row < rows; ++row) {
        const auto at = static_cast<std::size_t>(row * configurations + j);
        scores[at] = static_cast<double>(random.below(levels)) / 7.0;
        labels[at] = static_cast<std::int32_t>(random.below(2));
        if (j > 0 && levels == 3) scores[at] = scores[at - 1];
        if (j > 0 && levels == 3) labels[at] = labels[at - 1];
      }
    }
  }

  [[nodiscard]] Predictions predictions() const {
    const std::array<std::int64_t, 3> strides{n_configurations, 1, 1};
    if (kind == Kind::accuracy) {
      return View<std::int32_t>{labels.data(), n_rows, n_configurations, 1, strides};
    }
    return View<double>{scores.data(), n_rows, n_configurations, 1, strides};
  }

  /// The metric of the rows that `counts` holds, each as often as it says.
  [[nodiscard]] Fraction score(std::int64_t configuration,
                               const std::vector<std::uint16_t>& counts) const {
    std::vector<std::size_t> drawn;
    for (std::size_t row = 0; row < counts.size(); ++row)
      drawn.insert(drawn.end(), counts[row], row);
    const auto of = [&](std::size_t row) {
      return row * static_cast<std::size_t>(n_configurations) +
             static_cast<std::size_t>(configuration);
    };
    if (kind == Kind::accuracy) {
      const auto right = std::count_if(drawn.begin(), drawn.end(), [&](std::size_t row) {
        return labels[of(row)] == target.codes[row];
      });
      return {right, static_cast<std::int64_t>(drawn.size())};
    }
    std::stable_sort(drawn.begin(), drawn.end(),
                     [&](std::size_t a, std::size_t b) { return scores[of(a)] < scores[of(b)]; });
    Fraction fraction;
    for (std::size_t low = 0; low < drawn.size(); ++low) {
      for (std::size_t high = low + 1; high < drawn.size(); ++high) {
        // +1: the pair is comparable and the higher score should be higher, -1: lower, 0: neither.
        const int order = should_be_higher(drawn[high], drawn[low]);
        if (order == 0) continue;
        fraction.denominator += 2;
        if (scores[of(drawn[high])] == scores[of(drawn[low])]) {
          fraction.numerator += 1;
        } else if (order > 0) {
          fraction.numerator += 2;
        }
      }
    }
    return fraction;
  }

  [[nodiscard]] int should_be_higher(std::size_t a, std::size_t b) const {
    if (kind == Kind::auc) return target.codes[a] - target.codes[b];
    const auto fails_first = [&](std::size_t one, std::size_t other) {
      return target.events[one] != 0 &&
             (target.values[one] < target.values[other] ||
              (target.values[one] == target.values[other] && target.events[other] == 0));
    };
    return static_cast<int>(fails_first(a, b)) - static_cast<int>(fails_first(b, a));
  }
};

void check_replicate(const Data& data, const Sampler& sampler, const Estimate& estimate,
                     std::int64_t replicate, std::int64_t& n_redrawn, const std::string& context) {
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(data.n_rows));
  std::vector<std::uint16_t> rest(counts.size());
  for (std::uint32_t attempt = 0;; ++attempt) {
    sampler.draw(replicate, attempt, counts.data());
    std::transform(counts.begin(), counts.end(), rest.begin(),
                   [](std::uint16_t count) { return static_cast<std::uint16_t>(count == 0); });
    if (data.score(0, counts).denominator > 0 && data.score(0, rest).denominator > 0) break;
    ++n_redrawn;
  }
  std::int64_t winner = 0;
  std::int64_t best = -1;
  for (std::int64_t j = 0; j < data.n_configurations; ++j) {
    const std::int64_t numerator = data.score(j, counts).numerator;
    if (numerator > best) {
      best = numerator;
      winner = j;
    }
  }
  const auto b = static_cast<std::size_t>(replicate);
  CHECK_FOR(estimate.replicate_winners[b] == winner, context);
  CHECK_FOR(check::same(estimate.replicates[b], data.score(winner, rest).value()), context);
}

void run(std::uint64_t number) {
  problem::Random random(number);
  const auto kind = static_cast<Kind>(number % 3);
  const std::int64_t n_rows = 8 + random.below(number % 10 == 0 ? 150 : 30);
  const std::int64_t n_configurations = 1 + random.below(number % 7 == 0 ? 140 : 12);
  const Data data(random, kind, n_rows, n_configurations);
  const std::vector<Predictions> repeats{data.predictions()};
  const Sampler sampler(n_rows, data.options.resampling);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const Estimate estimate = correct(data.target, repeats, data.options, {1, {}});
    std::int64_t n_redrawn = 0;
    // All replicates of small problems, some of large ones: sorting anew is slow.
    const std::int64_t step = n_rows * n_configurations > 2000 ? 17 : 1;
    const std::int64_t n = data.options.resampling.n_bootstraps;
    for (std::int64_t b = 0; b < n; b += step) {
      check_replicate(data, sampler, estimate, b, n_redrawn,
                      std::string(level) + " problem " + std::to_string(number) + " replicate " +
                          std::to_string(b));
    }
    if (step == 1) CHECK(estimate.n_redrawn == n_redrawn);
  }
}

}  // namespace

int main() {
  for (std::uint64_t number = 0; number < 1000; ++number) {
    if (check::runs(number, 4)) run(number);
  }
  return check::report();
}
