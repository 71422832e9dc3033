#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <bbc/scores.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// What each unit (row, or group of rows) contributes to the score of one configuration: the sum of
/// their squares estimates the variance of the score, and that of the differences between two
/// configurations the variance of the difference.
struct Influence {
  std::vector<double> values;  ///< by unit; 0 for units without rows
  /// How many units they rest on: all, or for metrics that compare two classes those of the rarer
  /// one (for censored times, the events); fewer where weights differ. One more than the degrees of
  /// freedom.
  double n_effective = 0.0;
  std::string infeasible;  ///< why there are none; empty if there are
};

/// With w the weights, K the folds (1: pooled) and W_k the weight of fold k, row i contributes
/// w_i (v_i - S) / (K W_k) to S, a mean over rows with values v, and the same to an AUC, with the
/// placements as values and each class as its own W_k; contributions of repeats are averaged, those
/// of a unit added up and multiplied by sqrt(G / (G - 1)), G being the number of units, of the
/// unit's class for the AUC. Other metrics: the jackknife, (S - S_without_unit) sqrt((G - 1) / G),
/// of every m-th unit, multiplied by sqrt(m), where there are more than 2048.
///
/// Of the options it reads metric, folds, row_weights and resampling.units.
[[nodiscard]] BBC_API Influence influence(const Target& y, std::span<const Predictions> repeats,
                                          const CorrectionOptions& options,
                                          std::int64_t configuration, const Control& control = {});

/// What the replicates of a comparison drew: `n_drawn` of as many units, in each of `n_repeats`
/// partitions.
struct DrawDesign {
  std::int64_t n_drawn = 0;  ///< rows or groups; of two-level draws, the fewest folds of a repeat
  /// Rows or groups, in either case; of the smaller side if the sides are different rows.
  std::int64_t n_units = 0;
  std::int64_t n_repeats = 1;
  bool of_folds = false;
  /// Of rows: the covariance of two fits' errors by their common training rows, as a multiple of
  /// the variance of the score given the fits; see training_overlap.
  double overlap = 0.0;
};

/// 1 for one partition, K / (K - 1) for several of K folds, whose own noise repeats average out; 0
/// for one fold. `n_folds`: 0 if it is unknown; five are then assumed.
[[nodiscard]] BBC_API double training_overlap(double n_folds, std::int64_t n_repeats);

/// A family of configurations: the out-of-bag score of its winner in each replicate.
struct Family {
  std::span<const double> replicates;
  /// Replicates select on fewer rows than there are, so the best of many may be underestimated; the
  /// p-value is the largest that this allows. 1: no allowance.
  std::int64_t n_configurations = 1;
  /// Of the family's best on all rows; none: the standard error is that of the replicates, to which
  /// the overlap adds.
  const Influence* influence = nullptr;
};

/// How many configurations have predictions that no earlier one has: copies count once.
[[nodiscard]] BBC_API std::int64_t n_distinct(std::span<const Predictions> repeats);

/// Two families, by index.
struct FamilyPair {
  std::int64_t first = 0;
  std::int64_t second = 0;
  /// Standard error of the difference that replicates do not show, as of draws of folds that keep
  /// the shares of the classes (`hidden_by_draws`); it is added to theirs.
  double hidden = 0.0;
};

struct DifferenceOptions {
  bool greater_is_better = true;
  Confidence confidence{};  ///< `greater`: the first family is better
  Range range;              ///< of the metric; differences are no wider than that
};

/// The difference between two families; positive favours the first.
struct Difference {
  double estimate = 0.0;
  // NaN, as is the interval, where the design is too small.
  double standard_error = 0.0;
  double degrees_of_freedom = 0.0;
  Interval interval{};
  double p_value = 0.0;
  // Shares of the replicates in which one scores better, by more than rounding.
  double first_better = 0.0;
  double second_better = 0.0;
  std::string infeasible;  ///< why there is no interval; empty if there is one
};

/// The mean difference of replicates on the same draws, with a t interval and its p-value.
///
/// With the influence of both winners, u and v by unit, the standard error is
/// sqrt((1 + overlap) sum (u - v)^2), with n_effective - 1 degrees of freedom. Where the winners
/// are nearly equal, which says nothing of the families, and without influence, it is at least what
/// the replicates tell. Where no replicate differs, p is 1.
///
/// What they tell: the mean of the M of N units that a replicate leaves out, of values drawn
/// without replacement, has variance (S^2 / N)(N / M - 1): the replicates vary sqrt(E[N / M] - 1)
/// times as much as the mean of all rows. What a pair says that they hide is added in squares. The
/// t statistic is d / sqrt(se^2 + d^2 / n), with the variance about zero, which is the hypothesis,
/// rather than about d: it keeps the level where few rows differ. The interval inverts the test.
[[nodiscard]] BBC_API std::vector<Difference> differences(std::span<const Family> families,
                                                          std::span<const FamilyPair> pairs,
                                                          const DrawDesign& draws,
                                                          const DifferenceOptions& options);

/// How often each configuration loses against the best.
struct Dominance {
  std::int64_t best = -1;               ///< chosen on all rows by the selection rule
  std::vector<double> share_worse;      ///< replicates in which it is strictly worse, per
                                        ///< configuration
  std::vector<std::uint8_t> dominated;  ///< share_worse above the dropping level
};

/// The dropping test of BBCD (Tsamardinos et al. 2018, section 4): in-bag scores only, so a
/// replicate is redrawn only when it leaves the metric undefined in bag.
/// `options.resampling.stream` is t for the t-th test of a run.
[[nodiscard]] BBC_API Dominance dominated(const Target& y, std::span<const Predictions> repeats,
                                          const CorrectionOptions& options, double dropping_level,
                                          const Control& control = {});

struct DiscreteArgmin {
  std::vector<double> statistics;  ///< +-infinity where the rows leave no doubt
  std::vector<double> p_values;
  std::vector<std::uint8_t> possible;
  std::vector<double> lambdas;  ///< 0 where there is no competitor
};

/// For each configuration r, a test that none is better (Zhang, Lee and Lei 2024): the mean over
/// rows of its standardised excess loss over the others, which a row weights by
/// exp(lambda * mean excess of the other rows), against the normal distribution.
///
/// lambda = sqrt(n) / (2.5 sd), with sd that of each row's excess over the one that the other rows
/// find best. An excess that does not vary decides if it is positive, else it is left out. Time
/// grows with the square of the configurations, of which there may be kMostRivals.
[[nodiscard]] BBC_API DiscreteArgmin discrete_argmin(const RowValues& rows, bool greater_is_better,
                                                     double confidence_level,
                                                     const Control& control = {});

struct WinnerIntervalOptions {
  bool greater_is_better = true;
  Confidence confidence;
  std::uint64_t seed = 0;  ///< of the multipliers of the simultaneous interval
  std::int64_t n_draws = 10'000;
  /// Unit of each row, any codes: values within a unit are summed. Empty: every row is a unit.
  std::vector<std::int32_t> units;
};

/// The performance of the configuration that was chosen, given that it was (Andrews, Kitagawa and
/// McCloskey 2024, hybrid): its score is normal, truncated to where it is the best and, at a tenth
/// of the error probability, to a simultaneous interval of all configurations, within which
/// estimate and limits lie. Normal is taken to be the logit of a score whose range is bounded, and
/// the logarithm of a loss that is not negative: the variance of a score near an end of its range
/// is smaller than that of the performance behind it. Quantiles are those of Student's t with n - 1
/// degrees of freedom, for n rows or units; AUC: n of the smaller class. The estimate is the
/// median-unbiased one.
///
/// Scores that are multiples of a step tie with positive probability: half a step is the limit at
/// which the winner would have lost. If a score ties for the best otherwise, there is no interval;
/// nor with fewer than ten rows or units, of either class for the AUC. A score at the end of its
/// range has exact (accuracy) or score limits (AUC), shared among the configurations.
[[nodiscard]] BBC_API IntervalEstimate winner_interval(const RowValues& rows, std::int64_t winner,
                                                       const WinnerIntervalOptions& options,
                                                       const Control& control = {});

/// The `standard_error` of the winner's score alone, without the interval.
[[nodiscard]] BBC_API double winner_standard_error(const RowValues& rows, std::int64_t winner,
                                                   const WinnerIntervalOptions& options);

/// F(x) of the normal distribution of mean `mean` and standard deviation `sd`, truncated to
/// [low, high] with low <= x <= high, accurate far from the mean as well.
[[nodiscard]] BBC_API double truncated_normal_cdf(double x, double mean, double sd,
                                                  Interval truncated);

struct RemainingOptimismOptions {
  CorrectionOptions correction;  ///< those of the correction that found the winners
  /// Fold in which each row was predicted, any codes.
  std::vector<std::int32_t> folds;
};

/// What a correction of many different configurations leaves of their optimism.
struct RemainingOptimism {
  /// Covariance of two rows of different folds, which trained each other's models, beyond that of
  /// two rows of one fold, relative to the variance of an in-bag score that rows explain.
  double kappa = 0.0;
  double kappa_sd = 0.0;        ///< of kappa, over permutations of the fold labels
  double share_of_pairs = 0.0;  ///< of rows in different folds
  /// Mean over replicates of the winner's score in bag less that out of bag, not negative: too
  /// good.
  double in_bag_optimism = 0.0;
  double further_optimism = 0.0;  ///< likely optimism of the estimate, not negative
  double coupled_estimate = 0.0;  ///< the estimate less that, in the metric's direction
};

/// Rows of different folds trained each other's models, so that a configuration which suits some of
/// them does well on the others: in bag and out of bag alike, but not on new rows. Rows of one fold
/// never did. What pairs of the former share beyond the latter, kappa, is the share of the in-bag
/// optimism that the correction takes for skill; a share of it that simulations gave, less where
/// kappa is uncertain, is likely left in the estimate.
///
/// `winners` and `replicates` are those of a correction by rows with the same options. For the AUC
/// of two classes, accuracy and means of row losses, of at least ten configurations, one repeat of
/// at least four folds, and twice as many rows of each class (or each of CorrectionOptions::classes
/// of a real truth) as there are folds. Throws Error for all others, and for logarithmic losses of
/// which one row dominates that of the winner: rows' tails, not pairs, are then what selection
/// follows. There may be 2^28 predictions.
[[nodiscard]] BBC_API RemainingOptimism remaining_optimism(
    const Target& y, std::span<const Predictions> repeats, const RemainingOptimismOptions& options,
    std::int64_t winner, std::span<const std::int64_t> replicate_winners,
    std::span<const double> replicates, const Control& control = {});

struct WeightedMeanOptions {
  double n_train = 1.0;  ///< rows of one iteration's training set
  double n_test = 1.0;   ///< and of its test set
  bool shrink = false;   ///< WMCS
  std::uint64_t seed = 0;
  std::int64_t n_draws = 50'000;
};

struct WeightedMeanCorrection {
  double estimate = 0.0;
  std::vector<double> means;    ///< error of each configuration
  std::vector<double> weights;  ///< probability that it has the least
  std::int64_t winner = -1;     ///< least mean, then lowest index
  double shrinkage = 0.0;       ///< of the means towards their mean, before weighting (WMCS)
  double monte_carlo_error = 0.0;
};

/// The weighted mean of the errors over subsampling iterations (Bernau, Augustin and Boulesteix
/// 2013), `errors` by iteration and configuration: weights are the probabilities that a
/// configuration has the least mean error, if these are normal with the correlations over
/// iterations and the variances of Nadeau and Bengio, (1 / B + n_test / n_train) times those over
/// iterations. Draws are combinations of the iterations' centred errors, so that a covariance
/// matrix may be singular: errors that do not vary are constants, and equal columns share a weight.
///
/// WMCS first shrinks the means towards their mean by the ratio of the expected bias of the least
/// (its distance from the mean of its draws that are least) to its distance from the mean, at
/// most 1, and 1 at no distance.
[[nodiscard]] BBC_API WeightedMeanCorrection
weighted_mean_correction(std::span<const double> errors, std::int64_t n_iterations,
                         const WeightedMeanOptions& options, const Control& control = {});

struct ModelLuckOptions {
  Metric metric;
  /// Fold of each row in each repeat (repeat * n_rows + row); negative: not predicted there.
  std::vector<std::int32_t> folds;
  /// Group of each row, any codes; empty: every row is a unit.
  std::vector<std::int32_t> units;
  /// Sample weights; empty: all one.
  std::vector<double> row_weights;
  /// The configuration that each replicate of a correction chose: the variances are of those
  /// chosen, since the luck of others cannot make the estimate too good; empty: of all.
  std::vector<std::int64_t> winners;
  std::uint64_t seed = 0;
  /// At most; the test stops as soon as a p-value of at most .05 is out of reach.
  std::int64_t n_permutations = 99;
};

/// Whether the models that were fitted for a configuration in different folds differ by more than
/// their rows explain, and what that adds to the estimate of the bootstrap over rows.
struct ModelLuck {
  /// Why the data cannot tell; empty if they can, and the other members are then filled.
  std::string untestable;
  double p_value = 1.0;
  std::int64_t n_permutations = 0;  ///< drawn before the test stopped
  double luck_variance = 0.0;       ///< of the score on one fold, by the luck of the fitted model
  double row_variance = 0.0;        ///< of the score on one fold, by the choice of its rows
  /// What BBC's estimate gains from luck, in the metric's units: positive is too good.
  double predicted_bias = 0.0;
};

/// Permutation test of the interaction of configuration and fold in the matrix of fold scores,
/// centred within repeat. If fitted models do not differ, the fold labels of the rows (of a class,
/// of a group) are exchangeable.
///
/// Within folds, predictions are first brought to one scale as far as the metric does not see it:
/// ranks for ranking metrics. Permutations follow one another until h = .05 (1 + n_permutations) of
/// them reach the observed interaction; the p-value is then h over their number (Besag and Clifford
/// 1991), else (1 + those that reach it) / (1 + n_permutations). Of more configurations 128 serve;
/// with more than ten folds there are at most 39 permutations.
///
/// The predicted bias lets luck and the rows of a replicate come anew on scores that are as far
/// apart as they are without luck, and is the luck that the best of them has on average; 0 where
/// all replicates chose one configuration.
[[nodiscard]] BBC_API ModelLuck model_luck(const Target& y, std::span<const Predictions> repeats,
                                           const ModelLuckOptions& options,
                                           const Control& control = {});

/// Whether luck is likely (a p-value of at most .05) and matters: the predicted bias exceeds a
/// tenth of the distance from the estimate to a limit, of a two-sided interval half its width.
[[nodiscard]] BBC_API bool luck_matters(double p_value, double predicted_bias, double estimate,
                                        const Interval& interval, Alternative alternative);

}  // namespace bbc
