// Weights for censoring, and the truths and losses that they make. Kernel calls release the GIL.
#include <bbc/censoring.hpp>

#include "arrays.hpp"
#include "register.hpp"

namespace {

using bbc::CensoringSurvival;

CensoringSurvival estimate(const EventArray& events, const DoubleArray& times,
                           const MaybeDoubles& row_weights) {
  const auto weights = to_vector(row_weights);
  const bbc::Target survival = survival_target(events, times);
  return without_gil([&] { return bbc::censoring_survival(survival, weights); });
}

py::array brier_weights(const CensoringSurvival& censoring, const EventArray& events,
                        const DoubleArray& times, const std::vector<double>& at) {
  const bbc::Target survival = survival_target(events, times);
  auto weights = without_gil([&] { return bbc::brier_weights(survival, censoring, at); });
  const auto n_times = static_cast<py::ssize_t>(at.size());
  return to_array(std::move(weights), {events.size(), n_times});
}

/// Losses of shape (configuration, row).
py::array brier_losses(const DoubleArray& times, const DoubleArray& weights,
                       const std::vector<double>& at, const py::array& predictions) {
  const auto row_times = to_vector(times);
  const auto row_weights = to_vector(weights);
  const auto view = std::get<bbc::View<double>>(to_predictions(predictions));
  auto losses = without_gil([&] { return bbc::brier_losses(row_times, row_weights, at, view); });
  return to_array(std::move(losses), {predictions.shape(1), predictions.shape(0)});
}

}  // namespace

void register_censoring(py::module_& module) {
  py::class_<CensoringSurvival>(module, "Censoring")
      .def(py::init(&estimate), py::arg("events").noconvert(), py::arg("times").noconvert(),
           py::arg("row_weights").noconvert())
      .def(
          "uno_target",
          [](const CensoringSurvival& censoring, const EventArray& events, const DoubleArray& times,
             double tau) {
            return bbc::uno_target(survival_target(events, times), censoring, tau);
          },
          py::arg("events").noconvert(), py::arg("times").noconvert(), py::arg("tau"))
      .def(
          "dynamic_auc",
          [](const CensoringSurvival& censoring, const EventArray& events, const DoubleArray& times,
             double time) {
            return bbc::dynamic_auc_target(survival_target(events, times), censoring, time);
          },
          py::arg("events").noconvert(), py::arg("times").noconvert(), py::arg("time"))
      .def("brier_weights", &brier_weights, py::arg("events").noconvert(),
           py::arg("times").noconvert(), py::arg("at"));
  module.def("brier_losses", &brier_losses, py::arg("times").noconvert(),
             py::arg("weights").noconvert(), py::arg("at"), py::arg("predictions"));
}
