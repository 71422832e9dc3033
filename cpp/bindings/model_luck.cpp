// The test of model luck. The kernel call releases the GIL.
#include <bbc/inference.hpp>

#include "arrays.hpp"
#include "register.hpp"

namespace {

py::dict model_luck(const bbc::Target& target, const std::vector<py::array>& arrays,
                    const bbc::Metric& metric, const CodeArray& folds, const MaybeCodes& units,
                    const MaybeDoubles& row_weights, const LabelArray& winners, std::uint64_t seed,
                    std::int64_t n_permutations, int n_threads) {
  const auto repeats = to_repeats(arrays);
  const bbc::ModelLuckOptions options{
      metric, to_vector(folds), to_vector(units), to_vector(row_weights), to_vector(winners),
      seed,   n_permutations};
  auto result = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::model_luck(target, repeats, options, control);
  });
  py::dict out;
  out["untestable"] = result.untestable;
  out["p_value"] = result.p_value;
  out["n_permutations"] = result.n_permutations;
  out["luck_variance"] = result.luck_variance;
  out["row_variance"] = result.row_variance;
  out["predicted_bias"] = result.predicted_bias;
  return out;
}

bool luck_matters(double p_value, double predicted_bias, double estimate, double low, double high,
                  const std::string& alternative) {
  return bbc::luck_matters(p_value, predicted_bias, estimate, {low, high},
                           parse_alternative(alternative));
}

}  // namespace

void register_model_luck(py::module_& module) {
  module.def("model_luck", &model_luck, py::arg("target"), py::arg("predictions"),
             py::arg("metric"), py::arg("folds").noconvert(), py::arg("units").noconvert(),
             py::arg("row_weights").noconvert(), py::arg("winners").noconvert(), py::arg("seed"),
             py::arg("n_permutations"), py::arg("n_threads"));
  module.def("luck_matters", &luck_matters, py::arg("p_value"), py::arg("predicted_bias"),
             py::arg("estimate"), py::arg("low"), py::arg("high"), py::arg("alternative"));
}
