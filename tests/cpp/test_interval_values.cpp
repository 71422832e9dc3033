// Intervals against their textbook formulas, and where they follow a distribution against summing
// it up.
#include <algorithm>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <bbc/philox.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "detail/resampling/learn_split.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using Values = std::vector<double>;
using Flags = std::vector<std::uint8_t>;

constexpr Interval kUnit{0.0, 1.0};
constexpr double kZ = 1.959963984540054;  // 97.5 % of the normal distribution

bool near(double value, double expected, double tolerance = 1e-12) {
  return std::fabs(value - expected) <= tolerance * std::max(1.0, std::fabs(expected));
}

bool is(const IntervalEstimate& estimate, double low, double high) {
  return estimate.feasible && near(estimate.interval.low, low) &&
         near(estimate.interval.high, high);
}

void limits() {
  Values ranks(1000);
  std::iota(ranks.rbegin(), ranks.rend(), 1.0);
  const auto of = [&](Alternative alternative) {
    return order_statistic_interval(ranks, 0.95, alternative, -7.0, 7000.0);
  };
  CHECK(of(Alternative::two_sided).low == 25.0 && of(Alternative::two_sided).high == 975.0);
  CHECK(of(Alternative::greater).low == 50.0 && of(Alternative::greater).high == 7000.0);
  CHECK(of(Alternative::less).low == -7.0 && of(Alternative::less).high == 950.0);
  CHECK(is(with_limits(0.5, {-0.2, 1.4}, Alternative::two_sided, kUnit), 0.0, 1.0));
  CHECK(is(with_limits(0.5, {0.2, 0.6}, Alternative::greater, kUnit), 0.2, 1.0));
  CHECK(is(with_limits(0.5, {0.2, 0.6}, Alternative::less, kUnit), 0.0, 0.6));
  const auto normal = normal_interval(0.5, 0.1, {}, kUnit);
  CHECK(is(normal, 0.5 - 0.1 * kZ, 0.5 + 0.1 * kZ) && normal.warning.empty());
  const auto certain = symmetric_interval(0.5, 0.0, 2.0, Alternative::two_sided, kUnit);
  CHECK(is(certain, 0.5, 0.5) && certain.warning.starts_with("the standard error is zero"));
  const auto none = infeasible(0.3, "why");
  CHECK(!none.feasible && none.estimate == 0.3 && none.reason == "why");
}

/// Probability of at least `k` successes in `n`.
double at_least(int k, int n, double p) {
  double sum = 0.0;
  for (int i = k; i <= n; ++i) {
    sum += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0)) *
           std::pow(p, i) * std::pow(1.0 - p, n - i);
  }
  return sum;
}

void proportions() {
  for (const int k : {0, 1, 7, 19, 20}) {
    const int n = 20;
    const double centre = (k + kZ * kZ / 2.0) / (n + kZ * kZ);
    const double half =
        kZ / (n + kZ * kZ) * std::sqrt(k * (n - k) / static_cast<double>(n) + kZ * kZ / 4.0);
    CHECK(is(wilson(k, n, {}), centre - half, centre + half));
    const auto exact = clopper_pearson(k, n, {});
    CHECK(k == 0 ? exact.interval.low == 0.0
                 : near(at_least(k, n, exact.interval.low), 0.025, 1e-10));
    CHECK(k == n ? exact.interval.high == 1.0
                 : near(1.0 - at_least(k + 1, n, exact.interval.high), 0.025, 1e-10));
  }
}

double mean(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(const Values& values) {
  double squares = 0.0;
  for (const double value : values) squares += (value - mean(values)) * (value - mean(values));
  return squares / static_cast<double>(values.size() - 1);
}

/// AUC and its placements by pairs of rows.
struct Pairs {
  Values of_class[2];  // [is positive]

  Pairs(const Flags& is_positive, const Values& scores) {
    for (std::size_t a = 0; a < scores.size(); ++a) {
      double won = 0.0;
      double all = 0.0;
      for (std::size_t b = 0; b < scores.size(); ++b) {
        if (is_positive[a] == is_positive[b]) continue;
        const double gap = is_positive[a] != 0 ? scores[a] - scores[b] : scores[b] - scores[a];
        won += gap > 0.0 ? 1.0 : gap == 0.0 ? 0.5 : 0.0;
        all += 1.0;
      }
      of_class[is_positive[a]].push_back(won / all);
    }
  }
  [[nodiscard]] double auc() const { return mean(of_class[1]); }
  [[nodiscard]] double error() const {
    return std::sqrt(variance(of_class[1]) / static_cast<double>(of_class[1].size()) +
                     variance(of_class[0]) / static_cast<double>(of_class[0].size()));
  }
};

void aucs() {
  problem::Random random(1);
  Flags is_positive;
  Values first;
  Values second;
  for (std::size_t row = 0; row < 40; ++row) {
    is_positive.push_back(row % 3 == 0);
    first.push_back(random.below(8) + 2.0 * is_positive.back());
    second.push_back(random.below(8) + 1.0 * is_positive.back());
  }
  const Pairs of_first(is_positive, first);
  const Pairs of_second(is_positive, second);
  const auto interval = delong(is_positive, first, {0.9, Alternative::two_sided});
  CHECK(near(interval.estimate, of_first.auc()) && near(interval.standard_error, of_first.error()));
  const double z = normal_quantile(0.95);
  CHECK(is(interval, of_first.auc() - z * of_first.error(),
           std::min(1.0, of_first.auc() + z * of_first.error())));
  Pairs difference = of_first;
  for (const int k : {0, 1}) {
    for (std::size_t i = 0; i < difference.of_class[k].size(); ++i) {
      difference.of_class[k][i] -= of_second.of_class[k][i];
    }
  }
  const DelongTest test = delong_test(is_positive, first, second, {});
  CHECK(near(test.first_auc, of_first.auc()) && near(test.second_auc, of_second.auc()));
  CHECK(near(test.z, difference.auc() / difference.error()));
  CHECK(near(test.p_value, 2.0 * normal_cdf(-std::fabs(test.z))));
  CHECK(!delong(Flags{0, 1, 1}, Values{1, 2, 3}, {}).feasible);
  CHECK(!delong(Flags{0, 0, 1, 1}, Values{1, 2, 3, 4}, {}).warning.empty());
  const auto hanley = hanley_mcneil(0.893, 51, 58, {});
  const double q1 = 0.893 / 1.107;
  const double q2 = 2.0 * 0.893 * 0.893 / 1.893;
  const double square = 0.893 * 0.893;
  CHECK(near(
      hanley.standard_error,
      std::sqrt((0.893 * 0.107 + 50.0 * (q1 - square) + 57.0 * (q2 - square)) / (51.0 * 58.0))));
  const auto published = hanley_mcneil_paraschakis2024(0.893, 51, 58, {});
  CHECK(near(
      published.standard_error,
      std::sqrt((0.893 * 0.107 + 52.0 * (q1 - square) + 57.0 * (q2 - square)) / (51.0 * 58.0))));
}

void cross_validated_errors() {
  const Values scores{0.7, 0.8, 0.6, 0.9};
  const double spread = std::sqrt(variance(scores));
  const double t = 3.182446305284263;  // 97.5 % of Student's t with 3 degrees of freedom
  const auto resampled = corrected_resampled_t(scores, 90, 10, {}, {-9.0, 9.0});
  const double error = spread * std::sqrt(0.25 + 10.0 / 90.0);
  CHECK(is(resampled, 0.75 - t * error, 0.75 + t * error));
  const auto halves = conservative_z(0.7, Values{0.6, 0.8}, Values{0.5, 0.9}, {}, {-9.0, 9.0});
  CHECK(is(halves, 0.7 - kZ * std::sqrt(0.02 / 4.0), 0.7 + kZ * std::sqrt(0.02 / 4.0)));
  CHECK(is(wald(scores, {}, {-9.0, 9.0}), 0.75 - kZ * spread / 2.0, 0.75 + kZ * spread / 2.0));
  const NestedFold folds[] = {{{0.0, 1.0, 0.5}, {0.2, 0.9, 0.4, 0.1}},
                              {{1.0, 0.5, 0.9}, {0.3, 0.2, 0.6, 0.0}}};
  double gap = 0.0;
  Values inner;
  for (const auto& fold : folds) {
    gap += std::pow(mean(fold.inner) - mean(fold.outer), 2) - variance(fold.outer) / 3.0;
    inner.insert(inner.end(), fold.inner.begin(), fold.inner.end());
  }
  const double naive = std::sqrt(variance(inner) / 6.0);
  const double nested =
      std::clamp(std::sqrt(std::max(0.0, 0.5 * gap / 2.0)), naive, std::numbers::sqrt2 * naive);
  NestedOptions options{6, 2, false, 0.0};
  const auto of_nested = nested_cv(folds, options, {}, {-9.0, 9.0});
  CHECK(near(of_nested.standard_error, nested) && near(of_nested.estimate, mean(inner)));
  options.has_cv_loss = true;
  options.cv_loss = 0.3;
  CHECK(
      near(nested_cv(folds, options, {}, {-9.0, 9.0}).estimate, mean(inner) - (mean(inner) - 0.3)));
}

constexpr Interval kAny{-9.0, 9.0};
constexpr Confidence kNinety{0.9, Alternative::two_sided};
constexpr double kLosses[] = {0.1, 0.9, 0.4, 0.3, 0.8, 0.2, 0.6, 0.7, 0.5, 2.0};

Resampling resampling_of(std::uint32_t stream) {
  Resampling resampling;
  resampling.n_bootstraps = 200;
  resampling.seed = 5;
  resampling.stream = stream;
  return resampling;
}

/// Of the mean of ten rows.
BootstrapSample sample_of(BootstrapKind kind) {
  Target target;
  target.values.assign(10, 0.0);
  const Predictions view = View<double>{kLosses, 10, 1, 1, {1, 1, 1}};
  return bootstrap_sample(target, view, make_metric("row_loss"), resampling_of(0), kind, {2, {}});
}

/// Replicates and their standard errors, which are the textbook's for a mean.
void bootstrap_samples() {
  const auto sample = sample_of(BootstrapKind::studentized);
  CHECK(near(sample.estimate, 0.65) && sample.n_redrawn == 0);
  const Sampler sampler(10, resampling_of(stream::kNaiveBootstrap));
  std::vector<std::uint16_t> counts(10);
  for (std::int64_t b = 0; b < 200; ++b) {
    sampler.draw(b, 0, counts.data());
    Values drawn;
    for (std::size_t row = 0; row < 10; ++row) drawn.insert(drawn.end(), counts[row], kLosses[row]);
    CHECK(near(sample.replicates[static_cast<std::size_t>(b)], mean(drawn)));
    CHECK(near(sample.replicate_errors[static_cast<std::size_t>(b)],
               std::sqrt(variance(drawn) / 10.0), 1e-10));
  }
  const Values losses(std::begin(kLosses), std::end(kLosses));
  CHECK(near(sample.standard_error, std::sqrt(variance(losses) / 10.0), 1e-10));
}

void bootstrap_intervals() {
  const auto sample = sample_of(BootstrapKind::studentized);
  const Values& replicates = sample.replicates;
  const double low = order_statistic(replicates, 0.05);
  const double high = order_statistic(replicates, 0.95);
  CHECK(is(bootstrap_interval(sample, BootstrapKind::percentile, kNinety, kAny), low, high));
  CHECK(is(bootstrap_interval(sample, BootstrapKind::basic, kNinety, kAny), 1.3 - high, 1.3 - low));
  Values ratios;
  for (std::size_t b = 0; b < 200; ++b) {
    ratios.push_back((replicates[b] - sample.estimate) / sample.replicate_errors[b]);
  }
  CHECK(is(bootstrap_interval(sample, BootstrapKind::studentized, kNinety, kAny),
           sample.estimate - sample.standard_error * order_statistic(ratios, 0.95),
           sample.estimate - sample.standard_error * order_statistic(ratios, 0.05)));
}

/// Efron (1987): z0 from the share below, a from the skewness of the influence values.
void bca() {
  const auto sample = sample_of(BootstrapKind::bca);
  double cubes = 0.0;
  double squares = 0.0;
  for (const double value : kLosses) {
    cubes += std::pow((value - 0.65) / 9.0, 3);
    squares += std::pow((value - 0.65) / 9.0, 2);
  }
  const double a = cubes / (6.0 * std::pow(squares, 1.5));
  double below = 0.0;
  for (const double value : sample.replicates) {
    below += value < sample.estimate ? 1.0 : value == sample.estimate ? 0.5 : 0.0;
  }
  const double z0 = normal_quantile(below / 200.0);
  const auto at = [&](double z) {
    return order_statistic(sample.replicates, normal_cdf(z0 + (z0 + z) / (1.0 - a * (z0 + z))));
  };
  CHECK(is(bootstrap_interval(sample, BootstrapKind::bca, kNinety, kAny), at(normal_quantile(0.05)),
           at(normal_quantile(0.95))));
}

BoundData bound_data(const Values& scores, std::int64_t n_rows) {
  BoundData data;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    data.is_positive.push_back(row % 2 == 0);
    data.folds.push_back(static_cast<std::int32_t>(row % 3));
  }
  data.scores = {scores.data(), n_rows, 3, 1, {3, 1, 1}};
  return data;
}

/// Learn and evaluation rows part the rows; the winner has the best mean AUC of the former, and is
/// bounded on the latter.
void learn_and_evaluate() {
  problem::Random random(6);
  Values scores;
  for (std::int64_t i = 0; i < 60 * 3; ++i) {
    scores.push_back(random.uniform() + (i / 3 % 2 == 0 ? 0.3 : 0.0) * static_cast<double>(i % 3));
  }
  const BoundData data = bound_data(scores, 60);
  const auto split = detail::draw_learn_split(data, 3);
  CHECK(split.reason.empty() && split.evaluation.size() == 15 && split.n_tried >= 1);
  std::vector<std::int32_t> all = split.evaluation;
  Values means(3);
  for (std::size_t fold = 0; fold < 3; ++fold) {
    const auto& rows = split.learn[fold];
    all.insert(all.end(), rows.begin(), rows.end());
    CHECK(std::is_sorted(rows.begin(), rows.end()));
    for (const std::int32_t row : rows) {
      CHECK(data.folds[static_cast<std::size_t>(row)] == static_cast<std::int32_t>(fold));
    }
  }
  std::sort(all.begin(), all.end());
  for (std::int32_t row = 0; row < 60; ++row) CHECK(all[static_cast<std::size_t>(row)] == row);
  const auto pairs_of = [&](const std::vector<std::int32_t>& rows, std::size_t j) {
    Flags flags;
    Values values;
    for (const std::int32_t row : rows) {
      flags.push_back(data.is_positive[static_cast<std::size_t>(row)]);
      values.push_back(scores[static_cast<std::size_t>(row) * 3 + j]);
    }
    return Pairs(flags, values);
  };
  for (std::size_t j = 0; j < 3; ++j) {
    for (const auto& rows : split.learn) means[j] += pairs_of(rows, j).auc() / 3.0;
  }
  const auto best = std::max_element(means.begin(), means.end()) - means.begin();
  BoundOptions options;
  options.method = BoundMethod::delong;
  options.rule = BoundRule::best;
  options.seed = 3;
  const BoundResult result = bound(data, options);
  CHECK(result.selected && result.winner == best && result.evaluation_rows == split.evaluation);
  const Pairs evaluated = pairs_of(split.evaluation, static_cast<std::size_t>(best));
  CHECK(near(result.bound.estimate, evaluated.auc()));
  CHECK(
      near(result.bound.interval.low, evaluated.auc() - normal_quantile(0.95) * evaluated.error()));
  const BoundData small = bound_data(scores, 6);
  CHECK(detail::draw_learn_split(small, 0).reason.find("no more than the 3 folds") !=
        std::string::npos);
  BoundData lacking = bound_data(scores, 12);
  lacking.is_positive.assign(12, 1);
  CHECK(detail::fold_without_class(lacking) ==
        "fold 0 has no row of the negative class, so its AUC is undefined");
}

/// All draws of few folds, one after the other.
double left_out_by_hand(int n_folds) {
  double sum = 0.0;
  double n = 0.0;
  std::int64_t n_draws = 1;
  for (int i = 0; i < n_folds; ++i) n_draws *= n_folds;
  for (std::int64_t draw = 0; draw < n_draws; ++draw) {
    std::vector<int> drawn(static_cast<std::size_t>(n_folds));
    std::int64_t rest = draw;
    for (int i = 0; i < n_folds; ++i, rest /= n_folds)
      ++drawn[static_cast<std::size_t>(rest % n_folds)];
    const auto left = static_cast<double>(std::count(drawn.begin(), drawn.end(), 0));
    if (left == 0.0) continue;
    sum += n_folds / left - 1.0;
    n += 1.0;
  }
  return sum / n;
}

/// By every number of folds that may have been hit, also where it can no longer be.
double left_out_in_full(std::size_t n_folds) {
  const auto count = static_cast<double>(n_folds);
  std::vector<double> share(n_folds + 1, 0.0);
  share[0] = 1.0;
  for (std::size_t draw = 1; draw <= n_folds; ++draw) {
    for (std::size_t j = draw; j > 0; --j) {
      share[j] = share[j] * static_cast<double>(j) / count +
                 share[j - 1] * static_cast<double>(n_folds - j + 1) / count;
    }
    share[0] = 0.0;
  }
  double mean = 0.0;
  double total = 0.0;
  for (std::size_t j = 1; j < n_folds; ++j) {
    mean += share[j] * (count / static_cast<double>(n_folds - j) - 1.0);
    total += share[j];
  }
  return mean / total;
}

void calibrated() {
  for (const int n_folds : {2, 3, 20, 99, 100, 150, 500, 1021, 4096}) {
    CHECK(left_out_factor(n_folds) == left_out_in_full(static_cast<std::size_t>(n_folds)));
  }
  for (const int n_folds : {2, 3, 4, 6}) {
    CHECK(std::fabs(left_out_factor(n_folds) - left_out_by_hand(n_folds)) < 1e-12);
  }
  CHECK(std::fabs(left_out_factor(4096) - left_out_factor(4097)) < 1e-3);
  const Interval range{0.0, 1.0};
  const auto both =
      calibrated_limits(0.8, {0.05, 6, 0.0004}, {}, {0.9, Alternative::two_sided}, range);
  const double half = 1.6448536269514722 * std::sqrt(0.0025 / left_out_by_hand(6) + 0.0004);
  CHECK(std::fabs(both.interval.low - (0.8 - half)) < 1e-12);
  CHECK(std::fabs(both.interval.high - (0.8 + half)) < 1e-12);
  const auto lower =
      calibrated_limits(0.8, {0.05, 6, -1.0}, {}, {0.95, Alternative::greater}, range);
  CHECK(lower.interval.high == 1.0);
  CHECK(std::fabs(lower.interval.low -
                  (0.8 - 1.6448536269514722 * 0.05 / std::sqrt(left_out_by_hand(6)))) < 1e-12);
  CHECK(calibrated_limits(0.99, {0.05, 6, 0.0}, {}, {}, range).interval.high == 1.0);
  // Terms complete it: 3 and 4 hundredths in quadrature.
  const RateTerm shares{RateTerm::Form::class_shares, 1.0, 0.04 / 1.6448536269514722};
  const TwoLevelSpread spread{0.03 / 1.6448536269514722 * std::sqrt(left_out_by_hand(6)), 6};
  const auto completed =
      calibrated_limits(0.8, spread, {{shares}}, {0.9, Alternative::two_sided}, range);
  CHECK(std::fabs(completed.interval.low - 0.75) < 1e-12);
  CHECK(check::message_of([] { (void)left_out_factor(1); }) ==
        "n_folds: must be at least 2, not 1");
}

}  // namespace

int main() {
  calibrated();
  limits();
  proportions();
  aucs();
  cross_validated_errors();
  bootstrap_samples();
  bootstrap_intervals();
  bca();
  learn_and_evaluate();
  return check::report();
}
