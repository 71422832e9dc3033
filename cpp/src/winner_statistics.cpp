#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/winner_statistics.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/metrics/sorted_scores.hpp"
#include "detail/statistics/calibration.hpp"
#include "detail/statistics/curves.hpp"
#include "detail/statistics/net_benefit.hpp"
#include "detail/statistics/sample.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/elementary.hpp"
#include "detail/support/parallel.hpp"

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
    if (statistic.n_bins < 1) throw_invalid("n_bins", "must be at least 1");
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
  std::vector<Column> columns;  // (repeat, configuration)

  Impl(const Target& target, std::span<const Predictions> repeats, const CorrectionOptions& options,
       const Control& control)
      : n_rows(target.n_rows()),
        n_configurations(repeats.empty() ? 0 : detail::n_configurations(repeats[0])),
        n_repeats(repeats.size()),
        one_repeat(repeats.size() > 1 &&
                   (options.rotate_repeats || !options.resampling.folds.empty())),
        row_weights(detail::scale_by_power_of_two(options.row_weights, n_rows)),
        folds(options.folds),
        columns(n_repeats * static_cast<std::size_t>(n_configurations)) {
    if (target.kind != Target::Kind::labels || target.n_classes != 2) {
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
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
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
    if (!std::holds_alternative<statistic::Calibration>(statistic) &&
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
                                rows.weights.data()};
    std::visit([&](const auto& kind) { detail::evaluate(kind, sample, values); }, statistic);
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

std::vector<double> WinnerStatistics::on_all_rows(const Statistic& statistic,
                                                  std::int64_t configuration) const {
  const detail::Arithmetic arithmetic;
  std::vector<double> values(static_cast<std::size_t>(n_values(statistic)));
  impl_->check(statistic, configuration);
  Rows rows;
  impl_->score(statistic, 0, configuration, nullptr, rows, values);
  return values;
}

std::vector<double> WinnerStatistics::out_of_bag(const Statistic& statistic, std::int64_t first,
                                                 std::span<const std::uint16_t> scoring,
                                                 std::span<const std::int64_t> winners,
                                                 const Control& control) const {
  const detail::Arithmetic arithmetic;
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
