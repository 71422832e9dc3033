// Fold scores and what is computed from them alone: TT and BBC-F. Kernel calls release the GIL.
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>

#include "arrays.hpp"
#include "register.hpp"
#include "results.hpp"

namespace {

bbc::FoldScores to_fold_scores(const DoubleArray& values) {
  if (values.ndim() != 3) throw py::type_error("fold_scores: must be 3-d");
  return {to_vector(values), values.shape(0), values.shape(1), values.shape(2)};
}

auto fold_scores(const bbc::Target& target, const std::vector<py::array>& arrays,
                 const bbc::Metric& metric, const MaybeCodes& folds,
                 const MaybeDoubles& row_weights, bool every_fold, int n_threads) {
  const auto repeats = to_repeats(arrays);
  const auto fold_codes = to_vector(folds);
  const auto weights = to_vector(row_weights);
  const auto computed = every_fold ? bbc::fold_scores : bbc::defined_fold_scores;
  auto scores = without_gil(n_threads, [&](const bbc::Control& control) {
    return computed(target, repeats, metric, fold_codes, weights, control);
  });
  return to_array(std::move(scores.values),
                  {scores.n_repeats, scores.n_folds, scores.n_configurations});
}

py::dict tt(const DoubleArray& deciding, bool greater_decides, const DoubleArray& reported,
            bool greater_is_better) {
  const auto decides = to_fold_scores(deciding);
  const auto shown = to_fold_scores(reported);
  const auto result = bbc::tt({decides, greater_decides}, {shown, greater_is_better});
  py::dict out;
  out["estimate"] = result.estimate;
  out["apparent"] = result.apparent;
  out["optimism"] = result.optimism;
  out["winner"] = result.winner;
  return out;
}

py::dict correct_fold_scores(const DoubleArray& values, const bbc::CorrectionOptions& options,
                             const std::optional<bbc::Target>& target, int n_threads) {
  const auto scores = to_fold_scores(values);
  auto estimate = without_gil(n_threads, [&](const bbc::Control& control) {
    if (!target) return bbc::correct_fold_scores(scores, options, control);
    return bbc::correct_fold_scores(scores, *target, options, control);
  });
  return to_dict(std::move(estimate));
}

py::dict correct_by_folds(const bbc::Target& target, const std::vector<py::array>& arrays,
                          const bbc::CorrectionOptions& options, int n_threads) {
  const auto repeats = to_repeats(arrays);
  auto estimate = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::correct_by_folds(target, repeats, options, control);
  });
  return to_dict(std::move(estimate));
}

}  // namespace

void register_fold_scores(py::module_& module) {
  module.def("fold_scores", &fold_scores, py::arg("target"), py::arg("predictions"),
             py::arg("metric"), py::arg("folds").noconvert(), py::arg("row_weights").noconvert(),
             py::arg("every_fold"), py::arg("n_threads"));
  module.def("tt", &tt, py::arg("deciding").noconvert(), py::arg("greater_decides"),
             py::arg("reported").noconvert(), py::arg("greater_is_better"));
  module.def(
      "few_folds_terms",
      [](const DoubleArray& scores) {
        if (scores.ndim() != 2) throw py::type_error("scores: must be 2-d");
        return rates_array(bbc::few_folds_terms(span_of(scores), scores.shape(0), scores.shape(1)));
      },
      py::arg("scores").noconvert());
  module.def("correct_by_folds", &correct_by_folds, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("n_threads"));
  module.def("correct_fold_scores", &correct_fold_scores, py::arg("fold_scores").noconvert(),
             py::arg("options"), py::arg("target"), py::arg("n_threads"));
  module.def(
      "fold_score_terms",
      [](double score, const bbc::Target& target, const bbc::CorrectionOptions& options) {
        return rates_array(bbc::fold_score_terms(score, target, options));
      },
      py::arg("score"), py::arg("target"), py::arg("options"));
  module.def("truth_tells", py::overload_cast<const bbc::Metric&, std::int32_t>(&bbc::truth_tells),
             py::arg("metric"), py::arg("n_classes"));
  module.def(
      "truth_tells",
      py::overload_cast<const bbc::Target&, const bbc::CorrectionOptions&>(&bbc::truth_tells),
      py::arg("target"), py::arg("options"));
  module.def(
      "spread_shares",
      [](const DoubleArray& values, const CodeArray& folds, std::int64_t n_folds) {
        if (folds.ndim() != 2) throw py::type_error("folds: must be 2-d");
        return to_array(
            bbc::spread_shares(span_of(values), span_of(folds), folds.shape(0), n_folds),
            {folds.shape(0), n_folds});
      },
      py::arg("values").noconvert(), py::arg("folds").noconvert(), py::arg("n_folds"));
}
