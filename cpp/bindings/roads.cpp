// Which way of the kernel a metric takes under a plan.
#include <string>

#include "arrays.hpp"
#include "detail/evaluation/road.hpp"
#include "detail/metrics/row_weights.hpp"
#include "register.hpp"

void register_roads(py::module_& module) {
  module.def(
      "road",
      [](const bbc::Metric& metric, const bbc::Target& target, const std::vector<py::array>& arrays,
         const MaybeCodes& folds, const MaybeDoubles& row_weights) {
        const auto repeats = to_repeats(arrays);
        const auto fold_codes = to_vector(folds);
        const auto weights = bbc::detail::relative_weights(to_vector(row_weights), target.n_rows());
        const bbc::detail::EvaluatorInput input{metric,     target,  repeats,
                                                fold_codes, weights, /*fixed_spread=*/true};
        return std::string(bbc::detail::kind_of(bbc::detail::road_of(input)));
      },
      py::arg("metric"), py::arg("target"), py::arg("predictions"), py::arg("folds").noconvert(),
      py::arg("row_weights").noconvert());
}
