#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/winner_statistics.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// Whether a metric selects, so that replicates must suit it, or is only reported for winners that
/// another metric selected on its replicates.
enum class MetricRole { decides, reported };

/// The scores of a correction without its rule, for callers that choose the winners themselves.
/// Replicates are those of `correct` with the same options. Views of the predictions are kept: the
/// caller's arrays must outlive the scorer.
class ReplicateScorer {
 public:
  BBC_API ReplicateScorer(Target target, std::vector<Predictions> repeats,
                          CorrectionOptions options, const Control& control = {},
                          MetricRole role = MetricRole::decides);
  BBC_API ~ReplicateScorer();
  BBC_API ReplicateScorer(ReplicateScorer&&) noexcept;
  BBC_API ReplicateScorer& operator=(ReplicateScorer&&) noexcept;

  struct Replicates {
    std::int64_t first = 0;
    std::int64_t n = 0;
    std::vector<std::uint16_t> counts;  ///< (replicate, row)
    /// Two-level draws: how often the fold of each row was drawn, 0 out of bag; else empty.
    std::vector<std::uint16_t> fold_counts;
    std::vector<double> scores;  ///< in bag: (replicate, configuration)
    std::int64_t n_redrawn = 0;
    std::int64_t n_undefined_folds = 0;

    /// (replicate, row): zero where a row is out of bag.
    [[nodiscard]] std::span<const std::uint16_t> scoring() const noexcept {
      return fold_counts.empty() ? counts : fold_counts;
    }
  };

  struct OutOfBag {
    std::vector<double> scores;  ///< NaN where the metric is undefined out of bag
    std::int64_t n_undefined_folds = 0;
  };

  [[nodiscard]] BBC_API std::int64_t n_rows() const;
  [[nodiscard]] BBC_API std::int64_t n_configurations() const;
  /// Folds on the sides of all replicates that must suit the metric (out of bag only, if it is but
  /// reported), which n_undefined_folds are a share of.
  [[nodiscard]] BBC_API std::int64_t n_fold_sides() const;
  /// Scores of all configurations on all rows.
  [[nodiscard]] BBC_API std::vector<double> on_all_rows(const Control& control = {}) const;
  /// What the limits of a configuration's score rest on (see score_interval.hpp).
  [[nodiscard]] BBC_API std::vector<RateTerm> rates(std::int64_t configuration) const;
  /// Replicates [first, first + n) and all in-bag scores.
  [[nodiscard]] BBC_API Replicates in_bag(std::int64_t first, std::int64_t n,
                                          const Control& control = {}) const;
  /// Out-of-bag score of one configuration per replicate from `first` on. `scoring` is that of
  /// the replicates, whichever scorer drew them.
  [[nodiscard]] BBC_API OutOfBag out_of_bag(std::int64_t first,
                                            std::span<const std::uint16_t> scoring,
                                            std::span<const std::int64_t> winners,
                                            const Control& control = {}) const;
  /// The same for several configurations, in rising order, in every replicate: (replicate,
  /// configuration).
  [[nodiscard]] BBC_API std::vector<double> out_of_bag_scores(
      std::int64_t first, std::span<const std::uint16_t> scoring,
      std::span<const std::int64_t> configurations, const Control& control = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Counts that score replicates [first, first + n) of `correct` with these options, as (replicate,
/// row): zero where a row is out of bag. No predictions are needed: which draws will do depends on
/// the truth alone.
BBC_API std::vector<std::uint16_t> scoring_counts(const Target& target,
                                                  const CorrectionOptions& options,
                                                  std::int64_t first, std::int64_t n,
                                                  const Control& control = {});

/// Which configurations could be the best, by elimination.
struct ModelConfidenceSet {
  /// Replicates whose largest statistic reaches that of the set from which the configuration was
  /// eliminated: the largest such number so far. The p-value is its share of the replicates.
  std::vector<std::int64_t> reached;
  std::vector<double> p_values;
  std::vector<std::uint8_t> possible;
  /// Root mean squared distance of the replicates from the score.
  std::vector<double> standard_errors;
};

/// The model confidence set of Hansen, Lunde and Nason (2011), statistic T_max, from the scores of
/// all configurations and those in bag (`replicates`, by replicate and configuration).
///
/// t_i is the distance of score i from the mean of those still in the set, positive if worse, over
/// its root mean square in the replicates, each centred at its score. The set is rejected if fewer
/// than a share 1 - confidence_level of the replicates reach its largest t; the configurations with
/// that t are eliminated and the rest is tested, until one is left, whose p-value is 1.
/// Configurations with the same scores in all replicates share their fate; statistics tie within
/// 1e-9. If the distance does not vary, t is 0 at no distance, else the worse are eliminated. Time
/// grows with the square of the configurations, of which there may be kMostRivals.
[[nodiscard]] BBC_API ModelConfidenceSet model_confidence_set(std::span<const double> scores,
                                                              std::span<const double> replicates,
                                                              bool greater_is_better,
                                                              double confidence_level,
                                                              const Control& control = {});

/// Returns the index of a configuration, given the scores of all and how often each row was drawn.
using ChoiceRule =
    std::function<std::int64_t(std::span<const double>, std::span<const std::uint16_t>)>;

/// As `correct`, with a rule of the caller's, which is called on the caller's thread: for all rows
/// first, then for each replicate. `options.selection` is not read.
/// Throws Error at an index that no configuration has.
[[nodiscard]] BBC_API Estimate correct_by_rule(const Target& target,
                                               const std::vector<Predictions>& repeats,
                                               const CorrectionOptions& options,
                                               const ChoiceRule& choose,
                                               const Control& control = {});

/// What a metric of the caller's says of rows.
struct ScoresOfRows {
  std::vector<double> values;  ///< of each configuration; empty where the metric is undefined
  std::int64_t n_undefined_folds = 0;
};

/// A metric of the caller's, which is called on the caller's thread. Draws that it scores will do,
/// others are redrawn.
struct OwnMetric {
  /// Scores of configurations on rows, each as often as it was drawn, of one repeat or, -1, of all.
  std::function<ScoresOfRows(std::span<const std::int64_t> rows,
                             std::span<const std::int64_t> configurations, std::int64_t repeat)>
      scores;
  std::vector<double> on_all_rows;  ///< of all configurations
  std::int64_t n_folds = 1;         ///< of all repeats together, over which scores are means
  bool size_dependent = false;      ///< as Metric::size_dependent
  std::string name;                 ///< in errors
};

/// The same by a metric of the caller's, of which `options.metric`, a row_loss or row_score, has
/// the direction and the range. Nothing but the replicates tells the limits.
[[nodiscard]] BBC_API Estimate correct_by_rule(const Target& target, const OwnMetric& metric,
                                               const CorrectionOptions& options,
                                               const ChoiceRule& choose,
                                               const Control& control = {});

/// The replicates of a correction, to be drawn again for what is read of its winners.
struct Redraws {
  Target target;  ///< that of the metric that selected
  CorrectionOptions options;
  /// Which of the rows drawn each row to be scored belongs to, as (repeat, row); replicates are of
  /// one repeat after the other. Empty if rows are scored as they were drawn.
  std::vector<std::int32_t> places;
  std::int64_t n_repeats = 1;  ///< of `places`
  /// The attempt at each replicate that was taken, where scores decided that (see Sampler); empty
  /// where the truth alone does.
  std::vector<std::int64_t> attempts{};
};

/// Counts of the rows to be scored in replicates [first, first + n), as (replicate, row): zero
/// where a row is out of bag.
[[nodiscard]] BBC_API std::vector<std::uint16_t> scoring_counts(const Redraws& redraws,
                                                                std::int64_t first, std::int64_t n,
                                                                const Control& control = {});

/// Whom a correction chose.
struct Winners {
  std::vector<std::int64_t> of_replicates;
  std::int64_t of_all_rows = 0;
};

/// The scores of winners by another metric.
struct WinnerScores {
  double apparent = 0.0;           ///< on all rows
  std::vector<double> replicates;  ///< NaN where the metric is undefined out of bag
  std::vector<RateTerm> rates;     ///< of the winner on all rows
  double undefined_fold_share = 0.0;
  /// What the replicates lost (see Estimate::size_bias).
  double size_bias = std::numeric_limits<double>::quiet_NaN();
};

/// Scores winners out of bag of the replicates that chose them. `scorer` and `options` are those of
/// the metric to be reported, on all rows or on some (Redraws::places).
[[nodiscard]] BBC_API WinnerScores winner_scores(const ReplicateScorer& scorer,
                                                 const CorrectionOptions& options,
                                                 const Redraws& redraws, const Winners& winners,
                                                 const Control& control = {});
[[nodiscard]] BBC_API WinnerScores winner_scores(const OwnMetric& metric,
                                                 const CorrectionOptions& options,
                                                 const Redraws& redraws, const Winners& winners,
                                                 const Control& control = {});

/// A statistic of each replicate's winner out of bag without the shifts of winners (see
/// StatisticShifts), as (replicate, value).
[[nodiscard]] BBC_API std::vector<double> winner_values(const WinnerStatistics& statistics,
                                                        const Statistic& statistic,
                                                        const CorrectionOptions& options,
                                                        const Redraws& redraws,
                                                        const Winners& winners,
                                                        const Control& control = {});

/// What replicates say without their limits.
struct ReplicateMoments {
  /// Their mean or, where nothing was selected, the apparent score; not of draws that were given,
  /// nor in Algorithm 5 as it was published.
  double estimate = 0.0;
  double sd = 0.0;
  double monte_carlo_error = 0.0;  ///< of the estimate
};

[[nodiscard]] BBC_API ReplicateMoments replicate_moments(const std::vector<double>& replicates,
                                                         double apparent,
                                                         std::int64_t n_configurations,
                                                         const CorrectionOptions& options);

/// The scores of all configurations that a correction compares.
struct InBagScores {
  std::vector<double> on_all_rows;
  std::vector<double> replicates;  ///< (replicate, configuration)
  std::int64_t n_redrawn = 0;
};

[[nodiscard]] BBC_API InBagScores in_bag_scores(const Target& target,
                                                const std::vector<Predictions>& repeats,
                                                const CorrectionOptions& options,
                                                const Control& control = {});
/// The same by a metric of the caller's; draws that it scores in bag will do.
[[nodiscard]] BBC_API InBagScores in_bag_scores(const Target& target, const OwnMetric& metric,
                                                const CorrectionOptions& options,
                                                const Control& control = {});

/// The model confidence set of the replicates of a correction.
struct PossibleWinners {
  ModelConfidenceSet set;
  std::vector<double> scores;  ///< on all rows
  std::int64_t winner = 0;     ///< by the exact arithmetic of a correction
  std::int64_t n_redrawn = 0;
};

[[nodiscard]] BBC_API PossibleWinners possible_winners(const Target& target,
                                                       const std::vector<Predictions>& repeats,
                                                       const CorrectionOptions& options,
                                                       const Control& control = {});

}  // namespace bbc
