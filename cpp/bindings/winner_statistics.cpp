// Statistics of the winners' out-of-bag predictions, and curves with bands.
#include <bbc/curve_band.hpp>
#include <bbc/statistic_shifts.hpp>
#include <bbc/winner_statistics.hpp>

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

/// A scorer, and the arrays that it views.
class WinnerStatistics {
 public:
  WinnerStatistics(const bbc::Target& target, std::vector<py::array> arrays,
                   const bbc::CorrectionOptions& options, int n_threads)
      : arrays_(std::move(arrays)), scorer_([&] {
          const auto repeats = to_repeats(arrays_);
          return without_gil(n_threads, [&](const bbc::Control& control) {
            return bbc::WinnerStatistics(target, repeats, options, control);
          });
        }()) {}

  [[nodiscard]] py::array on_all_rows(const Statistic& statistic, std::int64_t winner) const {
    return to_array(scorer_.on_all_rows(statistic.kind, winner));
  }

  /// An array for each value.
  [[nodiscard]] py::list rates(const Statistic& statistic, std::int64_t winner) const {
    py::list found;
    for (const auto& terms : scorer_.rates(statistic.kind, winner))
      found.append(rates_array(terms));
    return found;
  }

  [[nodiscard]] py::array out_of_bag(const Statistic& statistic, std::int64_t first,
                                     const CountArray& scoring, const LabelArray& winners,
                                     int n_threads) const {
    const auto counts = span_of(scoring);
    const auto chosen = to_vector(winners);
    auto values = without_gil(n_threads, [&](const bbc::Control& control) {
      return scorer_.out_of_bag(statistic.kind, first, counts, chosen, control);
    });
    return to_array(std::move(values), {winners.size(), bbc::n_values(statistic.kind)});
  }

  [[nodiscard]] const bbc::WinnerStatistics& kernel() const { return scorer_; }

 private:
  std::vector<py::array> arrays_;
  bbc::WinnerStatistics scorer_;
};

/// What the number of rows does to the values of winners.
class StatisticShifts {
 public:
  StatisticShifts(const WinnerStatistics& scorer, const Statistic& statistic,
                  const bbc::CorrectionOptions& options, const LabelArray& winners,
                  std::int64_t winner)
      : shifts_(scorer.kernel(), statistic.kind, options, to_vector(winners), winner) {}

  void add(std::int64_t first, const CountArray& scoring, const DoubleArray& values,
           int n_threads) {
    const auto counts = span_of(scoring);
    const auto found = span_of(values);
    without_gil(n_threads, [&](const bbc::Control& control) {
      shifts_.add(first, counts, found, control);
      return 0;
    });
  }

  [[nodiscard]] py::array without(const DoubleArray& replicates) const {
    auto values = to_vector(replicates);
    shifts_.take_from(values);
    return to_array(std::move(values), {replicates.shape(0), replicates.shape(1)});
  }

 private:
  bbc::StatisticShifts shifts_;
};

/// (value, end)
py::array value_ranges(const Statistic& statistic) {
  std::vector<double> ends;
  for (const bbc::Interval& range : bbc::value_ranges(statistic.kind)) {
    ends.insert(ends.end(), {range.low, range.high});
  }
  return to_array(std::move(ends), {bbc::n_values(statistic.kind), std::int64_t{2}});
}

py::dict curve_band(const DoubleArray& replicates, double confidence_level,
                    const std::vector<DoubleArray>& rates, const DoubleArray& ranges) {
  std::vector<std::vector<bbc::RateTerm>> terms;
  for (const DoubleArray& of_point : rates) terms.push_back(bbc::terms_of(span_of(of_point)));
  std::vector<bbc::Interval> ends;
  const auto given = span_of(ranges);
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
  py::class_<WinnerStatistics>(module, "WinnerStatistics")
      .def(py::init<const bbc::Target&, std::vector<py::array>, const bbc::CorrectionOptions&,
                    int>(),
           py::arg("target"), py::arg("predictions"), py::arg("options"), py::arg("n_threads"))
      .def("on_all_rows", &WinnerStatistics::on_all_rows, py::arg("statistic"), py::arg("winner"))
      .def("rates", &WinnerStatistics::rates, py::arg("statistic"), py::arg("winner"))
      .def("out_of_bag", &WinnerStatistics::out_of_bag, py::arg("statistic"), py::arg("first"),
           py::arg("scoring").noconvert(), py::arg("winners").noconvert(), py::arg("n_threads"));
  py::class_<StatisticShifts>(module, "StatisticShifts")
      .def(py::init<const WinnerStatistics&, const Statistic&, const bbc::CorrectionOptions&,
                    const LabelArray&, std::int64_t>(),
           py::arg("scorer"), py::arg("statistic"), py::arg("options"),
           py::arg("winners").noconvert(), py::arg("winner"), py::keep_alive<1, 2>())
      .def("add", &StatisticShifts::add, py::arg("first"), py::arg("scoring").noconvert(),
           py::arg("values").noconvert(), py::arg("n_threads"))
      .def("without", &StatisticShifts::without, py::arg("replicates").noconvert());
  module.def("value_ranges", &value_ranges, py::arg("statistic"));
  module.def("curve_band", &curve_band, py::arg("replicates").noconvert(),
             py::arg("confidence_level"), py::arg("rates") = std::vector<DoubleArray>(),
             py::arg("ranges") = DoubleArray(0));
}
