// Sizes beyond the numbers that count them, from C++ and through the C ABI: refused, naming the
// limit. And what a block's errors and weights are put into before they are handed on.
#include <bbc/c.h>

#include <algorithm>
#include <bbc/bbc.hpp>
#include <bbc/control.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/metric_name.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/support/limits.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using check::contains;
using check::message_of;
using problem::labels_of;
using problem::options_of;

const Target kTruth = labels_of(8);
const std::int8_t kLabels[] = {0, 1, 0, 1, 1, 1, 0, 0};

/// Sizes beyond the numbers that count them.
void limits() {
  static_assert(limit_of("n_bootstraps") == detail::kMostReplicates);
  static_assert(limit_of("n_rows") == detail::kMostRows && limit_of("") == kMostOfAll);
  CHECK(message_of([] { detail::check_count("n_bins", 10'001, 1); }) ==
        "n_bins: must be between 1 and 10000, not 10001");
  constexpr std::int64_t kTooMany = std::int64_t{1} << 31;
  CHECK(message_of([] { Sampler(kTooMany, Resampling{}); }) ==
        "n_rows: must be between 1 and 2^31 - 1, not 2147483648");
  // Never read.
  const std::uint8_t flag = 0;
  const double value = 0.0;
  std::string message = message_of(
      [&] { (void)placements({&flag, std::size_t{kTooMany}}, {&value, std::size_t{kTooMany}}); });
  CHECK_FOR(contains(message, "n_rows: must be between 1 and 2^31 - 1"), message);

  BoundData data;
  data.is_positive = {0, 1, 0, 1};
  data.folds = {0, 0, 1, 1};
  const std::vector<double> scores{0.1, 0.2, 0.3, 0.4};
  data.scores = {scores.data(), 4, 1, 1, {1, 1, 1}};
  TiltingData columns;
  columns.columns = {1.0, 0.0, 1.0, 1.0};
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{1} << 32}) {
    BoundOptions options;
    options.n_bootstraps = n;
    for (const auto method : {BoundMethod::naive_bootstrap, BoundMethod::mabt}) {
      options.method = method;
      message = message_of([&] { (void)bound(data, options); });
      CHECK_FOR(contains(message, "n_bootstraps: must be between 1 and 2^32 - 1"), message);
    }
    TiltingOptions tilt;
    tilt.n_bootstraps = n;
    message = message_of([&] { (void)tilting(columns, tilt); });
    CHECK_FOR(contains(message, "n_bootstraps: must be between 1 and 2^32 - 1"), message);
  }

  // Columns that would overlap; none of them is read.
  const auto block = [](std::int64_t n) {
    return Predictions(View<std::int8_t>{kLabels, 8, n, 1, {1, 1, 1}});
  };
  const CorrectionOptions options = options_of("accuracy");
  Correction correction(kTruth, options);
  const Predictions wide[] = {block(kTooMany)};
  message = message_of([&] { correction.add(wide, 0); });
  CHECK_FOR(contains(message, "2147483648 configurations in one block"), message);
  const std::vector<Predictions> deep(1U << 15U, block(kTooMany - 1));
  message = message_of([&] { correction.add(deep, 0); });
  CHECK_FOR(contains(message, "more than 2^48 values in one block"), message);

  Target target = kTruth;
  target.n_classes = 300'000'000;
  message = message_of([&] { Correction(target, options); });
  CHECK_FOR(contains(message, "target: 300000000 classes are more than 2^27"), message);
}

/// A unit of many rows that is drawn over and over.
void drawn_rows() {
  constexpr std::int32_t kSingles = 65'535;
  constexpr std::int32_t kTogether = 32'769;
  Resampling resampling;
  resampling.n_bootstraps = 2;
  for (std::int32_t row = 0; row < kSingles + kTogether; ++row) {
    resampling.units.push_back(std::min(row, kSingles));
  }
  for (std::int32_t i = 0; i < 2 * (kSingles + 1); ++i) {
    resampling.resamples.push_back(i == kSingles || i > kSingles + 2 ? kSingles : 0);
  }
  const auto n_rows = static_cast<std::int64_t>(resampling.units.size());
  const Sampler sampler(n_rows, resampling);
  std::vector<std::uint16_t> counts(static_cast<std::size_t>(n_rows));
  sampler.draw(0, 0, counts.data());
  CHECK(counts[0] == 65'535 && counts.back() == 1);
  std::string message = message_of([&] { sampler.draw(1, 0, counts.data()); });
  CHECK_FOR(contains(message, "units: 2147483648 rows are drawn"), message);
  for (const std::int64_t replicate : {std::int64_t{-1}, std::int64_t{2}}) {
    message = message_of([&] { sampler.draw(replicate, 0, counts.data()); });
    CHECK_FOR(contains(message, "replicate: " + std::to_string(replicate)), message);
  }
}

/// Weights keep their digits, and even powers their sums' square roots.
void weights_have_a_unit_of_their_own() {
  const std::vector<double> weights{3.0 * 0x1p1000, 1.0, 0.0, 0x1p1001};
  const auto scaled = detail::relative_weights(weights, 4);
  CHECK(scaled[0] == 1.5 && scaled[1] == 0x1p-1001 && scaled[2] == 0.0 && scaled[3] == 1.0);
  CHECK(detail::relative_weights(weights, 4, /*even_power=*/true)[0] == 3.0);
  CHECK(detail::relative_weights({0x1p-1074, 0x1p-1060}, 2) == (std::vector<double>{1.0, 0x1p14}));
  CHECK(detail::relative_weights({}, 4).empty());
  CHECK(detail::kind_of({}) == detail::WeightKind::none);
  CHECK(detail::kind_of(scaled) == detail::WeightKind::real);
  CHECK(detail::relative_weights(scaled, 4) == scaled);
}

/// Weights that are all equal are none; whole multiples of a common step are these multiples.
void weights_of_a_common_step() {
  const double third = 1.0 / 3.0;
  CHECK(detail::relative_weights({0.1, 0.1, 0.1}, 3).empty());
  CHECK(detail::relative_weights({third, 0.0, 4.0 * third}, 3) ==
        (std::vector<double>{1.0, 0.0, 4.0}));
  CHECK(detail::relative_weights({0.75, 2.25, 1.5}, 3) == (std::vector<double>{1.0, 3.0, 2.0}));
  CHECK(detail::relative_weights({6.0, 0.0, 6.0}, 3) == (std::vector<double>{1.0, 0.0, 1.0}));
  CHECK(detail::kind_of(std::vector{1.0, 0.0}) == detail::WeightKind::integer);
  // Three tenths are not three times one tenth, as float64 goes.
  CHECK(detail::kind_of(detail::relative_weights({0.1, 0.3}, 2)) == detail::WeightKind::real);
  const auto most = static_cast<double>(detail::kMostIntegerWeight / 2);
  CHECK(detail::relative_weights({1.0, most}, 2)[1] == most);
  CHECK(detail::kind_of(detail::relative_weights({1.0, most + 1.0}, 2)) ==
        detail::WeightKind::real);
}

void weights_that_are_refused() {
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto message = message_of([&] { (void)detail::relative_weights({1.0, bad}, 2); });
    CHECK_FOR(contains(message, "row_weights: not a finite number of at least 0 at row 1"),
              message);
  }
  CHECK(message_of([] { (void)detail::relative_weights({0.0, 0.0}, 2); }) ==
        "row_weights: is zero in every row");
}

void places_of_errors() {
  try {
    detail::throw_at("not finite", 3, 4);
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::invalid_argument);
    CHECK(error.argument() == "predictions");
    CHECK(error.problem() == "not finite");
    CHECK((error.place() == Place{{"row", 3}, {"configuration", 4}}));
    CHECK(std::string(error.what()) == "predictions: not finite at row 3, configuration 4");
  }
}

void names() {
  const auto all = metric_names();
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == detail::metric_name(i));
  CHECK(detail::metric_name(all.size()) == nullptr);
}

struct FromC {
  std::vector<std::int64_t> labels{0, 1, 0, 1, 0, 1, 0, 1, 1, 0};
  std::vector<double> values;
  bbc_problem problem{};
  bbc_predictions predictions{};
  bbc_result result{};
  const void* repeats[1] = {nullptr};

  FromC(const char* metric, std::int64_t n_configurations, std::int64_t n_outputs) {
    problem::Random random(4);
    for (std::int64_t i = 0; i < 10 * n_configurations; ++i) {
      values.push_back(0.1 + 0.8 * random.uniform());
      if (n_outputs == 2) values.push_back(1.0 - values.back());
    }
    bbc_problem_init(&problem, sizeof problem);
    bbc_predictions_init(&predictions, sizeof predictions);
    bbc_result_init(&result, sizeof result);
    problem.metric = metric;
    problem.n_rows = 10;
    problem.labels = labels.data();
    problem.n_bootstraps = 100;
    repeats[0] = values.data();
    predictions.repeats = repeats;
    predictions.n_repeats = 1;
    predictions.n_rows = 10;
    predictions.n_configurations = n_configurations;
    predictions.n_outputs = n_outputs;
  }
  bbc_status correct() { return bbc_correct(&problem, &predictions, &result); }
};

/// Class scores come by sorted labels whichever of them is the positive one.
void classes_from_c() {
  constexpr std::int64_t kSmaller = 0;
  for (const char* metric : {"log_loss", "brier_score", "roc_auc_ovr"}) {
    FromC c(metric, 3, 2);
    CHECK(c.correct() == BBC_OK);
    const double expected = c.result.apparent;
    c.problem.positive_label = &kSmaller;
    CHECK(c.correct() == BBC_OK);
    CHECK_FOR(std::fabs(c.result.apparent - expected) < 1e-12, metric);
    const double at_once = c.result.estimate;
    bbc_correction* correction = nullptr;
    CHECK(bbc_correction_new(&c.problem, 1, &correction, &c.result) == BBC_OK);
    CHECK(bbc_correction_add(correction, &c.predictions, 0, &c.result) == BBC_OK);
    CHECK(bbc_correction_finish(correction, &c.result) == BBC_OK);
    CHECK_FOR(check::same(c.result.estimate, at_once), metric);
    bbc_correction_free(correction);
  }
}

void sizes_from_c() {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  const std::vector<std::int32_t> resamples(10);
  const auto refused = [](FromC& c, const char* argument) {
    CHECK_FOR(c.correct() == BBC_INVALID_ARGUMENT, argument);
    CHECK_FOR(contains(c.result.message, argument), c.result.message);
  };
  FromC rows("roc_auc", 3, 1);
  rows.problem.n_rows = kHuge;
  refused(rows, "n_rows: must be between 1 and 2^31 - 1");
  FromC replicates("roc_auc", 3, 1);
  replicates.problem.n_bootstraps = kHuge;
  replicates.problem.resamples = resamples.data();
  refused(replicates, "n_bootstraps: must be between 1 and 2^32 - 1");
  FromC configurations("roc_auc", 3, 1);
  configurations.predictions.n_configurations = kHuge;
  configurations.predictions.n_outputs = 4;
  refused(configurations, "n_configurations x n_outputs must be below 2^63");
  FromC repeats("roc_auc", 3, 1);
  bbc_correction* correction = nullptr;
  CHECK(bbc_correction_new(&repeats.problem, kHuge, &correction, &repeats.result) ==
        BBC_INVALID_ARGUMENT);
  CHECK_FOR(contains(repeats.result.message, "n_repeats: must be 1 to 2^31 - 1"),
            repeats.result.message);
}

}  // namespace

int main() {
  limits();
  drawn_rows();
  weights_have_a_unit_of_their_own();
  weights_of_a_common_step();
  weights_that_are_refused();
  places_of_errors();
  names();
  classes_from_c();
  sizes_from_c();
  return check::report();
}
