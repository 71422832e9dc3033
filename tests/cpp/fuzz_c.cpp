// The C interface on arbitrary bytes: whatever sizes, options and data they spell, a call answers
// or refuses, within its buffers, and the streaming form says the same as the call at once.
//
// With clang's -fsanitize=fuzzer this is a libFuzzer target (make fuzz-c). Otherwise it has a main
// of its own, a test: the files of the folder that it is given, then a fixed number of random
// bytes. The files are those that a run of libFuzzer found to reach most.
#include <bbc/c.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

// Bounds on what a caller can only be asked to know: sizes that fit memory and time.
constexpr std::int64_t kMostReplicates = 80;
constexpr double kPattern = 0.1234;

[[noreturn]] void fail(const char* what, const char* message = "") {
  std::fprintf(stderr, "fuzz_c: %s %s\n", what, message);
  std::abort();
}

void require(bool holds, const char* what, const char* message = "") {
  if (!holds) fail(what, message);
}

/// Reads numbers from bytes; zeros when they have run out.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  template <class T>
  T raw() {
    T value{};
    const std::size_t n = std::min(left_, sizeof value);
    if (n == 0) return value;
    std::memcpy(&value, data_, n);
    data_ += n;
    left_ -= n;
    return value;
  }
  /// From `low` on, at most `high`; what is beyond both is rare on purpose.
  std::int64_t within(std::int64_t low, std::int64_t high) {
    return low + raw<std::uint8_t>() % (high - low + 1);
  }
  bool one_in(int n) { return raw<std::uint8_t>() % n == 1; }
  /// Mostly a tame number, sometimes any bits.
  double number() {
    const auto kind = raw<std::uint8_t>();
    if (kind % 32 == 31) return raw<double>();
    const int level = kind / 64;
    return kind % 2 == 0 ? level : raw<std::uint8_t>() / 256.0;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// Memory of exactly this size, so that the sanitizer sees the first byte too many.
template <class T>
class Exact {
 public:
  template <class Next>
  Exact(std::int64_t n, const Next& next) : data_(new T[n > 0 ? static_cast<std::size_t>(n) : 0]) {
    for (std::int64_t i = 0; i < n; ++i)
      data_[static_cast<std::size_t>(i)] = static_cast<T>(next());
  }
  [[nodiscard]] const T* get() const { return data_.get(); }

 private:
  std::unique_ptr<T[]> data_;
};

/// A problem and predictions, with the memory that they point to.
struct Case {
  bbc_problem problem;
  bbc_predictions predictions{};
  std::string metric, average;
  std::vector<Exact<std::int64_t>> longs;
  std::vector<Exact<std::int32_t>> codes;
  std::vector<Exact<std::uint8_t>> octets;
  std::vector<Exact<double>> doubles;
  std::vector<const void*> repeats;
  std::int64_t cut = 0;

  explicit Case(Bytes bytes) {
    bbc_problem_init(&problem, sizeof problem);
    bbc_predictions_init(&predictions, sizeof predictions);
    choose_metric(bytes);
    choose_shape(bytes);
    choose_truth(bytes);
    choose_plan(bytes);
    choose_predictions(bytes);
    cut = bytes.within(0, 7);
    choose_selection(bytes);
  }

  /// Last, so that files of older corpora mean what they meant: the best configuration.
  void choose_selection(Bytes& bytes) {
    const char* rules[] = {nullptr, "best", "best_threshold", "greedy_ensemble", "top_k", "none"};
    problem.selection = rules[bytes.within(0, 5)];
    if (derives() || bytes.one_in(16)) problem.selection_size = bytes.within(-1, 8);
    const char* counts[] = {nullptr, "sampled", "fixed", "none"};
    problem.class_counts = counts[bytes.within(0, 3)];
  }

  [[nodiscard]] bool derives() const {
    const std::string rule = problem.selection == nullptr ? "best" : problem.selection;
    return rule != "best" && rule != "none";
  }

  void choose_metric(Bytes& bytes) {
    const char* name = bbc_metric_name(bytes.raw<std::uint8_t>() % 37U);
    metric = name != nullptr ? name : "no_such_metric";
    problem.metric = bytes.one_in(64) ? nullptr : metric.c_str();
    const char* averages[] = {"binary", "macro", "micro", "weighted", "none"};
    average = averages[bytes.within(0, 4)];
    problem.average = bytes.one_in(8) ? nullptr : average.c_str();
    problem.negate = bytes.one_in(3) ? 1 : 0;
    if (bytes.one_in(4)) problem.beta = bytes.number();
    if (bytes.one_in(4)) problem.alpha = bytes.number();
  }

  void choose_shape(Bytes& bytes) {
    problem.n_rows = bytes.one_in(8) ? bytes.within(-1, 120) : bytes.within(6, 24);
    predictions.n_rows = bytes.one_in(32) ? bytes.within(-1, 24) : problem.n_rows;
    predictions.n_configurations = bytes.one_in(32) ? bytes.within(-1, 90) : bytes.within(1, 6);
    predictions.n_outputs = bytes.one_in(3) ? bytes.within(0, 4) : 1;
    predictions.n_repeats = bytes.one_in(4) ? bytes.within(0, 3) : 1;
    problem.n_bootstraps = bytes.one_in(32) ? bytes.raw<std::int8_t>() : bytes.within(8, 80);
    if (problem.n_bootstraps > kMostReplicates) problem.n_bootstraps = kMostReplicates;
  }

  template <class T>
  const T* keep(std::vector<Exact<T>>& where, Exact<T> memory) {
    where.push_back(std::move(memory));
    return where.back().get();
  }

  const std::int32_t* some_codes(Bytes& bytes, std::int64_t n, std::int64_t most) {
    return keep(codes, Exact<std::int32_t>(n, [&] { return bytes.within(0, most); }));
  }

  void choose_truth(Bytes& bytes) {
    const auto n = problem.n_rows;
    const auto most = bytes.one_in(3) ? 3 : 1;
    const auto kind = bytes.raw<std::uint8_t>() % 16;
    if (kind < 11 || kind == 15) {
      problem.labels = keep(longs, Exact<std::int64_t>(n, [&] { return bytes.within(0, most); }));
    }
    if (kind >= 11) {
      problem.values = keep(doubles, Exact<double>(n, [&] { return bytes.number(); }));
      if (kind % 2 == 0) {
        problem.events =
            keep(octets,
                 Exact<std::uint8_t>(n, [&] { return bytes.one_in(64) ? 2 : bytes.within(0, 1); }));
      }
    }
    if (bytes.one_in(8)) {
      problem.positive_label =
          keep(longs, Exact<std::int64_t>(1, [&] { return bytes.within(0, 2); }));
    }
  }

  void choose_plan(Bytes& bytes) {
    const auto n = problem.n_rows;
    if (bytes.one_in(4)) problem.units = some_codes(bytes, n, 5);
    if (bytes.one_in(4)) problem.strata = some_codes(bytes, n, 1);
    if (bytes.one_in(4)) problem.folds = some_codes(bytes, n * predictions.n_repeats, 2);
    if (bytes.one_in(4)) problem.drawn_folds = some_codes(bytes, n * predictions.n_repeats, 4);
    if (bytes.one_in(4)) {
      problem.row_weights = keep(doubles, Exact<double>(n, [&] { return bytes.number(); }));
    }
    if (bytes.one_in(8) && problem.units == nullptr) {
      problem.resamples = some_codes(bytes, n * problem.n_bootstraps, n - 1 > 0 ? n - 1 : 0);
    }
    problem.seed = bytes.one_in(16) ? bytes.raw<std::uint64_t>() : bytes.raw<std::uint16_t>();
    problem.raise_undefined = bytes.one_in(8) ? 1 : 0;
    problem.confidence_level = bytes.one_in(8) ? bytes.number() : 0.5;
    // Any value of the enumeration's type, whatever the header says: C has no other.
    const int alternative = bytes.one_in(16) ? bytes.raw<std::int8_t>() : int(bytes.within(0, 2));
    std::memcpy(&problem.alternative, &alternative, sizeof alternative);
    problem.n_threads = bytes.one_in(16) ? bytes.raw<std::int8_t>() : 1;
  }

  void choose_predictions(Bytes& bytes) {
    const int dtype = bytes.one_in(32)            ? bytes.raw<std::int8_t>()
                      : problem.labels == nullptr ? 0
                                                  : int(bytes.within(0, 5));
    std::memcpy(&predictions.dtype, &dtype, sizeof dtype);
    const auto rows = std::max<std::int64_t>(predictions.n_rows, 0);
    const auto columns = std::max<std::int64_t>(predictions.n_configurations, 0);
    const auto outputs = std::max<std::int64_t>(predictions.n_outputs, 0);
    const auto cells = rows * columns * outputs;
    if (bytes.one_in(4)) {  // columns before rows, as R and Fortran have them
      predictions.strides[0] = 1;
      predictions.strides[1] = rows;
      predictions.strides[2] = rows * columns;
    }
    for (std::int64_t r = 0; r < predictions.n_repeats; ++r) {
      if (bytes.one_in(64)) {
        repeats.push_back(nullptr);
      } else if (dtype == 0) {
        repeats.push_back(keep(doubles, Exact<double>(cells, [&] { return bytes.number(); })));
      } else {
        repeats.push_back(whole_numbers(bytes, cells, dtype));
      }
    }
    predictions.repeats = repeats.empty() && bytes.one_in(2) ? nullptr : repeats.data();
  }

  const void* whole_numbers(Bytes& bytes, std::int64_t cells, int dtype) {
    const std::size_t sizes[] = {8, 1, 1, 2, 4, 8};
    const std::size_t size = dtype > 0 && dtype < 6 ? sizes[dtype] : 8;
    auto at = std::vector<std::uint8_t>();
    at.reserve(static_cast<std::size_t>(cells) * size);
    for (std::int64_t i = 0; i < cells; ++i) {
      const auto label = static_cast<std::uint8_t>(bytes.one_in(64) ? 7 : bytes.within(0, 1));
      at.push_back(label);
      at.insert(at.end(), size - 1, 0);
    }
    std::size_t next = 0;
    return keep(octets, Exact<std::uint8_t>(static_cast<std::int64_t>(at.size()),
                                            [&] { return at[next++]; }));
  }
};

/// A result with room for replicates, and with a pattern where nothing has been written.
struct Answer {
  std::vector<double> replicates;
  std::vector<std::int64_t> winners;
  std::vector<double> thresholds, weights, shares;
  bbc_result result{};
  bbc_status status = BBC_INTERNAL;

  Answer(const bbc_problem& problem, std::int64_t n_configurations)
      : replicates(static_cast<std::size_t>(std::max<std::int64_t>(problem.n_bootstraps, 0)),
                   kPattern),
        winners(replicates.size(), -7),
        thresholds(replicates.size(), kPattern),
        weights(static_cast<std::size_t>(std::max<std::int64_t>(n_configurations, 0)), kPattern),
        shares(weights.size(), kPattern) {
    bbc_result_init(&result, sizeof result);
    result.estimate = result.low = result.high = kPattern;
    result.winner = -7;
    result.replicates = replicates.data();
    result.replicate_winners = winners.data();
    result.replicate_thresholds = thresholds.data();
    result.weights = weights.data();
    result.selection_frequency = shares.data();
  }

  void check(const Case& given) const {
    const char* message = result.message;
    require(status >= BBC_OK && status < BBC_INTERNAL, "undocumented failure:", message);
    require(std::memchr(message, 0, sizeof result.message) != nullptr, "message without an end");
    require((status == BBC_OK) == (message[0] == '\0'), "status and message disagree:", message);
    if (status != BBC_OK) {
      require(result.estimate == kPattern && result.winner == -7, "a refusal wrote a result");
      for (const double value : replicates)
        require(value == kPattern, "a refusal wrote replicates");
      for (const auto* chosen : {&thresholds, &weights, &shares})
        for (const double value : *chosen) require(value == kPattern, "a refusal wrote a choice");
      return;
    }
    check_choice(given);
    const auto n = given.predictions.n_configurations;
    require(std::isfinite(result.estimate) && std::isfinite(result.apparent), "not finite");
    require(result.low <= result.high, "interval the wrong way round");
    require(result.winner >= 0 && result.winner < n, "winner outside the configurations");
    for (const double value : replicates)
      require(std::isfinite(value), "a replicate is not finite");
    for (const auto value : winners) require(value >= 0 && value < n, "winner outside");
  }

  /// Cut-offs where there are some, weights of ensembles, and nothing else.
  void check_choice(const Case& given) const {
    const std::string rule = given.problem.selection == nullptr ? "" : given.problem.selection;
    const bool cuts = rule == "best_threshold";
    require(std::isnan(result.threshold) != cuts, "a cut-off, or NaN");
    for (const double value : thresholds)
      require(cuts ? !std::isnan(value) : value == kPattern, "cut-offs of replicates");
    const bool averages = given.derives() && !cuts;
    double sum = 0.0;
    for (const double value : weights) sum += value;
    require(!averages || std::fabs(sum - 1.0) < 1e-9, "weights do not sum to 1");
    for (const auto* each : {&weights, &shares})
      for (const double value : *each)
        require(averages ? value >= 0.0 && value <= 1.0 : value == kPattern, "shares and weights");
  }
};

Answer at_once(const Case& given) {
  Answer answer(given.problem, given.predictions.n_configurations);
  answer.status = bbc_correct(&given.problem, &given.predictions, &answer.result);
  return answer;
}

/// The same in two blocks, the later one first.
Answer in_blocks(const Case& given, std::int64_t cut) {
  Answer answer(given.problem, given.predictions.n_configurations);
  bbc_correction* correction = nullptr;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    bbc_predictions block = given.predictions;
    const bool c_order = block.strides[0] == 0;
    if (c_order) {
      block.strides[0] = block.n_configurations * block.n_outputs;
      block.strides[1] = block.n_outputs;
      block.strides[2] = 1;
    }
    const std::size_t size[] = {8, 1, 1, 2, 4, 8};
    std::vector<const void*> repeats;
    for (std::int64_t r = 0; r < block.n_repeats; ++r) {
      const auto offset = static_cast<std::size_t>(first * block.strides[1]) * size[block.dtype];
      repeats.push_back(static_cast<const std::uint8_t*>(given.predictions.repeats[r]) + offset);
    }
    block.repeats = repeats.data();
    block.n_configurations = last - first;
    return bbc_correction_add(correction, &block, first, &answer.result);
  };
  answer.status =
      bbc_correction_new(&given.problem, given.predictions.n_repeats, &correction, &answer.result);
  const auto n = given.predictions.n_configurations;
  if (answer.status == BBC_OK) answer.status = add(cut, n);
  if (answer.status == BBC_OK) answer.status = add(0, cut);
  if (answer.status == BBC_OK) answer.status = bbc_correction_finish(correction, &answer.result);
  bbc_correction_free(correction);
  return answer;
}

bool same(const Answer& a, const Answer& b) {
  const auto& one = a.result;
  const auto& other = b.result;
  const auto equal = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return one.estimate == other.estimate && equal(one.low, other.low) &&
         equal(one.high, other.high) && one.apparent == other.apparent &&
         one.winner == other.winner && one.n_redrawn == other.n_redrawn &&
         a.replicates == b.replicates && a.winners == b.winners;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Case given(Bytes(data, size));
  const Answer answer = at_once(given);
  answer.check(given);
  if (answer.status != BBC_OK) return 0;
  const auto n = given.predictions.n_configurations;
  const Answer blocks = in_blocks(given, n > 1 ? 1 + given.cut % (n - 1) : 0);
  if (given.derives()) {
    require(blocks.status == BBC_INVALID_ARGUMENT, "a choice from blocks is not refused");
    return 0;
  }
  if (n > 1) {
    blocks.check(given);
    require(blocks.status == BBC_OK, "blocks are refused:", blocks.result.message);
    require(same(answer, blocks), "blocks give other bits");
  }
  return 0;
}

#ifndef BBC_LIBFUZZER
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

int main(int argc, char** argv) {
  int n_files = 0;
  if (argc > 1) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text((std::istreambuf_iterator<char>(file)), {});
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
      ++n_files;
    }
  }
  std::mt19937 words(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::uint8_t> bytes(words() % 700);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(words());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%d files and 3000 random inputs\n", n_files);
  return argc > 1 && n_files == 0 ? 1 : 0;
}
#endif
