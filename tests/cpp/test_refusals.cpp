// What a C++ caller can get wrong: one error, that names the argument, before anything is read or
// written out of place.
#include <array>
#include <bbc/bbc.hpp>
#include <bbc/censoring.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/evaluation/coverage.hpp"
#include "detail/metrics/values_of_rows.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using check::contains;
using check::message_of;
using problem::labels_of;
using problem::options_of;

View<std::int8_t> view_of(const std::vector<std::int8_t>& labels, std::int64_t n_rows) {
  const auto n = static_cast<std::int64_t>(labels.size()) / n_rows;
  return {labels.data(), n_rows, n, 1, {n, 1, 1}};
}

const Target kTruth = labels_of(8);
const std::vector<std::int8_t> kLabels = [] {
  std::vector<std::int8_t> labels;
  for (int i = 0; i < 40; ++i) labels.push_back(static_cast<std::int8_t>(i % 3 == 0));
  return labels;
}();

/// The places in an error are those of the whole matrix, however it is cut into pieces.
void places() {
  constexpr std::int64_t kRows = 200'000;
  constexpr std::int64_t kColumns = 70;
  Target target;
  for (std::int64_t row = 0; row < kRows; ++row) target.values.push_back(0.5);
  std::vector<double> values(static_cast<std::size_t>(kRows * kColumns), 0.25);
  values[7 * kColumns + 68] = std::nan("");
  const Predictions matrix[] = {View<double>{values.data(), kRows, kColumns, 1, {kColumns, 1, 1}}};
  CorrectionOptions options = options_of("mean_squared_error", 4);
  options.confidence_level = 0.5;
  const std::string message = message_of([&] { (void)correct(target, matrix, options); });
  CHECK_FOR(contains(message, "row 7, configuration 68"), message);
}

void shapes() {
  const Predictions unequal[] = {view_of(kLabels, 8),
                                 View<std::int8_t>{kLabels.data(), 8, 3, 1, {3, 1, 1}}};
  CorrectionOptions options = options_of("accuracy");
  std::string message = message_of([&] { (void)correct(kTruth, unequal, options); });
  CHECK_FOR(contains(message, "repeats differ in their number of configurations"), message);

  const Predictions one[] = {view_of(kLabels, 8)};
  for (const std::size_t length : {7U, 9U, 16U}) {
    options.folds.assign(length, 0);
    for (std::size_t i = 0; i < length; i += 2) options.folds[i] = 1;
    message = message_of([&] { (void)correct(kTruth, one, options); });
    CHECK_FOR(contains(message, "folds: "), message);
    message = message_of([&] { (void)score(kTruth, one, options.metric, options.folds, {}); });
    CHECK_FOR(contains(message, "folds: "), message);
  }
}

/// A fold code that no row has is no fold.
void gaps_between_folds() {
  const Predictions one[] = {view_of(kLabels, 8)};
  for (const char* metric : {"accuracy", "mcc", "roc_auc"}) {
    CorrectionOptions options = options_of(metric);
    std::vector<double> scores(kLabels.begin(), kLabels.end());
    const Predictions of_scores[] = {View<double>{scores.data(), 8, 5, 1, {5, 1, 1}}};
    const std::span<const Predictions> used = std::strcmp(metric, "roc_auc") == 0 ? of_scores : one;
    options.folds = {0, 0, 0, 0, 1, 1, 1, 1};
    const Estimate dense = correct(kTruth, used, options);
    options.folds = {0, 0, 0, 0, 2, 2, 2, 2};
    const Estimate with_gap = correct(kTruth, used, options);
    CHECK_FOR(check::same(dense.apparent, with_gap.apparent), metric);
    CHECK_FOR(dense.replicates == with_gap.replicates, metric);
  }
}

void plain_scores() {
  const Predictions one[] = {view_of(kLabels, 8)};
  const Metric metric = make_metric("accuracy");
  std::string message = message_of([&] { (void)score(kTruth, one, metric, {}, {}); });
  CHECK_FOR(message == "no error", message);
  Target target = kTruth;
  target.codes[3] = 2;
  message = message_of([&] { (void)score(target, one, metric, {}, {}); });
  CHECK_FOR(contains(message, "code 2 is outside 0 to 1 at row 3"), message);
  message = message_of([&] { (void)score(kTruth, one, metric, {}, {1.0, 2.0}); });
  CHECK_FOR(contains(message, "row_weights: 2 values for 8 rows"), message);
  const std::vector<std::int32_t> folds{0, 0, 0, 0, 1, 1, 1, 1};
  message = message_of([&] { (void)fold_scores(kTruth, one, metric, folds, {1.0, 2.0}); });
  CHECK_FOR(contains(message, "row_weights: 2 values for 8 rows"), message);
}

/// Any codes, as everywhere else.
void units_of_a_bootstrap_sample() {
  const std::vector<std::int8_t> one_column(kLabels.begin(), kLabels.begin() + 8);
  const Predictions one = view_of(one_column, 8);
  Resampling resampling;
  resampling.n_bootstraps = 50;
  BootstrapSample expected;
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const auto& codes : {std::vector{0, 1, 2, 3}, std::vector{-7, -1, 5, kMost}}) {
    resampling.units = {codes[0], codes[1], codes[2], codes[3],
                        codes[0], codes[1], codes[2], codes[3]};
    const auto sample = bootstrap_sample(kTruth, one, make_metric("accuracy"), resampling,
                                         BootstrapKind::studentized);
    if (expected.replicates.empty()) expected = sample;
    CHECK(sample.replicates == expected.replicates && sample.jackknife == expected.jackknife);
    CHECK(sample.replicate_errors == expected.replicate_errors);
  }
}

/// Anything but 0 is positive.
void flags_of_tilting() {
  TiltingData data;
  problem::Random random(5);
  for (int row = 0; row < 40; ++row) {
    data.is_positive.push_back(row % 3 == 0 ? 1 : 0);
    data.columns.push_back(random.uniform() + (row % 3 == 0 ? 0.2 : 0.0));
  }
  TiltingOptions options;
  options.n_bootstraps = 100;
  const TiltingResult expected = tilting(data, options);
  for (std::size_t row = 0; row < 40; row += 3) data.is_positive[row] = row % 2 == 0 ? 2 : 255;
  const TiltingResult found = tilting(data, options);
  CHECK(expected.bound.feasible && found.bound.feasible);
  CHECK(check::same(found.bound.interval.low, expected.bound.interval.low));

  data.is_positive.clear();
  const std::string message = message_of([&] { (void)tilting(data, options); });
  CHECK_FOR(contains(message, "columns: must be 0 or 1"), message);
}

/// Weights count relative to each other, whatever their unit.
void huge_weights_of_a_rule() {
  const Predictions one[] = {view_of(kLabels, 8)};
  CorrectionOptions options = options_of("accuracy");
  options.selection =
      selection::OneStandardError{{1.0, 2.0, 3.0, 4.0, 5.0}, {0, 0, 0, 0, 1, 1, 1, 1}};
  options.row_weights = {1.0, 2.0, 1.0, 1.0, 1.0, 3.0, 1.0, 1.0};
  const Estimate expected = correct(kTruth, one, options);
  const Dominance dominance = dominated(kTruth, one, options, 0.9);
  for (double& weight : options.row_weights) weight *= 0x1p1022;
  const Estimate found = correct(kTruth, one, options);
  CHECK(found.winner == expected.winner && found.replicates == expected.replicates);
  CHECK(dominated(kTruth, one, options, 0.9).share_worse == dominance.share_worse);
}

/// Structures that do not hold what their sizes say.
void structures() {
  FoldScores scores;
  scores.n_repeats = 1;
  scores.n_folds = 3;
  scores.n_configurations = 2;
  scores.values = {0.1, 0.2, 0.3, 0.4};
  std::string message = message_of([&] { (void)tt(scores, true); });
  CHECK_FOR(contains(message, "fold_scores: 4 values for 1 repeats, 3 folds"), message);
  message = message_of([&] { (void)correct_fold_scores(scores, options_of("accuracy")); });
  CHECK_FOR(contains(message, "fold_scores: 4 values for 1 repeats, 3 folds"), message);

  ReplicateScorer scorer(kTruth, {view_of(kLabels, 8)}, options_of("accuracy"));
  ReplicateScorer::Replicates replicates = scorer.in_bag(0, 3);
  const std::vector<std::int64_t> winners{0, 1, 2};
  CHECK(scorer.out_of_bag(0, replicates.scoring(), winners).scores.size() == 3);
  replicates.counts.pop_back();
  message = message_of([&] { (void)scorer.out_of_bag(0, replicates.scoring(), winners); });
  CHECK_FOR(contains(message, "scoring: must be that of in_bag"), message);
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  message = message_of([&] { (void)scorer.in_bag(kMost, kMost); });
  CHECK_FOR(contains(message, "replicates: there are 100"), message);

  Target target = kTruth;
  target.label_names = {"no"};
  message = message_of([&] { Correction(target, options_of("roc_auc")); });
  CHECK_FOR(contains(message, "one label name per class"), message);

  CHECK(message_of([] { (void)order_statistic({}, 0.5); }) == "replicates: none");
  std::vector<double> values(300, 1.0);
  values[7] = std::nan("");
  message = message_of([&] { (void)order_statistic(values, 0.5); });
  CHECK_FOR(contains(message, "replicates: NaN"), message);

  for (const std::int32_t row : {-1, 8, 100'000}) {
    message = message_of([&] { (void)kTruth.rows({0, row}); });
    CHECK_FOR(message == "rows: there is no row " + std::to_string(row), message);
  }
  message = message_of([&] { (void)target.name_of_class(2); });
  CHECK_FOR(message == "code: there is no class 2", message);

  const std::vector<NestedFold> folds(2, {{0.1, 0.3}, {0.2, 0.4}});
  NestedOptions options;
  options.n_folds = 2;
  message = message_of([&] { (void)nested_cv(folds, options, {}, {0.0, 1.0}); });
  CHECK_FOR(contains(message, "n_rows: must be at least 1"), message);
}

/// A view that is given no strides is in C order; a stride of 0 would read one cell for many.
void strides() {
  const CorrectionOptions options = options_of("accuracy");
  const Predictions plain[] = {View<std::int8_t>{kLabels.data(), 8, 5}};
  const Predictions strided[] = {view_of(kLabels, 8)};
  CHECK(correct(kTruth, plain, options).replicates == correct(kTruth, strided, options).replicates);
  using Strides = std::array<std::int64_t, 3>;
  for (const auto& [given, words] :
       {std::pair(Strides{0, 0, 0}, "predictions: a stride of 0 for 8 rows"),
        std::pair(Strides{0, 1, 1}, "predictions: a stride of 0 for 8 rows"),
        std::pair(Strides{1, 0, 1}, "predictions: a stride of 0 for 5 configurations")}) {
    const Predictions zero[] = {View<std::int8_t>{kLabels.data(), 8, 5, 1, given}};
    std::string message = message_of([&] { (void)correct(kTruth, zero, options); });
    CHECK_FOR(contains(message, words), message);
    message = message_of([&] { (void)row_values(kTruth, zero, options.metric); });
    CHECK_FOR(contains(message, words), message);
    message = message_of([&] { ReplicateScorer(kTruth, {zero[0]}, options); });
    CHECK_FOR(contains(message, words), message);
    message = message_of([&] { WinnerStatistics(kTruth, zero, options); });
    CHECK_FOR(contains(message, words), message);
  }
  const std::vector<double> scores(40, 0.5);
  BoundData data{{1, 0, 1, 0, 1, 0, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, {}, {}};
  data.scores = {scores.data(), 8, 5, 1, {5, 0, 1}};
  const std::string message = message_of([&] { (void)bound(data, {}); });
  CHECK_FOR(contains(message, "predictions: a stride of 0 for 5 configurations"), message);
  // One configuration has no next one.
  const Predictions one[] = {View<std::int8_t>{kLabels.data(), 8, 1, 1, {5, 0, 0}}};
  CHECK(correct(kTruth, one, options).winner == 0);
}

/// Every configuration once, and none left out.
void blocks() {
  const CorrectionOptions options = options_of("accuracy");
  const auto block = [](std::int64_t first, std::int64_t n) {
    return std::vector<Predictions>{View<std::int8_t>{kLabels.data() + first, 8, n, 1, {5, 1, 1}}};
  };
  Correction correction(kTruth, options);
  CHECK(correction.winner() == -1 && correction.added().empty());
  CHECK(message_of([&] { (void)correction.finish(); }) ==
        "predictions: no configurations were added");
  correction.add(block(3, 2), 3);
  CHECK(message_of([&] { (void)correction.finish(); }) ==
        "predictions: configuration 0 was never added");
  correction.add(block(0, 2), 0);
  CHECK(message_of([&] { (void)correction.finish(); }) ==
        "predictions: configuration 2 was never added");
  const std::string before = correction.state();
  for (const auto& [first, n, twice] :
       {std::array<std::int64_t, 3>{0, 1, 0}, {1, 2, 1}, {2, 2, 3}, {4, 1, 4}, {0, 5, 0}}) {
    const std::string message =
        message_of([&, from = first, count = n] { correction.add(block(from, count), from); });
    CHECK_FOR(message == "first_configuration: configuration " + std::to_string(twice) +
                             " was added before",
              message);
    CHECK(correction.state() == before);
  }
  Correction other(kTruth, options);
  other.add(block(1, 2), 1);
  CHECK(message_of([&] { correction.merge(other); }) == "other: configuration 1 was added before");
  CHECK(message_of([&] { correction.merge(other.state()); }) ==
        "state: configuration 1 was added before");
  CHECK(message_of([&] { correction.merge(before); }) == "state: configuration 0 was added before");
  CHECK(correction.state() == before);
  Correction rest(kTruth, options);
  rest.add(block(2, 1), 2);
  correction.merge(rest.state());
  const std::vector<ConfigurationRange> all{{0, 5}};
  CHECK(correction.added() == all);
  const Estimate whole = correct(kTruth, block(0, 5), options);
  CHECK(correction.finish().replicates == whole.replicates);
  CHECK(correction.winner() == whole.winner);
}

/// Ranges are joined whatever their order, and a forged one is refused.
void coverage() {
  detail::Coverage coverage;
  for (const std::int64_t first : {4, 0, 2, 8, 6}) coverage.add({first, first + 2}, "it");
  CHECK(coverage.ranges().size() == 1 && coverage.ranges()[0].last == 10);
  coverage.check_complete();
  CHECK(message_of([&] { coverage.add({12, 12}, "it"); }) ==
        "it: configurations 12 to 12 are no range");
}

/// Spans that are too short, and numbers that are none.
void short_spans() {
  const std::vector<double> values{0.1, 0.2, 0.4};
  const std::vector<std::uint16_t> counts{1, 2};
  CHECK(message_of([&] { (void)jackknife_error(values, counts); }) == "counts: 2 for 3 values");
  CHECK(message_of([] { (void)jackknife_error({}, {}); }) == "values: there are none");

  BootstrapSample sample;
  for (int b = 0; b < 100; ++b) sample.replicates.push_back(0.01 * b);
  sample.estimate = 0.5;
  sample.replicate_errors.assign(99, 0.1);
  const auto interval = [&](BootstrapKind kind) {
    return message_of([&] { (void)bootstrap_interval(sample, kind, {}, {0.0, 1.0}); });
  };
  CHECK(interval(BootstrapKind::studentized) == "replicate_errors: 99 for 100 replicates");
  CHECK(interval(BootstrapKind::bca).starts_with("jackknife: "));
  CHECK(interval(BootstrapKind::percentile) == "no error");

  FoldScores scores{{0.1, 0.2, std::nan(""), 0.4}, 1, 2, 2};
  CHECK(message_of([&] { (void)tt(scores, true); }) ==
        "fold_scores: not finite at repeat 0, fold 1, configuration 0");
  scores.values[2] = 0.3;
  FoldScores turned{scores.values, 2, 1, 2};
  CHECK(message_of([&] { (void)tt({scores, true}, {turned, true}); }) ==
        "fold_scores: two tables of different shapes");

  TiltingData data{{1, 0}, {0.1, 0.2, 0.3}, 1, 0};
  CHECK(message_of([&] { (void)tilting(data, {}); }) == "is_positive: must have a value per row");
  data.n_configurations = 0;
  CHECK(message_of([&] { (void)tilting(data, {}); }) == "columns: 3 values for 0 configurations");
  data = {{1, 0}, {0.1, 0.2}, 1, 1};
  CHECK(message_of([&] { (void)tilting(data, {}); }) == "selected: there is no configuration 1");

  const CensoringSurvival censoring{{1.0, 2.0}, {0.5}};
  CHECK(message_of([&] { (void)censoring.before(5.0); }) ==
        "censoring: must have a probability for each of its times");
}

/// There is no range that fits every metric.
void ranges() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [low, high] :
       {std::pair(1.0, 0.0), std::pair(kNaN, 1.0), std::pair(0.0, kNaN)}) {
    const std::string made = message_of([low = low, high = high] { (void)Range(low, high); });
    CHECK_FOR(made.starts_with("range: "), made);
    const std::string clipped = message_of([low = low, high = high] {
      (void)with_limits(0.5, {0.2, 0.8}, Alternative::two_sided, {low, high});
    });
    CHECK_FOR(clipped.starts_with("range: "), clipped);
  }
  static_assert(!std::is_default_constructible_v<Range>);
  static_assert(!std::is_default_constructible_v<DifferenceOptions>);
  static_assert(!std::is_default_constructible_v<RowValues>);
  const std::vector<double> replicates{0.1, std::nan("")};
  const Family families[] = {{replicates, 1}, {replicates, 1}};
  const FamilyPair pairs[] = {{0, 1}};
  CHECK(message_of([&] { (void)differences(families, pairs, {9, 9}, {true, {}, {0.0, 1.0}}); }) ==
        "families: a replicate is not finite");
}

/// The limits of three classes, where the Brier score reaches 2.
void open_ends() {
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 3;
  for (int row = 0; row < 12; ++row) target.codes.push_back(row % 3);
  std::vector<double> wrong;  // all of the probability on the next class
  for (int row = 0; row < 12; ++row) {
    for (int k = 0; k < 3; ++k) wrong.push_back((row + 1) % 3 == k ? 1.0 : 0.0);
  }
  const Predictions view[] = {View<double>{wrong.data(), 12, 1, 3}};
  CorrectionOptions options = options_of("brier_score");
  options.alternative = Alternative::greater;
  const Estimate found = correct(target, view, options);
  CHECK(found.estimate == 2.0 && found.interval.low == 2.0 && found.interval.high == 2.0);
  const std::vector<std::int32_t> folds{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  const FoldScores scores = fold_scores(target, view, options.metric, folds);
  CHECK(correct_fold_scores(scores, options).interval.low == 2.0);
  CHECK(row_values(target, view, options.metric).range.high == 2.0);
}

}  // namespace

int main() {
  places();
  shapes();
  gaps_between_folds();
  plain_scores();
  units_of_a_bootstrap_sample();
  flags_of_tilting();
  huge_weights_of_a_rule();
  structures();
  strides();
  blocks();
  coverage();
  short_spans();
  ranges();
  open_ends();
  return check::report();
}
