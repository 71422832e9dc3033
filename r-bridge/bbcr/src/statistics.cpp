// Statistics of the winners' predictions out of bag, and bands of curves.
#include <bbc/score_interval.hpp>
#include <vector>

#include "winners.hpp"

namespace {

using namespace bbcr;

std::vector<double> numbers_of(SEXP values) { return to_vector<double, cpp11::doubles>(values); }

/// A range, or none.
std::vector<bbc::Interval> range_of(SEXP values) {
  const auto ends = numbers_of(values);
  if (ends.empty()) return {};
  return {{ends[0], ends[1]}};
}

bbc::Statistic make_statistic(const list& given) {
  const auto kind = as_cpp<std::string>(given["kind"]);
  if (kind == "calibration") {
    return bbc::statistic::Calibration{as_cpp<int>(given["n_bins"]), numbers_of(given["x"])};
  }
  if (kind == "survival_calibration") {
    return bbc::statistic::SurvivalCalibration{numbers_of(given["x"])};
  }
  if (kind == "net_benefit") return bbc::statistic::NetBenefit{numbers_of(given["x"])};
  if (kind == "precision_recall") return bbc::statistic::PrecisionRecall{numbers_of(given["x"])};
  return bbc::statistic::Roc{numbers_of(given["x"]), numbers_of(given["sensitivities"]),
                             range_of(given["specificity_range"]),
                             range_of(given["sensitivity_range"])};
}

template <class Number>
writable::doubles doubles_of(const std::vector<Number>& values) {
  return writable::doubles(values.begin(), values.end());
}

}  // namespace

/// The statistic of configuration `winner` on all rows, and of the `winners` of replicates without
/// their shifts, the values of one side by side; of each value the rates that its limits rest on,
/// and its range. `selecting_target` and `selecting` draw the replicates; `places` says which of
/// the rows drawn each row belongs to (see bbc::Redraws).
[[cpp11::register]] SEXP kernel_winner_statistics(list statistic, list target, list predictions,
                                                  list options, list selecting_target,
                                                  list selecting, SEXP places,
                                                  cpp11::integers winners, int winner,
                                                  int n_threads) {
  return guarded([&]() -> SEXP {
    const auto kind = make_statistic(statistic);
    const auto control = make_control(n_threads);
    const auto repeats = make_repeats(predictions);
    const bbc::WinnerStatistics statistics(make_target(target), repeats, make_options(options),
                                           control);
    const auto replicates = bbc::winner_values(statistics, kind, make_options(options),
                                               make_redraws(selecting_target, selecting, places),
                                               make_winners(winners, winner), control);
    writable::list rates;
    for (const auto& terms : statistics.rates(kind, winner - 1)) {
      rates.push_back(doubles_of(bbc::numbers_of(terms)));
    }
    writable::list ranges;
    for (const auto& range : bbc::value_ranges(kind)) {
      ranges.push_back(writable::doubles({range.low, range.high}));
    }
    return writable::list({"apparent"_nm = doubles_of(statistics.on_all_rows(kind, winner - 1)),
                           "replicates"_nm = doubles_of(replicates), "rates"_nm = rates,
                           "ranges"_nm = ranges});
  });
}

/// Columns of a data frame: a row per point. `replicates` has those of a replicate side by side;
/// `rates` is empty or says of each point what its limits rest on, `ranges` where it ends.
[[cpp11::register]] SEXP kernel_curve_band(cpp11::doubles replicates, int n_replicates,
                                           double confidence_level, list rates, list ranges) {
  return guarded([&]() -> SEXP {
    std::vector<std::vector<bbc::RateTerm>> terms;
    for (const SEXP of_point : rates) terms.push_back(bbc::terms_of(numbers_of(of_point)));
    std::vector<bbc::Interval> ends;
    for (const SEXP of_point : ranges) ends.push_back(range_of(of_point)[0]);
    const auto band =
        bbc::curve_band({REAL_RO(replicates), static_cast<std::size_t>(replicates.size())},
                        n_replicates, confidence_level, terms, ends);
    return writable::list({"estimate"_nm = doubles_of(band.estimates),
                           "low"_nm = doubles_of(band.lows), "high"_nm = doubles_of(band.highs),
                           "simultaneous_low"_nm = doubles_of(band.simultaneous_lows),
                           "simultaneous_high"_nm = doubles_of(band.simultaneous_highs),
                           "n_undefined"_nm = doubles_of(band.n_undefined)});
  });
}
