#pragma once

#include <cstdint>
#include <vector>

namespace bbc::detail {

/// Scores of configurations in several folds (or repeats), (fold, configuration).
struct ScoreTable {
  const double* scores;
  std::int64_t n_folds;
  std::int64_t n_configurations;

  /// What each configuration has on average over folds.
  [[nodiscard]] std::vector<double> means() const;
  /// Squares of what is left without the means of configurations and of folds.
  [[nodiscard]] double interaction() const;
};

/// What luck adds to BBC's estimate, from the mean scores of some configurations in each repeat.
class LuckBias {
 public:
  /// `sign` is -1 where smaller scores are better.
  explicit LuckBias(double sign) : sign_(sign) {}

  /// Takes the fold scores of one more repeat.
  void add(const ScoreTable& repeat);

  /// Positive is too good. The variances are those of a score on one fold, by the luck of its model
  /// and by its rows; `n_configurations` are tuned over, for which the added ones stand.
  [[nodiscard]] double predicted(double luck, double rows, std::int64_t n_configurations) const;

 private:
  /// Variance of what the mean of a configuration has in one repeat alone.
  [[nodiscard]] double of_one_repeat() const;

  double sign_;
  std::int64_t n_repeats_ = 0;
  std::vector<double> means_;  // (repeat, configuration), larger is better
  double of_fold_ = 0.0;       // sum over repeats of the inverse number of folds
};

}  // namespace bbc::detail
