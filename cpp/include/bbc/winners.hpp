#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <bbc/possible_winners.hpp>
#include <bbc/replicate_scorer.hpp>
#include <bbc/winner_statistics.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace bbc {

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

/// The same by a metric of the caller's, of which `options.metric` has but the direction. Limits
/// are those of a metric without bounds, and nothing but replicates tells them.
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
