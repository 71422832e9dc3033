#pragma once

#include <bbc/export.h>

#include <bbc/correction.hpp>
#include <cstdint>
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

}  // namespace bbc
