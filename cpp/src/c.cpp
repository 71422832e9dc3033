// The C interface: checks pointers, converts structs, and turns exceptions into codes.
#include <bbc/c.h>

#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/version.hpp>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detail/metrics/metric_name.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/sized.hpp"

namespace {

/// Bytes of the structs of the first version, which every caller has. To append a member: put it
/// last, such that no padding follows it (so not an `int` alone) and zero is its default; leave
/// these alone, and let the assertions name the new last member.
#define BBC_END_OF(type, member) (offsetof(type, member) + sizeof(type::member))
constexpr std::size_t kOldestProblem = BBC_END_OF(bbc_problem, user_data);
constexpr std::size_t kOldestPredictions = BBC_END_OF(bbc_predictions, strides);
constexpr std::size_t kOldestResult = BBC_END_OF(bbc_result, message);
static_assert(sizeof(bbc_problem) == BBC_END_OF(bbc_problem, drawn_folds) || sizeof(void*) == 4);
static_assert(sizeof(bbc_predictions) == BBC_END_OF(bbc_predictions, strides));
static_assert(sizeof(bbc_result) == BBC_END_OF(bbc_result, infeasible));
#undef BBC_END_OF

/// R's numbers hold every seed below this.
constexpr auto kSeeds = std::uint64_t{1} << 53;
/// Folds of so many repeats of all rows that there may be have numbers of 64 bits.
constexpr std::int64_t kMostRepeats = std::numeric_limits<std::int32_t>::max();

bbc_problem default_problem() {
  bbc_problem problem{};
  problem.average = "binary";
  problem.beta = 1.0;
  problem.alpha = 0.5;
  problem.n_bootstraps = 1000;
  problem.confidence_level = 0.95;
  return problem;
}

bbc_predictions default_predictions() {
  bbc_predictions predictions{};
  predictions.n_outputs = 1;
  return predictions;
}

/// The message of an error, with the members of `bbc_problem` for what the kernel calls otherwise.
std::string message_of(const bbc::Error& error) {
  const std::string& name = error.argument();
  const std::string rest = std::string(error.what()).substr(name.size());
  return (name == "target" ? "labels, values" : name == "redraw" ? "raise_undefined" : name) + rest;
}

void set_message(bbc_result* result, const char* message) {
  std::snprintf(result->message, sizeof result->message, "%s", message);
}

/// Runs `body`; whatever it throws becomes a status and a message.
template <class Body>
bbc_status guarded(bbc_result* result, const Body& body) noexcept {
  if (result == nullptr || !bbc::detail::is_sized(result, kOldestResult)) {
    return BBC_INVALID_ARGUMENT;
  }
  try {
    set_message(result, "");
    body();
    return BBC_OK;
  } catch (const bbc::Error& error) {
    set_message(result, message_of(error).c_str());
    switch (error.code()) {
      case bbc::ErrorCode::invalid_argument:
        return BBC_INVALID_ARGUMENT;
      case bbc::ErrorCode::undefined_metric:
        return BBC_UNDEFINED_METRIC;
      case bbc::ErrorCode::cancelled:
        return BBC_CANCELLED;
    }
    return BBC_INTERNAL;
  } catch (const std::bad_alloc&) {
    set_message(result, "out of memory");
    return BBC_OUT_OF_MEMORY;
  } catch (const std::exception& error) {
    set_message(result, error.what());
    return BBC_INTERNAL;
  } catch (...) {
    set_message(result, "unknown failure");
    return BBC_INTERNAL;
  }
}

void require(bool condition, const char* argument, const char* problem) {
  if (!condition) bbc::throw_invalid(argument, problem);
}

template <class T>
std::vector<T> copied(const T* values, std::int64_t n) {
  return values == nullptr ? std::vector<T>() : std::vector<T>(values, values + n);
}

bbc::Target labels_target(const bbc_problem& problem) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  auto& classes = target.label_values;
  classes = copied(problem.labels, problem.n_rows);
  std::sort(classes.begin(), classes.end());
  classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  target.n_classes = static_cast<std::int32_t>(classes.size());
  target.codes.reserve(static_cast<std::size_t>(problem.n_rows));
  for (std::int64_t row = 0; row < problem.n_rows; ++row) {
    const auto at = std::lower_bound(classes.begin(), classes.end(), problem.labels[row]);
    target.codes.push_back(static_cast<std::int32_t>(at - classes.begin()));
  }
  if (problem.positive_label != nullptr) {
    require(classes.size() == 2, "positive_label", "needs two classes");
    const auto at = std::find(classes.begin(), classes.end(), *problem.positive_label);
    require(at != classes.end(), "positive_label", "not a label of the truth");
    if (at == classes.begin()) {
      std::swap(classes[0], classes[1]);
      for (std::int32_t& code : target.codes) code = 1 - code;
    }
  }
  return target;
}

/// Whether the positive label is the smaller one: class scores come by sorted labels, but codes
/// have the positive class last.
bool has_reversed_classes(const bbc::Target& target) {
  const auto& classes = target.label_values;
  return classes.size() == 2 && classes[0] > classes[1];
}

bbc::Target make_target(const bbc_problem& problem) {
  require((problem.labels == nullptr) != (problem.values == nullptr), "labels, values",
          "one of them must be given, the other NULL");
  require(problem.events == nullptr || problem.values != nullptr, "events", "need values");
  if (problem.labels != nullptr) return labels_target(problem);
  require(problem.positive_label == nullptr, "positive_label", "has no meaning without labels");
  bbc::Target target;
  target.values = copied(problem.values, problem.n_rows);
  if (problem.events != nullptr) {
    target.kind = bbc::Target::Kind::survival;
    target.events = copied(problem.events, problem.n_rows);
  }
  return target;
}

bbc::Alternative alternative_of(int alternative) {
  switch (alternative) {
    case BBC_TWO_SIDED:
      return bbc::Alternative::two_sided;
    case BBC_GREATER:
      return bbc::Alternative::greater;
    case BBC_LESS:
      return bbc::Alternative::less;
    default:
      bbc::throw_invalid("alternative", "must be BBC_TWO_SIDED, BBC_GREATER or BBC_LESS");
  }
}

std::int64_t count_distinct(const std::int32_t* codes, std::int64_t n) {
  auto distinct = copied(codes, n);
  std::sort(distinct.begin(), distinct.end());
  return std::unique(distinct.begin(), distinct.end()) - distinct.begin();
}

/// Any codes as 0, 1, ... in order of first row, so that means over folds sum in the same order as
/// they do for callers in Python and R.
std::vector<std::int32_t> numbered_folds(const std::int32_t* folds, std::int64_t n_rows,
                                         std::int64_t n_repeats, const char* name) {
  if (folds == nullptr) return {};
  auto codes = copied(folds, n_rows * n_repeats);
  for (auto first = codes.begin(); first != codes.end(); first += n_rows) {
    std::unordered_map<std::int32_t, std::int32_t> numbers;
    std::for_each(first, first + n_rows, [&](std::int32_t& code) {
      code = numbers.try_emplace(code, static_cast<std::int32_t>(numbers.size())).first->second;
    });
    require(numbers.size() > 1, name, "a repeat has one fold only");
  }
  return codes;
}

bbc::CorrectionOptions make_options(const bbc_problem& problem, std::int64_t n_repeats) {
  require(problem.metric != nullptr, "metric", "must be given");
  const std::int64_t n = problem.n_rows;
  bbc::detail::check_n_rows(n);
  bbc::detail::check_n_bootstraps(problem.n_bootstraps);
  require(n_repeats > 0 && n_repeats <= kMostRepeats, "n_repeats", "must be 1 to 2^31 - 1");
  require(problem.seed < kSeeds, "seed", "must be between 0 and 2^53 - 1");
  bbc::CorrectionOptions options;
  options.metric = bbc::make_metric(
      problem.metric, {problem.average == nullptr ? "binary" : problem.average, problem.beta,
                       problem.alpha, problem.negate != 0 ? -1.0 : 1.0});
  options.resampling.n_bootstraps = problem.n_bootstraps;
  options.resampling.seed = problem.seed;
  options.resampling.units = copied(problem.units, n);
  options.resampling.strata = copied(problem.strata, n);
  if (problem.resamples != nullptr) {
    const auto n_units = problem.units == nullptr ? n : count_distinct(problem.units, n);
    options.resampling.resamples = copied(problem.resamples, problem.n_bootstraps * n_units);
  }
  options.folds = numbered_folds(problem.folds, n, n_repeats, "folds");
  options.resampling.folds = numbered_folds(problem.drawn_folds, n, n_repeats, "drawn_folds");
  options.row_weights = copied(problem.row_weights, n);
  options.redraw = problem.raise_undefined == 0;
  options.confidence_level = problem.confidence_level;
  options.alternative = alternative_of(problem.alternative);
  return options;
}

bbc::Control make_control(const bbc_problem& problem) {
  require(problem.n_threads >= 0, "n_threads", "must not be negative");
  bbc::Control control;
  control.n_threads = problem.n_threads;
  if (problem.poll != nullptr) {
    control.poll = [poll = problem.poll, user_data = problem.user_data](double done) {
      return poll(done, user_data) != 0;
    };
  }
  return control;
}

template <class T>
bbc::Predictions view_of(const bbc_predictions& block, const void* data, bool reversed) {
  bbc::View<T> view;
  view.data = static_cast<const T*>(data);
  view.n_rows = block.n_rows;
  view.n_configurations = block.n_configurations;
  view.n_outputs = block.n_outputs;
  const bool c_order = block.strides[0] == 0 && block.strides[1] == 0 && block.strides[2] == 0;
  view.strides = {c_order ? block.n_configurations * block.n_outputs : block.strides[0],
                  c_order ? block.n_outputs : block.strides[1], c_order ? 1 : block.strides[2]};
  if (reversed && block.n_outputs == 2) {
    view.data += view.strides[2];
    view.strides[2] = -view.strides[2];
  }
  return view;
}

bbc::Predictions view_of_repeat(const bbc_predictions& block, const void* data, bool reversed) {
  switch (block.dtype) {
    case BBC_FLOAT64:
      return view_of<double>(block, data, reversed);
    case BBC_INT8:
      return view_of<std::int8_t>(block, data, reversed);
    case BBC_UINT8:
      return view_of<std::uint8_t>(block, data, reversed);
    case BBC_INT16:
      return view_of<std::int16_t>(block, data, reversed);
    case BBC_INT32:
      return view_of<std::int32_t>(block, data, reversed);
    case BBC_INT64:
      return view_of<std::int64_t>(block, data, reversed);
    default:
      bbc::throw_invalid("predictions", "unknown dtype");
  }
}

bbc_problem checked_problem(const bbc_problem* problem) {
  require(problem != nullptr, "problem", "must be given");
  return bbc::detail::read_sized(problem, kOldestProblem, default_problem(), "problem");
}

bbc_predictions checked_block(const bbc_predictions* given) {
  require(given != nullptr, "predictions", "must be given");
  const auto block =
      bbc::detail::read_sized(given, kOldestPredictions, default_predictions(), "predictions");
  require(block.n_repeats > 0 && block.repeats != nullptr, "predictions", "no repeats");
  require(block.n_outputs > 0, "predictions", "n_outputs must be positive");
  require(block.n_configurations > 0, "predictions", "no configurations");
  require(block.n_configurations <= std::numeric_limits<std::int64_t>::max() / block.n_outputs,
          "predictions", "n_configurations x n_outputs must be below 2^63");
  return block;
}

/// Views of a checked block; `reversed` ones have their two classes the other way round.
std::vector<bbc::Predictions> make_repeats(const bbc_predictions& block, bool reversed) {
  std::vector<bbc::Predictions> repeats;
  for (std::int64_t r = 0; r < block.n_repeats; ++r) {
    require(block.repeats[r] != nullptr, "predictions", "a repeat is NULL");
    repeats.push_back(view_of_repeat(block, block.repeats[r], reversed));
  }
  return repeats;
}

void fill(const bbc::Estimate& estimate, bbc_result* given) {
  bbc_result result = bbc::detail::read_sized(given, kOldestResult, bbc_result{}, "result");
  result.estimate = estimate.estimate;
  result.low = estimate.interval.low;
  result.high = estimate.interval.high;
  result.replicate_sd = estimate.replicate_sd;
  result.apparent = estimate.apparent;
  result.optimism = estimate.optimism;
  result.winner = estimate.winner;
  result.n_redrawn = estimate.n_redrawn;
  result.undefined_fold_share = estimate.undefined_fold_share;
  const std::size_t length = std::min(estimate.infeasible.size(), sizeof result.infeasible - 1);
  std::copy_n(estimate.infeasible.data(), length, result.infeasible);
  result.infeasible[length] = '\0';
  if (result.replicates != nullptr) {
    std::copy(estimate.replicates.begin(), estimate.replicates.end(), result.replicates);
  }
  if (result.replicate_winners != nullptr) {
    std::copy(estimate.replicate_winners.begin(), estimate.replicate_winners.end(),
              result.replicate_winners);
  }
  bbc::detail::write_sized(result, given);
}

}  // namespace

struct bbc_correction {
  bbc::Correction correction;
  bbc::Control control;
  std::int64_t n_repeats;
  bool reversed_classes;
};

const char* bbc_version(void) { return bbc::version(); }

const char* bbc_metric_name(size_t i) { return bbc::detail::metric_name(i); }

void bbc_problem_init(bbc_problem* problem, size_t struct_size) {
  bbc::detail::init_sized(problem, struct_size, default_problem());
}

void bbc_predictions_init(bbc_predictions* predictions, size_t struct_size) {
  bbc::detail::init_sized(predictions, struct_size, default_predictions());
}

void bbc_result_init(bbc_result* result, size_t struct_size) {
  bbc::detail::init_sized(result, struct_size, bbc_result{});
}

bbc_status bbc_correct(const bbc_problem* problem, const bbc_predictions* predictions,
                       bbc_result* result) {
  return guarded(result, [&] {
    const auto asked = checked_problem(problem);
    const auto block = checked_block(predictions);
    const auto options = make_options(asked, block.n_repeats);
    const auto target = make_target(asked);
    const auto repeats = make_repeats(block, has_reversed_classes(target));
    fill(bbc::correct(target, repeats, options, make_control(asked)), result);
  });
}

bbc_status bbc_correction_new(const bbc_problem* problem, int64_t n_repeats,
                              bbc_correction** correction, bbc_result* result) {
  if (correction != nullptr) *correction = nullptr;
  return guarded(result, [&] {
    const auto asked = checked_problem(problem);
    require(correction != nullptr, "correction", "must be given");
    auto options = make_options(asked, n_repeats);
    auto target = make_target(asked);
    const bool reversed = has_reversed_classes(target);
    *correction = new bbc_correction{bbc::Correction(std::move(target), std::move(options)),
                                     make_control(asked), n_repeats, reversed};
  });
}

bbc_status bbc_correction_add(bbc_correction* correction, const bbc_predictions* block,
                              int64_t first_configuration, bbc_result* result) {
  return guarded(result, [&] {
    require(correction != nullptr, "correction", "must be given");
    const auto own = checked_block(block);
    require(own.n_repeats == correction->n_repeats, "predictions",
            "another number of repeats than the correction was made for");
    const auto repeats = make_repeats(own, correction->reversed_classes);
    correction->correction.add(repeats, first_configuration, correction->control);
  });
}

bbc_status bbc_correction_merge(bbc_correction* correction, const bbc_correction* other,
                                bbc_result* result) {
  return guarded(result, [&] {
    require(correction != nullptr, "correction", "must be given");
    require(other != nullptr, "other", "must be given");
    require(other->n_repeats == correction->n_repeats, "other", "of another number of repeats");
    correction->correction.merge(other->correction);
  });
}

bbc_status bbc_correction_finish(const bbc_correction* correction, bbc_result* result) {
  return guarded(result, [&] {
    require(correction != nullptr, "correction", "must be given");
    fill(correction->correction.finish(), result);
  });
}

void bbc_correction_free(bbc_correction* correction) { delete correction; }
