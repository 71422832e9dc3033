// Inference on the winner of given predictions. Kernel calls release the GIL.
#include <bbc/possible_winners.hpp>

#include "arrays.hpp"
#include "register.hpp"

namespace {

std::span<const double> span_of(const DoubleArray& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

/// `replicates` of shape (replicate, configuration).
py::dict model_confidence_set(const DoubleArray& scores, const DoubleArray& replicates,
                              bool greater_is_better, double confidence_level, int n_threads) {
  bbc::ModelConfidenceSet set;
  {
    const auto of_all = span_of(scores);
    const auto in_bag = span_of(replicates);
    const WithoutGil outside(n_threads);
    set = bbc::model_confidence_set(of_all, in_bag, greater_is_better, confidence_level,
                                    outside.control);
  }
  py::dict out;
  out["p_values"] = to_array(std::move(set.p_values));
  out["possible"] = to_array(std::move(set.possible));
  out["standard_errors"] = to_array(std::move(set.standard_errors));
  return out;
}

}  // namespace

void register_inference(py::module_& module) {
  module.def("model_confidence_set", &model_confidence_set, py::arg("scores").noconvert(),
             py::arg("replicates").noconvert(), py::arg("greater_is_better"),
             py::arg("confidence_level"), py::arg("n_threads"));
}
