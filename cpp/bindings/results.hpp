#pragma once

#include <bbc/fields.hpp>
#include <bbc/interval.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

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

/// Puts fields into a dict as keys of PerformanceEstimate.
class IntoDict {
 public:
  explicit IntoDict(py::dict& out) : out_(out) {}

  template <class Number>
    requires std::is_arithmetic_v<Number>
  void operator()(const char* name, Number number) const {
    out_[name] = number;
  }
  void operator()(const char* name, bbc::OrNone value) const {
    out_[name] = number_or_none(value.number);
  }
  void operator()(const char* name, bbc::Configuration value) const { out_[name] = value.index; }
  void operator()(const char* name, const bbc::MonteCarloError& error) const {
    out_[name] = py::make_tuple(error.estimate, error.low, error.high);
  }
  void operator()(const char* name, const std::vector<bbc::RateTerm>& rates) const {
    out_[name] = rates_array(rates);
  }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void operator()(const char* name, std::vector<Number>& numbers) const {
    out_[name] = read_only(to_array(std::move(numbers)));
  }

 private:
  py::dict& out_;
};

inline py::dict to_dict(const bbc::CorrectedLimits& limits) {
  py::dict out;
  bbc::visit_fields(limits, IntoDict(out));
  return out;
}

inline py::dict to_dict(bbc::Estimate&& estimate) {
  py::dict out;
  bbc::visit_fields(estimate, IntoDict(out));
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
