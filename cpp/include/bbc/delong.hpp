#pragma once

#include <bbc/export.h>

#include <bbc/interval_estimate.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// How one column of scores ranks the classes: the structural components of its AUC.
struct Placements {
  /// Per row of the class, in row order: the share of the other class that the row is on the right
  /// side of, ties counting one half (DeLong's V10 and V01).
  std::vector<double> positive;
  std::vector<double> negative;
  double auc = 0.0;
};

/// Ranks once, O(n log n). Throws when a class has no row or a score is NaN.
[[nodiscard]] BBC_API Placements placements(std::span<const std::uint8_t> is_positive,
                                            std::span<const double> scores);

/// DeLong, DeLong and Clarke-Pearson (1988), in the fast form of Sun and Xu (2014).
[[nodiscard]] BBC_API IntervalEstimate delong(std::span<const std::uint8_t> is_positive,
                                              std::span<const double> scores,
                                              const Confidence& confidence);

/// Hanley and McNeil (1982): the variance from the AUC and the class sizes alone.
[[nodiscard]] BBC_API IntervalEstimate hanley_mcneil(double auc, std::int64_t n_positive,
                                                     std::int64_t n_negative,
                                                     const Confidence& confidence);

/// The formula behind Table 2 of Paraschakis et al. (2024), which differs from the one above: it
/// reads the number of correct calls and of all other rows of the whole sample as class sizes, and
/// has one wrong sign. For that table only.
[[nodiscard]] BBC_API IntervalEstimate hanley_mcneil_paraschakis2024(double auc,
                                                                     std::int64_t n_correct,
                                                                     std::int64_t n_other,
                                                                     const Confidence& confidence);

/// DeLong's test of two scores of the same rows.
struct DelongTest {
  double first_auc = 0.0;
  double second_auc = 0.0;
  double z = 0.0;
  double p_value = 1.0;
  IntervalEstimate difference;  ///< of first less second; says why when the test does not exist
};

[[nodiscard]] BBC_API DelongTest delong_test(std::span<const std::uint8_t> is_positive,
                                             std::span<const double> first,
                                             std::span<const double> second,
                                             const Confidence& confidence);

}  // namespace bbc
