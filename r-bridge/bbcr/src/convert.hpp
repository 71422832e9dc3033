#pragma once

// R's lists -> the kernel's structs, and its results -> lists. R checks and converts; here nothing
// is checked again.
#include <algorithm>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/fields.hpp>
#include <bbc/metric.hpp>
#include <bbc/score_interval.hpp>
#include <cmath>
#include <cpp11.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace bbcr {

using cpp11::as_cpp;
using cpp11::list;
using namespace cpp11::literals;
namespace writable = cpp11::writable;

template <class To, class From>
std::vector<To> to_vector(SEXP values) {
  if (Rf_isNull(values)) return {};
  const From vector(values);
  std::vector<To> out;
  out.reserve(static_cast<std::size_t>(vector.size()));
  for (const auto value : vector) out.push_back(static_cast<To>(value));
  return out;
}

inline std::vector<std::int32_t> codes_of(SEXP values) {
  return to_vector<std::int32_t, cpp11::integers>(values);
}

inline bbc::Target make_target(const list& given) {
  bbc::Target target;
  if (!Rf_isNull(given["codes"])) {
    target.kind = bbc::Target::Kind::labels;
    target.codes = codes_of(given["codes"]);
    target.label_values = to_vector<std::int64_t, cpp11::doubles>(given["label_values"]);
    target.n_classes = static_cast<std::int32_t>(target.label_values.size());
    target.label_names = as_cpp<std::vector<std::string>>(given["label_names"]);
    return target;
  }
  target.values = to_vector<double, cpp11::doubles>(given["values"]);
  if (!Rf_isNull(given["events"])) {
    target.kind = bbc::Target::Kind::survival;
    target.events = to_vector<std::uint8_t, cpp11::integers>(given["events"]);
    target.event_weights = to_vector<double, cpp11::doubles>(given["pair_weights"]);
  }
  return target;
}

inline bbc::Metric make_metric(const list& given) {
  return bbc::make_metric(as_cpp<std::string>(given["kernel"]),
                          {as_cpp<std::string>(given["average"]), as_cpp<double>(given["beta"]),
                           as_cpp<double>(given["alpha"]), as_cpp<double>(given["sign"])});
}

inline bbc::Alternative parse_alternative(const std::string& name) {
  if (name == "greater") return bbc::Alternative::greater;
  return name == "less" ? bbc::Alternative::less : bbc::Alternative::two_sided;
}

/// Rungs of a search that dropped configurations; `predicted` is a matrix of 0 and 1.
inline bbc::selection::Rungs make_rungs(const list& given, const std::vector<std::int32_t>& units) {
  const cpp11::integers_matrix<> matrix(static_cast<SEXP>(given["predicted"]));
  std::vector<std::uint8_t> predicted;
  for (int row = 0; row < matrix.nrow(); ++row) {
    for (int j = 0; j < matrix.ncol(); ++j) predicted.push_back(matrix(row, j) != 0 ? 1 : 0);
  }
  return bbc::find_rungs(predicted, matrix.nrow(), matrix.ncol(), codes_of(given["of_row"]), units,
                         {as_cpp<double>(given["burn"]), codes_of(given["choose_only"])});
}

inline bbc::CorrectionOptions make_options(const list& given) {
  bbc::CorrectionOptions options;
  options.metric = make_metric(given["metric"]);
  options.resampling.n_bootstraps =
      static_cast<std::int64_t>(as_cpp<double>(given["n_bootstraps"]));
  options.resampling.seed = static_cast<std::uint64_t>(as_cpp<double>(given["seed"]));
  if (!Rf_isNull(given["stream"])) {
    options.resampling.stream = static_cast<std::uint32_t>(as_cpp<double>(given["stream"]));
  }
  options.resampling.units = codes_of(given["units"]);
  options.resampling.strata = codes_of(given["strata"]);
  options.resampling.resamples = codes_of(given["resamples"]);
  options.resampling.folds = codes_of(given["drawn_folds"]);
  options.folds = codes_of(given["folds"]);
  options.row_weights = to_vector<double, cpp11::doubles>(given["row_weights"]);
  if (!Rf_isNull(given["complexity"])) {
    options.selection = bbc::selection::OneStandardError{
        to_vector<double, cpp11::doubles>(given["complexity"]), codes_of(given["selection_folds"])};
  }
  if (!Rf_isNull(given["choice"])) {
    const auto choice = as_cpp<std::string>(given["choice"]);
    const auto size = static_cast<std::int64_t>(as_cpp<double>(given["choice_size"]));
    options.selection = bbc::selection::Threshold{};
    if (choice == "greedy_ensemble") options.selection = bbc::selection::GreedyEnsemble{size};
    if (choice == "top_k") options.selection = bbc::selection::TopK{size};
    if (choice == "rungs") options.selection = make_rungs(given["rungs"], options.resampling.units);
  }
  options.classes = codes_of(given["classes"]);
  options.fixed_class_counts = as_cpp<bool>(given["fixed_class_counts"]);
  options.rotate_repeats = as_cpp<bool>(given["rotate_repeats"]);
  options.redraw = as_cpp<bool>(given["redraw"]);
  options.size_correction = as_cpp<bool>(given["size_correction"]);
  options.confidence_level = as_cpp<double>(given["confidence_level"]);
  options.alternative = parse_alternative(as_cpp<std::string>(given["alternative"]));
  return options;
}

/// A view of a numeric or integer array of R with the axes (row, configuration, output).
template <class T>
bbc::Predictions view_of(const T* data, const cpp11::integers& dim) {
  bbc::View<T> view;
  view.data = data;
  view.n_rows = dim[0];
  view.n_configurations = dim[1];
  view.n_outputs = dim.size() == 3 ? dim[2] : 1;
  view.strides = {1, view.n_rows, view.n_rows * view.n_configurations};
  return view;
}

inline std::vector<bbc::Predictions> make_repeats(const list& arrays) {
  std::vector<bbc::Predictions> repeats;
  for (const SEXP array : arrays) {
    const cpp11::integers dim(Rf_getAttrib(array, R_DimSymbol));
    repeats.push_back(TYPEOF(array) == INTSXP ? view_of<std::int32_t>(INTEGER_RO(array), dim)
                                              : view_of<double>(REAL_RO(array), dim));
  }
  return repeats;
}

/// Looks for interrupts on R's own thread; the kernel brings the unwinding back to it.
inline bbc::Control make_control(int n_threads) {
  bbc::Control control;
  control.n_threads = n_threads;
  control.poll = [](double /*done*/) {
    cpp11::check_user_interrupt();
    return true;
  };
  return control;
}

inline writable::doubles doubles_of(const std::vector<double>& values) {
  return writable::doubles(values.begin(), values.end());
}

inline writable::logicals flags_of(const std::vector<std::uint8_t>& flags) {
  writable::logicals out(static_cast<R_xlen_t>(flags.size()));
  std::transform(flags.begin(), flags.end(), out.begin(),
                 [](std::uint8_t flag) { return cpp11::r_bool(flag != 0); });
  return out;
}

/// Indices counted from 0 as R counts.
template <class Integer>
writable::integers numbered(const std::vector<Integer>& indices) {
  writable::integers out(static_cast<R_xlen_t>(indices.size()));
  std::transform(indices.begin(), indices.end(), out.begin(),
                 [](Integer index) { return static_cast<int>(index) + 1; });
  return out;
}

/// Puts fields into a list; those without a number are left out.
class IntoList {
 public:
  explicit IntoList(writable::list& out) : out_(out) {}

  void operator()(const char* name, bool flag) const { add(name, flag); }
  template <class Number>
    requires std::is_arithmetic_v<Number>
  void operator()(const char* name, Number number) const {
    add(name, static_cast<double>(number));
  }
  void operator()(const char* name, bbc::OrNone value) const {
    if (!std::isnan(value.number)) add(name, value.number);
  }
  void operator()(const char* name, bbc::Configuration value) const {
    add(name, static_cast<int>(value.index) + 1);
  }
  void operator()(const char* name, const bbc::MonteCarloError& error) const {
    add(name, writable::doubles({error.estimate, error.low, error.high}));
  }
  void operator()(const char* name, const std::vector<bbc::RateTerm>& rates) const {
    add(name, doubles_of(bbc::numbers_of(rates)));
  }
  void operator()(const char* name, const std::vector<double>& numbers) const {
    add(name, doubles_of(numbers));
  }
  void operator()(const char* name, const std::vector<std::int64_t>& configurations) const {
    add(name, numbered(configurations));
  }

 private:
  template <class Value>
  void add(const char* name, const Value& value) const {
    out_.push_back(cpp11::named_arg(name) = value);
  }

  writable::list& out_;
};

/// Limits or an estimate.
template <class Result>
list to_list(const Result& result) {
  writable::list out;
  bbc::visit_fields(result, IntoList(out));
  return out;
}

inline const char* class_of(bbc::ErrorCode code) {
  return code == bbc::ErrorCode::undefined_metric ? "bbc_undefined_metric" : "bbc_invalid_argument";
}

/// What `body` returns, or an error of the kernel as a list: R words and raises it.
template <class Body>
SEXP guarded(const Body& body) {
  try {
    return body();
  } catch (const bbc::Error& error) {
    writable::list place;
    for (const auto& [axis, index] : error.place()) {
      place.push_back(cpp11::named_arg(axis.c_str()) = static_cast<double>(index));
    }
    writable::list failure({"argument"_nm = error.argument(), "problem"_nm = error.problem(),
                            "place"_nm = place, "hint"_nm = error.hint(),
                            "class"_nm = class_of(error.code())});
    failure.attr("class") = "bbc_failure";
    return failure;
  }
}

}  // namespace bbcr
