#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/winner_statistics.hpp>
#include <cmath>
#include <string>

#include "detail/intervals/effective_number.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/statistics/statistics.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/limits.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

using detail::StopFlag;

/// Which ends of [0, 1] values may have.
enum class Ends { both, none, upper };

void check_values(const std::vector<double>& values, const char* name, Ends ends, bool ascending) {
  double previous = -1.0;
  for (const double value : values) {
    if (!(value >= 0.0 && value <= 1.0) || (value == 0.0 && ends != Ends::both) ||
        (value == 1.0 && ends == Ends::none)) {
      throw_invalid(name, ends == Ends::both   ? "must lie in [0, 1]"
                          : ends == Ends::none ? "must lie in (0, 1)"
                                               : "must lie in (0, 1]");
    }
    if (ascending && !(value > previous)) throw_invalid(name, "must ascend");
    previous = value;
  }
}

void check_ranges(const std::vector<Interval>& ranges, const char* name) {
  for (const Interval& range : ranges) {
    if (!(range.low >= 0.0 && range.low < range.high && range.high <= 1.0)) {
      throw_invalid(name, "must ascend within [0, 1]");
    }
  }
}

struct NumberOfValues {
  std::size_t operator()(const statistic::Calibration& statistic) const {
    detail::check_count("n_bins", statistic.n_bins, 1);
    check_values(statistic.grid, "grid", Ends::both, true);
    return statistic::Calibration::kScalars + statistic.grid.size();
  }
  std::size_t operator()(const statistic::NetBenefit& statistic) const {
    check_values(statistic.thresholds, "thresholds", Ends::none, true);
    return 4 * statistic.thresholds.size();
  }
  std::size_t operator()(const statistic::Roc& statistic) const {
    check_values(statistic.false_positive_rates, "false_positive_rates", Ends::both, false);
    check_values(statistic.sensitivities, "sensitivities", Ends::both, false);
    check_ranges(statistic.specificity_ranges, "specificity_ranges");
    check_ranges(statistic.sensitivity_ranges, "sensitivity_ranges");
    return statistic.false_positive_rates.size() + statistic.sensitivities.size() +
           2 * (statistic.specificity_ranges.size() + statistic.sensitivity_ranges.size());
  }
  std::size_t operator()(const statistic::SurvivalCalibration& statistic) const {
    check_values(statistic.grid, "grid", Ends::both, true);
    return statistic::SurvivalCalibration::kScalars + statistic.grid.size();
  }
  std::size_t operator()(const statistic::PrecisionRecall& statistic) const {
    check_values(statistic.recalls, "recalls", Ends::upper, false);
    return statistic.recalls.size();
  }
};

/// The weights of the rows of one sample, with the memory of what is derived from them.
struct Rows {
  std::vector<double> weights;
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> ascending;
};

}  // namespace

std::int64_t n_values(const Statistic& statistic) {
  const detail::Arithmetic arithmetic;
  return static_cast<std::int64_t>(std::visit(NumberOfValues(), statistic));
}

namespace {

struct RangesOf {
  static constexpr Interval kAny{-kInfinity, kInfinity};
  static constexpr Interval kShare{0.0, 1.0};

  std::size_t n;

  std::vector<Interval> operator()(const statistic::Calibration& /*statistic*/) const {
    using Value = statistic::Calibration::Value;
    std::vector<Interval> ranges(n, kAny);  // the curve, too: its lines may leave [0, 1]
    for (const auto value : {Value::brier_score, Value::reliability, Value::resolution,
                             Value::uncertainty, Value::calibration_error, Value::share_certain}) {
      ranges[value] = kShare;
    }
    ranges[Value::observed_expected].low = 0.0;
    return ranges;
  }
  std::vector<Interval> operator()(const statistic::NetBenefit& statistic) const {
    std::vector<Interval> ranges(n, kAny);
    for (std::size_t i = n - statistic.thresholds.size(); i < n; ++i) ranges[i].high = 1.0;
    return ranges;
  }
  std::vector<Interval> operator()(const statistic::Roc& statistic) const {
    std::vector<Interval> ranges(n, kShare);
    std::size_t at = statistic.false_positive_rates.size() + statistic.sensitivities.size();
    for (const auto* areas : {&statistic.specificity_ranges, &statistic.sensitivity_ranges}) {
      for (const Interval& range : *areas) {
        ranges[at] = {0.0, range.high - range.low};
        ranges[at + 1].low = -kInfinity;  // McClish's, of a curve below the chord
        at += 2;
      }
    }
    return ranges;
  }
  std::vector<Interval> operator()(const statistic::SurvivalCalibration& /*statistic*/) const {
    std::vector<Interval> ranges(n, kAny);
    ranges[statistic::SurvivalCalibration::share_certain] = kShare;
    return ranges;
  }
  std::vector<Interval> operator()(const statistic::PrecisionRecall& /*statistic*/) const {
    return std::vector<Interval>(n, kShare);
  }
};

}  // namespace

std::vector<Interval> value_ranges(const Statistic& statistic) {
  const detail::Arithmetic arithmetic;
  return std::visit(RangesOf{static_cast<std::size_t>(n_values(statistic))}, statistic);
}

struct WinnerStatistics::Impl {
  /// One configuration's predictions in one repeat.
  struct Column {
    std::vector<double> predictions;
    std::vector<double> logits;  // empty unless they are probabilities
    std::vector<std::int32_t> ascending;
  };

  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::size_t n_repeats;
  bool one_repeat;  // in which a replicate is scored
  std::vector<std::uint8_t> is_event;
  std::vector<double> row_weights;
  std::vector<std::int32_t> folds;
  std::vector<std::int32_t> units;
  double z;  // of the limits
  Target target;
  std::vector<Predictions> repeats;
  std::vector<Column> columns;  // (repeat, configuration)

  Impl(const Target& y, std::span<const Predictions> given, const CorrectionOptions& options,
       const Control& control)
      : n_rows(y.n_rows()),
        n_configurations(given.empty() ? 0 : detail::n_configurations(given[0])),
        n_repeats(given.size()),
        one_repeat(given.size() > 1 &&
                   (options.rotate_repeats || !options.resampling.folds.empty())),
        row_weights(detail::relative_weights(options.row_weights, n_rows)),
        folds(options.folds),
        units(options.resampling.units),
        z(-normal_quantile(tail_probability({options.confidence_level, Alternative::two_sided}))),
        target(y),
        repeats(given.begin(), given.end()),
        columns(n_repeats * static_cast<std::size_t>(n_configurations)) {
    const bool has_classes = target.kind == Target::Kind::labels && target.n_classes == 2;
    if (!has_classes && target.kind != Target::Kind::real) {
      throw_invalid("target", "must have two classes");
    }
    if (repeats.empty()) throw_invalid("predictions", "are none");
    if (!folds.empty() && folds.size() != n_repeats * static_cast<std::size_t>(n_rows)) {
      throw_invalid("folds", "must be one per repeat and row");
    }
    for (const std::int32_t code : target.codes) {
      is_event.push_back(static_cast<std::uint8_t>(code == 1 ? 1 : 0));
    }
    for (const Predictions& predictions : repeats) {
      if (detail::n_rows(predictions) != n_rows ||
          detail::n_configurations(predictions) != n_configurations ||
          detail::n_outputs_of(predictions) != 1) {
        throw_invalid("predictions", "of all repeats must have a column per configuration");
      }
      detail::check_strides(predictions);
    }
    const auto n_tasks = static_cast<std::int64_t>(columns.size());
    detail::parallel_for(n_tasks, control,
                         300.0 * static_cast<double>(n_tasks) * static_cast<double>(n_rows),
                         [&](std::int64_t task, const StopFlag&) {
                           const auto repeat = static_cast<std::size_t>(task / n_configurations);
                           prepare(repeats[repeat], task % n_configurations,
                                   columns[static_cast<std::size_t>(task)]);
                         });
  }

  static void prepare(const Predictions& predictions, std::int64_t configuration, Column& column) {
    detail::read_values(predictions, configuration, {}, column.predictions);
    column.ascending = detail::sorted_scores(column.predictions).rows;
    if (std::ranges::any_of(column.predictions, [](double p) { return p < 0.0 || p > 1.0; }))
      return;
    for (const double p : column.predictions) {
      column.logits.push_back(p == 0.0   ? -kInfinity
                              : p == 1.0 ? kInfinity
                                         : detail::log(p) - detail::log1p(-p));
    }
  }

  /// Statistics of probabilities refuse other columns.
  void check(const Statistic& statistic, std::int64_t configuration) const {
    if (configuration < 0 || configuration >= n_configurations) {
      throw_invalid("winners", "configuration " + std::to_string(configuration) + " of " +
                                   std::to_string(n_configurations));
    }
    const bool of_numbers = std::holds_alternative<statistic::SurvivalCalibration>(statistic);
    if (of_numbers != (target.kind == Target::Kind::real)) {
      throw_invalid("target", of_numbers ? "must be numbers" : "must have two classes");
    }
    if (!of_numbers && !std::holds_alternative<statistic::Calibration>(statistic) &&
        !std::holds_alternative<statistic::NetBenefit>(statistic)) {
      return;
    }
    for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
      const Column& column = of(repeat, configuration);
      if (!column.logits.empty()) continue;
      const auto wrong =
          std::ranges::find_if(column.predictions, [](double p) { return p < 0.0 || p > 1.0; });
      throw_invalid("predictions", "must be probabilities in [0, 1]",
                    {{"repeat", static_cast<std::int64_t>(repeat)},
                     {"row", wrong - column.predictions.begin()},
                     {"configuration", configuration}});
    }
  }

  [[nodiscard]] const Column& of(std::size_t repeat, std::int64_t configuration) const {
    return columns[repeat * static_cast<std::size_t>(n_configurations) +
                   static_cast<std::size_t>(configuration)];
  }

  /// Values on rows that are not in bag, in one repeat.
  void evaluate(const Statistic& statistic, std::size_t repeat, std::int64_t configuration,
                const std::uint16_t* scoring, Rows& rows, std::span<double> values) const {
    rows.weights.assign(static_cast<std::size_t>(n_rows), 0.0);
    rows.rows.clear();
    const std::int32_t* fold =
        folds.empty() ? nullptr : folds.data() + repeat * static_cast<std::size_t>(n_rows);
    for (std::int64_t row = 0; row < n_rows; ++row) {
      const auto at = static_cast<std::size_t>(row);
      if ((scoring != nullptr && scoring[row] != 0) || (fold != nullptr && fold[row] < 0)) continue;
      rows.weights[at] = row_weights.empty() ? 1.0 : row_weights[at];
      if (rows.weights[at] > 0.0) rows.rows.push_back(static_cast<std::int32_t>(row));
    }
    const Column& column = of(repeat, configuration);
    rows.ascending.clear();
    for (const std::int32_t row : column.ascending) {
      if (rows.weights[static_cast<std::size_t>(row)] > 0.0) rows.ascending.push_back(row);
    }
    const detail::Sample sample{rows.rows,
                                rows.ascending,
                                is_event.data(),
                                column.predictions.data(),
                                column.logits.empty() ? nullptr : column.logits.data(),
                                rows.weights.data(),
                                target.values.empty() ? nullptr : target.values.data()};
    std::visit([&](const auto& kind) { detail::evaluate(kind, sample, values); }, statistic);
  }

  /// Calls `use(row, weight, prediction)` with every prediction that a repeat made.
  template <class Use>
  void each(std::int64_t configuration, const Use& use) const {
    for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
      const Column& column = of(repeat, configuration);
      for (std::size_t row = 0; row < column.predictions.size(); ++row) {
        const double weight = row_weights.empty() ? 1.0 : row_weights[row];
        const bool made = folds.empty() || folds[repeat * column.predictions.size() + row] >= 0;
        if (made && weight > 0.0) use(row, weight, column.predictions[row]);
      }
    }
  }
  /// The term of the rows of a class that are at or above a threshold (`treated`) or below it, as a
  /// share of all rows or of the class. Repeats of a row are one row.
  [[nodiscard]] RateTerm share(std::int64_t configuration, double threshold, bool event,
                               bool treated, bool of_class, double weight_of_term) const {
    std::vector<double> sums(static_cast<std::size_t>(n_rows));
    std::vector<double> counts(static_cast<std::size_t>(n_rows));
    each(configuration, [&](std::size_t row, double, double prediction) {
      const bool own = (is_event[row] != 0) == event;
      if (of_class && !own) return;
      sums[row] += own && (prediction >= threshold) == treated ? 1.0 : 0.0;
      counts[row] += 1.0;
    });
    detail::RateRows rows;
    for (std::size_t row = 0; row < sums.size(); ++row) {
      if (counts[row] == 0.0) continue;
      rows.add(sums[row] / counts[row], row_weights.empty() ? 1.0 : row_weights[row], units, row);
    }
    RateTerm term;
    term.weight = weight_of_term;
    term.rate = detail::rate_of(rows);
    term.n = detail::effective_number(rows);
    return term;
  }
  /// Values on all rows.
  [[nodiscard]] std::vector<double> apparent(const Statistic& statistic,
                                             std::int64_t configuration) const {
    std::vector<double> values(static_cast<std::size_t>(n_values(statistic)));
    Rows rows;
    score(statistic, 0, configuration, nullptr, rows, values);
    return values;
  }
  /// Numbers of events and others.
  [[nodiscard]] RateTerm classes(std::int64_t configuration) const {
    CorrectionOptions of_auc;
    of_auc.metric = make_metric("roc_auc");
    of_auc.resampling.units = units;
    of_auc.row_weights = row_weights;
    of_auc.folds = folds;
    return rate_terms(repeats, target, of_auc, configuration)[0];
  }

  /// The mean over repeats, or the values in the repeat that the replicate belongs to.
  void score(const Statistic& statistic, std::int64_t replicate, std::int64_t configuration,
             const std::uint16_t* scoring, Rows& rows, std::span<double> values) const {
    if (scoring != nullptr && one_repeat) {
      const auto repeat = static_cast<std::size_t>(replicate) % n_repeats;
      evaluate(statistic, repeat, configuration, scoring, rows, values);
      return;
    }
    std::vector<double> of_repeat(values.size());
    std::ranges::fill(values, 0.0);
    for (std::size_t repeat = 0; repeat < n_repeats; ++repeat) {
      evaluate(statistic, repeat, configuration, scoring, rows, of_repeat);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += of_repeat[i];
    }
    for (double& value : values) value /= static_cast<double>(n_repeats);
  }
};

WinnerStatistics::WinnerStatistics(const Target& target, std::span<const Predictions> repeats,
                                   const CorrectionOptions& options, const Control& control) {
  const detail::Arithmetic arithmetic;
  impl_ = std::make_unique<Impl>(target, repeats, options, control);
}
WinnerStatistics::~WinnerStatistics() = default;
WinnerStatistics::WinnerStatistics(WinnerStatistics&&) noexcept = default;
WinnerStatistics& WinnerStatistics::operator=(WinnerStatistics&&) noexcept = default;

std::int64_t WinnerStatistics::n_rows() const { return impl_->n_rows; }

std::int64_t WinnerStatistics::n_configurations() const { return impl_->n_configurations; }

bool WinnerStatistics::scores_one_repeat() const { return impl_->one_repeat; }

std::vector<double> WinnerStatistics::on_all_rows(const Statistic& statistic,
                                                  std::int64_t configuration) const {
  const detail::Arithmetic arithmetic;
  impl_->check(statistic, configuration);
  return impl_->apparent(statistic, configuration);
}

namespace {

using Terms = std::vector<std::vector<RateTerm>>;

/// What WinnerStatistics::rates() says.
template <class Impl>
struct RatesOf {
  const Impl& impl;
  std::int64_t configuration;

  Terms operator()(const statistic::Calibration& statistic) const {
    return Terms(statistic::Calibration::kScalars + statistic.grid.size());
  }
  Terms operator()(const statistic::SurvivalCalibration& statistic) const {
    return Terms(statistic::SurvivalCalibration::kScalars + statistic.grid.size());
  }
  Terms operator()(const statistic::NetBenefit& statistic) const {
    const std::size_t n = statistic.thresholds.size();
    Terms terms(4 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const double threshold = statistic.thresholds[i];
      const double odds = threshold / (1.0 - threshold);
      const auto share = [&](bool event, bool treated, bool of_class, double weight) {
        return impl.share(configuration, threshold, event, treated, of_class, weight);
      };
      terms[i] = {share(true, true, false, 1.0), share(false, true, false, -odds)};
      // The prevalence less the odds of the rest.
      RateTerm prevalence = impl.share(configuration, 0.0, true, true, false, 1.0 + odds);
      prevalence.offset = -odds;
      terms[n + i] = {prevalence};
      // What the untreated lose and gain.
      terms[2 * n + i] = {share(true, false, false, -1.0), share(false, false, false, odds)};
      const double rest = (1.0 - prevalence.rate) / prevalence.rate;
      terms[3 * n + i] = {share(true, true, true, 1.0), share(false, true, true, -odds * rest)};
    }
    return terms;
  }
  Terms operator()(const statistic::Roc& statistic) const {
    const RateTerm classes = impl.classes(configuration);
    Terms terms;
    const auto add = [&](double n, double weight, double offset, bool by_definition) {
      RateTerm term;
      term.weight = weight;
      term.n = n;
      term.offset = offset;
      terms.push_back(by_definition ? std::vector<RateTerm>{} : std::vector<RateTerm>{term});
    };
    add_points(statistic, classes, terms);
    const auto add_areas = [&](double n, const std::vector<Interval>& ranges) {
      for (const Interval& range : ranges) {
        const double most = range.high - range.low;
        const double least =
            ((1.0 - range.low) * (1.0 - range.low) - (1.0 - range.high) * (1.0 - range.high)) / 2.0;
        add(n, most, 0.0, false);
        add(n, most / (most - least) / 2.0, (1.0 - least / (most - least)) / 2.0, false);
      }
    };
    add_areas(classes.n, statistic.specificity_ranges);
    add_areas(classes.others, statistic.sensitivity_ranges);
    return terms;
  }
  /// Points of the curve. The rate at which a point is read is that of a sample; where the true
  /// rate is x, that of n rows is within x -+ z sqrt(x (1 - x) / n) (Wilson's region). Where none
  /// of these n rows need be beyond the cut-off, the true curve is only known to be above its
  /// chord.
  void add_points(const statistic::Roc& statistic, const RateTerm& classes, Terms& terms) const {
    const auto reach = [&](double x, double n) { return impl.z * std::sqrt(x * (1.0 - x) / n); };
    const auto n_rates = statistic.false_positive_rates.size();
    const auto n_points = n_rates + statistic.sensitivities.size();
    statistic::Roc near;  // below all of them, then above
    for (const double sign : {-1.0, 1.0}) {
      for (const double x : statistic.false_positive_rates) {
        near.false_positive_rates.push_back(
            std::clamp(x + sign * reach(x, classes.others), 0.0, 1.0));
      }
      for (const double x : statistic.sensitivities) {
        near.sensitivities.push_back(std::clamp(x + sign * reach(x, classes.n), 0.0, 1.0));
      }
    }
    const statistic::Roc at{statistic.false_positive_rates, statistic.sensitivities, {}, {}};
    const auto values = impl.apparent(at, configuration);
    const auto around = impl.apparent(near, configuration);
    for (std::size_t i = 0; i < n_points; ++i) {
      const bool is_rate = i < n_rates;
      const double x = is_rate ? at.false_positive_rates[i] : at.sensitivities[i - n_rates];
      if (is_rate ? x == 1.0 : x == 0.0) {  // 1 by definition
        terms.emplace_back();
        continue;
      }
      const double n = is_rate ? classes.others : classes.n;
      const std::size_t n_own = is_rate ? n_rates : n_points - n_rates;
      const std::size_t below = is_rate ? i : n_rates + i;
      double lower = around[is_rate ? below : below + n_own];
      const double higher = around[is_rate ? below + n_own : below];
      // The chord from the corner where the value is 0.
      const double from_corner = is_rate ? x : 1.0 - x;
      const double certain = impl.z * impl.z / (n + impl.z * impl.z);
      if (from_corner < certain) lower *= from_corner / certain;
      RateTerm term;
      term.form = RateTerm::Form::point;
      term.n = is_rate ? classes.n : classes.others;
      term.rate = std::max(0.0, values[i] - lower);
      term.others = std::max(0.0, higher - values[i]);
      term.offset = values[i];
      terms.push_back({term});
    }
  }
  Terms operator()(const statistic::PrecisionRecall& statistic) const {
    const RateTerm classes = impl.classes(configuration);
    Terms terms;
    for (const double recall : statistic.recalls) {
      RateTerm term;
      term.form = RateTerm::Form::hits;
      term.n = recall * classes.n;
      term.others = classes.n + classes.others;
      terms.push_back({term});
    }
    return terms;
  }
};

}  // namespace

std::vector<std::vector<RateTerm>> WinnerStatistics::rates(const Statistic& statistic,
                                                           std::int64_t configuration) const {
  const detail::Arithmetic arithmetic;
  impl_->check(statistic, configuration);
  return std::visit(RatesOf<Impl>{*impl_, configuration}, statistic);
}

std::vector<double> WinnerStatistics::out_of_bag(const Statistic& statistic, std::int64_t first,
                                                 std::span<const std::uint16_t> scoring,
                                                 std::span<const std::int64_t> given,
                                                 const Control& control) const {
  const detail::Arithmetic arithmetic;
  const auto winners = detail::owned(given);
  const auto width = static_cast<std::size_t>(n_values(statistic));
  const auto n_rows = static_cast<std::size_t>(impl_->n_rows);
  if (first < 0 || scoring.size() != winners.size() * n_rows) {
    throw_invalid("scoring", "must be that of the replicates, with a winner for each");
  }
  for (const std::int64_t winner : winners) impl_->check(statistic, winner);
  std::vector<double> values(winners.size() * width);
  constexpr std::int64_t kAtOnce = 16;  // replicates
  detail::parallel_pieces(
      static_cast<std::int64_t>(winners.size()), kAtOnce, control,
      300.0 * static_cast<double>(winners.size()) * static_cast<double>(n_rows),
      [&](std::int64_t begin, std::int64_t end, const StopFlag& stop) {
        Rows rows;
        for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b) {
          stop.check();
          impl_->score(statistic, first + static_cast<std::int64_t>(b), winners[b],
                       scoring.data() + b * n_rows, rows, {values.data() + b * width, width});
        }
      });
  return values;
}

}  // namespace bbc
