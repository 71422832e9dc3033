// What the best rule does not cover: dominated configurations, and rules that are Python functions.
#include <bbc/dominance.hpp>
#include <bbc/error.hpp>
#include <bbc/replicate_scorer.hpp>

#include "arrays.hpp"
#include "register.hpp"
#include "results.hpp"

namespace {

py::tuple dominated(const bbc::Target& target, const std::vector<py::array>& arrays,
                    const bbc::CorrectionOptions& options, double dropping_level, int n_threads) {
  const auto repeats = to_repeats(arrays);
  auto result = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::dominated(target, repeats, options, dropping_level, control);
  });
  return py::make_tuple(result.best, to_array(std::move(result.share_worse)),
                        to_array(std::move(result.dominated)));
}

/// Counts that score replicates of a correction, without predictions.
py::array scoring_counts(const bbc::Target& target, const bbc::CorrectionOptions& options,
                         std::int64_t first, std::int64_t n, int n_threads) {
  auto counts = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::scoring_counts(target, options, first, n, control);
  });
  return to_array(std::move(counts), {n, target.n_rows()});
}

/// A scorer, and the arrays that it views.
class ReplicateScorer {
 public:
  ReplicateScorer(const bbc::Target& target, std::vector<py::array> arrays,
                  const bbc::CorrectionOptions& options, int n_threads, bool decides)
      : arrays_(std::move(arrays)), scorer_([&] {
          auto repeats = to_repeats(arrays_);
          return without_gil(n_threads, [&](const bbc::Control& control) {
            return bbc::ReplicateScorer(
                target, std::move(repeats), options, control,
                decides ? bbc::MetricRole::decides : bbc::MetricRole::reported);
          });
        }()) {}

  [[nodiscard]] std::int64_t n_rows() const { return scorer_.n_rows(); }
  [[nodiscard]] std::int64_t n_fold_sides() const { return scorer_.n_fold_sides(); }

  [[nodiscard]] py::array on_all_rows(int n_threads) const {
    return to_array(without_gil(
        n_threads, [&](const bbc::Control& control) { return scorer_.on_all_rows(control); }));
  }

  [[nodiscard]] py::array rates(std::int64_t configuration) const {
    return rates_array(scorer_.rates(configuration));
  }

  [[nodiscard]] py::tuple in_bag(std::int64_t first, std::int64_t n, int n_threads) const {
    auto replicates = without_gil(
        n_threads, [&](const bbc::Control& control) { return scorer_.in_bag(first, n, control); });
    py::array counts = to_array(std::move(replicates.counts), {n, scorer_.n_rows()});
    py::array scoring = counts;
    if (!replicates.fold_counts.empty()) {
      scoring = to_array(std::move(replicates.fold_counts), {n, scorer_.n_rows()});
    }
    return py::make_tuple(counts, scoring,
                          to_array(std::move(replicates.scores), {n, scorer_.n_configurations()}),
                          replicates.n_redrawn, replicates.n_undefined_folds);
  }

  [[nodiscard]] py::tuple out_of_bag(std::int64_t first, const CountArray& scoring,
                                     const LabelArray& winners, int n_threads) const {
    const auto counts = span_of(scoring);
    const auto chosen = to_vector(winners);
    auto result = without_gil(n_threads, [&](const bbc::Control& control) {
      return scorer_.out_of_bag(first, counts, chosen, control);
    });
    return py::make_tuple(to_array(std::move(result.scores)), result.n_undefined_folds);
  }

  [[nodiscard]] py::array out_of_bag_scores(std::int64_t first, const CountArray& scoring,
                                            const LabelArray& configurations, int n_threads) const {
    const auto counts = span_of(scoring);
    const auto chosen = to_vector(configurations);
    auto scores = without_gil(n_threads, [&](const bbc::Control& control) {
      return scorer_.out_of_bag_scores(first, counts, chosen, control);
    });
    const auto n = static_cast<std::int64_t>(counts.size()) / scorer_.n_rows();
    return to_array(std::move(scores), {n, static_cast<std::int64_t>(chosen.size())});
  }

 private:
  std::vector<py::array> arrays_;
  bbc::ReplicateScorer scorer_;
};

}  // namespace

void register_replicate_scorer(py::module_& module) {
  module.def("dominated", &dominated, py::arg("target"), py::arg("predictions"), py::arg("options"),
             py::arg("dropping_level"), py::arg("n_threads"));
  module.def("scoring_counts", &scoring_counts, py::arg("target"), py::arg("options"),
             py::arg("first"), py::arg("n"), py::arg("n_threads"));
  py::class_<ReplicateScorer>(module, "ReplicateScorer")
      .def(py::init<const bbc::Target&, std::vector<py::array>, const bbc::CorrectionOptions&, int,
                    bool>(),
           py::arg("target"), py::arg("predictions"), py::arg("options"), py::arg("n_threads"),
           py::arg("decides") = true)
      .def_property_readonly("n_rows", &ReplicateScorer::n_rows)
      .def_property_readonly("n_fold_sides", &ReplicateScorer::n_fold_sides)
      .def("rates", &ReplicateScorer::rates, py::arg("configuration"))
      .def("on_all_rows", &ReplicateScorer::on_all_rows, py::arg("n_threads"))
      .def("in_bag", &ReplicateScorer::in_bag, py::arg("first"), py::arg("n"), py::arg("n_threads"))
      .def("out_of_bag", &ReplicateScorer::out_of_bag, py::arg("first"),
           py::arg("scoring").noconvert(), py::arg("winners").noconvert(), py::arg("n_threads"))
      .def("out_of_bag_scores", &ReplicateScorer::out_of_bag_scores, py::arg("first"),
           py::arg("scoring").noconvert(), py::arg("configurations").noconvert(),
           py::arg("n_threads"));
}
