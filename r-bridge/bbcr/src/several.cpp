// Winners that one metric chose, scored by another one.
#include <bbc/score_interval.hpp>
#include <cmath>

#include "winners.hpp"

using namespace bbcr;

namespace {

/// As many replicates as are defined, whose numbers are `defined`.
list list_of(const bbc::WinnerScores& found) {
  writable::doubles replicates;
  writable::integers defined;
  int replicate = 0;
  for (const double score : found.replicates) {
    ++replicate;
    if (std::isnan(score)) continue;
    replicates.push_back(score);
    defined.push_back(replicate);
  }
  return writable::list({"apparent"_nm = found.apparent, "replicates"_nm = replicates,
                         "defined"_nm = defined, "size_bias"_nm = found.size_bias,
                         "rates"_nm = doubles_of(bbc::numbers_of(found.rates)),
                         "undefined_fold_share"_nm = found.undefined_fold_share});
}

}  // namespace

/// The scores of `winners` (counted from 1, one per replicate) on what is out of bag in the
/// replicates of `selecting`. `places` says which of the rows drawn are scored (see bbc::Redraws);
/// NULL: all of them.
[[cpp11::register]] SEXP kernel_score_winners(list target, list predictions, list options,
                                              list selecting_target, list selecting, SEXP places,
                                              cpp11::integers winners, int winner, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    const auto control = make_control(n_threads);
    const bbc::ReplicateScorer scorer(make_target(target), make_repeats(predictions), given,
                                      control, bbc::MetricRole::reported);
    return list_of(bbc::winner_scores(scorer, given,
                                      make_redraws(selecting_target, selecting, places),
                                      make_winners(winners, winner), control));
  });
}

/// The same by a metric that is an R function (see make_own_metric).
[[cpp11::register]] SEXP kernel_score_winners_by_function(
    cpp11::function scores, cpp11::doubles on_all_rows, bool size_dependent, list options,
    list selecting_target, list selecting, SEXP places, cpp11::integers winners, int winner,
    int n_threads) {
  return guarded([&]() -> SEXP {
    return list_of(bbc::winner_scores(make_own_metric(scores, on_all_rows, size_dependent),
                                      make_options(options),
                                      make_redraws(selecting_target, selecting, places),
                                      make_winners(winners, winner), make_control(n_threads)));
  });
}

/// Estimate and standard deviation of replicates, by the rule of bbc::ReplicateMoments.
[[cpp11::register]] SEXP kernel_replicate_moments(cpp11::doubles replicates, double apparent,
                                                  double n_configurations, list options) {
  return guarded([&]() -> SEXP {
    const auto found =
        bbc::replicate_moments({replicates.begin(), replicates.end()}, apparent,
                               static_cast<std::int64_t>(n_configurations), make_options(options));
    return writable::list({"estimate"_nm = found.estimate, "replicate_sd"_nm = found.sd});
  });
}
