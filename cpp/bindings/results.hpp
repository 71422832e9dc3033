#pragma once

#include <bbc/estimate.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <utility>

#include "arrays.hpp"

/// Results are frozen; an array that is already needs no view of its own.
inline py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// NaN stands for none.
inline py::object number_or_none(double number) {
  return std::isnan(number) ? py::object(py::none()) : py::object(py::float_(number));
}

/// Rates, a row of six numbers each.
inline auto rates_array(const std::vector<bbc::RateTerm>& rates) {
  return to_array(bbc::numbers_of(rates), {static_cast<py::ssize_t>(rates.size()), 6});
}

/// Those of estimate, low and high.
inline py::tuple errors_tuple(const bbc::MonteCarloError& error) {
  return py::make_tuple(error.estimate, error.low, error.high);
}

/// What limits or an estimate say of the tails of squared errors.
template <class Limits>
void add_tails(py::dict& out, const Limits& limits) {
  out["kurtosis"] = number_or_none(limits.kurtosis);
  out["alike_errors"] = limits.alike_errors;
}

/// Limits as keys of PerformanceEstimate.
inline py::dict to_dict(const bbc::CorrectedLimits& limits) {
  py::dict out;
  out["low"] = limits.interval.low;
  out["high"] = limits.interval.high;
  out["replicates_low"] = limits.of_replicates.low;
  out["replicates_high"] = limits.of_replicates.high;
  out["few_events"] = limits.few_events;
  out["monte_carlo_error"] = errors_tuple(limits.monte_carlo_error);
  add_tails(out, limits);
  return out;
}

/// An estimate as keys of PerformanceEstimate.
inline py::dict to_dict(bbc::Estimate&& estimate) {
  py::dict out;
  out["estimate"] = estimate.estimate;
  out["low"] = estimate.interval.low;
  out["high"] = estimate.interval.high;
  out["replicates_low"] = estimate.of_replicates.low;
  out["replicates_high"] = estimate.of_replicates.high;
  out["few_events"] = estimate.few_events;
  out["monte_carlo_error"] = errors_tuple(estimate.monte_carlo_error);
  add_tails(out, estimate);
  out["rates"] = rates_array(estimate.rates);
  out["replicate_sd"] = estimate.replicate_sd;
  out["apparent"] = estimate.apparent;
  out["optimism"] = estimate.optimism;
  out["size_bias"] = number_or_none(estimate.size_bias);
  out["winner"] = estimate.winner;
  out["replicates"] = read_only(to_array(std::move(estimate.replicates)));
  out["replicate_winners"] = read_only(to_array(std::move(estimate.replicate_winners)));
  out["n_redrawn"] = estimate.n_redrawn;
  if (!estimate.attempts.empty()) out["attempts"] = to_array(std::move(estimate.attempts));
  out["undefined_fold_share"] = estimate.undefined_fold_share;
  if (estimate.n_rungs > 0) {
    out["n_rungs"] = estimate.n_rungs;
    out["n_rows_scored"] = estimate.n_rows_scored;
    out["rung_choices"] = to_array(std::move(estimate.rung_choices));
  }
  if (!estimate.replicate_thresholds.empty()) {
    out["threshold"] = estimate.threshold;
    out["replicate_thresholds"] = read_only(to_array(std::move(estimate.replicate_thresholds)));
  }
  if (!estimate.weights.empty()) {
    out["weights"] = read_only(to_array(std::move(estimate.weights)));
    out["selection_frequency"] = read_only(to_array(std::move(estimate.selection_frequency)));
  }
  return out;
}

/// Keys as the fields of bbc::IntervalEstimate.
inline py::dict to_dict(const bbc::IntervalEstimate& interval) {
  py::dict out;
  out["estimate"] = interval.estimate;
  out["low"] = interval.interval.low;
  out["high"] = interval.interval.high;
  out["standard_error"] = interval.standard_error;
  out["feasible"] = interval.feasible;
  out["reason"] = interval.reason;
  out["warning"] = interval.warning;
  return out;
}

inline bbc::Confidence to_confidence(double level, const std::string& alternative) {
  return {level, parse_alternative(alternative)};
}
