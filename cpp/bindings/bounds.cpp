// Tilting and the lower bounds of a selected configuration. Every call releases the GIL.
#include <bbc/intervals.hpp>

#include "register.hpp"
#include "results.hpp"

namespace {

using Tilting = bbc::TiltingResult(const bbc::TiltingData&, const bbc::TiltingOptions&,
                                   const bbc::Control&);

/// `columns` of shape (configuration, row); an empty `is_positive` asks for the accuracy.
template <Tilting* Method>
py::dict tilt(const EventArray& is_positive, const DoubleArray& columns, std::int64_t selected,
              bool published, std::int64_t n_bootstraps, std::uint64_t seed,
              const MaybeCodes& resamples, double level, const std::string& alternative,
              int n_threads) {
  if (columns.ndim() != 2) throw py::type_error("columns: must be 2-d");
  bbc::TiltingData data;
  data.is_positive = to_vector(is_positive);
  data.columns = to_vector(columns);
  data.n_configurations = columns.shape(0);
  data.selected = selected;
  bbc::TiltingOptions options;
  if (published) options.variant = bbc::TiltingOptions::Variant::published;
  options.n_bootstraps = n_bootstraps;
  options.seed = seed;
  options.resamples = to_vector(resamples);
  options.confidence = to_confidence(level, alternative);
  auto result = without_gil(
      n_threads, [&](const bbc::Control& control) { return Method(data, options, control); });
  py::dict out = to_dict(result.bound);
  out["tau"] = result.tau;
  out["effective_sample_size"] = result.effective_sample_size;
  out["n_bootstraps"] = result.n_bootstraps;
  return out;
}

bbc::BoundMethod parse_method(const std::string& name) {
  if (name == "delong") return bbc::BoundMethod::delong;
  if (name == "hanley-mcneil") return bbc::BoundMethod::hanley_mcneil;
  if (name == "bt") return bbc::BoundMethod::tilting;
  if (name == "mabt") return bbc::BoundMethod::mabt;
  if (name == "nb") return bbc::BoundMethod::naive_bootstrap;
  throw py::value_error("method: unknown '" + name + "'");
}

py::dict bound(const EventArray& is_positive, const py::array_t<double>& predictions,
               const CodeArray& folds, const std::vector<std::string>& fold_names,
               const std::string& method, bool top_decile, bool published, double level,
               std::int64_t n_bootstraps, std::uint64_t seed, int n_threads) {
  if (predictions.ndim() != 2) throw py::type_error("predictions: must be 2-d");
  const bbc::BoundData data{to_vector(is_positive), to_vector(folds), fold_names,
                            std::get<bbc::View<double>>(view_of<double>(predictions))};
  bbc::BoundOptions options;
  options.method = parse_method(method);
  options.rule = top_decile ? bbc::BoundRule::top_decile : bbc::BoundRule::best;
  options.published = published;
  options.confidence_level = level;
  options.n_bootstraps = n_bootstraps;
  options.seed = seed;
  auto result = without_gil(
      n_threads, [&](const bbc::Control& control) { return bbc::bound(data, options, control); });
  py::dict out = to_dict(result.bound);
  out["selected"] = result.selected;
  out["winner"] = result.winner;
  out["candidates"] = to_array(std::move(result.candidates));
  out["evaluation_rows"] = to_array(std::move(result.evaluation_rows));
  out["n_splits"] = result.n_splits;
  out["n_bootstraps"] = result.n_bootstraps;
  out["effective_sample_size"] = result.effective_sample_size;
  return out;
}

}  // namespace

void register_bounds(py::module_& module) {
  const auto define = [&](const char* name, auto* method) {
    module.def(name, method, py::arg("is_positive").noconvert(), py::arg("columns").noconvert(),
               py::arg("selected"), py::arg("published"), py::arg("n_bootstraps"), py::arg("seed"),
               py::arg("resamples").noconvert(), py::arg("confidence_level"),
               py::arg("alternative"), py::arg("n_threads"));
  };
  define("tilting", &tilt<bbc::tilting>);
  define("mabt", &tilt<bbc::mabt>);
  module.def("bound", &bound, py::arg("is_positive").noconvert(),
             py::arg("predictions").noconvert(), py::arg("folds").noconvert(),
             py::arg("fold_names"), py::arg("method"), py::arg("top_decile"), py::arg("published"),
             py::arg("confidence_level"), py::arg("n_bootstraps"), py::arg("seed"),
             py::arg("n_threads"));
}
