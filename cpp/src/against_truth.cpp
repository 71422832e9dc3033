#include <algorithm>
#include <bbc/against_truth.hpp>
#include <bbc/error.hpp>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "detail/choices/derived_columns.hpp"
#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

using detail::at;
using Rows = std::vector<std::int32_t>;
using Values = std::vector<double>;

/// Any metric of such truths, by which these are checked.
Metric any_metric_of(const Target& target) {
  if (target.kind == Target::Kind::labels) return {metric::ZeroOne{}};
  if (target.kind == Target::Kind::survival) return {metric::Concordance{}};
  return {metric::RowLoss{.kind = metric::RowLoss::Kind::squared}};
}

/// One configuration's predictions, and the truth that they are compared with.
class Compared {
 public:
  Compared(const Target& given, std::span<const Predictions> repeats, const Metric& metric,
           std::int64_t configuration, std::span<const std::int32_t> folds)
      : target(detail::checked_target(any_metric_of(given), given)),
        of_labels(target.kind == Target::Kind::labels && detail::reads_labels(metric)),
        repeats_(repeats),
        configuration_(configuration),
        folds_(detail::owned(folds)) {
    const auto size = static_cast<std::size_t>(target.n_rows()) * repeats.size();
    if (size == 0 || (!folds_.empty() && folds_.size() != size)) {
      throw_invalid("folds", "need one for each row of each repeat");
    }
    for (const Predictions& predictions : repeats) {
      detail::check_strides(predictions);
      if (detail::n_rows(predictions) != target.n_rows()) {
        throw_invalid("predictions", "have another number of rows than the truth");
      }
      if (configuration < 0 || configuration >= detail::n_configurations(predictions)) {
        throw_invalid("configuration", "there is none of number " + std::to_string(configuration));
      }
    }
  }

  /// Reads a repeat: the rows that it predicted, and what it predicted of them, output innermost;
  /// codes of labels.
  void read(std::size_t repeat) {
    rows.clear();
    for (std::int32_t row = 0; row < target.n_rows(); ++row) {
      if (folds_.empty() || fold(repeat, row) >= 0) rows.push_back(row);
    }
    if (rows.empty())
      throw_invalid("folds", "leave no row", {{"repeat", static_cast<std::int64_t>(repeat)}});
    n_outputs = static_cast<std::size_t>(detail::n_outputs_of(repeats_[repeat]));
    if (of_labels) {
      Rows codes;
      detail::read_codes(repeats_[repeat], target, configuration_, rows, codes);
      values.assign(codes.begin(), codes.end());
    } else {
      detail::read_values(repeats_[repeat], configuration_, rows, values);
    }
  }
  [[nodiscard]] std::int32_t fold(std::size_t repeat, std::int32_t row) const {
    return folds_[repeat * static_cast<std::size_t>(target.n_rows()) + at(row)];
  }

  /// The truth of a row as a number.
  [[nodiscard]] double truth(std::int32_t row) const {
    return target.kind == Target::Kind::labels ? target.codes[at(row)] : target.values[at(row)];
  }

  const Target target;
  const bool of_labels;
  Rows rows;
  Values values;
  std::size_t n_outputs = 1;

 private:
  std::span<const Predictions> repeats_;
  std::int64_t configuration_;
  Rows folds_;
};

/// Relative to the spread of the truth: rounding, and what hides a copy.
constexpr double kEqual = 1e-9;

/// Whether predictions differ from the truth by no more than rounding.
bool nearly(const Values& predicted, const Values& truth) {
  const auto [low, high] = std::ranges::minmax(truth);
  const double limit = kEqual * std::max(1e-300, high - low);
  for (std::size_t row = 0; row < truth.size(); ++row) {
    if (!(std::fabs(predicted[row] - truth[row]) <= limit)) return false;
  }
  return true;
}

/// Whether classes were made probabilities, which noise of one size may hide. Models that are sure
/// of separable classes miss them by amounts of many orders.
bool hidden(const Values& predicted, const Values& truth) {
  constexpr double kSure = 0.1;  // share of rows that a model is far surer of than of another one
  constexpr double kFarSurer = 1000.0;
  if (!nearly(predicted, truth)) return false;
  Values missed;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    if (predicted[row] != truth[row]) missed.push_back(std::fabs(predicted[row] - truth[row]));
  }
  if (missed.empty()) return true;
  const double few = std::ranges::max(missed) / kFarSurer;
  const auto n = std::ranges::count_if(missed, [&](double each) { return each < few; });
  return static_cast<double>(n) / static_cast<double>(missed.size()) < kSure;
}

template <class Follows>
bool on_a_line(const Values& predicted, const Values& truth, const Follows& follows) {
  const auto low = static_cast<std::size_t>(std::ranges::min_element(truth) - truth.begin());
  const auto high = static_cast<std::size_t>(std::ranges::max_element(truth) - truth.begin());
  const double rise = truth[high] - truth[low];
  if (!(rise > 0.0) || predicted[high] == predicted[low]) return false;
  const double slope = (predicted[high] - predicted[low]) / rise;
  Values scaled;
  for (const double value : predicted) {
    scaled.push_back(truth[low] + (value - predicted[low]) / slope);
  }
  return follows(scaled, truth);
}

/// Whether predictions rise, or fall, with the truth, and are equal where it is.
bool in_order(const Values& predicted, const Values& truth) {
  const auto low = static_cast<std::size_t>(std::ranges::min_element(truth) - truth.begin());
  const auto high = static_cast<std::size_t>(std::ranges::max_element(truth) - truth.begin());
  const double from = predicted[low];
  const double to = predicted[high];
  const auto [least, most] = std::ranges::minmax(predicted);
  if (from == to || least != std::min(from, to) || most != std::max(from, to)) return false;
  std::vector<std::size_t> order(truth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return truth[row]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const double step = predicted[order[i]] - predicted[order[i - 1]];
    const bool rises = truth[order[i]] > truth[order[i - 1]];
    if (rises ? !((from < to ? step : -step) > 0.0) : step != 0.0) return false;
  }
  return true;
}

bool ranks_classes(const Metric& metric) {
  return std::holds_alternative<metric::Auc>(metric.kind) ||
         std::holds_alternative<metric::AveragePrecision>(metric.kind) ||
         std::holds_alternative<metric::MulticlassAuc>(metric.kind);
}

/// How the numbers of a repeat are the truth up to what the metric ignores; empty if they are not.
std::string up_to(const Metric& metric, const Compared& compared) {
  const bool of_classes = compared.target.kind == Target::Kind::labels;
  if (compared.of_labels || compared.n_outputs != 1 || compared.target.n_classes > 2) return "";
  const Values& predicted = compared.values;
  Values truth;
  for (const std::int32_t row : compared.rows) truth.push_back(compared.truth(row));
  const auto* moments = std::get_if<metric::Moments>(&metric.kind);
  if (ranks_classes(metric) || std::holds_alternative<metric::Spearman>(metric.kind)) {
    const bool follows = in_order(predicted, truth) || on_a_line(predicted, truth, hidden);
    return follows ? "in another scale" : "";
  }
  if (moments != nullptr && moments->formula == metric::Moments::Formula::squared_pearson) {
    return on_a_line(predicted, truth, nearly) ? "shifted or in other units" : "";
  }
  return (of_classes ? hidden(predicted, truth) : nearly(predicted, truth)) ? "up to rounding" : "";
}

/// Whether the predictions of a repeat are the truth: its numbers, codes, labels or indicators.
bool is_truth(const Compared& compared) {
  const Target& target = compared.target;
  const auto are = [&](const auto& expected) {
    for (std::size_t i = 0; i < compared.values.size(); ++i) {
      const std::int32_t row = compared.rows[i / compared.n_outputs];
      if (compared.values[i] != expected(row, i % compared.n_outputs)) return false;
    }
    return true;
  };
  if (compared.n_outputs != 1) {
    return target.kind == Target::Kind::labels && are([&](std::int32_t row, std::size_t output) {
             return target.codes[at(row)] == static_cast<std::int32_t>(output) ? 1.0 : 0.0;
           });
  }
  if (are([&](std::int32_t row, std::size_t) { return compared.truth(row); })) return true;
  return target.kind == Target::Kind::labels && !compared.of_labels &&
         are([&](std::int32_t row, std::size_t) {
           const std::int32_t code = target.codes[at(row)];
           return static_cast<double>(target.label_values[at(code)]);
         });
}

template <class Class>
bool are_within(const Values& values, const std::vector<Class>& classes) {
  return std::ranges::all_of(values, [&](double value) {
    return std::ranges::any_of(classes,
                               [&](Class label) { return value == static_cast<double>(label); });
  });
}

using Columns = std::vector<Values>;
/// The rows of each unit in each fold, by their places.
using Parts = std::map<std::int32_t, std::map<std::int32_t, std::vector<std::size_t>>>;

/// Indicators of each class from `first` on.
Columns indicators(const Values& codes, std::int32_t first, std::int32_t n_classes) {
  Columns columns;
  for (std::int32_t code = first; code < n_classes; ++code) {
    Values& column = columns.emplace_back();
    for (const double own : codes) column.push_back(own == code ? 1.0 : 0.0);
  }
  return columns;
}

/// Martingale residuals without covariates: the event less the hazard until its time.
Values events_beyond_expected(const Target& target, const Rows& rows) {
  std::map<double, Rows> at_time;
  for (const std::int32_t row : rows) at_time[target.values[at(row)]].push_back(row);
  Values residuals(at(target.n_rows()));
  auto at_risk = static_cast<double>(rows.size());
  double hazard = 0.0;
  for (const auto& [time, own] : at_time) {
    const auto n_events =
        std::ranges::count_if(own, [&](std::int32_t row) { return target.events[at(row)] != 0; });
    hazard += static_cast<double>(n_events) / at_risk;
    at_risk -= static_cast<double>(own.size());
    for (const std::int32_t row : own) {
      residuals[at(row)] = target.events[at(row)] - hazard;
    }
  }
  return residuals;
}

/// Predictions and truth of a repeat, as columns that rise together where they agree.
std::pair<Columns, Columns> columns_of(const Compared& compared) {
  const Target& target = compared.target;
  Values truth;
  for (const std::int32_t row : compared.rows) truth.push_back(compared.truth(row));
  if (compared.of_labels) {
    return {indicators(compared.values, 0, target.n_classes),
            indicators(truth, 0, target.n_classes)};
  }
  Columns predicted(compared.n_outputs);
  for (std::size_t i = 0; i < compared.values.size(); ++i) {
    predicted[i % compared.n_outputs].push_back(compared.values[i]);
  }
  if (target.kind == Target::Kind::labels) {
    const bool of_one = compared.n_outputs == 1;  // the score of class 1
    return {predicted, indicators(truth, of_one ? 1 : 0, of_one ? 2 : target.n_classes)};
  }
  if (target.kind == Target::Kind::survival) {
    const Values residuals = events_beyond_expected(target, compared.rows);
    std::ranges::transform(compared.rows, truth.begin(),
                           [&](std::int32_t row) { return residuals[at(row)]; });
  }
  return {predicted, {truth}};
}

/// Means of units in a part of columns, less their mean; by midranks, unless all are indicators.
Columns centred(const Columns& columns, const Parts::mapped_type& units, bool by_ranks) {
  Columns found;
  for (const Values& column : columns) {
    Values& own = found.emplace_back();
    for (const auto& [unit, rows] : units) {
      double sum = 0.0;
      for (const std::size_t row : rows) sum += column[row];
      own.push_back(sum / static_cast<double>(rows.size()));
    }
  }
  const bool are_indicators = std::ranges::all_of(
      found, [](const Values& column) { return are_within(column, std::vector<int>{0, 1}); });
  for (Values& column : found) {
    if (by_ranks && !are_indicators) {
      Values sorted = column;
      std::ranges::sort(sorted);
      for (double& value : column) {
        const auto same = std::ranges::equal_range(sorted, value);
        value = 0.5 *
                static_cast<double>(same.begin() - sorted.begin() + (same.end() - sorted.begin()));
      }
    }
    const double mean =
        std::accumulate(column.begin(), column.end(), 0.0) / static_cast<double>(column.size());
    for (double& value : column) value -= mean;
  }
  return found;
}

double product(const Values& one, const Values& other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

/// Sums over folds of products of predictions and truth.
struct Moments {
  double total = 0.0;
  double variance = 0.0;  ///< of the sum, if models of folds are independent
  double largest = 0.0;   ///< that it can be
  double n_folds = 0.0;   ///< of several rows
};

Moments moments_of(const std::pair<Columns, Columns>& pair, const Parts& parts, bool by_ranks) {
  Moments sums;
  for (const auto& [fold, units] : parts) {
    if (units.size() < 2) continue;
    const Columns predicted = centred(pair.first, units, by_ranks);
    const Columns truth = centred(pair.second, units, by_ranks);
    double of_predicted = 0.0;
    double of_truth = 0.0;
    double products = 0.0;
    for (std::size_t a = 0; a < predicted.size(); ++a) {
      sums.total += product(predicted[a], truth[a]);
      of_predicted += product(predicted[a], predicted[a]);
      of_truth += product(truth[a], truth[a]);
      for (std::size_t b = 0; b < predicted.size(); ++b) {
        products += product(predicted[a], predicted[b]) * product(truth[a], truth[b]);
      }
    }
    sums.variance += products / static_cast<double>(units.size() - 1);
    sums.largest += std::sqrt(of_predicted * of_truth);
    sums.n_folds += 1.0;
  }
  return sums;
}

/// How many rows or units, of some rows, vote for themselves.
double independent(const Rows& rows, std::span<const std::int32_t> units,
                   std::span<const double> weights, Values& of_unit) {
  if (units.empty() && weights.empty()) return static_cast<double>(rows.size());
  const auto place = [&](std::int32_t row) { return at(units.empty() ? row : units[at(row)]); };
  for (const std::int32_t row : rows) of_unit[place(row)] = 0.0;
  for (const std::int32_t row : rows) {
    of_unit[place(row)] += weights.empty() ? 1.0 : weights[at(row)];
  }
  // Relative to the largest: squares of weights may overflow.
  double largest = std::numeric_limits<double>::min();
  for (const std::int32_t row : rows) largest = std::max(largest, of_unit[place(row)]);
  double n = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const std::int32_t row : rows) {
    double& own = of_unit[place(row)];
    if (std::isnan(own)) continue;  // counted
    const double weight = own / largest;
    n += 1.0;
    sum += weight;
    squares += weight * weight;
    own = kNaN;
  }
  if (weights.empty()) return n;
  return squares > 0.0 ? sum * sum / squares : 0.0;
}

/// Whether each part has one value, and not all the same; of few rows beyond one of each part, that
/// may be chance.
template <class PartOf, class ValueOf>
bool tell(const Rows& rows, const PartOf& part_of, const ValueOf& value_of) {
  constexpr std::size_t kFewest = 10;
  std::map<std::int32_t, double> values;
  bool differ = false;
  for (const std::int32_t row : rows) {
    const double value = value_of(row);
    const double own = values.try_emplace(part_of(row), value).first->second;
    if (own != value) return false;
    differ = differ || own != values.begin()->second;
  }
  return differ && rows.size() >= values.size() + kFewest;
}

}  // namespace

FromTruth from_truth(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
                     std::int64_t configuration, std::span<const std::int32_t> folds) {
  const detail::Arithmetic arithmetic;
  if (y.kind == Target::Kind::survival) return {};
  Compared compared(y, repeats, metric, configuration, folds);
  FromTruth found{true, false, ""};
  bool zero_or_one = ranks_classes(metric);
  bool labels = zero_or_one;
  bool follow = true;
  Values ends;
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    compared.read(repeat);
    found.equal = found.equal && is_truth(compared);
    if (follow) found.up_to = up_to(metric, compared);
    follow = !found.up_to.empty();
    zero_or_one = zero_or_one && are_within(compared.values, std::vector<int>{0, 1});
    labels = labels && are_within(compared.values, compared.target.label_values);
    const auto [least, most] = std::ranges::minmax(compared.values);
    ends.insert(ends.end(), {least, most});
  }
  found.ranks_labels = (zero_or_one || labels) && !detail::constant(ends);
  return found;
}

Association association(const Target& y, std::span<const Predictions> repeats, const Metric& metric,
                        std::int64_t configuration, std::span<const std::int32_t> folds,
                        std::span<const std::int32_t> given_units) {
  const detail::Arithmetic arithmetic;
  const auto units = detail::owned(given_units);
  if (folds.empty()) return {};
  Compared compared(y, repeats, metric, configuration, folds);
  double total = 0.0;
  double deviation = 0.0;
  double largest = 0.0;
  for (std::size_t repeat = 0; repeat < repeats.size(); ++repeat) {
    compared.read(repeat);
    const auto pair = columns_of(compared);
    if (pair.first.size() != pair.second.size()) return {};
    Parts parts;
    for (std::size_t i = 0; i < compared.rows.size(); ++i) {
      const std::int32_t row = compared.rows[i];
      parts[compared.fold(repeat, row)][units.empty() ? row : units[at(row)]].push_back(i);
    }
    // The values themselves are mostly so near to chance that their ranks are not tested.
    const Moments rough = moments_of(pair, parts, false);
    if (!(rough.variance > 0.0 && rough.total <= -std::sqrt(rough.variance))) return {};
    const Moments own = moments_of(pair, parts, true);
    const double sharing = own.n_folds > 1.0 ? 1.0 + own.n_folds / (own.n_folds - 1.0) : 1.0;
    total += own.total;
    deviation += std::sqrt(sharing * own.variance);
    largest += own.largest;
  }
  if (!(deviation > 0.0) || total >= 0.0) return {};
  constexpr double kQuantile = 3.090232306167813;  // of the normal distribution, at .999
  return {total / largest, total / deviation, total / deviation < -kQuantile};
}

RowFacts row_facts(const Target& y, std::span<const std::int32_t> given_folds,
                   std::span<const std::int32_t> given_units, std::span<const double> given) {
  const detail::Arithmetic arithmetic;
  const Target target = detail::checked_target(any_metric_of(y), y);
  const Rows folds = detail::owned(given_folds);
  const Rows units = detail::owned(given_units);
  const Values weights = detail::owned(given);
  const auto n_rows = at(target.n_rows());
  const auto fits = [&](const auto& values) { return values.empty() || values.size() == n_rows; };
  if (!fits(units) || !fits(weights) || folds.size() % n_rows != 0) {
    throw_invalid("target", "has another number of rows than folds, units or weights");
  }
  if (std::ranges::any_of(units, [](std::int32_t unit) { return unit < 0; })) {
    throw_invalid("units", "must not be negative");
  }
  const std::int32_t n_units = units.empty() ? 0 : 1 + std::ranges::max(units);
  const bool survival = target.kind == Target::Kind::survival;
  std::vector<Rows> of_class(survival ? 2 : at(target.n_classes));
  Rows all(n_rows);
  std::iota(all.begin(), all.end(), 0);
  for (const std::int32_t row : all) {
    if (survival) of_class[target.events[at(row)]].push_back(row);
    if (target.kind == Target::Kind::labels) of_class[at(target.codes[at(row)])].push_back(row);
  }
  Values of_unit(units.empty() ? n_rows : at(n_units));
  RowFacts found;
  found.n_units = independent(all, units, weights, of_unit);
  for (const Rows& rows : of_class) {
    found.n_units_of_class.push_back(independent(rows, units, weights, of_unit));
  }
  const auto truth = [&](std::int32_t row) {
    return target.kind == Target::Kind::labels ? target.codes[at(row)] : target.values[at(row)];
  };
  const auto unit = [&](std::int32_t row) { return units[at(row)]; };
  const auto fold = [&](std::int32_t row) { return folds[at(row)]; };
  if (!folds.empty() && !survival) {
    Rows predicted;
    std::ranges::copy_if(all, std::back_inserter(predicted),
                         [&](auto row) { return fold(row) >= 0; });
    found.folds_tell_truth = tell(predicted, fold, truth);
  }
  if (units.empty()) return found;
  found.units_tell_truth =
      target.kind == Target::Kind::labels && n_units <= target.n_classes && tell(all, unit, truth);
  std::vector<bool> split(at(n_units));
  for (std::size_t start = 0; start < folds.size(); start += n_rows) {
    Rows first(at(n_units), -1);  // fold of each unit
    for (const std::int32_t row : all) {
      const std::int32_t own = folds[start + at(row)];
      std::int32_t& known = first[at(unit(row))];
      if (own < 0) continue;
      if (known >= 0 && known != own) split[at(unit(row))] = true;
      known = own;
    }
  }
  found.n_split_units = std::ranges::count(split, true);
  return found;
}

}  // namespace bbc
