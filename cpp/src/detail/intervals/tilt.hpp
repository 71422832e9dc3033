#pragma once

#include <bbc/intervals.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc::detail {

/// Rows that are weighted together, with their influence values.
struct Stratum {
  std::vector<std::int32_t> rows;
  std::vector<double> influence;
};

/// Replicates of the configurations' scores, drawn once. Scores are whole numbers (twice the
/// pairs in right order, or right calls), so that comparisons are exact.
struct TiltingReplicates {
  std::vector<double> observed;            ///< [configuration]
  std::vector<std::vector<double>> drawn;  ///< [configuration][replicate]
  /// Sum of the selected configuration's influence values over each replicate's draws.
  std::vector<double> influence_sums;
  std::vector<Stratum> strata;
  double largest = 0.0;  ///< what a perfect score would be

  [[nodiscard]] std::int64_t size() const {
    return static_cast<std::int64_t>(influence_sums.size());
  }
};

/// `first`: only the selected configuration's scores are needed.
[[nodiscard]] TiltingReplicates draw_tilting_replicates(const TiltingData& data,
                                                        const TiltingOptions& options,
                                                        bool only_selected, const Control& control);

/// Importance of replicates under exponential tilting of the row weights by tau times the
/// influence values: with S the influence sum of a replicate, log I = tau S + c(tau), because each
/// stratum is drawn as often as it has rows.
class Tilt {
 public:
  explicit Tilt(const TiltingReplicates& replicates) : replicates_(replicates) {}

  /// c(tau).
  [[nodiscard]] double log_constant(double tau) const;
  /// (sum I)^2 / sum I^2.
  [[nodiscard]] double effective_sample_size(double tau) const;
  /// Weight of each row, normalised within strata.
  [[nodiscard]] std::vector<double> weights(double tau, std::int64_t n_rows) const;

 private:
  const TiltingReplicates& replicates_;
};

/// The score of the selected configuration under row weights, in closed form.
[[nodiscard]] double weighted_score(const TiltingData& data, std::span<const double> weights);

}  // namespace bbc::detail
