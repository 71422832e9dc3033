#include <algorithm>
#include <array>
#include <bbc/error.hpp>
#include <bbc/metric.hpp>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "detail/metrics/metric_name.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

using metric::Average;
using metric::Confusion;
using metric::Moments;
using metric::MulticlassAuc;
using metric::RowLoss;

Average parse_average(const std::string& name) {
  if (name == "binary") return Average::binary;
  if (name == "macro") return Average::macro;
  if (name == "micro") return Average::micro;
  if (name == "weighted") return Average::weighted;
  throw_invalid("average", "unknown '" + name + "'; one of binary, macro, micro, weighted");
}

/// What an entry of metrics.inc says of a metric, beyond what follows from its computation.
struct MetricEntry {
  std::string_view called = {};  ///< where users know another name than make_metric
  std::string_view family = "additive";
  std::string_view target = {};
  std::string_view predicts = {};
  /// List: each has a name of its own, the first the plain one.
  std::string_view averages = {};
  std::string_view parameters = {};
  std::string_view needs_classes = {};
  bool orders_classes = false;
  bool skewed = false;
  std::string_view censoring = {};
  std::string_view negated = {};  ///< scikit-learn's scorer of the negated value
  std::string_view sklearn = {};
  std::string_view yardstick = {};  ///< list, by average
  std::string_view yardstick_of_two = {};
  std::string_view multiclass = "balanced_accuracy";
  std::string_view title = {};
  std::string_view others = {};
};

constexpr MetricEntry with(MetricEntry entry, std::string_view target, std::string_view predicts,
                           bool ranks = false) {
  entry.target = target;
  entry.predicts = predicts;
  if (ranks) entry.family = "ranking";
  return entry;
}
constexpr MetricEntry of_labels(const MetricEntry& entry) {
  return with(entry, "classes", "labels");
}
constexpr MetricEntry of_one_class(const MetricEntry& entry) {
  return with(entry, "binary", "labels");
}
constexpr MetricEntry averaged(MetricEntry entry) {
  entry.averages = "binary macro micro weighted";
  if (entry.parameters.empty()) entry.parameters = "average";
  return of_one_class(entry);
}
constexpr MetricEntry of_values(const MetricEntry& entry) { return with(entry, "real", "value"); }
constexpr MetricEntry given_losses() { return with({}, "any", "losses"); }
constexpr MetricEntry of_probability(const MetricEntry& entry) {
  return with(entry, "binary", "probability");
}
constexpr MetricEntry of_probabilities(const MetricEntry& entry) {
  return with(entry, "classes", "class_probabilities");
}
constexpr MetricEntry of_scores(const MetricEntry& entry) {
  return with(entry, "binary", "score", true);
}
constexpr MetricEntry of_class_scores(MetricEntry entry) {
  entry.needs_classes = "all";
  return with(entry, "classes", "class_scores", true);
}
constexpr MetricEntry of_risks(const MetricEntry& entry) {
  return with(entry, "survival", "risk", true);
}
constexpr MetricEntry of_survival(MetricEntry entry) {
  entry.censoring = "brier";
  return with(entry, "survival", "survival");
}

constexpr RowLoss loss(RowLoss::Kind kind) { return {.kind = kind}; }
constexpr RowLoss root_of(RowLoss::Kind kind) { return {.kind = kind, .root = true}; }
constexpr Confusion confusion(Confusion::Formula formula) { return {.formula = formula}; }
constexpr Moments moments(Moments::Formula formula) { return {.formula = formula}; }
constexpr MulticlassAuc classes(MulticlassAuc::Scheme scheme) { return {.scheme = scheme}; }

/// The names of make_metric.
struct Computation {
  std::string_view name;
  Metric::Kind kind;
};
constexpr auto kComputations = [] {
  using enum RowLoss::Kind;
  using enum Confusion::Formula;
  using enum Moments::Formula;
  using enum MulticlassAuc::Scheme;
  return std::to_array<Computation>({
#define BBC_METRIC(name, kind, facts) {#name, kind},
#include <bbc/metrics.inc>
  });
}();

/// The names that users write, before averages and negated ones.
struct Named {
  std::string_view name;
  std::string_view kernel;
  MetricEntry entry;
};
constexpr auto kNamed = std::to_array<Named>({
#define BBC_METRIC(name, kind, facts) {#name, #name, MetricEntry facts},
#define BBC_NAMED(name, computation, facts) {#name, #computation, MetricEntry facts},
#include <bbc/metrics.inc>
});

/// Largest mean of a loss whose values lie between 0 and that.
double largest_loss(RowLoss::Kind kind, double given_classes) {
  const auto n_classes = [&] {
    if (!(given_classes >= 1.0)) {
      throw_invalid("n_classes", "must be at least 1: the range of this metric depends on it");
    }
    return given_classes;
  };
  switch (kind) {
#define BBC_VALUE_LOSS(kind, ...) \
  case RowLoss::Kind::kind:       \
    return kInfinity;
#define BBC_CLASS_LOSS(kind, form, largest, formula, of_several) \
  case RowLoss::Kind::kind:                                      \
    return largest;
#define BBC_LABEL_LOSS(kind, largest, formula) \
  case RowLoss::Kind::kind:                    \
    return largest;
#include <bbc/metrics.inc>
  }
  return kInfinity;
}

/// What depends on the formula, before the sign.
struct Facts {
  Range range = {0.0, 1.0};
  bool greater_is_better = true;
  bool size_dependent = false;  ///< found by benches/size with one configuration and 20 to 150 rows
};

struct FactsOf {
  double n_classes;

  Facts operator()(const metric::ZeroOne& kind) const { return {{0.0, 1.0}, kind.accuracy}; }
  Facts operator()(const Confusion& kind) const {
    using Shift = detail::ConfusionTraits::Shift;
    const auto traits = detail::traits_of(kind.formula);
    const bool shifts = traits.shift == Shift::always ||
                        (traits.shift == Shift::unless_micro && kind.average != Average::micro);
    return {{traits.lowest, traits.highest}, traits.greater_is_better, shifts};
  }
  Facts operator()(const RowLoss& kind) const {
    if (kind.kind == RowLoss::Kind::given) {
      return {{kind.lowest, kind.highest}, kind.greater_is_better};
    }
    return {{0.0, largest_loss(kind.kind, n_classes)}, false, kind.root};
  }
  Facts operator()(const Moments& kind) const {
    switch (kind.formula) {
      case Moments::Formula::r2:
        return {{-kInfinity, 1.0}};
      case Moments::Formula::explained_variance:
        return {{-kInfinity, 1.0}, true, true};
      case Moments::Formula::squared_pearson:
        return {{0.0, 1.0}, true, true};
    }
    return {};
  }
  Facts operator()(const metric::Auc& /*kind*/) const { return {}; }
  Facts operator()(const metric::AveragePrecision& /*kind*/) const {
    return {{0.0, 1.0}, true, true};
  }
  Facts operator()(const MulticlassAuc& /*kind*/) const { return {}; }
  Facts operator()(const metric::Spearman& /*kind*/) const { return {{-1.0, 1.0}, true, true}; }
  Facts operator()(const metric::Concordance& /*kind*/) const { return {}; }
};

Facts facts_of(const Metric::Kind& kind, double n_classes) {
  return std::visit(FactsOf{n_classes}, kind);
}

std::vector<std::string> words(std::string_view list) {
  std::vector<std::string> found;
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(' ', start), list.size());
    found.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  return found;
}

const char* interval_of(detail::Numbers numbers) {
  switch (numbers) {
    case detail::Numbers::any:
      return "(-inf, inf)";
    case detail::Numbers::nonnegative:
      return "[0, inf)";
    case detail::Numbers::positive:
      return "(0, inf)";
    case detail::Numbers::above_minus_one:
      return "(-1, inf)";
  }
  return "";
}

const char* form_of(const Metric::Kind& kind) {
  if (std::holds_alternative<metric::ZeroOne>(kind)) return "zero_one";
  if (std::holds_alternative<Confusion>(kind)) return "confusion";
  if (std::holds_alternative<RowLoss>(kind)) return "row_loss";
  return std::holds_alternative<Moments>(kind) ? "moments" : "ranking";
}

Metric metric_of(const MetricFacts& facts) {
  return make_metric(facts.kernel, {.average = facts.average.empty() ? "binary" : facts.average,
                                    .sign = facts.sign});
}

/// What follows from the computation.
void complete(MetricFacts& facts) {
  const Metric metric = metric_of(facts);
  const auto* loss = std::get_if<RowLoss>(&metric.kind);
  const auto traits = detail::traits_of(loss == nullptr ? RowLoss::Kind::given : loss->kind);
  const auto* confusion = std::get_if<Confusion>(&metric.kind);
  facts.form = form_of(metric.kind);
  facts.one_class = std::holds_alternative<bbc::metric::AveragePrecision>(metric.kind) ||
                    (confusion != nullptr && confusion->average == Average::binary &&
                     detail::traits_of(confusion->formula).is_ratio);
  facts.greater_is_better = metric.greater_is_better();
  facts.size_dependent = metric.size_dependent();
  facts.range = range_of(facts, 2.0);
  facts.target_range = interval_of(traits.truths);
  facts.prediction_range =
      facts.predicts == "survival" ? "[0, 1]" : interval_of(traits.predictions);
}

std::vector<MetricFacts> make_table() {
  std::vector<MetricFacts> table;
  std::vector<MetricFacts> negated;
  for (const auto& [own, kernel, entry] : kNamed) {
    const std::string name(entry.called.empty() ? own : entry.called);
    auto averages = words(entry.averages);
    if (averages.empty()) averages.emplace_back();
    const auto yardstick = words(entry.yardstick);
    for (std::size_t i = 0; i < averages.size(); ++i) {
      const bool first = i == 0;
      MetricFacts facts;
      facts.name = first ? name : name + "_" + averages[i];
      facts.kernel = kernel;
      facts.average = averages[i];
      facts.parameters = entry.parameters;
      facts.family = entry.family;
      const bool of_one_class = averages[0] == "binary";
      facts.target = first || !of_one_class ? entry.target : "classes";
      facts.predicts = entry.predicts;
      if (first || !of_one_class) facts.needs_classes = entry.needs_classes;
      facts.orders_classes = entry.orders_classes;
      facts.skewed = entry.skewed;
      facts.censoring = entry.censoring;
      facts.multiclass = entry.multiclass;
      if (first && averages.size() > 1 && of_one_class) {
        facts.multiclass = name + "_macro " + name + "_weighted";
      }
      if (i < yardstick.size()) facts.yardstick = yardstick[i];
      if (first) {
        facts.title = entry.title;
        facts.sklearn = entry.sklearn;
        facts.yardstick_of_two = entry.yardstick_of_two;
        facts.others = entry.others;
      }
      complete(facts);
      table.push_back(std::move(facts));
    }
    if (entry.negated.empty()) continue;
    MetricFacts facts = table.back();
    facts.name = entry.negated;
    facts.sign = -1.0;
    facts.title = facts.sklearn = facts.yardstick = facts.yardstick_of_two = facts.others = "";
    complete(facts);
    negated.push_back(std::move(facts));
  }
  table.insert(table.end(), std::make_move_iterator(negated.begin()),
               std::make_move_iterator(negated.end()));
  return table;
}

}  // namespace

bool Metric::formula_greater_is_better() const { return facts_of(kind, 2.0).greater_is_better; }

bool Metric::size_dependent() const { return facts_of(kind, 2.0).size_dependent; }

Range Metric::range(double n_classes) const {
  const Range plain = facts_of(kind, n_classes).range;
  return sign > 0 ? plain : Range(0.0 - plain.high, 0.0 - plain.low);
}

Metric make_metric(std::string_view name, const MetricParameters& parameters) {
  const detail::Arithmetic arithmetic;
  // Without a projection, which the compiler of the page does not have.
  const auto entry = std::ranges::find_if(
      kComputations, [&](const Computation& known) { return known.name == name; });
  if (entry == kComputations.end()) {
    std::string known;
    for (const auto candidate : metric_names()) known.append(1, ' ').append(candidate);
    throw_invalid("metric", "unknown name '" + std::string(name) + "'; known:" + known);
  }
  Metric::Kind kind = entry->kind;
  if (auto* confusion = std::get_if<Confusion>(&kind)) {
    confusion->average = parse_average(parameters.average);
    confusion->beta = parameters.beta;
    if (!(parameters.beta >= 0.0 && std::isfinite(parameters.beta))) {
      throw_invalid("beta", "must be a finite number of at least 0");
    }
  } else if (auto* auc = std::get_if<MulticlassAuc>(&kind)) {
    const Average average = parse_average(parameters.average);
    if (average == Average::micro)
      throw_invalid("average", "classes of scores have no micro average");
    auc->weighted = average == Average::weighted;
  } else if (auto* loss = std::get_if<RowLoss>(&kind)) {
    loss->alpha = parameters.alpha;
    loss->lowest = parameters.lowest;
    loss->highest = parameters.highest;
    if (!(parameters.alpha >= 0.0 && parameters.alpha <= 1.0)) {
      throw_invalid("alpha", "must be between 0 and 1");
    }
  }
  return {kind, parameters.sign};
}

const char* detail::metric_name(std::size_t i) noexcept {
  return i < kComputations.size() ? kComputations[i].name.data() : nullptr;
}

std::vector<std::string_view> metric_names() {
  std::vector<std::string_view> names;
  names.reserve(kComputations.size());
  for (const auto& entry : kComputations) names.push_back(entry.name);
  return names;
}

Range range_of(const MetricFacts& facts, double n_classes) {
  const detail::Arithmetic arithmetic;
  // The kernel gets these losses as such.
  if (facts.censoring == "brier") return {0.0, kInfinity};
  return metric_of(facts).range(n_classes);
}

const std::vector<MetricFacts>& metric_table() {
  const detail::Arithmetic arithmetic;
  static const std::vector<MetricFacts> table = make_table();
  return table;
}

}  // namespace bbc
