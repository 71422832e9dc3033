// The test of model luck: what it is made of by hand, and that it finds luck and nothing else.
#include <algorithm>
#include <bbc/fold_scores.hpp>
#include <bbc/inference.hpp>
#include <bbc/philox.hpp>
#include <cmath>
#include <set>

#include "detail/evaluation/partition_scores.hpp"
#include "detail/intervals/luck_bias.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/resampling/fold_shuffle.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * (1.0 + std::abs(b)); }

constexpr std::int64_t kRows = 120;
constexpr std::int64_t kColumns = 12;
constexpr std::int32_t kFolds = 4;

/// Rows in turns in the folds; in each fold every configuration has a model of its own, which is
/// right (near the truth) with a probability that varies by `luck`.
struct Data {
  Target target;
  std::vector<double> values;  // [row][configuration]
  std::vector<std::int8_t> labels;
  ModelLuckOptions options;

  Data(const char* metric, double luck, std::uint64_t seed) {
    problem::Random random(seed);
    options.metric = make_metric(metric);
    options.seed = seed;
    const bool real = std::holds_alternative<metric::RowLoss>(options.metric.kind);
    target = problem::labels_of(kRows);
    std::vector<double> skill;
    for (std::int64_t i = 0; i < kFolds * kColumns; ++i) {
      skill.push_back(0.6 + luck * (random.uniform() - 0.5));
    }
    for (std::int64_t row = 0; row < kRows; ++row) {
      const auto fold = static_cast<std::int32_t>((row / 2) % kFolds);
      options.folds.push_back(fold);
      const auto code = target.codes[static_cast<std::size_t>(row)];
      for (std::int64_t j = 0; j < kColumns; ++j) {
        const bool right = random.uniform() < skill[static_cast<std::size_t>(fold * kColumns + j)];
        labels.push_back(static_cast<std::int8_t>(right ? code : 1 - code));
        values.push_back(labels.back() + random.uniform());
      }
    }
    if (!real) return;
    target.kind = Target::Kind::real;
    target.values.assign(target.codes.begin(), target.codes.end());
  }

  [[nodiscard]] Predictions view() const {
    const std::array<std::int64_t, 3> strides{kColumns, 1, 1};
    if (std::holds_alternative<metric::ZeroOne>(options.metric.kind)) {
      return View<std::int8_t>{labels.data(), kRows, kColumns, 1, strides};
    }
    return View<double>{values.data(), kRows, kColumns, 1, strides};
  }
  [[nodiscard]] ModelLuck luck(int n_threads = 1) const {
    const Predictions predictions = view();
    return model_luck(target, {&predictions, 1}, options, {n_threads, {}});
  }
};

void luck_is_found() {
  for (const char* metric : {"accuracy", "roc_auc", "mean_squared_error"}) {
    int n_found = 0;
    int n_false = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const ModelLuck lucky = Data(metric, 0.8, seed).luck();
      n_found += lucky.p_value <= 0.05 && lucky.predicted_bias > 0.0 ? 1 : 0;
      n_false += Data(metric, 0.0, seed).luck().p_value <= 0.05 ? 1 : 0;
    }
    CHECK_FOR(n_found >= 19, metric);
    CHECK_FOR(n_false <= 4, metric);
  }
}

/// Beyond a tenth of .1, the distance from the estimate to a limit.
void luck_that_matters() {
  const auto matters = [](double p_value, double bias, Interval interval, Alternative side) {
    return luck_matters(p_value, bias, 0.8, interval, side);
  };
  CHECK(matters(0.05, 0.0101, {0.7, 0.9}, Alternative::two_sided));
  CHECK(!matters(0.05, 0.0099, {0.7, 0.9}, Alternative::two_sided));
  CHECK(!matters(0.051, 0.5, {0.7, 0.9}, Alternative::two_sided));
  CHECK(matters(0.01, 0.0101, {0.7, 9.0}, Alternative::greater));
  CHECK(!matters(0.01, 0.0099, {0.7, 9.0}, Alternative::greater));
  CHECK(matters(0.01, 0.0101, {-9.0, 0.9}, Alternative::less));
  CHECK(!matters(0.01, 0.0099, {-9.0, 0.9}, Alternative::less));
}

/// A repeat without luck that is added to one with it, and what the test then says.
void threads_and_repeats() {
  const Data lucky("roc_auc", 0.6, 3);
  const Data other("roc_auc", 0.0, 4);
  const std::vector<Predictions> repeats{lucky.view(), other.view()};
  ModelLuckOptions options = lucky.options;
  options.folds.insert(options.folds.end(), other.options.folds.begin(), other.options.folds.end());
  const ModelLuck one = model_luck(lucky.target, repeats, options, {1, {}});
  const ModelLuck three = model_luck(lucky.target, repeats, options, {3, {}});
  CHECK(one.p_value == three.p_value && one.n_permutations == three.n_permutations);
  CHECK(one.luck_variance == three.luck_variance && one.predicted_bias == three.predicted_bias);
  CHECK(one.luck_variance < lucky.luck().luck_variance);
  CHECK(one.luck_variance > other.luck().luck_variance);
}

/// The bag of one partition gives what fold_scores gives, sums of row losses to rounding.
void partitions_have_fold_scores() {
  for (const char* metric : {"accuracy", "mcc", "roc_auc", "average_precision",
                             "mean_squared_error", "root_mean_squared_error"}) {
    for (const bool weighted : {false, true}) {
      Data data(metric, 0.3, 5);
      std::vector<double> weights;
      for (std::int64_t i = 0; weighted && i < kRows; ++i)
        weights.push_back(i % 3 == 0 ? 2.0 : 1.0);
      Predictions view = data.view();
      if (std::holds_alternative<metric::Confusion>(data.options.metric.kind)) {
        view = View<std::int8_t>{data.labels.data(), kRows, kColumns, 1, {kColumns, 1, 1}};
      }
      const Metric& metric_of_data = data.options.metric;
      const Target target = detail::checked_target(metric_of_data, data.target);
      const auto table =
          fold_scores(target, {&view, 1}, metric_of_data, data.options.folds, weights);
      const auto scorer = detail::make_partition_scores(metric_of_data, target, view, weights, {});
      std::vector<std::int8_t> twice;
      for (int i = 0; i < 2; ++i) {
        twice.insert(twice.end(), data.options.folds.begin(), data.options.folds.end());
      }
      std::vector<double> scores(2 * table.values.size());
      scorer->scores(twice, kFolds, detail::StopFlag{}, scores.data());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        CHECK_FOR(near(scores[i], table.values[i % table.values.size()]), metric);
      }
    }
  }
}

/// Fold sizes within classes stay, rows without a prediction stay out, groups stay together.
void permutations_keep_what_they_must() {
  Target target = problem::labels_of(24);
  std::vector<std::int32_t> folds;
  std::vector<std::int32_t> groups;
  for (std::int32_t row = 0; row < 48; ++row) folds.push_back(row % 24 / 2 % 3);
  folds[5] = -1;
  const auto sizes = [&](std::span<const std::int8_t> of_row) {
    std::vector<int> counts(6);
    for (std::size_t row = 0; row < 24; ++row) {
      if (of_row[row] >= 0) ++counts[static_cast<std::size_t>(2 * of_row[row] + target.codes[row])];
    }
    return counts;
  };
  const auto classes = detail::classes_of_rows(target);
  const detail::FoldShuffle shuffle(classes, folds, {}, 9, stream::kModelLuck);
  CHECK(shuffle.untestable().empty() && shuffle.n_repeats() == 2 && shuffle.most_folds() == 3);
  std::set<std::vector<std::int8_t>> seen;
  std::vector<std::int8_t> drawn(48);
  for (std::uint32_t number = 0; number < 50; ++number) {
    shuffle.draw(number, 0, drawn.data());
    seen.insert(drawn);
    for (std::size_t repeat = 0; repeat < 2; ++repeat) {
      const std::span<const std::int8_t> own(drawn.data() + 24 * repeat, 24);
      CHECK(sizes(own) == sizes(shuffle.given(repeat)));
    }
    CHECK(drawn[5] == -1 && drawn[29] >= 0);
    CHECK(!std::equal(drawn.begin(), drawn.begin() + 24, drawn.begin() + 24));
  }
  CHECK(seen.size() == 50);

  for (std::int32_t row = 0; row < 24; ++row) groups.push_back(100 - row / 2);
  folds.resize(24);
  folds[5] = folds[4];
  const detail::FoldShuffle of_groups(classes, folds, groups, 9, stream::kModelLuck);
  for (std::uint32_t number = 0; number < 20; ++number) {
    of_groups.draw(number, 0, drawn.data());
    for (std::size_t row = 0; row < 24; row += 2) CHECK(drawn[row] == drawn[row + 1]);
  }
}

void ranks_by_hand() {
  const double scores[] = {3.0, 1.0, 3.0, 9.0, 8.0, 7.0, 5.0};
  const std::vector<std::int8_t> folds{0, 0, 0, 1, 1, 1, -1};
  const std::vector<std::int64_t> first{0};
  const Predictions view = View<double>{scores, 7, 1, 1, {1, 7, 1}};
  const detail::ScaledColumns ranked(make_metric("roc_auc"), view, first, folds);
  const auto& values = std::get<View<double>>(ranked.view());
  const double expected[] = {2.0 / 3, 0.5 / 3, 2.0 / 3, 2.5 / 3, 1.5 / 3, 0.5 / 3, 5.0};
  for (std::int64_t row = 0; row < 7; ++row) CHECK(near(values(row, 0), expected[row]));
  const detail::ScaledColumns standard(make_metric("squared_pearson"), view, first, folds);
  const auto& scaled = std::get<View<double>>(standard.view());
  CHECK(near(scaled(1, 0), -std::sqrt(2.0)) && near(scaled(3, 0), std::sqrt(1.5)));
  const detail::ScaledColumns same(make_metric("mean_squared_error"), view, first, folds);
  CHECK(std::get<View<double>>(same.view()).data == scores);
}

/// Luck .0025 and rows .0075 of a mean over four folds: N at the larger of two equal scores is
/// 1 / sqrt(pi), and it carries .0025 / .1 of luck.
void bias_by_hand() {
  const double equal[] = {0.8, 0.8, 0.7, 0.7, 0.9, 0.9, 0.6, 0.6};
  const double inv_sqrt_pi = 1.0 / std::sqrt(std::acos(-1.0));
  for (const double sign : {1.0, -1.0}) {
    detail::LuckBias bias(sign);
    bias.add({equal, 4, 2});
    CHECK(std::abs(bias.predicted(0.01, 0.03, 2) - 0.025 * inv_sqrt_pi) < 1e-9);
    CHECK(bias.predicted(0.0, 0.03, 2) == 0.0);
    CHECK(bias.predicted(0.01, 0.03, 50) > 2.0 * bias.predicted(0.01, 0.03, 2));
    // Twenty spreads apart, nothing is left to luck.
  }
  const double apart[] = {0.8, 2.8, 0.7, 2.7, 0.9, 2.9, 0.6, 2.6};
  detail::LuckBias none(1.0);
  none.add({apart, 4, 2});
  CHECK(none.predicted(0.01, 0.03, 2) < 1e-9);
  // Of equal repeats rows do not average; repeats that differ by 1 take all but the luck away.
  detail::LuckBias twice(1.0);
  twice.add({equal, 4, 2});
  twice.add({equal, 4, 2});
  const double spread = std::sqrt(0.00125 + 0.0025 / 2 + 0.0075);
  CHECK(std::abs(twice.predicted(0.01, 0.03, 2) - 0.00125 / spread * inv_sqrt_pi) < 1e-9);
  const detail::ScoreTable table{apart, 4, 2};
  CHECK(near(table.interaction(), 0.0) && near(table.means()[1], 2.75));
  const double crossed[] = {1.0, 0.0, 0.0, 1.0};
  CHECK(near(detail::ScoreTable({crossed, 2, 2}).interaction(), 1.0));
}

void what_cannot_be_tested() {
  const auto why = [](Data data, const std::vector<std::int32_t>& folds) {
    data.options.folds = folds;
    return data.luck().untestable;
  };
  const Data data("accuracy", 0.0, 1);
  std::vector<std::int32_t> folds(kRows, 0);
  for (std::size_t row = 60; row < kRows; ++row) folds[row] = -1;
  CHECK(why(data, folds) == "a single hold-out");
  for (std::int32_t row = 0; row < kRows; ++row) folds[static_cast<std::size_t>(row)] = row;
  CHECK(why(data, folds) == "more than 64 folds");
  std::fill(folds.begin(), folds.end(), 0);
  folds[7] = 1;
  CHECK(why(data, folds) == "a fold of a single row");
  folds[6] = 1;
  CHECK(why(data, folds).empty());
  folds[6] = 0;
  folds[5] = 1;  // two rows of one class
  CHECK(why(Data("roc_auc", 0.0, 1), folds) == "a fold that leaves the metric undefined");
  Data grouped = data;
  for (std::int32_t row = 0; row < kRows; ++row) grouped.options.units.push_back(row / 2 % 4);
  CHECK(why(grouped, data.options.folds) == "a fold of a single group");
  for (auto& group : grouped.options.units) group %= 2;
  CHECK(why(grouped, data.options.folds) == "a group with rows in several folds");
  const Predictions one = View<double>{data.values.data(), kRows, 1, 1, {kColumns, 1, 1}};
  ModelLuckOptions options = data.options;
  options.metric = make_metric("roc_auc");
  CHECK(model_luck(data.target, {&one, 1}, options).untestable == "a single configuration");
}

void refusals() {
  const auto message = [](const ModelLuckOptions& options) {
    const Data data("accuracy", 0.0, 1);
    const Predictions view = data.view();
    return check::message_of(
        [&] { static_cast<void>(model_luck(data.target, {&view, 1}, options)); });
  };
  const Data data("accuracy", 0.0, 1);
  ModelLuckOptions options = data.options;
  options.folds.clear();
  CHECK(message(options) == "folds: none are given");
  options.folds.assign(7, 0);
  CHECK(check::contains(message(options), "folds: 7 values for 1 repeats of 120 rows"));
  options = data.options;
  std::fill(options.folds.begin(), options.folds.end(), -1);
  CHECK(message(options) == "folds: no row of a repeat is in a fold");
  options = data.options;
  options.winners = {0, kColumns};
  CHECK(message(options) == "winners: are no configurations");
  options = data.options;
  options.n_permutations = 0;
  CHECK(message(options) == "n_permutations: must be at least 1");
}

/// Sample weights of no common step take the general evaluator: half a second, half of it in one
/// round.
void can_be_stopped() {
  constexpr std::int64_t kMany = 10000;
  constexpr std::int64_t kWide = 100;
  problem::Random random(11);
  const Target target = problem::labels_of(kMany);
  ModelLuckOptions options;
  options.metric = make_metric("roc_auc");
  // Weights without a common step take the general path, which is slow enough to be stopped.
  for (std::int64_t row = 0; row < kMany; ++row) options.row_weights.push_back(random.uniform());
  std::vector<double> scores;
  for (std::int64_t row = 0; row < kMany; ++row) {
    options.folds.push_back(static_cast<std::int32_t>(row / 2 % 5));
    for (std::int64_t j = 0; j < kWide; ++j) {
      const bool seen = (j + options.folds.back()) % 2 == 0;
      scores.push_back(random.uniform() +
                       (seen ? target.codes[static_cast<std::size_t>(row)] : 0.0));
    }
  }
  const Predictions view = View<double>{scores.data(), kMany, kWide, 1, {kWide, 1, 1}};
  const auto stopped = check::message_of([&] {
    static_cast<void>(model_luck(target, {&view, 1}, options, {1, [](double) { return false; }}));
  });
  CHECK_FOR(stopped == "poll: stopped by the caller", stopped);
}

}  // namespace

int main() {
  luck_is_found();
  luck_that_matters();
  threads_and_repeats();
  partitions_have_fold_scores();
  permutations_keep_what_they_must();
  ranks_by_hand();
  bias_by_hand();
  what_cannot_be_tested();
  refusals();
  can_be_stopped();
  return check::report();
}
