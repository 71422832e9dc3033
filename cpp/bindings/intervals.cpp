// Intervals of one fixed configuration or learner. The GIL is released where work grows with rows.
#include <bbc/correction.hpp>
#include <bbc/intervals.hpp>
#include <bbc/score_interval.hpp>

#include "register.hpp"
#include "results.hpp"

namespace {

py::dict delong(const EventArray& is_positive, const DoubleArray& scores, double level,
                const std::string& alternative) {
  const auto flags = to_vector(is_positive);
  const auto values = to_vector(scores);
  const auto confidence = to_confidence(level, alternative);
  auto interval = without_gil([&] { return bbc::delong(flags, values, confidence); });
  return to_dict(interval);
}

py::dict delong_test(const EventArray& is_positive, const DoubleArray& first,
                     const DoubleArray& second, double level, const std::string& alternative) {
  const auto flags = to_vector(is_positive);
  const auto one = to_vector(first);
  const auto other = to_vector(second);
  const auto confidence = to_confidence(level, alternative);
  auto test = without_gil([&] { return bbc::delong_test(flags, one, other, confidence); });
  py::dict out = to_dict(test.difference);
  out["first_auc"] = test.first_auc;
  out["second_auc"] = test.second_auc;
  out["z"] = test.z;
  out["p_value"] = test.p_value;
  return out;
}

py::dict hanley_mcneil(const EventArray& is_positive, const DoubleArray& scores, double level,
                       const std::string& alternative) {
  const auto placed = bbc::placements(to_vector(is_positive), to_vector(scores));
  return to_dict(bbc::hanley_mcneil(placed.auc, static_cast<std::int64_t>(placed.positive.size()),
                                    static_cast<std::int64_t>(placed.negative.size()),
                                    to_confidence(level, alternative)));
}

py::dict hanley_mcneil_paraschakis2024(const EventArray& is_positive, const DoubleArray& scores,
                                       std::int64_t n_correct, std::int64_t n_other, double level,
                                       const std::string& alternative) {
  const auto placed = bbc::placements(to_vector(is_positive), to_vector(scores));
  return to_dict(bbc::hanley_mcneil_paraschakis2024(placed.auc, n_correct, n_other,
                                                    to_confidence(level, alternative)));
}

bbc::BootstrapKind parse_kind(const std::string& name) {
  if (name == "percentile") return bbc::BootstrapKind::percentile;
  if (name == "basic") return bbc::BootstrapKind::basic;
  if (name == "bca") return bbc::BootstrapKind::bca;
  if (name == "studentized") return bbc::BootstrapKind::studentized;
  throw py::value_error("kind: unknown '" + name + "'");
}

py::dict naive_bootstrap(const bbc::Target& target, const py::array& predictions,
                         const bbc::CorrectionOptions& options, const std::string& kind,
                         double lowest, double highest, int n_threads) {
  const auto view = to_predictions(predictions);
  const auto parsed = parse_kind(kind);
  auto sample = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::bootstrap_sample(target, view, options.metric, options.resampling, parsed, control);
  });
  const auto interval = without_gil([&] {
    return bbc::bootstrap_interval(sample, parsed, {options.confidence_level, options.alternative},
                                   {lowest, highest});
  });
  py::dict out = to_dict(interval);
  out["replicates"] = to_array(std::move(sample.replicates));
  out["n_redrawn"] = sample.n_redrawn;
  return out;
}

py::dict nested_cv(const std::vector<DoubleArray>& outer, const std::vector<DoubleArray>& inner,
                   std::int64_t n_rows, std::int64_t n_folds, std::optional<double> cv_loss,
                   double level, const std::string& alternative, double lowest, double highest) {
  if (outer.size() != inner.size()) throw py::value_error("outer, inner: one array per fold each");
  std::vector<bbc::NestedFold> folds;
  for (std::size_t k = 0; k < outer.size(); ++k) {
    folds.push_back({to_vector(outer[k]), to_vector(inner[k])});
  }
  bbc::NestedOptions options;
  options.n_rows = n_rows;
  options.n_folds = n_folds;
  options.has_cv_loss = cv_loss.has_value();
  options.cv_loss = cv_loss.value_or(0.0);
  return to_dict(
      bbc::nested_cv(folds, options, to_confidence(level, alternative), {lowest, highest}));
}

template <class Binomial>
auto of_counts(Binomial interval) {
  return [interval](std::int64_t n_successes, std::int64_t n_trials, double level,
                    const std::string& alternative) {
    return to_dict(interval(n_successes, n_trials, to_confidence(level, alternative)));
  };
}

void register_learner_intervals(py::module_& module) {
  module.def(
      "calibrated_limits",
      [](double estimate, double replicate_sd, std::int64_t n_folds, double luck_variance,
         double overlap, const DoubleArray& rates, double confidence_level,
         const std::string& alternative, double lowest, double highest) {
        return to_dict(bbc::calibrated_limits(
            estimate, {replicate_sd, n_folds, luck_variance, overlap},
            bbc::terms_of(span_of(rates)), to_confidence(confidence_level, alternative),
            {lowest, highest}));
      },
      py::arg("estimate"), py::arg("replicate_sd"), py::arg("n_folds"), py::arg("luck_variance"),
      py::arg("overlap"), py::arg("rates").noconvert(), py::arg("confidence_level"),
      py::arg("alternative"), py::arg("lowest"), py::arg("highest"));
  module.def(
      "corrected_resampled_t",
      [](const DoubleArray& scores, double n_train, double n_test, double level,
         const std::string& alternative, double lowest, double highest) {
        return to_dict(bbc::corrected_resampled_t(to_vector(scores), n_train, n_test,
                                                  to_confidence(level, alternative),
                                                  {lowest, highest}));
      },
      py::arg("scores").noconvert(), py::arg("n_train"), py::arg("n_test"),
      py::arg("confidence_level"), py::arg("alternative"), py::arg("lowest"), py::arg("highest"));
  module.def(
      "conservative_z",
      [](double estimate, const DoubleArray& first, const DoubleArray& second, double level,
         const std::string& alternative, double lowest, double highest) {
        return to_dict(bbc::conservative_z(estimate, to_vector(first), to_vector(second),
                                           to_confidence(level, alternative), {lowest, highest}));
      },
      py::arg("estimate"), py::arg("first").noconvert(), py::arg("second").noconvert(),
      py::arg("confidence_level"), py::arg("alternative"), py::arg("lowest"), py::arg("highest"));
  module.def(
      "wald",
      [](const DoubleArray& losses, double level, const std::string& alternative, double lowest,
         double highest) {
        return to_dict(
            bbc::wald(to_vector(losses), to_confidence(level, alternative), {lowest, highest}));
      },
      py::arg("losses").noconvert(), py::arg("confidence_level"), py::arg("alternative"),
      py::arg("lowest"), py::arg("highest"));
  module.def("nested_cv", &nested_cv, py::arg("outer"), py::arg("inner"), py::arg("n_rows"),
             py::arg("n_folds"), py::arg("cv_loss"), py::arg("confidence_level"),
             py::arg("alternative"), py::arg("lowest"), py::arg("highest"));
}

}  // namespace

void register_intervals(py::module_& module) {
  module.def("delong", &delong, py::arg("is_positive").noconvert(), py::arg("scores").noconvert(),
             py::arg("confidence_level"), py::arg("alternative"));
  module.def("delong_test", &delong_test, py::arg("is_positive").noconvert(),
             py::arg("first").noconvert(), py::arg("second").noconvert(),
             py::arg("confidence_level"), py::arg("alternative"));
  module.def("hanley_mcneil", &hanley_mcneil, py::arg("is_positive").noconvert(),
             py::arg("scores").noconvert(), py::arg("confidence_level"), py::arg("alternative"));
  module.def("hanley_mcneil_paraschakis2024", &hanley_mcneil_paraschakis2024,
             py::arg("is_positive").noconvert(), py::arg("scores").noconvert(),
             py::arg("n_correct"), py::arg("n_other"), py::arg("confidence_level"),
             py::arg("alternative"));
  module.def("wilson", of_counts(&bbc::wilson), py::arg("n_successes"), py::arg("n_trials"),
             py::arg("confidence_level"), py::arg("alternative"));
  module.def("clopper_pearson", of_counts(&bbc::clopper_pearson), py::arg("n_successes"),
             py::arg("n_trials"), py::arg("confidence_level"), py::arg("alternative"));
  module.def("naive_bootstrap", &naive_bootstrap, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("kind"), py::arg("lowest"), py::arg("highest"),
             py::arg("n_threads"));
  register_learner_intervals(module);
}
