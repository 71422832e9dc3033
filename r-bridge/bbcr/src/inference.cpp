// Inference on the winner of given predictions.
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>
#include <bbc/winners.hpp>

#include "convert.hpp"

namespace {

using namespace bbcr;

/// The best on all rows, by the exact arithmetic of a correction.
int best_of(const bbc::Target& target, const std::vector<bbc::Predictions>& repeats,
            const bbc::CorrectionOptions& options, const bbc::Control& control) {
  return static_cast<int>(
      bbc::score(target, repeats, options.metric, options.folds, options.row_weights, control)
          .winner);
}

}  // namespace

[[cpp11::register]] SEXP kernel_model_confidence_set(list target, list predictions, list options,
                                                     int n_threads) {
  return guarded([&]() -> SEXP {
    const auto found = bbc::possible_winners(make_target(target), make_repeats(predictions),
                                             make_options(options), make_control(n_threads));
    return writable::list(
        {"p_values"_nm = doubles_of(found.set.p_values),
         "possible"_nm = flags_of(found.set.possible), "scores"_nm = doubles_of(found.scores),
         "winner"_nm = static_cast<int>(found.winner) + 1,
         "standard_error"_nm = found.set.standard_errors[static_cast<std::size_t>(found.winner)],
         "n_redrawn"_nm = static_cast<double>(found.n_redrawn)});
  });
}

[[cpp11::register]] SEXP kernel_block_length(list target, list predictions, list options,
                                             int n_threads) {
  return guarded([&]() -> SEXP {
    const auto found = bbc::block_length(make_target(target), make_repeats(predictions),
                                         make_options(options).metric, make_control(n_threads));
    return writable::integers({static_cast<int>(found.length)});
  });
}

[[cpp11::register]] SEXP kernel_discrete_argmin(list target, list predictions, list options,
                                                int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    const auto control = make_control(n_threads);
    const auto truth = make_target(target);
    const auto repeats = make_repeats(predictions);
    const auto rows = bbc::row_values(truth, repeats, given.metric, control);
    const bool greater = given.metric.greater_is_better();
    const auto found = bbc::discrete_argmin(rows, greater, given.confidence_level, control);
    const int winner = best_of(truth, repeats, given, control);
    bbc::WinnerIntervalOptions own;
    own.greater_is_better = greater;
    return writable::list({"p_values"_nm = doubles_of(found.p_values),
                           "possible"_nm = flags_of(found.possible),
                           "scores"_nm = doubles_of(rows.scores),
                           "tuning"_nm = doubles_of(found.lambdas), "winner"_nm = winner + 1,
                           "standard_error"_nm = bbc::winner_standard_error(rows, winner, own)});
  });
}

[[cpp11::register]] SEXP kernel_winner_interval(list target, list predictions, list options,
                                                int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    const auto control = make_control(n_threads);
    const auto truth = make_target(target);
    const auto repeats = make_repeats(predictions);
    const auto rows = bbc::row_values(truth, repeats, given.metric, control);
    const int winner = best_of(truth, repeats, given, control);
    bbc::WinnerIntervalOptions own;
    own.greater_is_better = given.metric.greater_is_better();
    own.confidence = {given.confidence_level, given.alternative};
    own.seed = given.resampling.seed;
    own.units = given.resampling.units;
    const auto found = bbc::winner_interval(rows, winner, own, control);
    return writable::list({"estimate"_nm = found.estimate, "low"_nm = found.interval.low,
                           "high"_nm = found.interval.high, "infeasible"_nm = found.reason,
                           "warning"_nm = found.warning, "winner"_nm = winner + 1,
                           "apparent"_nm = rows.scores[static_cast<std::size_t>(winner)]});
  });
}

/// Configurations are counted from 1.
[[cpp11::register]] SEXP kernel_remaining_optimism(list target, list predictions, list options,
                                                   SEXP folds, int winner,
                                                   cpp11::integers replicate_winners,
                                                   cpp11::doubles replicates, int n_threads) {
  return guarded([&]() -> SEXP {
    const bbc::RemainingOptimismOptions given{make_options(options), codes_of(folds)};
    const auto scores = to_vector<double, cpp11::doubles>(replicates);
    std::vector<std::int64_t> winners;
    for (const int own : replicate_winners) winners.push_back(own - 1);
    const auto found =
        bbc::remaining_optimism(make_target(target), make_repeats(predictions), given, winner - 1,
                                winners, scores, make_control(n_threads));
    return writable::list({"kappa"_nm = found.kappa, "kappa_sd"_nm = found.kappa_sd,
                           "in_bag_optimism"_nm = found.in_bag_optimism,
                           "further_optimism"_nm = found.further_optimism,
                           "coupled_estimate"_nm = found.coupled_estimate});
  });
}
