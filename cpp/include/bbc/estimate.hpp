#pragma once

#include <bbc/interval.hpp>
#include <cstdint>
#include <limits>
#include <vector>

namespace bbc {

/// What limits rest on beside the replicates. Of a score, it is a term `offset` + `weight` times a
/// rate, of which a score interval is known; of draws of folds, or within classes, what they do not
/// show (see drawn_terms); of squared errors, draws that show long tails.
struct RateTerm {
  enum class Form {
    proportion,  ///< of n rows
    hits,        ///< hits / (hits + others): n is the number of hits, at most `others` rows
    auc,         ///< of n events and `others`
    f_beta,      ///< of n rows that are events or called so; `others` is beta^2
    /// A point of a curve: of n rows of one class, at a cut-off that rows of the other class set;
    /// the curve, whose apparent value is `offset`, falls by `rate` and rises by `others` within
    /// the limits of that cut-off.
    point,
    /// MCC or kappa of two classes, in two terms, of recall and of specificity: of n rows of the
    /// class; `others` is the share of positives.
    mcc,
    kappa,
    /// What the classes' shares add to the variance of the score: `rate`, of which draws show `n`.
    class_shares,
    /// At most four folds: `rate` is the standard deviation of the scores of `n` folds.
    few_folds,
    /// The mean of a recall and a specificity that are not known: of n rows of one class, and of
    /// `others`.
    balanced,
    /// Of squared errors: errors have the kurtosis `rate`, above that of normal errors by three
    /// standard errors.
    long_tails,
    /// Of a mean of squared errors, or its root, in as many terms as there are draws of few rows:
    /// the limit lies `rate` (root: the square of `rate`) farther than the mean by one of them. The
    /// largest is first, infinite where a draw has no spread.
    mean_of_squares,
    root_of_squares,
    /// A mean of losses, where folds or rows within classes are drawn: of the standard error `rate`
    /// and the skewness `n`.
    mean_of_losses,
  };
  Form form = Form::proportion;
  double weight = 1.0;
  double rate = 0.0;
  double n = 0.0;
  double others = 0.0;
  double offset = 0.0;

  bool operator==(const RateTerm&) const = default;
};

/// Standard deviations between seeds, which more replicates make smaller. NaN where there is no
/// limit, and of limits that no replicates, or too few, tell.
struct MonteCarloError {
  double estimate = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

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

/// The corrected performance of a tuned configuration, with its limits.
struct Estimate : CorrectedLimits {
  double estimate = 0.0;
  std::vector<RateTerm> rates;  ///< of the winner, which the score interval rests on
  double replicate_sd = 0.0;
  double apparent = 0.0;
  double optimism = 0.0;
  std::int64_t winner = -1;
  std::vector<double> replicates;               ///< out-of-bag score of each replicate's winner
  std::vector<std::int64_t> replicate_winners;  ///< in-bag winner of each replicate
  /// The attempt at each replicate that was taken (see Sampler), where scores decided that; empty
  /// where the truth alone does.
  std::vector<std::int64_t> attempts;
  std::int64_t n_redrawn = 0;
  double undefined_fold_share =
      0.0;  ///< per-fold pooling: folds without a value, in and out of bag

  /// The mean over replicates of what the winner's score is out of bag on average beyond its score
  /// on all rows, which their scores have lost: the effect of fewer rows, not of selection. NaN
  /// where nothing was taken: from means over rows, and from AUC.
  double size_bias = std::numeric_limits<double>::quiet_NaN();

  // Of searches that dropped configurations on the way (see find_rungs); 0 of others.
  std::int64_t n_rungs = 0;
  std::int64_t n_rows_scored = 0;  ///< rows that score, those of other rungs choose only
  /// The winner, and what any rung chose in any replicate, ascending: these configurations alone
  /// have the same replicates as all.
  std::vector<std::int64_t> rung_choices;

  // Of rules that choose something other than one configuration's predictions.
  double threshold = std::numeric_limits<double>::quiet_NaN();  ///< the cut-off chosen on all rows
  std::vector<double> replicate_thresholds;                     ///< that of each replicate
  /// Ensembles: the weight of each configuration in that of all rows. `winner` and
  /// `replicate_winners` have the largest weight, ties the lowest index.
  std::vector<double> weights;
  /// Ensembles: the share of replicates in which a configuration's weight is positive.
  std::vector<double> selection_frequency;
};

}  // namespace bbc
