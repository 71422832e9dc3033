// The C interface: calls the kernel, and turns exceptions into codes. detail/c_interface reads the
// structs.
#include <bbc/c.h>

#include <algorithm>
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "detail/c_interface/problem.hpp"
#include "detail/metrics/metric_name.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/sized.hpp"

namespace {

using bbc::detail::checked_block;
using bbc::detail::checked_problem;
using bbc::detail::has_reversed_classes;
using bbc::detail::make_control;
using bbc::detail::make_options;
using bbc::detail::make_repeats;
using bbc::detail::make_target;
using bbc::detail::require;

constexpr std::size_t kOldestFacts = BBC_END_OF(bbc_metric_facts, others);
static_assert(sizeof(bbc_metric_facts) == kOldestFacts || sizeof(void*) == 4);
constexpr std::size_t kOldestResult = BBC_END_OF(bbc_result, message);
static_assert(sizeof(bbc_result) == BBC_END_OF(bbc_result, monte_carlo_error) ||
              sizeof(void*) == 4);

/// An error of the kernel, in the words of `bbc_problem`.
bbc::Error in_words_of_c(const bbc::Error& error) {
  const std::string& name = error.argument();
  return {error.code(),
          name == "target"   ? "labels, values"
          : name == "redraw" ? "raise_undefined"
                             : name,
          error.problem(), error.place(), error.hint()};
}

void set_message(bbc_result* result, const char* message, const char* argument = "") {
  std::snprintf(result->message, sizeof result->message, "%s", message);
  if (bbc::detail::size_of(result) >= BBC_END_OF(bbc_result, argument)) {
    std::snprintf(result->argument, sizeof result->argument, "%s", argument);
  }
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
    const bbc::Error said = in_words_of_c(error);
    set_message(result, said.what(), said.argument().c_str());
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

/// Where the caller has room.
template <class T>
void copy_to(T* room, const std::vector<T>& values) {
  if (room != nullptr) std::copy(values.begin(), values.end(), room);
}

void fill(const bbc::Estimate& estimate, bbc_result* given) {
  bbc_result result = bbc::detail::read_sized(given, kOldestResult, bbc_result{}, "result");
  result.estimate = estimate.estimate;
  result.low = estimate.interval.low;
  result.high = estimate.interval.high;
  result.replicate_sd = estimate.replicate_sd;
  result.apparent = estimate.apparent;
  result.optimism = estimate.optimism;
  result.size_bias = estimate.size_bias;
  const bbc::MonteCarloError& error = estimate.monte_carlo_error;
  result.monte_carlo_error[0] = error.estimate;
  result.monte_carlo_error[1] = error.low;
  result.monte_carlo_error[2] = error.high;
  result.winner = estimate.winner;
  result.n_redrawn = estimate.n_redrawn;
  result.undefined_fold_share = estimate.undefined_fold_share;
  copy_to(result.replicates, estimate.replicates);
  copy_to(result.replicate_winners, estimate.replicate_winners);
  result.threshold = estimate.threshold;
  copy_to(result.replicate_thresholds, estimate.replicate_thresholds);
  copy_to(result.weights, estimate.weights);
  copy_to(result.selection_frequency, estimate.selection_frequency);
  bbc::detail::write_sized(result, given);
}

void fill(const bbc::MetricFacts& from, bbc_metric_facts* to) {
  to->name = from.name.c_str();
  to->metric = from.kernel.c_str();
  to->average = from.average.empty() ? "binary" : from.average.c_str();
  to->negate = from.sign < 0.0 ? 1 : 0;
  to->parameters = from.parameters.c_str();
  to->family = from.family.c_str();
  to->target = from.target.c_str();
  to->predicts = from.predicts.c_str();
  to->target_range = from.target_range.c_str();
  to->prediction_range = from.prediction_range.c_str();
  to->needs_classes = from.needs_classes.c_str();
  to->censoring = from.censoring.c_str();
  to->greater_is_better = from.greater_is_better ? 1 : 0;
  to->size_dependent = from.size_dependent ? 1 : 0;
  const double any = std::numeric_limits<double>::infinity();
  const bbc::Range range =
      bbc::range_of(from, to->n_classes == 0 ? any : static_cast<double>(to->n_classes));
  to->lowest = range.low;
  to->highest = range.high;
  to->title = from.title.c_str();
  to->others = from.others.c_str();
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

void bbc_metric_facts_init(bbc_metric_facts* facts, size_t struct_size) {
  bbc::detail::init_sized(facts, struct_size, bbc_metric_facts{});
}

bbc_status bbc_metric_facts_of(size_t i, bbc_metric_facts* facts) {
  if (facts == nullptr || !bbc::detail::is_sized(facts, kOldestFacts)) return BBC_INVALID_ARGUMENT;
  try {
    const auto& table = bbc::metric_table();
    if (i >= table.size()) return BBC_INVALID_ARGUMENT;
    bbc_metric_facts found =
        bbc::detail::read_sized(facts, kOldestFacts, bbc_metric_facts{}, "metric_facts");
    fill(table[i], &found);
    bbc::detail::write_sized(found, facts);
    return BBC_OK;
  } catch (const bbc::Error&) {
    return BBC_INVALID_ARGUMENT;
  } catch (const std::bad_alloc&) {
    return BBC_OUT_OF_MEMORY;
  } catch (...) {
    return BBC_INTERNAL;
  }
}

void bbc_problem_init(bbc_problem* problem, size_t struct_size) {
  bbc::detail::init_sized(problem, struct_size, bbc::detail::default_problem());
}

void bbc_predictions_init(bbc_predictions* predictions, size_t struct_size) {
  bbc::detail::init_sized(predictions, struct_size, bbc::detail::default_predictions());
}

void bbc_result_init(bbc_result* result, size_t struct_size) {
  bbc::detail::init_sized(result, struct_size, bbc_result{});
}

bbc_status bbc_correct(const bbc_problem* problem, const bbc_predictions* predictions,
                       bbc_result* result) {
  return guarded(result, [&] {
    const auto asked = checked_problem(problem);
    const auto block = checked_block(predictions);
    const auto options = make_options(asked, block.n_repeats, block.n_configurations);
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
