#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/estimate.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <cstdint>
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

/// E[K / D - 1], where D of K folds are left out by K draws with replacement and D >= 1: the mean
/// of the scores of D folds has that many times the variance, over draws of D of the K, that the
/// mean of all K has over samples. For rows it is .632 / .368. Throws Error unless there are two
/// folds.
[[nodiscard]] BBC_API double left_out_factor(std::int64_t n_folds);

/// What the replicates of two-level BBC, and the fold scores, say of the estimate's spread.
struct TwoLevelSpread {
  double replicate_sd = 0.0;
  std::int64_t n_folds = 0;
  /// Of one fitted model's performance, by luck: the final model has as much.
  double luck_variance = 0.0;
  /// What training rows that folds share add to the variance; see training_overlap().
  double overlap = 0.0;
};

/// estimate -+ z sqrt((1 + overlap) replicate_sd^2 / left_out_factor + luck_variance), as
/// `limits_around` completes it.
[[nodiscard]] BBC_API CorrectedLimits calibrated_limits(double estimate,
                                                        const TwoLevelSpread& spread,
                                                        std::span<const RateTerm> terms,
                                                        const Confidence& confidence,
                                                        Interval range);

/// A curve from its replicates, some of which may be undefined (NaN) at some of its points.
struct CurveBand {
  std::vector<double> estimates;  ///< means of the replicates; NaN where none is defined
  std::vector<double> lows;       ///< pointwise, by order statistics
  std::vector<double> highs;
  std::vector<double> simultaneous_lows;
  std::vector<double> simultaneous_highs;
  std::vector<std::int64_t> n_undefined;
};

/// Bands of (replicate, point) values. A replicate that ends within the curve is continued in
/// parallel to the mean of those that do not, so that estimates and bands do not jump where it
/// ends. The simultaneous one lowers the rank of the pointwise order statistics, the same at all
/// points, until a share `confidence_level` of the replicates lies wholly inside. Monotone
/// transformations of the values transform the bands likewise.
///
/// Both bands reach at least as far as the score interval around the estimate at each point, which
/// `rates`, one for each point or none at all, has terms for (see score_interval.hpp). Estimates
/// and bands end where `ranges` do, one for each point or none at all; replicates may lie beyond.
[[nodiscard]] BBC_API CurveBand curve_band(std::span<const double> replicates,
                                           std::int64_t n_replicates, double confidence_level,
                                           std::span<const std::vector<RateTerm>> rates = {},
                                           std::span<const Interval> ranges = {});

/// What draws of folds, or of rows within classes, do not show of the error of a configuration's
/// score, as terms that `corrected_limits` reads; none where rows are drawn freely.
///
/// Folds that were stratified by class have the same shares of the classes, so that replicates
/// never vary in them, although the shares are those of a sample. With psi_c the mean influence
/// value of the rows of class c on the score of all rows, w the weights and W their sum, the shares
/// give the score the variance
///
///     needed = sum over units of (sum over its rows of w psi)^2 / W^2,
///
/// times G / (G - 1) for G groups, of which folds show the variance of their means of psi, divided
/// by their number, averaged over repeats (term `class_shares`). psi_c is (W / W_c) times the
/// derivative of the score by the logarithm of the class's weight: the class's mean less the score
/// for means over rows, nothing for scores that weigh the classes by themselves (AUC, recall,
/// balanced accuracy), and for all others by differences of fourth order.
///
/// Draws of at most four folds say nothing of their own: the term `few_folds` has the standard
/// deviation of the configuration's scores on them.
[[nodiscard]] BBC_API std::vector<RateTerm> drawn_terms(std::span<const Predictions> repeats,
                                                        const Target& y,
                                                        const CorrectionOptions& options,
                                                        std::int64_t configuration);

/// What each row contributes to the score of a configuration by the shares of the classes, w psi /
/// W; empty where draws hide nothing of these.
[[nodiscard]] BBC_API std::vector<double> class_contributions(std::span<const Predictions> repeats,
                                                              const Target& y,
                                                              const CorrectionOptions& options,
                                                              std::int64_t configuration);

/// The standard error that draws hide of the difference between two scores of the same rows, by
/// what `class_contributions` gave for each.
[[nodiscard]] BBC_API double hidden_by_draws(std::span<const double> first,
                                             std::span<const double> second,
                                             const CorrectionOptions& options);

/// The term of so few folds by their scores of a configuration, (repeat, fold), NaN where a fold
/// has none; none if there are more folds, or fewer than two with a score.
[[nodiscard]] BBC_API std::vector<RateTerm> few_folds_terms(std::span<const double> scores,
                                                            std::int64_t n_repeats,
                                                            std::int64_t n_folds);

/// What the truth alone tells of the limits of a score of which only the scores of folds were kept,
/// as terms that `corrected_limits` reads; none where that does not suffice: precision, MCC, kappa,
/// average precision, F-beta but F1, averages over more than two classes, roots, ranks, moments.
///
/// Accuracy, the AUC of two classes, recall, specificity, balanced accuracy and Youden's index have
/// a score interval by the numbers of rows, of a class or of all; of groups these are n^2 over the
/// sum of their squared sizes. The balanced accuracy `a` does not tell recall r and specificity
/// 2a - r: each limit is the furthest over 41 values of r.
///
/// A mean over rows of losses within [0, u] is compatible with the most where one class has all of
/// it. Of two classes, of which one has the share pi of the rows, their means then differ by
///
///     delta = max(min(s / pi, (u - s) / (1 - pi)), min(s / (1 - pi), (u - s) / pi)),
///
/// and the classes' shares add the variance of rows with psi = delta (1[class] - pi), less what the
/// folds show of it (term `class_shares`, see drawn_terms). Of more classes that is at most
/// min(s^2 (1 / pi_min - 1), s (u - s)) / n, times the rows of the largest group. F1 has both: the
/// score interval of Jaccard's index of as many rows as there are events, and to first order
/// delta = s (1 - s) / (pi (1 - pi)).
///
/// `options.resampling.units` are groups, and `options.folds` folds of the rows in each repeat;
/// empty where they are unknown, which shows nothing. `options.classes` are those of a truth of
/// numbers, of which losses have no term without.
[[nodiscard]] BBC_API std::vector<RateTerm> fold_score_terms(double score, const Target& target,
                                                             const CorrectionOptions& options);

/// Whether scores of folds tell the squared errors of all rows: R2 of numbers, of known folds and
/// without weights.
[[nodiscard]] BBC_API bool tells_errors(const CorrectionOptions& options);

/// Whether the truth of rows of so many classes (0: unknown) tells anything of scores of folds by
/// the metric: a term, or of R2 its squared errors.
[[nodiscard]] BBC_API bool truth_tells(const Metric& metric, std::int32_t n_classes);

/// Whether the truth of these rows does, with what `options` know of them.
[[nodiscard]] BBC_API bool truth_tells(const Target& target, const CorrectionOptions& options);

/// The variance of the truth in each fold over that of all rows, (repeat, fold). `folds` is the
/// fold of each row in each repeat, -1 where none tested it.
[[nodiscard]] BBC_API std::vector<double> spread_shares(std::span<const double> values,
                                                        std::span<const std::int32_t> folds,
                                                        std::int64_t n_repeats,
                                                        std::int64_t n_folds);

}  // namespace bbc
