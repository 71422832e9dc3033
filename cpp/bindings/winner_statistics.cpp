// Statistics of the winners' out-of-bag predictions, and curves with bands.
#include <bbc/score_interval.hpp>
#include <bbc/winners.hpp>
#include <tuple>

#include "arrays.hpp"
#include "register.hpp"
#include "results.hpp"

namespace {

/// A variant by itself would be converted to one of its kinds.
struct Statistic {
  bbc::Statistic kind;
};

using Ranges = std::vector<std::pair<double, double>>;

std::vector<bbc::Interval> to_intervals(const Ranges& ranges) {
  std::vector<bbc::Interval> intervals;
  for (const auto& [low, high] : ranges) intervals.push_back({low, high});
  return intervals;
}

Statistic calibration(int n_bins, const DoubleArray& grid) {
  return {bbc::statistic::Calibration{n_bins, to_vector(grid)}};
}

Statistic net_benefit(const DoubleArray& thresholds) {
  return {bbc::statistic::NetBenefit{to_vector(thresholds)}};
}

Statistic roc(const DoubleArray& false_positive_rates, const DoubleArray& sensitivities,
              const Ranges& specificity_ranges, const Ranges& sensitivity_ranges) {
  return {bbc::statistic::Roc{to_vector(false_positive_rates), to_vector(sensitivities),
                              to_intervals(specificity_ranges), to_intervals(sensitivity_ranges)}};
}

Statistic precision_recall(const DoubleArray& recalls) {
  return {bbc::statistic::PrecisionRecall{to_vector(recalls)}};
}

Statistic survival_calibration(const DoubleArray& grid) {
  return {bbc::statistic::SurvivalCalibration{to_vector(grid)}};
}

/// Names of the values of a calibration that are no points of its curve, in their order.
std::vector<std::string> calibration_scalars() {
  return {"slope",
          "slope_intercept",
          "intercept",
          "reduced_slope",
          "reduced_slope_intercept",
          "reduced_intercept",
          "brier_score",
          "reliability",
          "resolution",
          "uncertainty",
          "within_bins",
          "calibration_error",
          "observed_expected",
          "share_certain"};
}

std::vector<std::string> survival_calibration_scalars() {
  return {"slope", "slope_intercept", "intercept", "observed_expected", "share_certain"};
}

/// (value, end)
auto value_ranges(const Statistic& statistic) {
  std::vector<double> ends;
  for (const bbc::Interval& range : bbc::value_ranges(statistic.kind)) {
    ends.insert(ends.end(), {range.low, range.high});
  }
  return to_array(std::move(ends), {bbc::n_values(statistic.kind), std::int64_t{2}});
}

/// Values of the winner on all rows and of each replicate's winner out of bag; of each value the
/// rates that its limits rest on, and its range.
auto winner_values(const Statistic& statistic, const bbc::Target& target,
                   const std::vector<py::array>& arrays, const bbc::CorrectionOptions& options,
                   const bbc::Redraws& redraws, const LabelArray& winners, std::int64_t winner,
                   int n_threads) {
  const auto repeats = to_repeats(arrays);
  const bbc::Winners chosen{to_vector(winners), winner};
  std::vector<double> apparent;
  std::vector<std::vector<bbc::RateTerm>> terms;
  auto replicates = without_gil(n_threads, [&](const bbc::Control& control) {
    const bbc::WinnerStatistics scorer(target, repeats, options, control);
    apparent = scorer.on_all_rows(statistic.kind, winner);
    terms = scorer.rates(statistic.kind, winner);
    return bbc::winner_values(scorer, statistic.kind, options, redraws, chosen, control);
  });
  std::vector<py::array_t<double>> rates;
  for (const auto& each : terms) rates.push_back(rates_array(each));
  return std::make_tuple(
      to_array(std::move(apparent)),
      to_array(std::move(replicates), {winners.size(), bbc::n_values(statistic.kind)}), rates,
      value_ranges(statistic));
}

py::dict curve_band(const DoubleArray& replicates, double confidence_level,
                    const std::vector<DoubleArray>& rates, const MaybeDoubles& ranges) {
  std::vector<std::vector<bbc::RateTerm>> terms;
  for (const DoubleArray& of_point : rates) terms.push_back(bbc::terms_of(span_of(of_point)));
  std::vector<bbc::Interval> ends;
  const auto given = to_vector(ranges);
  for (std::size_t i = 0; i + 1 < given.size(); i += 2) ends.push_back({given[i], given[i + 1]});
  auto band =
      bbc::curve_band(span_of(replicates), replicates.shape(0), confidence_level, terms, ends);
  py::dict result;
  result["estimates"] = to_array(std::move(band.estimates));
  result["lows"] = to_array(std::move(band.lows));
  result["highs"] = to_array(std::move(band.highs));
  result["simultaneous_lows"] = to_array(std::move(band.simultaneous_lows));
  result["simultaneous_highs"] = to_array(std::move(band.simultaneous_highs));
  result["n_undefined"] = to_array(std::move(band.n_undefined));
  return result;
}

}  // namespace

void register_winner_statistics(py::module_& module) {
  py::class_<Statistic>(module, "Statistic")
      .def_static("calibration", &calibration, py::arg("n_bins"), py::arg("grid").noconvert())
      .def_static("calibration_scalars", &calibration_scalars)
      .def_static("survival_calibration", &survival_calibration, py::arg("grid").noconvert())
      .def_static("survival_calibration_scalars", &survival_calibration_scalars)
      .def_static("net_benefit", &net_benefit, py::arg("thresholds").noconvert())
      .def_static("roc", &roc, py::arg("false_positive_rates").noconvert(),
                  py::arg("sensitivities").noconvert(), py::arg("specificity_ranges"),
                  py::arg("sensitivity_ranges"))
      .def_static("precision_recall", &precision_recall, py::arg("recalls").noconvert());
  module.def("winner_values", &winner_values, py::arg("statistic"), py::arg("target"),
             py::arg("predictions"), py::arg("options"), py::arg("redraws"),
             py::arg("winners").noconvert(), py::arg("winner"), py::arg("n_threads"));
  module.def("curve_band", &curve_band, py::arg("replicates").noconvert(),
             py::arg("confidence_level"), py::arg("rates") = std::vector<DoubleArray>(),
             py::arg("ranges") = py::none());
}
