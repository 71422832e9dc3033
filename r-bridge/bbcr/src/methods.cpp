// What is computed from scores of folds, and what says which configurations to trust.
#include <bbc/fold_scores.hpp>
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <bbc/score_interval.hpp>

#include "convert.hpp"

namespace {

using namespace bbcr;

/// An array (configuration, fold, repeat) of R is laid out as the kernel's fold scores are.
bbc::FoldScores to_fold_scores(const cpp11::doubles& scores) {
  const cpp11::integers dim(Rf_getAttrib(scores, R_DimSymbol));
  return {{scores.begin(), scores.end()}, dim[2], dim[1], dim[0]};
}

bbc::BoundMethod parse_method(const std::string& name) {
  if (name == "delong") return bbc::BoundMethod::delong;
  if (name == "hanley-mcneil") return bbc::BoundMethod::hanley_mcneil;
  if (name == "bt") return bbc::BoundMethod::tilting;
  return name == "nb" ? bbc::BoundMethod::naive_bootstrap : bbc::BoundMethod::mabt;
}

bbc::BoundOptions make_bound_options(const list& given) {
  bbc::BoundOptions options;
  options.method = parse_method(as_cpp<std::string>(given["method"]));
  options.rule =
      as_cpp<bool>(given["top_decile"]) ? bbc::BoundRule::top_decile : bbc::BoundRule::best;
  options.published = as_cpp<bool>(given["published"]);
  options.confidence_level = as_cpp<double>(given["confidence_level"]);
  options.n_bootstraps = static_cast<std::int64_t>(as_cpp<double>(given["n_bootstraps"]));
  options.seed = static_cast<std::uint64_t>(as_cpp<double>(given["seed"]));
  return options;
}

}  // namespace

[[cpp11::register]] SEXP kernel_fold_scores(list target, list predictions, list metric,
                                            cpp11::integers folds, SEXP row_weights,
                                            int n_threads) {
  return guarded([&]() -> SEXP {
    const auto scores = bbc::fold_scores(
        make_target(target), make_repeats(predictions), make_metric(metric), codes_of(folds),
        to_vector<double, cpp11::doubles>(row_weights), make_control(n_threads));
    writable::doubles out = doubles_of(scores.values);
    out.attr("dim") =
        writable::integers({static_cast<int>(scores.n_configurations),
                            static_cast<int>(scores.n_folds), static_cast<int>(scores.n_repeats)});
    return out;
  });
}

/// `target` is the truth of the rows that were scored, or NULL.
[[cpp11::register]] SEXP kernel_correct_fold_scores(cpp11::doubles scores, SEXP target,
                                                    list options, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto own = to_fold_scores(scores);
    const auto given = make_options(options);
    const auto control = make_control(n_threads);
    if (Rf_isNull(target)) return to_list(bbc::correct_fold_scores(own, given, control));
    return to_list(bbc::correct_fold_scores(own, make_target(target), given, control));
  });
}

/// Whether the truth of rows of so many classes, 0 for any, tells anything of scores of folds.
[[cpp11::register]] SEXP kernel_truth_tells(list metric, int n_classes) {
  return guarded(
      [&]() -> SEXP { return cpp11::as_sexp(bbc::truth_tells(make_metric(metric), n_classes)); });
}

/// Whether that of these rows does.
[[cpp11::register]] SEXP kernel_rows_tell(list target, list options) {
  return guarded([&]() -> SEXP {
    return cpp11::as_sexp(bbc::truth_tells(make_target(target), make_options(options)));
  });
}

[[cpp11::register]] SEXP kernel_correct_by_folds(list target, list predictions, list options,
                                                 int n_threads) {
  return guarded([&]() -> SEXP {
    return to_list(bbc::correct_by_folds(make_target(target), make_repeats(predictions),
                                         make_options(options), make_control(n_threads)));
  });
}

/// What the limits of a configuration rest on where folds are drawn; it is numbered from 1.
[[cpp11::register]] SEXP kernel_terms_of_folds(list target, list predictions, list options,
                                               int configuration) {
  return guarded([&]() -> SEXP {
    const auto terms = bbc::terms_of_drawn_folds(make_repeats(predictions), make_target(target),
                                                 make_options(options), configuration - 1);
    return doubles_of(bbc::numbers_of(terms));
  });
}

/// The same by scores alone, an array (1, fold, repeat).
[[cpp11::register]] SEXP kernel_few_folds_terms(cpp11::doubles scores) {
  return guarded([&]() -> SEXP {
    const auto own = to_fold_scores(scores);
    return doubles_of(
        bbc::numbers_of(bbc::few_folds_terms(own.values, own.n_repeats, own.n_folds)));
  });
}

/// Whether draws of so few folds have no order statistics that say anything.
[[cpp11::register]] bool kernel_too_few_folds(double n_folds) {
  return !bbc::too_few_folds(static_cast<std::int64_t>(n_folds)).empty();
}

[[cpp11::register]] SEXP kernel_tt(cpp11::doubles scores, bool greater_is_better) {
  return guarded([&]() -> SEXP {
    const auto result = bbc::tt(to_fold_scores(scores), greater_is_better);
    return writable::list({"estimate"_nm = result.estimate, "apparent"_nm = result.apparent,
                           "winner"_nm = static_cast<int>(result.winner) + 1});
  });
}

[[cpp11::register]] SEXP kernel_dominated(list target, list predictions, list options,
                                          double dropping_level, int n_threads) {
  return guarded([&]() -> SEXP {
    const auto result =
        bbc::dominated(make_target(target), make_repeats(predictions), make_options(options),
                       dropping_level, make_control(n_threads));
    return writable::list({"best"_nm = static_cast<int>(result.best) + 1,
                           "share_worse"_nm = doubles_of(result.share_worse),
                           "dominated"_nm = flags_of(result.dominated)});
  });
}

[[cpp11::register]] SEXP kernel_bound(cpp11::integers is_positive, cpp11::doubles scores,
                                      cpp11::integers folds, cpp11::strings fold_names,
                                      list options, int n_threads) {
  return guarded([&]() -> SEXP {
    const cpp11::integers dim(Rf_getAttrib(scores, R_DimSymbol));
    const bbc::BoundData data{{is_positive.begin(), is_positive.end()},
                              codes_of(folds),
                              {fold_names.begin(), fold_names.end()},
                              std::get<bbc::View<double>>(view_of<double>(REAL_RO(scores), dim))};
    const auto result = bbc::bound(data, make_bound_options(options), make_control(n_threads));
    return writable::list(
        {"estimate"_nm = result.bound.estimate, "low"_nm = result.bound.interval.low,
         "high"_nm = result.bound.interval.high, "feasible"_nm = result.bound.feasible,
         "reason"_nm = result.bound.reason, "warning"_nm = result.bound.warning,
         "selected"_nm = result.selected, "winner"_nm = static_cast<int>(result.winner) + 1,
         "candidates"_nm = numbered(result.candidates),
         "evaluation_rows"_nm = numbered(result.evaluation_rows),
         "n_splits"_nm = static_cast<double>(result.n_splits),
         "n_bootstraps"_nm = static_cast<double>(result.n_bootstraps),
         "effective_sample_size"_nm = result.effective_sample_size});
  });
}

/// Refuses a level that is too high for so many replicates.
[[cpp11::register]] SEXP kernel_enough_replicates(double n_bootstraps, double confidence_level,
                                                  std::string alternative) {
  return guarded([&]() -> SEXP {
    bbc::check_confidence_level(confidence_level, parse_alternative(alternative),
                                static_cast<std::int64_t>(n_bootstraps));
    return R_NilValue;
  });
}

/// `infeasible` says why there are no limits, as in an estimate.
[[cpp11::register]] SEXP kernel_calibrated_limits(double estimate, list spread,
                                                  cpp11::doubles rates, double confidence_level,
                                                  std::string alternative, cpp11::doubles range) {
  return guarded([&]() -> SEXP {
    const bbc::TwoLevelSpread given{as_cpp<double>(spread["replicate_sd"]),
                                    static_cast<std::int64_t>(as_cpp<double>(spread["n_folds"])),
                                    as_cpp<double>(spread["luck_variance"]),
                                    as_cpp<double>(spread["overlap"])};
    const auto terms = bbc::terms_of({REAL_RO(rates), static_cast<std::size_t>(rates.size())});
    return to_list(bbc::calibrated_limits(estimate, given, terms,
                                          {confidence_level, parse_alternative(alternative)},
                                          {range[0], range[1]}));
  });
}
