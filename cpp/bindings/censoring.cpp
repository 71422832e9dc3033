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

/// G just before each of the times, or beyond it.
auto before(const CensoringSurvival& censoring, const DoubleArray& times) {
  std::vector<double> found = to_vector(times);
  for (double& time : found) time = censoring.before(time);
  return to_array(std::move(found), {times.size()});
}

auto beyond(const CensoringSurvival& censoring, const DoubleArray& times) {
  std::vector<double> found = to_vector(times);
  for (double& time : found) time = censoring.beyond(time);
  return to_array(std::move(found), {times.size()});
}

bbc::Target uno_target(const EventArray& events, const DoubleArray& times,
                       const DoubleArray& uncensored, double tau) {
  return bbc::uno_target(survival_target(events, times), to_vector(uncensored), tau);
}

bbc::Target dynamic_auc_target(const EventArray& events, const DoubleArray& times,
                               const DoubleArray& uncensored, double time) {
  return bbc::dynamic_auc_target(survival_target(events, times), to_vector(uncensored), time);
}

auto brier_weights(const EventArray& events, const DoubleArray& times,
                   const DoubleArray& uncensored, const DoubleArray& uncensored_beyond,
                   const std::vector<double>& at) {
  const bbc::Target survival = survival_target(events, times);
  const auto own = to_vector(uncensored);
  const auto later = to_vector(uncensored_beyond);
  auto weights = without_gil([&] { return bbc::brier_weights(survival, own, later, at); });
  const auto n_times = static_cast<py::ssize_t>(at.size());
  return to_array(std::move(weights), {events.size(), n_times});
}

/// Losses of shape (configuration, row).
auto brier_losses(const DoubleArray& times, const DoubleArray& weights,
                  const std::vector<double>& at, const py::array& predictions) {
  const auto row_times = to_vector(times);
  const auto row_weights = to_vector(weights);
  const auto view = std::get<bbc::View<double>>(to_predictions(predictions));
  auto losses = without_gil([&] { return bbc::brier_losses(row_times, row_weights, at, view); });
  return to_array(std::move(losses), {predictions.shape(1), predictions.shape(0)});
}

/// Mean loss of the only configuration of `losses`, that of one curve for all rows, and whether the
/// former is worse.
auto against_curve(const std::vector<py::array>& losses, const DoubleArray& times,
                   const DoubleArray& weights, const std::vector<double>& at,
                   const MaybeDoubles& row_weights, const MaybeCodes& units,
                   const MaybeCodes& folds) {
  const auto repeats = to_repeats(losses);
  const bbc::CurveDesign design{to_vector(times),       to_vector(weights), at,
                                to_vector(row_weights), to_vector(units),   to_vector(folds)};
  const auto found = without_gil([&] { return bbc::against_curve(repeats, 0, design); });
  return std::make_tuple(found.score, found.curve_score, found.worse);
}

/// Kaplan-Meier probability of an event by a time.
double event_probability(const EventArray& events, const DoubleArray& times, double time,
                         const MaybeDoubles& row_weights) {
  const auto weights = to_vector(row_weights);
  const bbc::Target survival = survival_target(events, times);
  return without_gil([&] { return bbc::event_probability(survival, time, weights); });
}

auto pseudo_event_probabilities(const EventArray& events, const DoubleArray& times, double time,
                                const MaybeDoubles& row_weights, int n_threads) {
  const auto weights = to_vector(row_weights);
  const bbc::Target survival = survival_target(events, times);
  auto values = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::pseudo_event_probabilities(survival, time, weights, control);
  });
  return to_array(std::move(values), {events.size()});
}

}  // namespace

void register_censoring(py::module_& module) {
  py::class_<CensoringSurvival>(module, "Censoring")
      .def(py::init(&estimate), py::arg("events").noconvert(), py::arg("times").noconvert(),
           py::arg("row_weights").noconvert())
      .def("before", &before, py::arg("times").noconvert())
      .def("beyond", &beyond, py::arg("times").noconvert());
  module.def("uno_target", &uno_target, py::arg("events").noconvert(), py::arg("times").noconvert(),
             py::arg("uncensored").noconvert(), py::arg("tau"));
  module.def("dynamic_auc_target", &dynamic_auc_target, py::arg("events").noconvert(),
             py::arg("times").noconvert(), py::arg("uncensored").noconvert(), py::arg("time"));
  module.def("brier_weights", &brier_weights, py::arg("events").noconvert(),
             py::arg("times").noconvert(), py::arg("uncensored").noconvert(),
             py::arg("uncensored_beyond").noconvert(), py::arg("at"));
  module.def("brier_losses", &brier_losses, py::arg("times").noconvert(),
             py::arg("weights").noconvert(), py::arg("at"), py::arg("predictions"));
  module.def("event_probability", &event_probability, py::arg("events").noconvert(),
             py::arg("times").noconvert(), py::arg("time"), py::arg("row_weights").noconvert());
  module.def("pseudo_event_probabilities", &pseudo_event_probabilities,
             py::arg("events").noconvert(), py::arg("times").noconvert(), py::arg("time"),
             py::arg("row_weights").noconvert(), py::arg("n_threads"));
  module.def("against_curve", &against_curve, py::arg("losses"), py::arg("times").noconvert(),
             py::arg("weights").noconvert(), py::arg("at"), py::arg("row_weights").noconvert(),
             py::arg("units").noconvert(), py::arg("folds").noconvert());
}
