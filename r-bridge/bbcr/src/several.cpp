// Winners that one metric chose, scored by another one.
#include <algorithm>
#include <bbc/replicate_scorer.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convert.hpp"
#include "detail/support/exact_sum.hpp"
#include "replay.hpp"
#include "shifts.hpp"

using namespace bbcr;

/// The scores of `winners` (counted from 1, one per replicate) on what is out of bag in the
/// replicates of `selecting`: as many replicates as are defined, whose numbers are `defined`.
/// `places` says which of the rows drawn are scored (see RowCounts); NULL: all of them.
[[cpp11::register]] SEXP kernel_score_winners(list target, list predictions, list options,
                                              list selecting_target, list selecting, SEXP places,
                                              cpp11::integers winners, int winner, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    const auto control = make_control(n_threads);
    const bbc::ReplicateScorer scorer(make_target(target), make_repeats(predictions), given,
                                      control, bbc::MetricRole::reported);
    std::vector<std::int64_t> chosen_by_replicate;
    for (const int index : winners) chosen_by_replicate.push_back(std::int64_t{index} - 1);
    Shifts shifts(scorer, given, std::move(chosen_by_replicate), control);
    std::vector<double> scores;
    std::vector<double> replicates;
    writable::integers defined;
    std::int64_t n_undefined_folds = 0;
    replay(make_target(selecting_target), make_options(selecting), places, winners, control,
           [&](std::int64_t first, const auto& counts, const auto& chosen) {
             const auto scored = scorer.out_of_bag(first, counts, chosen, control);
             n_undefined_folds += scored.n_undefined_folds;
             scores.insert(scores.end(), scored.scores.begin(), scored.scores.end());
             shifts.add(first, counts);
           });
    const double size_bias = shifts.take_from(scores);
    int replicate = 0;
    for (const double score : scores) {
      ++replicate;
      if (std::isnan(score)) continue;
      replicates.push_back(score);
      defined.push_back(replicate);
    }
    const auto n_defined = static_cast<std::int64_t>(replicates.size());
    const double sum = bbc::detail::rounded_sum(replicates.data(), n_defined);
    const auto on_all_rows = scorer.on_all_rows(control);
    return writable::list(
        {"estimate"_nm = sum / static_cast<double>(n_defined),
         "apparent"_nm = on_all_rows[static_cast<std::size_t>(winner) - 1],
         "replicates"_nm = writable::doubles(replicates.begin(), replicates.end()),
         "defined"_nm = defined, "size_bias"_nm = size_bias,
         "rates"_nm = doubles_of(bbc::numbers_of(scorer.rates(std::int64_t{winner} - 1))),
         "undefined_fold_share"_nm = given.folds.empty()
                                         ? 0.0
                                         : static_cast<double>(n_undefined_folds) /
                                               static_cast<double>(scorer.n_fold_sides())});
  });
}

/// Counts by row of consecutive replicates: zero where a row is out of bag.
[[cpp11::register]] SEXP kernel_scoring_counts(list target, list options, double first, double n,
                                               int n_threads) {
  return guarded([&]() -> SEXP {
    const auto counts = bbc::scoring_counts(make_target(target), make_options(options),
                                            static_cast<std::int64_t>(first),
                                            static_cast<std::int64_t>(n), make_control(n_threads));
    writable::integers out(static_cast<R_xlen_t>(counts.size()));
    std::copy(counts.begin(), counts.end(), out.begin());
    return out;
  });
}
