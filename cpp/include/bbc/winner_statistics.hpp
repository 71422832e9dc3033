#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace bbc {

/// What is computed from a binary truth and one column of predictions: a vector of values, NaN
/// where one is undefined. All rows are pooled. SurvivalCalibration alone reads a truth of numbers.
namespace statistic {

/// Calibration of probabilities. Values: `kScalars` as the enumeration lists them, then the
/// calibration curve at `grid` (ascending): a local linear regression of the truth on the
/// prediction, NaN outside the range of the predictions.
///
/// Intercept (calibration in the large: logit P(event) = a + logit p) and line (logit P(event) =
/// a + b logit p) leave out predictions of exactly 0 or 1, which have no logit. They are undefined
/// where no maximum of the likelihood exists: one class only; for the line also where a cut-off
/// separates the classes (Albert & Anderson 1984). Besides maximum likelihood there is Firth's
/// (1993) estimate, without the bias of order 1/n that a third of the rows would show.
struct Calibration {
  enum Value {
    slope,
    slope_intercept,
    intercept,
    reduced_slope,
    reduced_slope_intercept,
    reduced_intercept,
    brier_score,
    reliability,
    resolution,
    uncertainty,
    within_bins,
    calibration_error,
    observed_expected,
    share_certain,  ///< of predictions that are exactly 0 or 1
    kScalars
  };
  /// Bins of the Brier score's decomposition and of the calibration error: of equal weight, tied
  /// predictions together.
  int n_bins = 10;
  std::vector<double> grid;
};

/// Net benefit of probabilities (Vickers & Elkin 2006); a row at the threshold is treated. Values:
/// net benefit at each threshold, that of treating all, the difference of both, and the net benefit
/// over the prevalence.
struct NetBenefit {
  std::vector<double> thresholds;
};

/// The ROC curve of any scores, its points joined by lines. Values: sensitivity at each rate of
/// false positives (ascending), specificity at each sensitivity; then for each range of
/// specificity, and each of sensitivity, the area above it and that area in McClish's (1989)
/// standardisation.
struct Roc {
  std::vector<double> false_positive_rates;
  std::vector<double> sensitivities;
  std::vector<Interval> specificity_ranges;
  std::vector<Interval> sensitivity_ranges;
};

/// Precision at each recall, interpolated as Davis & Goadrich (2006).
struct PrecisionRecall {
  std::vector<double> recalls;
};

/// Calibration of the risk of an event by some time. The truth are pseudo-values of that event (see
/// pseudo_event_probabilities), numbers whose mean given the inputs is its probability. Values:
/// `kScalars` as the enumeration lists them, then the calibration curve at `grid` (ascending), as
/// above.
///
/// Intercept (cloglog E[truth] = a + cloglog p) and line (a + b cloglog p), cloglog p = log(-log(1
/// - p)), are those of the estimating equations with independence and equal variances, which are
/// least squares. They leave out predictions of exactly 0 or 1, and are undefined where the squares
/// fall for ever.
struct SurvivalCalibration {
  enum Value { slope, slope_intercept, intercept, observed_expected, share_certain, kScalars };
  std::vector<double> grid;
};

}  // namespace statistic

using Statistic = std::variant<statistic::Calibration, statistic::NetBenefit, statistic::Roc,
                               statistic::PrecisionRecall, statistic::SurvivalCalibration>;

/// How many values a statistic has. Throws Error at a setting that is out of range.
[[nodiscard]] BBC_API std::int64_t n_values(const Statistic& statistic);

/// What each value of a statistic lies in.
[[nodiscard]] BBC_API std::vector<Interval> value_ranges(const Statistic& statistic);

/// Statistics of winners on the rows that replicates leave out of bag, the companion of
/// ReplicateScorer. Of the options it reads row_weights, folds (negative: not predicted),
/// resampling.units, resampling.folds and rotate_repeats, which say when a replicate is scored in
/// one repeat only; elsewhere values are means over repeats. Views of the predictions are kept.
class WinnerStatistics {
 public:
  BBC_API WinnerStatistics(const Target& target, std::span<const Predictions> repeats,
                           const CorrectionOptions& options, const Control& control = {});
  BBC_API ~WinnerStatistics();
  BBC_API WinnerStatistics(WinnerStatistics&&) noexcept;
  BBC_API WinnerStatistics& operator=(WinnerStatistics&&) noexcept;

  [[nodiscard]] BBC_API std::int64_t n_rows() const;
  [[nodiscard]] BBC_API std::int64_t n_configurations() const;
  /// Whether a replicate is scored in one repeat only, which its number says.
  [[nodiscard]] BBC_API bool scores_one_repeat() const;
  /// The values of one configuration on all rows.
  [[nodiscard]] BBC_API std::vector<double> on_all_rows(const Statistic& statistic,
                                                        std::int64_t configuration) const;
  /// What the limits of each value rest on (see score_interval.hpp): sensitivity on the number of
  /// events, specificity on that of the others, precision on that of the rows called, net benefit
  /// on shares of all rows, areas on the class whose mean rate they are. None for calibration, and
  /// for what a curve is by definition.
  [[nodiscard]] BBC_API std::vector<std::vector<RateTerm>> rates(const Statistic& statistic,
                                                                 std::int64_t configuration) const;
  /// (replicate, value) of one configuration per replicate from `first` on, on the rows where the
  /// `scoring` of the replicate (see ReplicateScorer) is zero.
  [[nodiscard]] BBC_API std::vector<double> out_of_bag(const Statistic& statistic,
                                                       std::int64_t first,
                                                       std::span<const std::uint16_t> scoring,
                                                       std::span<const std::int64_t> winners,
                                                       const Control& control = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What fewer rows do to the statistics of winners, apart from any selection: the shift of a
/// configuration is its mean value out of bag less its value on all rows. Replicates lose the shift
/// of their winner, so with one configuration the estimate is the apparent value.
///
/// The apparent winner's shift is from all replicates. The others' differ from it by what the first
/// `kCompared` replicates say, in each of which both are scored on the same rows.
///
/// Shifted are the parts of the Brier score, the calibration error, observed over expected events
/// and the standardised net benefit. Means over rows have no shift; intercepts and slopes are
/// Firth's, which have hardly any; and the shift of a curve's points is mostly noise of its steps
/// (benches/clinical/size.csv).
///
/// The statistics are viewed.
class StatisticShifts {
 public:
  static constexpr std::int64_t kCompared = 50;  ///< replicates that score every winner

  /// `winners` has a configuration per replicate, `winner` is that of all rows.
  /// Without `options.size_correction` nothing is shifted.
  BBC_API StatisticShifts(const WinnerStatistics& statistics, Statistic statistic,
                          const CorrectionOptions& options, std::vector<std::int64_t> winners,
                          std::int64_t winner);

  /// Takes replicates from `first` on with what WinnerStatistics::out_of_bag gave for them.
  BBC_API void add(std::int64_t first, std::span<const std::uint16_t> scoring,
                   std::span<const double> values, const Control& control = {});

  /// Takes the shifts from all replicates, (replicate, value). An undefined shift is none.
  BBC_API void take_from(std::span<double> replicates) const;

 private:
  /// Values of `configuration` in replicates from `first` on: those given of their winners where it
  /// is one, and its own.
  [[nodiscard]] std::vector<double> scored(std::int64_t configuration, std::int64_t first,
                                           std::span<const std::uint16_t> scoring,
                                           std::span<const double> values,
                                           const Control& control) const;

  const WinnerStatistics* statistics_;
  std::size_t n_values_;
  Statistic statistic_;  // without values that are never shifted
  std::vector<std::int64_t> winners_;
  std::vector<std::int64_t> chosen_;  // ascending
  std::size_t at_winner_;             // in chosen_
  std::vector<bool> moved_;           // by size: the first values; empty where nothing is
  std::vector<double> of_winner_;     // (replicate, value)
  std::vector<double> of_all_;        // (compared replicate, chosen, value)
};

}  // namespace bbc
