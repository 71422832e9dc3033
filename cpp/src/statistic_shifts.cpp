#include <algorithm>
#include <bbc/error.hpp>
#include <bbc/winner_statistics.hpp>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "detail/choices/size_shift.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/exact_sum.hpp"
#include "detail/support/values.hpp"

namespace bbc {
namespace {

/// Which of a statistic's first values are shifted. Empty if none is.
struct MovedBySize {
  std::vector<bool> operator()(const statistic::Calibration& /*statistic*/) const {
    using Value = statistic::Calibration::Value;
    std::vector<bool> moved(statistic::Calibration::kScalars, false);
    for (const auto value :
         {Value::reliability, Value::resolution, Value::uncertainty, Value::within_bins,
          Value::calibration_error, Value::observed_expected}) {
      moved[value] = true;
    }
    return moved;
  }
  std::vector<bool> operator()(const statistic::SurvivalCalibration& /*statistic*/) const {
    std::vector<bool> moved(statistic::SurvivalCalibration::kScalars, true);
    moved[statistic::SurvivalCalibration::share_certain] = false;
    return moved;
  }
  std::vector<bool> operator()(const statistic::NetBenefit& statistic) const {
    const std::size_t n = statistic.thresholds.size();
    std::vector<bool> moved(4 * n, false);
    std::fill_n(moved.end() - static_cast<std::ptrdiff_t>(n), n, true);  // over the prevalence
    return moved;
  }
  template <class Other>
  std::vector<bool> operator()(const Other& /*statistic*/) const {
    return {};
  }
};

/// The statistic without values beyond those that may be shifted.
Statistic without_curve(Statistic statistic) {
  if (auto* calibration = std::get_if<statistic::Calibration>(&statistic)) calibration->grid = {};
  if (auto* risks = std::get_if<statistic::SurvivalCalibration>(&statistic)) risks->grid = {};
  return statistic;
}

std::ptrdiff_t at(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

/// The mean of those that are defined, or NaN.
double mean_of_defined(std::vector<double>& values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  return values.empty() ? kNaN : detail::rounded_mean(values);
}

}  // namespace

StatisticShifts::StatisticShifts(const WinnerStatistics& statistics, Statistic statistic,
                                 const CorrectionOptions& options,
                                 std::vector<std::int64_t> winners, std::int64_t winner)
    : statistics_(&statistics),
      n_values_(static_cast<std::size_t>(n_values(statistic))),
      statistic_(without_curve(std::move(statistic))),
      winners_(std::move(winners)),
      chosen_(winners_) {
  const detail::Arithmetic arithmetic;
  chosen_.push_back(winner);
  detail::sort_distinct(chosen_);
  at_winner_ =
      static_cast<std::size_t>(std::ranges::lower_bound(chosen_, winner) - chosen_.begin());
  if (options.size_correction) moved_ = std::visit(MovedBySize(), statistic_);
}

void StatisticShifts::add(std::int64_t first, std::span<const std::uint16_t> scoring,
                          std::span<const double> values, const Control& control) {
  const detail::Arithmetic arithmetic;
  if (moved_.empty()) return;
  const std::size_t width = moved_.size();
  const auto n_rows = static_cast<std::size_t>(statistics_->n_rows());
  const std::size_t n = scoring.size() / n_rows;
  const auto begin = static_cast<std::size_t>(first);
  if (first < 0 || begin * width != of_winner_.size() || begin + n > winners_.size() ||
      scoring.size() != n * n_rows || values.size() != n * n_values_) {
    throw_invalid("scoring", "must be that of the next replicates, with the values of each");
  }
  const auto keep = [&](std::int64_t configuration, std::size_t n_kept, double* into,
                        std::size_t stride) {
    const auto own = scored(configuration, first, scoring.first(n_kept * n_rows), values, control);
    for (std::size_t i = 0; i < n_kept; ++i) {
      std::copy_n(own.begin() + at(i * width), width, into + i * stride);
    }
  };
  of_winner_.resize((begin + n) * width);
  keep(chosen_[at_winner_], n, of_winner_.data() + begin * width, width);
  if (first >= kCompared || chosen_.size() == 1) return;
  const std::size_t n_compared = std::min(n, static_cast<std::size_t>(kCompared) - begin);
  const std::size_t stride = chosen_.size() * width;
  of_all_.resize((begin + n_compared) * stride);
  for (std::size_t c = 0; c < chosen_.size(); ++c) {
    keep(chosen_[c], n_compared, of_all_.data() + begin * stride + c * width, stride);
  }
}

std::vector<double> StatisticShifts::scored(std::int64_t configuration, std::int64_t first,
                                            std::span<const std::uint16_t> scoring,
                                            std::span<const double> values,
                                            const Control& control) const {
  const detail::Arithmetic arithmetic;
  const std::size_t width = moved_.size();
  const auto n_rows = static_cast<std::size_t>(statistics_->n_rows());
  const std::size_t n = scoring.size() / n_rows;
  std::vector<double> all;
  std::vector<std::size_t> of_others;
  for (std::size_t i = 0; i < n; ++i) {
    const auto of_winner = values.subspan(i * n_values_, width);
    all.insert(all.end(), of_winner.begin(), of_winner.end());
    if (winners_[static_cast<std::size_t>(first) + i] != configuration) of_others.push_back(i);
  }
  if (of_others.empty()) return all;
  if (statistics_->scores_one_repeat()) {  // which depends on the replicate's number
    of_others.resize(n);
    std::iota(of_others.begin(), of_others.end(), std::size_t{0});
  }
  std::vector<std::uint16_t> counts;
  counts.reserve(of_others.size() * n_rows);
  for (const std::size_t i : of_others) {
    const auto own = scoring.subspan(i * n_rows, n_rows);
    counts.insert(counts.end(), own.begin(), own.end());
  }
  const std::vector<std::int64_t> same(of_others.size(), configuration);
  const auto found = statistics_->out_of_bag(statistic_, first, counts, same, control);
  for (std::size_t k = 0; k < of_others.size(); ++k) {
    std::copy_n(found.begin() + at(k * width), width, all.begin() + at(of_others[k] * width));
  }
  return all;
}

void StatisticShifts::take_from(std::span<double> replicates) const {
  const detail::Arithmetic arithmetic;
  if (moved_.empty()) return;
  const std::size_t width = moved_.size();
  if (replicates.size() != winners_.size() * n_values_ ||
      of_winner_.size() != winners_.size() * width) {
    throw_invalid("replicates", "must be all, of shape (n_replicates, n_values)");
  }
  const std::size_t stride = chosen_.size() * width;
  std::vector<std::vector<double>> shifts;  // (chosen, value)
  std::vector<double> means(width);         // of the apparent winner
  std::vector<double> some;
  for (std::size_t v = 0; v < width; ++v) {
    some.clear();
    for (std::size_t at = v; at < of_winner_.size(); at += width) some.push_back(of_winner_[at]);
    means[v] = mean_of_defined(some);
  }
  for (std::size_t c = 0; c < chosen_.size(); ++c) {
    const auto on_all_rows = statistics_->on_all_rows(statistic_, chosen_[c]);
    std::vector<double>& own = shifts.emplace_back(width, 0.0);
    for (std::size_t v = 0; v < width; ++v) {
      double apart = 0.0;  // from the apparent winner, on the same rows
      if (c != at_winner_) {
        some.clear();
        for (std::size_t at = v; at < of_all_.size(); at += stride) {
          some.push_back(of_all_[at + c * width] - of_all_[at + at_winner_ * width]);
        }
        apart = mean_of_defined(some);
      }
      const double shift = means[v] + apart - on_all_rows[v];
      if (moved_[v] && std::isfinite(shift)) own[v] = shift;
    }
  }
  for (std::size_t b = 0; b < winners_.size(); ++b) {
    const auto c =
        static_cast<std::size_t>(std::ranges::lower_bound(chosen_, winners_[b]) - chosen_.begin());
    for (std::size_t v = 0; v < width; ++v) replicates[b * n_values_ + v] -= shifts[c][v];
  }
}

}  // namespace bbc
