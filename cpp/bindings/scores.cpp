// Uncorrected scores. Kernel calls release the GIL.
#include <bbc/against_truth.hpp>
#include <bbc/scores.hpp>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "register.hpp"

namespace {

auto score(const bbc::Target& target, const std::vector<py::array>& arrays,
           const bbc::Metric& metric, const MaybeCodes& folds, const MaybeDoubles& row_weights,
           int n_threads) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto weights = to_vector(row_weights);
  auto scores = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::score(target, repeats, metric, fold_codes, weights, control);
  });
  return std::make_tuple(to_array(std::move(scores.values)), scores.winner);
}

auto largest_share(const bbc::Target& target, const std::vector<py::array>& arrays,
                   const bbc::Metric& metric, std::int64_t configuration, const MaybeCodes& folds,
                   const MaybeDoubles& row_weights) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto weights = to_vector(row_weights);
  auto found = without_gil([&] {
    return bbc::largest_share(target, repeats, metric, configuration, fold_codes, weights);
  });
  return std::make_tuple(found.share, found.dominates);
}

auto ranking(const bbc::Target& target, const std::vector<py::array>& arrays,
             std::int64_t configuration, const MaybeCodes& folds) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto found =
      without_gil([&] { return bbc::ranking(target, repeats, configuration, fold_codes); });
  return std::make_tuple(found.auc, found.worse_than_chance);
}

auto from_truth(const bbc::Target& target, const std::vector<py::array>& arrays,
                const bbc::Metric& metric, std::int64_t configuration, const MaybeCodes& folds) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto found = without_gil(
      [&] { return bbc::from_truth(target, repeats, metric, configuration, fold_codes); });
  return std::make_tuple(found.equal, found.ranks_labels, found.up_to);
}

auto association(const bbc::Target& target, const std::vector<py::array>& arrays,
                 const bbc::Metric& metric, std::int64_t configuration, const MaybeCodes& folds,
                 const MaybeCodes& units) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto unit_codes = to_vector(units);
  const auto found = without_gil([&] {
    return bbc::association(target, repeats, metric, configuration, fold_codes, unit_codes);
  });
  return std::make_tuple(found.correlation, found.statistic, found.runs_against);
}

auto row_facts(const bbc::Target& target, const MaybeCodes& folds, const MaybeCodes& units,
               const MaybeDoubles& row_weights) {
  auto found = bbc::row_facts(target, to_vector(folds), to_vector(units), to_vector(row_weights));
  return std::make_tuple(found.n_units, std::move(found.n_units_of_class), found.n_split_units,
                         found.folds_tell_truth, found.units_tell_truth);
}

}  // namespace

void register_scores(py::module_& module) {
  module.def("score", &score, py::arg("target"), py::arg("predictions"), py::arg("metric"),
             py::arg("folds").noconvert(), py::arg("row_weights").noconvert(),
             py::arg("n_threads"));
  module.def("largest_share", &largest_share, py::arg("target"), py::arg("predictions"),
             py::arg("metric"), py::arg("configuration"), py::arg("folds").noconvert(),
             py::arg("row_weights").noconvert());
  module.def("row_facts", &row_facts, py::arg("target"), py::arg("folds").noconvert(),
             py::arg("units").noconvert(), py::arg("row_weights").noconvert());
  module.def("from_truth", &from_truth, py::arg("target"), py::arg("predictions"),
             py::arg("metric"), py::arg("configuration"), py::arg("folds").noconvert());
  module.def("association", &association, py::arg("target"), py::arg("predictions"),
             py::arg("metric"), py::arg("configuration"), py::arg("folds").noconvert(),
             py::arg("units").noconvert());
  module.def("ranking", &ranking, py::arg("target"), py::arg("predictions"),
             py::arg("configuration"), py::arg("folds").noconvert());
}
