// Which way of the kernel a metric takes under a plan.
#include <string>

#include "arrays.hpp"
#include "detail/evaluation/column_evaluators.hpp"
#include "detail/metrics/row_weights.hpp"
#include "register.hpp"

void register_roads(py::module_& module) {
  module.def(
      "road",
      [](const bbc::Metric& metric, const bbc::Target& target, const std::vector<py::array>& arrays,
         const MaybeCodes& folds, const MaybeDoubles& row_weights) {
        const auto repeats = to_repeats(arrays);
        const auto fold_codes = to_vector(folds);
        const auto weights =
            bbc::detail::scale_by_power_of_two(to_vector(row_weights), target.n_rows());
        const auto evaluator = bbc::detail::make_evaluator(
            {metric, target, repeats, fold_codes, weights, /*fixed_spread=*/true}, {1, {}});
        return std::string(bbc::detail::road_of(*evaluator));
      },
      py::arg("metric"), py::arg("target"), py::arg("predictions"), py::arg("folds").noconvert(),
      py::arg("row_weights").noconvert());
}
