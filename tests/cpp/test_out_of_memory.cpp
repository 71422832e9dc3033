// Every allocation of a call fails in turn, once or from then on: the call says so or goes on
// without, nothing leaks, and the next call is as good as ever. From C++ and through the C ABI.
#include <bbc/c.h>

#include <atomic>
#include <bbc/bbc.hpp>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "problem.hpp"
#include "replaced_new.hpp"

namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t> left{kUnlimited};
std::atomic<bool> for_good{false};
std::atomic<std::int64_t> n_failed{0};
std::atomic<std::int64_t> n_live{0};

#if defined(_WIN32)
void* take(std::size_t alignment, std::size_t size) { return _aligned_malloc(size, alignment); }
void give_back(void* place) { _aligned_free(place); }
#else
void* take(std::size_t alignment, std::size_t size) { return std::aligned_alloc(alignment, size); }
void give_back(void* place) { std::free(place); }
#endif

}  // namespace

void* allocate(std::size_t size, std::size_t alignment) {
  const std::int64_t before = left.fetch_sub(1);
  if (before == 0 || (before < 0 && for_good)) {
    ++n_failed;
    throw std::bad_alloc();
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* place = take(alignment, rounded == 0 ? alignment : rounded);
  if (place == nullptr) throw std::bad_alloc();
  ++n_live;
  return place;
}

void release(void* place) noexcept {
  if (place == nullptr) return;
  --n_live;
  give_back(place);
}

namespace {

using namespace bbc;

/// What a call found, in one number; throws what the call throws.
using Call = std::function<double()>;

/// Draws are kept from call to call, which looks like a leak.
bool keeps_draws = false;

void fail_each_allocation(const std::string& name, const Call& call) {
  const double expected = call();  // also fills what is made once per process
  for (const bool lasting : {false, true}) {
    for (std::int64_t number = 0;; ++number) {
      if (lasting && !check::runs(static_cast<std::uint64_t>(number), 3)) continue;
      const std::string place =
          name + (lasting ? " from allocation " : " allocation ") + std::to_string(number);
      const std::int64_t live_before = n_live;
      double found = 0.0;
      const char* outcome = "";
      for_good = lasting;
      n_failed = 0;
      left = number;
      try {
        found = call();
      } catch (const std::bad_alloc&) {
        outcome = "out of memory";
      } catch (...) {
        outcome = "another exception";
      }
      left = kUnlimited;
      const bool reached = n_failed > 0;
      const std::int64_t leaked = n_live - live_before;
      CHECK_FOR(leaked == 0 || keeps_draws, place + ": leaked " + std::to_string(leaked));
      CHECK_FOR(std::string(outcome) != "another exception", place);
      if (*outcome == '\0') CHECK_FOR(check::same(found, expected), place + ": other result");
      if (!reached) {
        CHECK_FOR(*outcome == '\0', place);
        break;
      }
    }
  }
  CHECK_FOR(check::same(call(), expected), name + ": another result afterwards");
}

struct Data {
  Target target;
  std::vector<std::int8_t> labels;
  std::vector<double> scores;
  std::int64_t n_configurations;
  std::int64_t n_outputs;
  bool of_labels;

  [[nodiscard]] Predictions block(std::int64_t first, std::int64_t n) const {
    const std::int64_t width = n_configurations * n_outputs;
    const std::array<std::int64_t, 3> strides{width, n_outputs, 1};
    const std::int64_t offset = first * n_outputs;
    if (of_labels) return View<std::int8_t>{labels.data() + offset, target.n_rows(), n, 1, strides};
    return View<double>{scores.data() + offset, target.n_rows(), n, n_outputs, strides};
  }
  [[nodiscard]] Predictions all() const { return block(0, n_configurations); }
};

Data make_data(Target::Kind kind, int n_classes, bool of_labels, std::int64_t n_rows,
               std::int64_t n_configurations) {
  Data data{{}, {}, {}, n_configurations, !of_labels && n_classes > 2 ? n_classes : 1, of_labels};
  problem::Random random(3);
  data.target.kind = kind;
  data.target.n_classes = kind == Target::Kind::labels ? n_classes : 0;
  for (std::int64_t row = 0; row < n_rows; ++row) {
    if (kind == Target::Kind::labels) {
      data.target.codes.push_back(static_cast<std::int32_t>(row % n_classes));
    } else {
      data.target.values.push_back(0.5 + random.uniform());
      if (kind == Target::Kind::survival) data.target.events.push_back(row % 3 != 0 ? 1 : 0);
    }
  }
  for (std::int64_t i = 0; i < n_rows * n_configurations; ++i) {
    data.labels.push_back(static_cast<std::int8_t>(random.below(2)));
    double sum = 0.0;
    const auto first = data.scores.size();
    for (std::int64_t output = 0; output < data.n_outputs; ++output) {
      data.scores.push_back(0.01 + 0.9 * random.uniform());
      sum += data.scores.back();
    }
    if (data.n_outputs == 1) continue;
    for (auto j = first; j < data.scores.size(); ++j) data.scores[j] /= sum;
  }
  return data;
}

CorrectionOptions options_for(const std::string& metric, std::int64_t n_bootstraps = 70) {
  CorrectionOptions options;
  options.metric = make_metric(metric);
  options.resampling.n_bootstraps = n_bootstraps;
  options.resampling.seed = 11;
  return options;
}

double sum_of(const Estimate& estimate) {
  double sum = estimate.apparent;
  for (const double one : estimate.replicates) sum += one;
  return sum;
}

/// The first of these data that a metric takes.
const Data& data_for(const std::string& metric, const std::vector<Data>& candidates) {
  for (const auto& data : candidates) {
    const Predictions all = data.all();
    const auto refused = check::message_of(
        [&] { (void)correct(data.target, {&all, 1}, options_for(metric), {1, {}}); });
    if (refused == "no error") return data;
  }
  CHECK_FOR(false, "no data for metric " + metric);
  std::exit(1);
}

void all_metrics() {
  using Kind = Target::Kind;
  std::vector<Data> candidates;
  candidates.push_back(make_data(Kind::labels, 2, true, 24, 5));
  candidates.push_back(make_data(Kind::labels, 2, false, 24, 5));
  candidates.push_back(make_data(Kind::labels, 3, false, 24, 5));
  candidates.push_back(make_data(Kind::real, 0, false, 24, 5));
  candidates.push_back(make_data(Kind::survival, 0, false, 24, 5));
  for (const auto name : metric_names()) {
    const std::string metric(name);
    const Data& data = data_for(metric, candidates);
    const Predictions all = data.all();
    const auto options = options_for(metric);
    fail_each_allocation(metric,
                         [&] { return sum_of(correct(data.target, {&all, 1}, options, {1, {}})); });
    auto folded = options;
    folded.resampling.n_bootstraps = 40;
    for (std::int32_t row = 0; row < 24; ++row) folded.folds.push_back(row / 12);
    fail_each_allocation(metric + " by folds",
                         [&] { return sum_of(correct(data.target, {&all, 1}, folded, {1, {}})); });
  }
}

/// Enough work for threads to start: an exception of theirs reaches the caller.
void threads() {
  for (const char* metric : {"accuracy", "mean_squared_error"}) {
    const bool of_labels = std::string(metric) == "accuracy";
    const Data data =
        make_data(of_labels ? Target::Kind::labels : Target::Kind::real, 2, of_labels, 100, 20);
    const Predictions all = data.all();
    const auto options = options_for(metric, 3000);
    fail_each_allocation(std::string(metric) + " on two threads",
                         [&] { return sum_of(correct(data.target, {&all, 1}, options, {2, {}})); });
  }
}

/// A correction with one block more; without it, it must be as it was.
Correction added(Correction correction, const Predictions& block, std::int64_t offset,
                 int n_threads, const std::string& before) {
  try {
    correction.add({&block, 1}, offset, {n_threads, {}});
  } catch (...) {
    left = kUnlimited;
    CHECK(correction.state() == before);
    throw;
  }
  return correction;
}

void blocks() {
  const Data data = make_data(Target::Kind::real, 0, false, 24, 6);
  const Predictions first = data.block(0, 3);
  const Predictions last = data.block(3, 3);
  const auto options = options_for("mean_squared_error");
  fail_each_allocation("blocks", [&] {
    Correction one(data.target, options);
    one.add({&first, 1}, 0, {1, {}});
    Correction other(data.target, options);
    other.add({&last, 1}, 3, {1, {}});
    other.merge(one.state());
    return sum_of(other.finish());
  });
  // What could not be added leaves nothing of it behind, on any thread.
  for (const int n_threads : {1, 2}) {
    Correction begun(data.target, options);
    begun.add({&first, 1}, 0, {1, {}});
    const std::string before = begun.state();
    const std::string empty = Correction(data.target, options).state();
    fail_each_allocation("a block more",
                         [&] { return sum_of(added(begun, last, 3, n_threads, before).finish()); });
    fail_each_allocation("the first block", [&] {
      return sum_of(added(Correction(data.target, options), last, 0, n_threads, empty).finish());
    });
  }
}

void others() {
  const Data data = make_data(Target::Kind::labels, 2, false, 40, 4);
  const Predictions all = data.all();
  const auto options = options_for("roc_auc", 200);
  fail_each_allocation("dominated", [&] {
    const auto found = dominated(data.target, {&all, 1}, options, 0.9, {1, {}});
    return found.share_worse[0] + found.share_worse[1];
  });
  BoundData bounded;
  for (std::int32_t row = 0; row < 40; ++row) {
    bounded.is_positive.push_back(static_cast<std::uint8_t>(row % 2));
    bounded.folds.push_back(row / 10);
  }
  bounded.scores = {data.scores.data(), 40, 4, 1, {4, 1, 1}};
  for (const auto method : {BoundMethod::mabt, BoundMethod::delong, BoundMethod::naive_bootstrap}) {
    BoundOptions asked;
    asked.method = method;
    asked.n_bootstraps = 200;
    fail_each_allocation("bound", [&] {
      const auto found = bound(bounded, asked, {1, {}});
      return found.bound.interval.low + static_cast<double>(found.winner);
    });
  }
}

void through_c() {
  const Data data = make_data(Target::Kind::real, 0, false, 24, 6);
  bbc_problem problem;
  bbc_problem_init(&problem, sizeof problem);
  problem.metric = "mean_squared_error";
  problem.n_rows = 24;
  problem.values = data.target.values.data();
  problem.n_bootstraps = 70;
  problem.n_threads = 1;
  const void* whole[] = {data.scores.data()};
  bbc_predictions predictions;
  bbc_predictions_init(&predictions, sizeof predictions);
  predictions.repeats = whole;
  predictions.n_repeats = 1;
  predictions.dtype = BBC_FLOAT64;
  predictions.n_rows = 24;
  predictions.n_configurations = 6;
  bbc_result result;
  bbc_result_init(&result, sizeof result);
  const auto checked = [&](bbc_status status) {
    if (status == BBC_OUT_OF_MEMORY) {
      CHECK(std::string_view(result.message) == "out of memory");
      throw std::bad_alloc();
    }
    CHECK(status == BBC_OK);
  };
  // Metrics are named even then.
  fail_each_allocation("bbc_metric_name", [] {
    double n = 0.0;
    while (bbc_metric_name(static_cast<std::size_t>(n)) != nullptr) ++n;
    return n;
  });
  CHECK(n_failed == 0 && bbc_metric_name(metric_names().size()) == nullptr);
  fail_each_allocation("bbc_correct", [&] {
    checked(bbc_correct(&problem, &predictions, &result));
    return result.estimate;
  });
  fail_each_allocation("bbc_correction", [&] {
    struct Handles {
      bbc_correction* one = nullptr;
      bbc_correction* other = nullptr;
      ~Handles() {
        bbc_correction_free(one);
        bbc_correction_free(other);
      }
    } handles;
    checked(bbc_correction_new(&problem, 1, &handles.one, &result));
    checked(bbc_correction_new(&problem, 1, &handles.other, &result));
    checked(bbc_correction_add(handles.one, &predictions, 0, &result));
    checked(bbc_correction_add(handles.other, &predictions, 6, &result));
    checked(bbc_correction_merge(handles.one, handles.other, &result));
    checked(bbc_correction_finish(handles.one, &result));
    return result.estimate;
  });
}

}  // namespace

int main() {
  for (const std::int64_t n_bytes : {0, 100'000}) {
    set_draw_memory(n_bytes);
    keeps_draws = n_bytes > 0;
    if (!keeps_draws) all_metrics();
    threads();
    blocks();
    others();
    through_c();
  }
  return check::report();
}
