// Winners that one metric chose, scored by another one.
#include <algorithm>
#include <bbc/replicate_scorer.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "convert.hpp"
#include "detail/support/exact_sum.hpp"

using namespace bbcr;

/// The scores of `winners` (counted from 1, one per replicate) on what is out of bag in the
/// replicates of `selecting`: as many replicates as are defined, whose places are `defined`.
[[cpp11::register]] SEXP kernel_score_winners(list target, list predictions, list options,
                                              list selecting_target, list selecting,
                                              cpp11::integers winners, int winner, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    const auto draws = make_options(selecting);
    const auto drawn_for = make_target(selecting_target);
    const auto control = make_control(n_threads);
    const bbc::ReplicateScorer scorer(make_target(target), make_repeats(predictions), given,
                                      control, bbc::MetricRole::reported);
    std::vector<std::int64_t> chosen;
    chosen.reserve(static_cast<std::size_t>(winners.size()));
    for (const int index : winners) chosen.push_back(std::int64_t{index} - 1);
    const auto n_bootstraps = static_cast<std::int64_t>(chosen.size());
    const std::int64_t at_once =
        std::max<std::int64_t>(1, (std::int64_t{1} << 22) / scorer.n_rows());
    std::vector<double> replicates;
    writable::integers defined;
    std::int64_t n_undefined_folds = 0;
    for (std::int64_t first = 0; first < n_bootstraps; first += at_once) {
      const auto n = std::min(at_once, n_bootstraps - first);
      const auto counts = bbc::scoring_counts(drawn_for, draws, first, n, control);
      const auto scored = scorer.out_of_bag(
          first, counts, {chosen.data() + first, static_cast<std::size_t>(n)}, control);
      n_undefined_folds += scored.n_undefined_folds;
      for (std::int64_t i = 0; i < n; ++i) {
        const double score = scored.scores[static_cast<std::size_t>(i)];
        if (std::isnan(score)) continue;
        replicates.push_back(score);
        defined.push_back(static_cast<int>(first + i) + 1);
      }
    }
    const auto n_defined = static_cast<std::int64_t>(replicates.size());
    const double sum = bbc::detail::rounded_sum(replicates.data(), n_defined);
    const auto on_all_rows = scorer.on_all_rows(control);
    return writable::list(
        {"estimate"_nm = sum / static_cast<double>(n_defined),
         "apparent"_nm = on_all_rows[static_cast<std::size_t>(winner) - 1],
         "replicates"_nm = writable::doubles(replicates.begin(), replicates.end()),
         "defined"_nm = defined,
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
