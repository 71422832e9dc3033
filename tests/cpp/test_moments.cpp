// R2, explained variance and squared Pearson correlation against their definitions, on data whose
// mean dwarfs their spread, too.
#include "by_formula.hpp"
#include "detail/metrics/moments.hpp"

namespace {

using namespace bbc;
using by_formula::Sample;
using Formula = metric::Moments::Formula;
using Values = by_formula::Block<double>;

/// Weighted covariance times the sum of weights, in two passes.
template <class A, class B>
long double products(const Sample& sample, const A& a, const B& b) {
  long double total = 0.0L;
  long double mean[2] = {};
  for (std::size_t i = 0; i < sample.size(); ++i) {
    total += sample.weights[i];
    mean[0] += static_cast<long double>(sample.weights[i]) * a(i);
    mean[1] += static_cast<long double>(sample.weights[i]) * b(i);
  }
  long double sum = 0.0L;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sum += sample.weights[i] * (a(i) - mean[0] / total) * (b(i) - mean[1] / total);
  }
  return sum;
}

struct Spread {
  double mean;
  double spread;
  double outlier = 0.0;  ///< added to row 5: the others are far from the mean of all
};

void run(Formula formula, const Spread& range, std::size_t n_repeats, std::uint64_t seed) {
  problem::Random random(seed);
  Target target;
  Values block{27, 8};
  for (std::int64_t row = 0; row < block.n_rows; ++row) {
    // Halves: sums of constants are exact.
    const double base = range.mean + (row == 5 ? range.outlier : 0.0);
    target.values.push_back(base + range.spread * 0.5 * random.below(9));
  }
  block.fill(n_repeats, [&](std::int64_t row, std::int64_t configuration) {
    const double truth = target.values[static_cast<std::size_t>(row)];
    if (configuration == 1) return range.mean;                     // constant
    if (configuration == 2) return truth;                          // perfect
    if (configuration == 3) return 2.0 * range.mean - truth;       // reversed
    if (configuration == 4) return truth + 3.0 * range.spread;     // shifted
    return truth + range.spread * (random.uniform() - 0.5) * 4.0;  // useful
  });
  const auto value = [&](const Sample& sample, std::size_t repeat,
                         std::int64_t configuration) -> std::optional<double> {
    const auto y = [&](std::size_t i) -> long double { return target.values[sample.rows[i]]; };
    const auto p = [&](std::size_t i) -> long double {
      return block(repeat, sample.rows[i], configuration);
    };
    const auto residual = [&](std::size_t i) { return y(i) - p(i); };
    bool varies = false;
    for (std::size_t i = 0; i < sample.size(); ++i) varies = varies || y(i) != y(0);
    if (!varies) return {};
    const long double of_y = products(sample, y, y);
    if (formula == Formula::squared_pearson) {
      const long double of_p = products(sample, p, p);
      const long double both = products(sample, y, p);
      return of_p > 0.0L ? static_cast<double>(both * both / (of_p * of_y)) : 0.0;
    }
    long double left = products(sample, residual, residual);
    if (formula == Formula::r2) {
      left = 0.0L;
      for (std::size_t i = 0; i < sample.size(); ++i) {
        left += sample.weights[i] * residual(i) * residual(i);
      }
    }
    return static_cast<double>(1.0L - left / of_y);
  };
  // What is lost where the mean is a billion spreads: the digits of the predictions themselves.
  const double tolerance = range.mean > 1e6 ? 1e-6 : range.outlier > 0.0 ? 1e-8 : 1e-11;
  by_formula::check<detail::MomentsColumns>(Metric{metric::Moments{formula}}, target, block, random,
                                            value,
                                            "formula " + std::to_string(static_cast<int>(formula)) +
                                                " mean " + std::to_string(range.mean),
                                            {false, tolerance});
}

/// y = 1, 2, 3, 4 and predictions 1, 2, 3, 5: residuals 0, 0, 0, -1; squares of y 5.
void by_hand() {
  Target target;
  target.values = {1.0, 2.0, 3.0, 4.0};
  const double values[] = {1.0, 2.0, 3.0, 5.0};
  const std::vector<Predictions> repeats{View<double>{values, 4, 1, 1, {1, 1, 1}}};
  const detail::ReplicateBlock all{1, 4, {1, 1, 1, 1}, {}};
  const auto score = [&](Formula formula) {
    const Metric metric{metric::Moments{formula}};
    const auto evaluator = detail::make_columns<detail::MomentsColumns>(
        metric::Moments{formula}, {metric, target, repeats, {}, {}}, {1, {}});
    const detail::Choice choice{0.0, 0};
    double value = 0.0;
    evaluator->in_bag(all, &choice, detail::StopFlag{}, &value);
    return value;
  };
  CHECK(score(Formula::r2) == 0.8);
  CHECK(by_formula::near(score(Formula::explained_variance), 0.85));
  CHECK(by_formula::near(score(Formula::squared_pearson), 42.25 / 43.75));
}

}  // namespace

int main() {
  std::uint64_t seed = 0;
  for (const auto formula : {Formula::r2, Formula::explained_variance, Formula::squared_pearson}) {
    for (const Spread& range : {Spread{0.0, 1.0},
                                {3.0, 1e-3},
                                {1e9, 1.0},
                                {0.0, 1.0, 1e6},
                                {0.0, 1e150},
                                {0.0, 1e-150}}) {
      run(formula, range, 1, ++seed);
      run(formula, range, 2, ++seed);
    }
  }
  by_hand();
  return check::report();
}
