#pragma once

#include <bbc/interval_estimate.hpp>

#include "arrays.hpp"

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
