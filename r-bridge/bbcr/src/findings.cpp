// What findings are decided by.
#include <bbc/against_truth.hpp>
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>

#include "convert.hpp"

namespace {

using namespace bbcr;

}  // namespace

/// Winners are counted from 1.
[[cpp11::register]] SEXP kernel_model_luck(list target, list predictions, list options,
                                           cpp11::integers folds, cpp11::integers winners,
                                           int n_threads) {
  return guarded([&]() -> SEXP {
    const auto given = make_options(options);
    bbc::ModelLuckOptions luck;
    luck.metric = given.metric;
    luck.folds = codes_of(folds);
    luck.units = given.resampling.units;
    luck.row_weights = given.row_weights;
    for (const int own : winners) luck.winners.push_back(own - 1);
    luck.seed = given.resampling.seed;
    const auto result = bbc::model_luck(make_target(target), make_repeats(predictions), luck,
                                        make_control(n_threads));
    return writable::list(
        {"p_value"_nm = result.p_value, "predicted_bias"_nm = result.predicted_bias,
         "luck_variance"_nm = result.luck_variance, "row_variance"_nm = result.row_variance,
         "n_permutations"_nm = static_cast<int>(result.n_permutations),
         "untestable"_nm = result.untestable});
  });
}

[[cpp11::register]] bool kernel_luck_matters(double p_value, double predicted_bias, double estimate,
                                             double low, double high, std::string alternative) {
  return bbc::luck_matters(p_value, predicted_bias, estimate, {low, high},
                           parse_alternative(alternative));
}

[[cpp11::register]] SEXP kernel_row_facts(list target, cpp11::integers folds, cpp11::integers units,
                                          SEXP row_weights) {
  return guarded([&]() -> SEXP {
    const auto found = bbc::row_facts(make_target(target), codes_of(folds), codes_of(units),
                                      to_vector<double, cpp11::doubles>(row_weights));
    return writable::list({"n_units"_nm = found.n_units,
                           "n_units_of_class"_nm = doubles_of(found.n_units_of_class),
                           "n_split_units"_nm = static_cast<double>(found.n_split_units),
                           "folds_tell_truth"_nm = found.folds_tell_truth,
                           "units_tell_truth"_nm = found.units_tell_truth});
  });
}

/// Of the only configuration of `predictions`.
[[cpp11::register]] SEXP kernel_from_truth(list target, list predictions, list metric) {
  return guarded([&]() -> SEXP {
    const auto found =
        bbc::from_truth(make_target(target), make_repeats(predictions), make_metric(metric), 0, {});
    return writable::list({"equal"_nm = found.equal, "ranks_labels"_nm = found.ranks_labels,
                           "up_to"_nm = found.up_to});
  });
}

/// Of the only configuration of `predictions`.
[[cpp11::register]] SEXP kernel_association(list target, list predictions, list metric,
                                            cpp11::integers folds, cpp11::integers units) {
  return guarded([&]() -> SEXP {
    const auto found = bbc::association(make_target(target), make_repeats(predictions),
                                        make_metric(metric), 0, codes_of(folds), codes_of(units));
    return writable::list(
        {"correlation"_nm = found.correlation, "runs_against"_nm = found.runs_against});
  });
}

/// Of the only configuration of `predictions`.
[[cpp11::register]] SEXP kernel_ranking(list target, list predictions, cpp11::integers folds) {
  return guarded([&]() -> SEXP {
    const auto found =
        bbc::ranking(make_target(target), make_repeats(predictions), 0, codes_of(folds));
    return writable::list({"auc"_nm = found.auc, "worse_than_chance"_nm = found.worse_than_chance});
  });
}

/// Of the only configuration of `predictions`.
[[cpp11::register]] SEXP kernel_largest_share(list target, list predictions, list metric,
                                              SEXP row_weights) {
  return guarded([&]() -> SEXP {
    const auto found =
        bbc::largest_share(make_target(target), make_repeats(predictions), make_metric(metric), 0,
                           {}, to_vector<double, cpp11::doubles>(row_weights));
    return writable::list({"share"_nm = found.share, "dominates"_nm = found.dominates});
  });
}
