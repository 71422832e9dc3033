// The differences between families of configurations. Kernel calls release the GIL.
#include <bbc/inference.hpp>
#include <bbc/score_interval.hpp>
#include <tuple>

#include "arrays.hpp"
#include "register.hpp"

namespace {

py::dict difference_to_dict(const bbc::Difference& found) {
  py::dict out;
  out["estimate"] = found.estimate;
  out["standard_error"] = found.standard_error;
  out["degrees_of_freedom"] = found.degrees_of_freedom;
  out["low"] = found.interval.low;
  out["high"] = found.interval.high;
  out["p_value"] = found.p_value;
  out["first_better"] = found.first_better;
  out["second_better"] = found.second_better;
  out["infeasible"] = found.infeasible;
  return out;
}

/// What each unit contributes to the score of one configuration.
bbc::Influence influence(const bbc::Target& target, const std::vector<py::array>& arrays,
                         const bbc::CorrectionOptions& options, std::int64_t configuration,
                         int n_threads) {
  const auto repeats = to_repeats(arrays);
  return without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::influence(target, repeats, options, configuration, control);
  });
}

std::int64_t n_distinct(const std::vector<py::array>& arrays) {
  const auto repeats = to_repeats(arrays);
  return without_gil([&] { return bbc::n_distinct(repeats); });
}

/// `influences`: of each family's best on all rows; None where it is not known. Pairs are the
/// places of two families, and the standard error that replicates hide.
std::vector<py::dict> differences(
    const std::vector<DoubleArray>& replicates, const std::vector<std::int64_t>& n_configurations,
    const std::vector<std::optional<bbc::Influence>>& influences,
    const std::vector<std::tuple<std::int64_t, std::int64_t, double>>& pairs, std::int64_t n_drawn,
    std::int64_t n_units, std::int64_t n_repeats, bool of_folds, double overlap,
    bool greater_is_better, double confidence_level, const std::string& alternative, double lowest,
    double highest) {
  std::vector<bbc::Family> families;
  for (std::size_t i = 0; i < replicates.size(); ++i) {
    families.push_back({span_of(replicates[i]), n_configurations.at(i),
                        influences.at(i) ? &*influences[i] : nullptr});
  }
  std::vector<bbc::FamilyPair> given;
  for (const auto& [first, second, hidden] : pairs) given.push_back({first, second, hidden});
  const bbc::DifferenceOptions options{
      greater_is_better, {confidence_level, parse_alternative(alternative)}, {lowest, highest}};
  auto found = without_gil([&] {
    return bbc::differences(families, given, {n_drawn, n_units, n_repeats, of_folds, overlap},
                            options);
  });
  std::vector<py::dict> out;
  for (const bbc::Difference& each : found) out.push_back(difference_to_dict(each));
  return out;
}

/// What each row contributes to the score of one configuration by the shares of the classes.
auto class_contributions(const bbc::Target& target, const std::vector<py::array>& arrays,
                         const bbc::CorrectionOptions& options, std::int64_t configuration) {
  const auto repeats = to_repeats(arrays);
  return to_array(without_gil(
      [&] { return bbc::class_contributions(repeats, target, options, configuration); }));
}

double hidden_by_draws(const DoubleArray& first, const DoubleArray& second,
                       const bbc::CorrectionOptions& options) {
  const auto one = span_of(first);
  const auto other = span_of(second);
  return without_gil([&] { return bbc::hidden_by_draws(one, other, options); });
}

}  // namespace

void register_difference(py::module_& module) {
  py::class_<bbc::Influence>(module, "Influence")
      .def(py::init([](const DoubleArray& values, double n_effective, std::string infeasible) {
             const auto of_units = span_of(values);
             return bbc::Influence{
                 {of_units.begin(), of_units.end()}, n_effective, std::move(infeasible)};
           }),
           py::arg("values").noconvert(), py::arg("n_effective"), py::arg("infeasible"))
      .def_property_readonly(
          "values",
          [](const bbc::Influence& own) { return to_array(std::vector<double>(own.values)); })
      .def_readonly("n_effective", &bbc::Influence::n_effective)
      .def_readonly("infeasible", &bbc::Influence::infeasible);
  module.def("n_distinct", &n_distinct, py::arg("predictions"));
  module.def("influence", &influence, py::arg("target"), py::arg("predictions"), py::arg("options"),
             py::arg("configuration"), py::arg("n_threads"));
  module.def("class_contributions", &class_contributions, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("configuration"));
  module.def("hidden_by_draws", &hidden_by_draws, py::arg("first").noconvert(),
             py::arg("second").noconvert(), py::arg("options"));
  module.def("training_overlap", &bbc::training_overlap, py::arg("n_folds"), py::arg("n_repeats"));
  module.def("differences", &differences, py::arg("replicates").noconvert(),
             py::arg("n_configurations"), py::arg("influences"), py::arg("pairs"), py::kw_only(),
             py::arg("n_drawn"), py::arg("n_units"), py::arg("n_repeats"), py::arg("of_folds"),
             py::arg("overlap"), py::arg("greater_is_better"), py::arg("confidence_level"),
             py::arg("alternative"), py::arg("lowest"), py::arg("highest"));
}
