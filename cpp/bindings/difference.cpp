// The differences between families of configurations. Kernel calls release the GIL.
#include <bbc/difference.hpp>

#include "arrays.hpp"
#include "register.hpp"

namespace {

py::dict to_dict(const bbc::Difference& found) {
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

py::list differences(const std::vector<DoubleArray>& replicates,
                     const std::vector<std::int64_t>& n_configurations,
                     const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs,
                     std::int64_t n_drawn, std::int64_t n_units, std::int64_t n_repeats,
                     bool of_folds, bool greater_is_better, double confidence_level,
                     const std::string& alternative, double widest) {
  std::vector<bbc::Family> families;
  for (std::size_t i = 0; i < replicates.size(); ++i) {
    families.push_back({span_of(replicates[i]), n_configurations.at(i)});
  }
  std::vector<bbc::FamilyPair> given;
  for (const auto& [first, second] : pairs) given.push_back({first, second});
  const bbc::DifferenceOptions options{
      greater_is_better, {confidence_level, parse_alternative(alternative)}, widest};
  auto found = without_gil([&] {
    return bbc::differences(families, given, {n_drawn, n_units, n_repeats, of_folds}, options);
  });
  py::list out;
  for (const bbc::Difference& each : found) out.append(to_dict(each));
  return out;
}

}  // namespace

void register_difference(py::module_& module) {
  module.def("differences", &differences, py::arg("replicates").noconvert(),
             py::arg("n_configurations"), py::arg("pairs"), py::kw_only(), py::arg("n_drawn"),
             py::arg("n_units"), py::arg("n_repeats"), py::arg("of_folds"),
             py::arg("greater_is_better"), py::arg("confidence_level"), py::arg("alternative"),
             py::arg("widest"));
}
