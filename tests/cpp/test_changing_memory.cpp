// Memory that another thread rewrites during the calls: whatever comes out, nothing is read or
// written out of bounds. The races are meant, so ThreadSanitizer does not run this program; the
// address sanitizer does.
#include <bbc/c.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bbc/correction.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/inference.hpp>
#include <bbc/intervals.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/scores.hpp>
#include <bbc/winner_statistics.hpp>
#include <bbc/winners.hpp>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/values.hpp"
#include "problem.hpp"

namespace {

constexpr std::size_t kWords = std::size_t{1} << 16;

double from_bits(std::uint64_t bits) {
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// What a thread puts into 64 bits, whatever they are of.
constexpr std::array<std::uint64_t, 11> kSpoilt = {
    0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FE1CCF385EBC8A0, 1, 0,
    0xFFFFFFFFFFFFFFFF, 0x8000000000000000, 0x0000000700000063, 0x0101010101010101, 2};

/// Words that a thread spoils and mends, and the arrays in them.
class Shared {
 public:
  Shared() : live_(kWords), right_(kWords), writer_([this] { rewrite(); }) {}
  ~Shared() {
    stop_ = true;
    writer_.join();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  void begin() { used_ = 0; }
  template <class T>
  std::span<const T> put(const std::vector<T>& values) {
    const std::size_t first = used_;
    const std::size_t n = (values.size() * sizeof(T) + 7) / 8;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t word = 0;
      const std::size_t at = i * sizeof word / sizeof(T);
      const std::size_t n_left = values.size() - at;
      std::memcpy(&word, values.data() + at, std::min(n_left * sizeof(T), sizeof word));
      right_.at(first + i).store(word, std::memory_order_relaxed);
      live_[first + i].store(word, std::memory_order_relaxed);
    }
    used_ = first + n;
    return {reinterpret_cast<const T*>(live_.data() + first), values.size()};
  }

 private:
  using Word = std::atomic<std::uint64_t>;
  static_assert(sizeof(Word) == sizeof(std::uint64_t));

  void rewrite() {
    problem::Random random(3);
    while (!stop_) {
      const std::size_t n = used_;
      if (n == 0) continue;
      std::size_t places[8];
      for (std::size_t& place : places) {
        place = random.below(static_cast<std::uint32_t>(n));
        live_[place].store(kSpoilt[random.below(static_cast<std::uint32_t>(kSpoilt.size()))],
                           std::memory_order_relaxed);
      }
      for (std::uint32_t i = random.below(2000); i > 0 && !stop_; --i) continue;  // wait
      for (const std::size_t place : places) {
        live_[place].store(right_[place].load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
      }
    }
  }

  std::vector<Word> live_;
  std::vector<Word> right_;
  std::atomic<std::size_t> used_{0};
  std::atomic<bool> stop_{false};
  std::thread writer_;
};

int n_results = 0;
int n_refused = 0;

/// A result and a refusal will both do.
void call(const std::function<void()>& body) {
  try {
    body();
    ++n_results;
  } catch (const bbc::Error&) {
    ++n_refused;
  }
}

constexpr std::int64_t kRows = 400;
constexpr std::int64_t kConfigurations = 20;
constexpr auto kCells = static_cast<std::size_t>(kRows * kConfigurations);

std::vector<double> numbers(problem::Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) value = 0.25 + 0.5 * random.uniform();
  return values;
}

template <class T>
std::vector<T> codes(problem::Random& random, std::size_t n, std::uint32_t bound) {
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(random.below(bound));
  return values;
}

bbc::Target truth_of(const char* name) {
  bbc::Target target = problem::labels_of(static_cast<std::size_t>(kRows));
  const std::string metric = name;
  if (metric == "mean_squared_error" || metric == "r2" || metric == "spearman") {
    target = {};
    for (std::int64_t row = 0; row < kRows; ++row) {
      target.values.push_back(0.3 + 0.1 * static_cast<double>(row % 5));
    }
  } else if (metric == "concordance_index") {
    target = {};
    target.kind = bbc::Target::Kind::survival;
    for (std::int64_t row = 0; row < kRows; ++row) {
      target.values.push_back(1.0 + static_cast<double>(row % 37));
      target.events.push_back(row % 3 != 0 ? 1 : 0);
    }
  }
  return target;
}

template <class T>
bbc::Predictions view_of(std::span<const T> cells, bool by_column) {
  if (by_column) {
    return bbc::View<T>(cells.data(), kRows, kConfigurations, 1, {1, kRows, kRows});
  }
  return bbc::View<T>(cells.data(), kRows, kConfigurations);
}

void corrections(Shared& shared, problem::Random& random, const char* metric, int n_calls) {
  const bool labels = std::string(metric) == "accuracy" || std::string(metric) == "f1_macro" ||
                      std::string(metric) == "mcc";
  for (int i = 0; i < n_calls; ++i) {
    shared.begin();
    bbc::CorrectionOptions options = problem::options_of(labels ? "accuracy" : metric, 8);
    if (std::string(metric) == "mcc") options.metric = bbc::make_metric("mcc");
    if (std::string(metric) == "f1_macro") options.metric = bbc::make_metric("f_beta", {"macro"});
    options.confidence_level = 0.5;
    if (i % 3 == 1) {
      for (std::int64_t row = 0; row < kRows; ++row) {
        options.folds.push_back(static_cast<std::int32_t>(row / 2 % 5));
      }
    }
    if (i % 4 == 3) options.row_weights = numbers(random, static_cast<std::size_t>(kRows));
    const bool by_column = i % 2 == 1;
    bbc::Predictions view;
    if (!labels) {
      view = view_of(shared.put(numbers(random, kCells)), by_column);
    } else if (i % 5 < 2) {
      view = view_of(shared.put(codes<std::int8_t>(random, kCells, 2)), by_column);
    } else if (i % 5 < 4) {
      view = view_of(shared.put(codes<std::int32_t>(random, kCells, 2)), by_column);
    } else {
      view = view_of(shared.put(codes<std::int64_t>(random, kCells, 2)), by_column);
    }
    if (i % 7 == 5) options.selection = bbc::selection::TopK{2};
    if (i % 7 == 6) options.selection = bbc::selection::GreedyEnsemble{3};
    bbc::Control control;
    control.n_threads = 1 + i % 2;
    call([&] { (void)bbc::correct(truth_of(metric), {&view, 1}, options, control); });
  }
}

void cut_offs(Shared& shared, problem::Random& random, int n_calls) {
  for (int i = 0; i < n_calls; ++i) {
    shared.begin();
    bbc::CorrectionOptions options = problem::options_of("accuracy", 8);
    options.confidence_level = 0.5;
    options.selection = bbc::selection::Threshold{};
    const bbc::Predictions view = view_of(shared.put(numbers(random, kCells)), i % 2 == 1);
    call([&] { (void)bbc::correct(truth_of("accuracy"), {&view, 1}, options); });
  }
}

/// Functions that take the caller's memory as it is.
void functions(Shared& shared, problem::Random& random, int n_calls) {
  const auto n_rows = static_cast<std::size_t>(kRows);
  for (int i = 0; i < n_calls; ++i) {
    shared.begin();
    const auto scores = shared.put(numbers(random, n_rows));
    const auto others = shared.put(numbers(random, n_rows));
    const auto flags = shared.put(codes<std::uint8_t>(random, n_rows, 2));
    call([&] { (void)bbc::delong_test(flags, scores, others, {}); });
    call([&] { (void)bbc::delong(flags, scores, {}); });
    const auto replicates = shared.put(numbers(random, 40 * 20));
    const auto means = shared.put(numbers(random, 20));
    call([&] { (void)bbc::model_confidence_set(means, replicates, true, 0.9); });
    call([&] { (void)bbc::weighted_mean_correction(replicates, 40, {}); });
    std::vector<double> curves = numbers(random, 40 * 20);
    curves[7] = std::numeric_limits<double>::quiet_NaN();
    const auto given = shared.put(curves);
    call([&] { (void)bbc::curve_band(given, 40, 0.5); });
    std::vector<std::uint8_t> predicted(n_rows * 4, 1);
    for (std::size_t row = n_rows / 2; row < n_rows; ++row) predicted[4 * row] = 0;
    const auto pattern = shared.put(predicted);
    const auto units = shared.put(codes<std::int32_t>(random, n_rows, 50));
    call([&] { (void)bbc::find_rungs(pattern, kRows, 4, {}, units); });
    const std::vector<bbc::Family> families{{replicates.first(400), 2}, {replicates.last(400), 2}};
    const bbc::DifferenceOptions options{true, {}, {0.0, 1.0}};
    const std::vector<bbc::FamilyPair> pairs{{0, 1}};
    call([&] { (void)bbc::differences(families, pairs, {50, 50}, options); });
    const bbc::Predictions view = view_of(shared.put(numbers(random, kCells)), false);
    const auto folds = shared.put(codes<std::int32_t>(random, n_rows, 4));
    const bbc::Target truth = truth_of("roc_auc");
    const bbc::Metric metric = bbc::make_metric("roc_auc");
    call([&] { (void)bbc::score(truth, {&view, 1}, metric, folds, {}); });
    call([&] { (void)bbc::ranking(truth, {&view, 1}, 0, folds); });
    call([&] { (void)bbc::fold_scores(truth, {&view, 1}, metric, folds, {}); });
    call([&] { (void)bbc::n_distinct({&view, 1}); });
    const bbc::ReplicateScorer scorer(
        truth_of("mean_squared_error"),
        {bbc::Predictions(bbc::View<double>(curves.data() + 8, kRows, 1))},
        problem::options_of("mean_squared_error", 8));
    const auto drawn = scorer.in_bag(0, 8);
    const auto counts = shared.put(drawn.counts);
    const auto winners = shared.put(std::vector<std::int64_t>(8, 0));
    call([&] { (void)scorer.out_of_bag(0, counts, winners); });
    call([&] { (void)scorer.out_of_bag_scores(0, counts, winners.first(1)); });
  }
}

/// Through the C interface, which copies all but the predictions.
void c_interface(Shared& shared, problem::Random& random, int n_calls) {
  const auto n_rows = static_cast<std::size_t>(kRows);
  for (int i = 0; i < n_calls; ++i) {
    shared.begin();
    bbc_problem asked;
    bbc_problem_init(&asked, sizeof asked);
    std::vector<std::int64_t> labels(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) labels[row] = static_cast<std::int64_t>(row % 2);
    std::vector<std::int32_t> units(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) units[row] = static_cast<std::int32_t>(row / 4);
    asked.metric = "roc_auc";
    asked.n_rows = kRows;
    asked.n_bootstraps = 8;
    asked.confidence_level = 0.5;
    asked.labels = shared.put(labels).data();
    // How many units there are says how long the draws are.
    asked.units = i % 2 == 0 ? units.data() : shared.put(units).data();
    if (i % 2 == 0) {
      const auto drawn =
          codes<std::int32_t>(random, 8 * n_rows / 4, static_cast<std::uint32_t>(n_rows / 4));
      asked.resamples = shared.put(drawn).data();
    } else {
      asked.folds = shared.put(codes<std::int32_t>(random, n_rows, 5)).data();
      asked.row_weights = shared.put(numbers(random, n_rows)).data();
    }
    const std::span<const double> cells = shared.put(numbers(random, kCells));
    const void* repeats[] = {cells.data()};
    bbc_predictions block;
    bbc_predictions_init(&block, sizeof block);
    block.repeats = repeats;
    block.n_repeats = 1;
    block.n_rows = kRows;
    block.n_configurations = kConfigurations;
    block.dtype = BBC_FLOAT64;
    bbc_result result;
    bbc_result_init(&result, sizeof result);
    bbc_correct(&asked, &block, &result) == BBC_OK ? ++n_results : ++n_refused;
  }
}

/// What readers refuse, they refuse by the copy that they made.
void test_the_copy_is_judged() {
  std::vector<double> cells = {1.0, from_bits(kSpoilt[0]), 3.0, 4.0};
  const bbc::Predictions view = bbc::View<double>(cells.data(), 2, 2);
  std::vector<double> read;
  CHECK(check::contains(check::message_of([&] { bbc::detail::read_columns(view, 0, 2, {}, read); }),
                        "not finite at row 0, configuration 1"));
  CHECK(check::contains(check::message_of([&] {
                          bbc::detail::read_values(view, 1, std::vector<std::int32_t>{1, 0}, read);
                        }),
                        "not finite at row 0, configuration 1"));
  CHECK(check::contains(check::message_of([&] { (void)bbc::detail::read_value(view, 0, 1); }),
                        "not finite at row 0, configuration 1"));
  CHECK(bbc::detail::read_value(view, 1, 0) == 3.0);
  CHECK(check::contains(check::message_of([] { bbc::detail::throw_changed(); }),
                        "changed while they were read"));
  const auto own = bbc::detail::owned(std::span<const double>(cells));
  cells[0] = 2.0;
  CHECK(own[0] == 1.0);
}

/// A code that somebody else wrote does not say how much memory is taken.
void test_no_code_is_a_size() {
  const std::vector<double> cells(4, 0.5);
  const bbc::Predictions view = bbc::View<double>(cells.data(), 4, 1);
  const std::vector<std::int32_t> folds = {0, 1, 0, std::numeric_limits<std::int32_t>::max()};
  CHECK(check::contains(check::message_of([&] {
                          (void)bbc::fold_scores(problem::labels_of(4), {&view, 1},
                                                 bbc::make_metric("roc_auc"), folds, {});
                        }),
                        "folds: code 2147483647 for 4 rows"));
}

}  // namespace

int main() {
  test_the_copy_is_judged();
  test_no_code_is_a_size();
  Shared shared;
  problem::Random random(1);
  constexpr int kCalls = 28;
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    for (const char* metric :
         {"roc_auc", "accuracy", "mcc", "f1_macro", "brier_score", "mean_squared_error", "r2",
          "spearman", "average_precision", "concordance_index"}) {
      corrections(shared, random, metric, kCalls);
    }
    cut_offs(shared, random, 4);
  }
  functions(shared, random, kCalls);
  c_interface(shared, random, kCalls);
  CHECK(n_results > 0);
  return check::report();
}
