// Weights for censoring, and the truths and losses that they make.
#include <bbc/censoring.hpp>

#include "convert.hpp"

namespace {

using namespace bbcr;

bbc::CensoringSurvival censoring_of(const bbc::Target& survival, SEXP row_weights) {
  return bbc::censoring_survival(survival, to_vector<double, cpp11::doubles>(row_weights));
}

}  // namespace

[[cpp11::register]] SEXP kernel_weighted_survival(list target, SEXP row_weights, bool uno,
                                                  double time) {
  return guarded([&]() -> SEXP {
    const bbc::Target survival = make_target(target);
    const auto censoring = censoring_of(survival, row_weights);
    const bbc::Target weighted = uno ? bbc::uno_target(survival, censoring, time)
                                     : bbc::dynamic_auc_target(survival, censoring, time);
    return writable::list(
        {"values"_nm = doubles_of(weighted.values),
         "status"_nm = writable::integers(weighted.events.begin(), weighted.events.end()),
         "pair_weights"_nm = doubles_of(weighted.event_weights)});
  });
}

[[cpp11::register]] SEXP kernel_brier_weights(list target, SEXP row_weights, cpp11::doubles times) {
  return guarded([&]() -> SEXP {
    const bbc::Target survival = make_target(target);
    const std::vector<double> at(times.begin(), times.end());
    return doubles_of(bbc::brier_weights(survival, censoring_of(survival, row_weights), at));
  });
}

[[cpp11::register]] SEXP kernel_brier_losses(cpp11::doubles row_times, cpp11::doubles weights,
                                             cpp11::doubles times, list predictions) {
  return guarded([&]() -> SEXP {
    const std::vector<double> own(row_times.begin(), row_times.end());
    const std::vector<double> of_rows(weights.begin(), weights.end());
    const std::vector<double> at(times.begin(), times.end());
    writable::list losses;
    for (const bbc::Predictions& repeat : make_repeats(predictions)) {
      const auto& view = std::get<bbc::View<double>>(repeat);
      writable::doubles found = doubles_of(bbc::brier_losses(own, of_rows, at, view));
      found.attr("dim") = writable::integers(
          {static_cast<int>(view.n_rows), static_cast<int>(view.n_configurations)});
      losses.push_back(SEXP(found));
    }
    return losses;
  });
}

/// Of each row its pseudo-value, which stands for whether it had an event by the time.
[[cpp11::register]] SEXP kernel_pseudo_risks(list target, SEXP row_weights, double time,
                                             int n_threads) {
  return guarded([&]() -> SEXP {
    return doubles_of(bbc::pseudo_event_probabilities(
        make_target(target), time, to_vector<double, cpp11::doubles>(row_weights),
        make_control(n_threads)));
  });
}

/// The Kaplan-Meier estimate of the risk by the time.
[[cpp11::register]] SEXP kernel_observed_risk(list target, SEXP row_weights, double time) {
  return guarded([&]() -> SEXP {
    return cpp11::as_sexp(bbc::event_probability(make_target(target), time,
                                                 to_vector<double, cpp11::doubles>(row_weights)));
  });
}

/// Of the only configuration of `losses`.
[[cpp11::register]] SEXP kernel_against_curve(list losses, cpp11::doubles row_times,
                                              cpp11::doubles weights, cpp11::doubles times,
                                              SEXP row_weights, cpp11::integers units) {
  return guarded([&]() -> SEXP {
    bbc::CurveDesign design;
    design.row_times.assign(row_times.begin(), row_times.end());
    design.weights.assign(weights.begin(), weights.end());
    design.times.assign(times.begin(), times.end());
    design.row_weights = to_vector<double, cpp11::doubles>(row_weights);
    design.units = codes_of(units);
    const auto found = bbc::against_curve(make_repeats(losses), 0, design);
    return writable::list(
        {"score"_nm = found.score, "curve_score"_nm = found.curve_score, "worse"_nm = found.worse});
  });
}
