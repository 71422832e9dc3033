#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/estimate.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bbc {

/// What the limits of one configuration's score rest on: its rates, with the numbers of independent
/// rows behind them. Rows with weights count as (sum w)^2 / sum w^2 of them (Kish 1965). Rows of
/// groups count as fewer by the design effect of the configuration's errors; where few groups show
/// an error or a right answer, which leaves the design effect unknown, as their number of groups.
/// None for metrics without a score interval: moments, average precision, F-beta of several
/// classes, ranks; MCC, kappa and means of losses have one where folds, or rows within classes, are
/// drawn.
/// Behind them what such draws do not show (`drawn_terms`). Squared errors of a truth with more
/// than two values have draws of few of their rows, where rows or groups are drawn freely from all
/// rows.
[[nodiscard]] BBC_API std::vector<RateTerm> rate_terms(std::span<const Predictions> repeats,
                                                       const Target& target,
                                                       const CorrectionOptions& options,
                                                       std::int64_t configuration);

/// What a score interval is to hold: the value at a point, or a whole curve.
enum class Reach { point, curve };

/// Score interval around a value, with `z` standard errors under the rate at the limit: Wilson
/// (1927) of proportions, Newcombe's (2006) method 5 of the AUC; sums of several rates by MOVER
/// (Zou and Donner 2008), which also joins the two directions of a point of a curve. A band for the
/// whole curve takes both to their ends. Not clipped to the metric's range. `terms` must not be
/// empty.
[[nodiscard]] BBC_API Interval score_interval(double value, std::span<const RateTerm> terms,
                                              double z, Reach reach = Reach::point);

/// Rates as numbers, six of each: form, weight, rate, n, others, offset; and back. Throws Error at
/// numbers that are not of rates.
[[nodiscard]] BBC_API std::vector<double> numbers_of(std::span<const RateTerm> terms);
[[nodiscard]] BBC_API std::vector<RateTerm> terms_of(std::span<const double> numbers);

/// Limits of a corrected performance.
struct CorrectedLimits {
  Interval interval{};       ///< holds both of the following
  Interval of_replicates{};  ///< what they would be without score interval and tails
  /// The score interval is longer than that without it by half or more.
  bool few_events = false;
  MonteCarloError monte_carlo_error;  ///< of limits from replicates
  /// Of the winner's errors, where it is above that of normal errors (3) by three standard errors;
  /// else NaN.
  double kurtosis = std::numeric_limits<double>::quiet_NaN();
  /// Long tails could not be allowed for: too many draws of few rows hold only errors of one size.
  bool alike_errors = false;
};

/// The order-statistic interval of the replicates as `limits_around` completes it, with its Monte
/// Carlo error. What moves a limit away from its order statistic depends on the estimate, so that
/// the error is at most the larger one of both. An estimate that is not the mean of the replicates,
/// the score of one configuration, has none. Throws Error as order_statistic_interval().
[[nodiscard]] BBC_API CorrectedLimits corrected_limits(const std::vector<double>& replicates,
                                                       double estimate,
                                                       std::span<const RateTerm> terms,
                                                       const Confidence& confidence,
                                                       Interval range);

/// The hull of an interval of replicates and of the score interval around their mean: replicates
/// that all agree give an interval of width zero, which claims too much for a perfect score on ten
/// events. Of draws of folds, or within classes, the distances from the estimate to the limits are
/// first joined in quadrature with z standard errors by the classes' shares that the draws do not
/// show (term `class_shares`); of at most four folds they are no less than t sqrt(2 / K) standard
/// deviations of the winner's K scores, with K - 1 degrees of freedom (term `few_folds`): scores of
/// folds whose models share training rows correlate, by about one half (Nadeau and Bengio 2003).
/// The limit on the side of large squared errors is the farther of the replicates' and of the
/// bootstrap-t by draws of few rows. `range` is the metric's. Limits hold the estimate.
[[nodiscard]] BBC_API CorrectedLimits limits_around(Interval own, double estimate,
                                                    std::span<const RateTerm> terms,
                                                    const Confidence& confidence, Interval range);

}  // namespace bbc
