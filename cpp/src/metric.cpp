#include <algorithm>
#include <array>
#include <bbc/error.hpp>
#include <bbc/metric.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "detail/metrics/metric_name.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

using metric::Average;
using metric::Confusion;
using metric::Moments;
using metric::MulticlassAuc;
using metric::RowLoss;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Average parse_average(const std::string& name) {
  if (name == "binary") return Average::binary;
  if (name == "macro") return Average::macro;
  if (name == "micro") return Average::micro;
  if (name == "weighted") return Average::weighted;
  throw_invalid("average", "unknown '" + name + "'; one of binary, macro, micro, weighted");
}

constexpr std::array<std::pair<std::string_view, Metric::Kind>, 37> kTable{{
    {"accuracy", metric::ZeroOne{true}},
    {"zero_one_loss", metric::ZeroOne{false}},
    {"balanced_accuracy", Confusion{Confusion::Formula::balanced_accuracy}},
    {"precision", Confusion{Confusion::Formula::precision}},
    {"recall", Confusion{Confusion::Formula::recall}},
    {"specificity", Confusion{Confusion::Formula::specificity}},
    {"f_beta", Confusion{Confusion::Formula::f_beta}},
    {"jaccard", Confusion{Confusion::Formula::jaccard}},
    {"mcc", Confusion{Confusion::Formula::mcc}},
    {"kappa", Confusion{Confusion::Formula::kappa}},
    {"distance_to_corner", Confusion{Confusion::Formula::distance_to_corner}},
    {"row_loss", RowLoss{RowLoss::Kind::given}},
    {"row_score", RowLoss{RowLoss::Kind::given, false, true}},
    {"mean_squared_error", RowLoss{RowLoss::Kind::squared}},
    {"root_mean_squared_error", RowLoss{RowLoss::Kind::squared, true}},
    {"mean_squared_log_error", RowLoss{RowLoss::Kind::squared_log}},
    {"root_mean_squared_log_error", RowLoss{RowLoss::Kind::squared_log, true}},
    {"mean_absolute_error", RowLoss{RowLoss::Kind::absolute}},
    {"mean_absolute_percentage_error", RowLoss{RowLoss::Kind::absolute_percentage}},
    {"ordinal_mean_absolute_error", RowLoss{RowLoss::Kind::ordinal}},
    {"pinball_loss", RowLoss{RowLoss::Kind::pinball}},
    {"poisson_deviance", RowLoss{RowLoss::Kind::poisson}},
    {"gamma_deviance", RowLoss{RowLoss::Kind::gamma}},
    {"binomial_deviance", RowLoss{RowLoss::Kind::binomial}},
    {"log_loss", RowLoss{RowLoss::Kind::log}},
    {"brier_score", RowLoss{RowLoss::Kind::brier}},
    {"ranked_probability_score", RowLoss{RowLoss::Kind::ranked_probability}},
    {"r2", Moments{Moments::Formula::r2}},
    {"explained_variance", Moments{Moments::Formula::explained_variance}},
    {"squared_pearson", Moments{Moments::Formula::squared_pearson}},
    {"roc_auc", metric::Auc{}},
    {"average_precision", metric::AveragePrecision{}},
    {"roc_auc_ovr", MulticlassAuc{MulticlassAuc::Scheme::ovr}},
    {"roc_auc_ovo", MulticlassAuc{MulticlassAuc::Scheme::ovo}},
    {"roc_auc_ovo_pairs", MulticlassAuc{MulticlassAuc::Scheme::ovo_pairs}},
    {"spearman", metric::Spearman{}},
    {"concordance_index", metric::Concordance{}},
}};

/// Largest mean of a loss whose values lie between 0 and that.
double largest_loss(RowLoss::Kind kind, double n_classes) {
  const bool grows = kind == RowLoss::Kind::brier || kind == RowLoss::Kind::ordinal;
  if (grows && !(n_classes >= 1.0)) {
    throw_invalid("n_classes", "must be at least 1: the range of this metric depends on it");
  }
  switch (kind) {
    case RowLoss::Kind::ranked_probability:
      return 1.0;
    case RowLoss::Kind::brier:  // of two classes it counts one of the two equal squares
      return n_classes <= 2.0 ? 1.0 : 2.0;
    case RowLoss::Kind::ordinal:
      return n_classes - 1.0;
    default:
      return kInfinity;
  }
}

/// Range of the formula's value, before the sign.
Range range_of(const Metric::Kind& kind, double n_classes) {
  if (const auto* confusion = std::get_if<Confusion>(&kind)) {
    switch (confusion->formula) {
      case Confusion::Formula::mcc:
      case Confusion::Formula::kappa:
        return {-1.0, 1.0};
      case Confusion::Formula::distance_to_corner:
        return {0.0, std::numbers::sqrt2};
      default:
        return {0.0, 1.0};
    }
  }
  if (const auto* loss = std::get_if<RowLoss>(&kind)) {
    if (loss->kind == RowLoss::Kind::given) return {-kInfinity, kInfinity};
    return {0.0, largest_loss(loss->kind, n_classes)};
  }
  if (const auto* moments = std::get_if<Moments>(&kind)) {
    return {moments->formula == Moments::Formula::squared_pearson ? 0.0 : -kInfinity, 1.0};
  }
  return {std::holds_alternative<metric::Spearman>(kind) ? -1.0 : 0.0, 1.0};
}

}  // namespace

bool Metric::formula_greater_is_better() const {
  if (const auto* zero_one = std::get_if<metric::ZeroOne>(&kind)) return zero_one->accuracy;
  if (const auto* loss = std::get_if<RowLoss>(&kind)) return loss->greater_is_better;
  if (const auto* confusion = std::get_if<Confusion>(&kind)) {
    return confusion->formula != Confusion::Formula::distance_to_corner;
  }
  return true;
}

namespace {

/// The metrics whose expectation depends on the number of rows: the one place that says so, found
/// by benches/size with one configuration and 20 to 150 rows.
struct SizeDependent {
  bool operator()(const metric::ZeroOne& /*kind*/) const { return false; }
  bool operator()(const Confusion& kind) const {
    switch (kind.formula) {
      case Confusion::Formula::balanced_accuracy:
      case Confusion::Formula::recall:
      case Confusion::Formula::specificity:
        return false;  // means within the classes, all of which every sample has
      case Confusion::Formula::precision:
      case Confusion::Formula::f_beta:
        return kind.average != Average::micro;  // accuracy
      default:
        return true;
    }
  }
  bool operator()(const RowLoss& kind) const { return kind.root; }
  bool operator()(const Moments& kind) const { return kind.formula != Moments::Formula::r2; }
  bool operator()(const metric::Auc& /*kind*/) const { return false; }
  bool operator()(const metric::AveragePrecision& /*kind*/) const { return true; }
  bool operator()(const MulticlassAuc& /*kind*/) const { return false; }
  bool operator()(const metric::Spearman& /*kind*/) const { return true; }
  bool operator()(const metric::Concordance& /*kind*/) const { return false; }
};

}  // namespace

bool Metric::size_dependent() const { return std::visit(SizeDependent{}, kind); }

Range Metric::range(double n_classes) const {
  const Range plain = range_of(kind, n_classes);
  return sign > 0 ? plain : Range(0.0 - plain.high, 0.0 - plain.low);
}

Metric make_metric(std::string_view name, const MetricParameters& parameters) {
  const detail::Arithmetic arithmetic;
  const auto entry =
      std::find_if(kTable.begin(), kTable.end(), [&](const auto& e) { return e.first == name; });
  if (entry == kTable.end()) {
    std::string known;
    for (const auto candidate : metric_names()) known.append(1, ' ').append(candidate);
    throw_invalid("metric", "unknown name '" + std::string(name) + "'; known:" + known);
  }
  Metric::Kind kind = entry->second;
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
    if (!(parameters.alpha >= 0.0 && parameters.alpha <= 1.0)) {
      throw_invalid("alpha", "must be between 0 and 1");
    }
  }
  return {kind, parameters.sign};
}

const char* detail::metric_name(std::size_t i) noexcept {
  return i < kTable.size() ? kTable[i].first.data() : nullptr;
}

std::vector<std::string_view> metric_names() {
  std::vector<std::string_view> names;
  names.reserve(kTable.size());
  for (const auto& entry : kTable) names.push_back(entry.first);
  return names;
}

}  // namespace bbc
