#pragma once

#include <bbc/export.h>

#include <bbc/winner_statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// What fewer rows do to the statistics of winners, apart from any selection: the shift of a
/// configuration is its mean value out of bag less its value on all rows. Replicates lose the shift
/// of their winner, so with one configuration the estimate is the apparent value.
///
/// The apparent winner's shift is from all replicates. The others' differ from it by what the first
/// `kCompared` replicates say, in each of which both are scored on the same rows.
///
/// Shifted are the parts of the Brier score, the calibration error, observed over expected events
/// and the standardised net benefit. Means over rows have no shift; intercepts and slopes are
/// Firth's, which have hardly any; and the shift of a curve's points is mostly noise of its steps
/// (benches/clinical/size.csv).
///
/// The statistics are viewed.
class StatisticShifts {
 public:
  static constexpr std::int64_t kCompared = 50;  ///< replicates that score every winner

  /// `winners` has a configuration per replicate, `winner` is that of all rows.
  /// Without `options.size_correction` nothing is shifted.
  BBC_API StatisticShifts(const WinnerStatistics& statistics, Statistic statistic,
                          const CorrectionOptions& options, std::vector<std::int64_t> winners,
                          std::int64_t winner);

  /// Takes replicates from `first` on with what WinnerStatistics::out_of_bag gave for them.
  BBC_API void add(std::int64_t first, std::span<const std::uint16_t> scoring,
                   std::span<const double> values, const Control& control = {});

  /// Takes the shifts from all replicates, (replicate, value). An undefined shift is none.
  BBC_API void take_from(std::span<double> replicates) const;

 private:
  const WinnerStatistics* statistics_;
  std::size_t n_values_;
  Statistic statistic_;  // without values that are never shifted
  std::vector<std::int64_t> winners_;
  std::vector<std::int64_t> chosen_;  // ascending
  std::size_t at_winner_;             // in chosen_
  std::vector<bool> moved_;           // by size: the first values; empty where nothing is
  std::vector<double> of_winner_;     // (replicate, value)
  std::vector<double> of_all_;        // (compared replicate, chosen, value)
};

}  // namespace bbc
