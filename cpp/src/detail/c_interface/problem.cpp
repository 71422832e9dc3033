#include "detail/c_interface/problem.hpp"

#include <algorithm>
#include <bbc/correction.hpp>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detail/support/arithmetic.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/sized.hpp"
#include "detail/support/values.hpp"

namespace bbc::detail {
namespace {

constexpr std::size_t kOldestProblem = BBC_END_OF(bbc_problem, user_data);
static_assert(sizeof(bbc_problem) == BBC_END_OF(bbc_problem, class_counts) || sizeof(void*) == 4);

/// R's numbers hold every seed below this.
constexpr auto kSeeds = std::uint64_t{1} << 53;
/// Folds of so many repeats of all rows that there may be have numbers of 64 bits.
constexpr std::int64_t kMostRepeats = std::numeric_limits<std::int32_t>::max();

template <class T>
std::vector<T> copied(const T* values, std::int64_t n) {
  return values == nullptr ? std::vector<T>() : std::vector<T>(values, values + n);
}

Target labels_target(const bbc_problem& problem) {
  Target target;
  target.kind = Target::Kind::labels;
  auto& classes = target.label_values;
  const auto labels = copied(problem.labels, problem.n_rows);
  classes = labels;
  sort_distinct(classes);
  target.n_classes = static_cast<std::int32_t>(classes.size());
  target.codes.reserve(static_cast<std::size_t>(problem.n_rows));
  for (const std::int64_t label : labels) {
    const auto at = std::lower_bound(classes.begin(), classes.end(), label);
    target.codes.push_back(static_cast<std::int32_t>(at - classes.begin()));
  }
  if (problem.positive_label != nullptr) {
    require(classes.size() == 2, "positive_label", "needs two classes");
    const std::int64_t positive = *problem.positive_label;
    const auto at = std::find(classes.begin(), classes.end(), positive);
    require(at != classes.end(), "positive_label", "not a label of the truth");
    if (at == classes.begin()) {
      std::swap(classes[0], classes[1]);
      for (std::int32_t& code : target.codes) code = 1 - code;
    }
  }
  return target;
}

Alternative alternative_of(int alternative) {
  switch (alternative) {
    case BBC_TWO_SIDED:
      return Alternative::two_sided;
    case BBC_GREATER:
      return Alternative::greater;
    case BBC_LESS:
      return Alternative::less;
    default:
      throw_invalid("alternative", "must be BBC_TWO_SIDED, BBC_GREATER or BBC_LESS");
  }
}

std::int64_t count_distinct(std::vector<std::int32_t> codes) {
  sort_distinct(codes);
  return static_cast<std::int64_t>(codes.size());
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

Selection rungs_of(const bbc_problem& problem, std::int64_t n_configurations) {
  require(problem.predicted != nullptr, "predicted", "is needed by \"rungs\"");
  require(n_configurations > 0, "selection", "\"rungs\" needs all configurations at once");
  require(problem.n_choose_only >= 0, "n_choose_only", "must not be negative");
  const std::int64_t n = problem.n_rows;
  std::vector<std::uint8_t> predicted = copied(problem.predicted, n * n_configurations);
  for (std::uint8_t& one : predicted) one = one != 0 ? 1 : 0;
  return find_rungs(predicted, n, n_configurations, copied(problem.rungs, n),
                    copied(problem.units, n),
                    {problem.burn, copied(problem.choose_only, problem.n_choose_only)});
}

Selection selection_of(const bbc_problem& problem, std::int64_t n_configurations) {
  const std::string rule = problem.selection == nullptr ? "best" : problem.selection;
  const std::int64_t size = problem.selection_size;
  require(size >= 0, "selection_size", "must not be negative");
  if (rule == "greedy_ensemble") {
    const std::int64_t most = limit_of("n_rounds");
    if (size > most) throw_invalid("selection_size", "must be at most " + std::to_string(most));
    return size == 0 ? selection::GreedyEnsemble{} : selection::GreedyEnsemble{size};
  }
  if (rule == "top_k") return selection::TopK{size};
  require(size == 0, "selection_size", "is for greedy_ensemble and top_k");
  if (rule == "rungs") return rungs_of(problem, n_configurations);
  if (rule == "best_threshold") return selection::Threshold{};
  require(rule == "best", "selection",
          "must be \"best\", \"best_threshold\", \"greedy_ensemble\", \"top_k\" or \"rungs\"");
  return selection::Best{};
}

/// Whether the counts of the classes are fixed; refused where limits do not depend on it.
bool has_fixed_counts(const bbc_problem& problem) {
  const std::string counts = problem.class_counts == nullptr ? "sampled" : problem.class_counts;
  if (counts == "sampled") return false;
  require(counts == "fixed", "class_counts", "must be \"sampled\" or \"fixed\"");
  const bool within_strata = problem.strata != nullptr && problem.resamples == nullptr;
  require(problem.drawn_folds != nullptr || within_strata, "class_counts",
          "\"fixed\" has no effect where rows are drawn freely; `strata` draw within classes");
  require(problem.labels != nullptr || problem.strata != nullptr, "class_counts",
          "\"fixed\" needs classes, the truth has none: say them by `strata`");
  return true;
}

}  // namespace

bbc_problem default_problem() {
  bbc_problem problem{};
  problem.average = "binary";
  problem.beta = 1.0;
  problem.alpha = 0.5;
  problem.n_bootstraps = default_n_bootstraps();
  problem.confidence_level = 0.95;
  problem.burn = RungOptions().burn;
  return problem;
}

bbc_problem checked_problem(const bbc_problem* problem) {
  require(problem != nullptr, "problem", "must be given");
  return read_sized(problem, kOldestProblem, default_problem(), "problem");
}

Target make_target(const bbc_problem& problem) {
  require((problem.labels == nullptr) != (problem.values == nullptr), "labels, values",
          "one of them must be given, the other NULL");
  require(problem.events == nullptr || problem.values != nullptr, "events", "need values");
  if (problem.labels != nullptr) return labels_target(problem);
  require(problem.positive_label == nullptr, "positive_label", "has no meaning without labels");
  Target target;
  target.values = copied(problem.values, problem.n_rows);
  if (problem.events != nullptr) {
    target.kind = Target::Kind::survival;
    target.events = copied(problem.events, problem.n_rows);
  }
  return target;
}

CorrectionOptions make_options(const bbc_problem& problem, std::int64_t n_repeats,
                               std::int64_t n_configurations) {
  require(problem.metric != nullptr, "metric", "must be given");
  const std::int64_t n = problem.n_rows;
  check_n_rows(n);
  check_n_bootstraps(problem.n_bootstraps);
  require(n_repeats > 0 && n_repeats <= kMostRepeats, "n_repeats", "must be 1 to 2^31 - 1");
  require(problem.seed < kSeeds, "seed", "must be between 0 and 2^53 - 1");
  CorrectionOptions options;
  options.metric =
      make_metric(problem.metric, {problem.average == nullptr ? "binary" : problem.average,
                                   problem.beta, problem.alpha, problem.negate != 0 ? -1.0 : 1.0});
  options.resampling.n_bootstraps = problem.n_bootstraps;
  options.resampling.seed = problem.seed;
  options.resampling.units = copied(problem.units, n);
  options.resampling.strata = copied(problem.strata, n);
  if (problem.resamples != nullptr) {
    const auto& units = options.resampling.units;
    const auto n_units = units.empty() ? n : count_distinct(units);
    options.resampling.resamples = copied(problem.resamples, problem.n_bootstraps * n_units);
  }
  options.folds = numbered_folds(problem.folds, n, n_repeats, "folds");
  options.resampling.folds = numbered_folds(problem.drawn_folds, n, n_repeats, "drawn_folds");
  if (problem.drawn_folds != nullptr) options.classes = options.resampling.strata;
  options.fixed_class_counts = has_fixed_counts(problem);
  options.row_weights = copied(problem.row_weights, n);
  options.redraw = problem.raise_undefined == 0;
  options.confidence_level = problem.confidence_level;
  options.alternative = alternative_of(problem.alternative);
  options.selection = selection_of(problem, n_configurations);
  options.size_correction = problem.as_published == 0;
  return options;
}

Control make_control(const bbc_problem& problem) {
  check_count("n_threads", problem.n_threads, 0);
  Control control;
  control.n_threads = problem.n_threads;
  if (problem.poll != nullptr) {
    control.poll = [poll = problem.poll, user_data = problem.user_data](double done) {
      return poll(done, user_data) != 0;
    };
  }
  return control;
}

}  // namespace bbc::detail
