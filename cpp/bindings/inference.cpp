// Inference on the winner of given predictions. Kernel calls release the GIL.
#include <bbc/inference.hpp>
#include <bbc/scores.hpp>
#include <bbc/winners.hpp>

#include "register.hpp"
#include "results.hpp"

namespace {

/// `replicates` of shape (replicate, configuration).
py::dict model_confidence_set(const DoubleArray& scores, const DoubleArray& replicates,
                              bool greater_is_better, double confidence_level, int n_threads) {
  const auto of_all = span_of(scores);
  const auto in_bag = span_of(replicates);
  auto set = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::model_confidence_set(of_all, in_bag, greater_is_better, confidence_level, control);
  });
  py::dict out;
  out["p_values"] = to_array(std::move(set.p_values));
  out["possible"] = to_array(std::move(set.possible));
  out["standard_errors"] = to_array(std::move(set.standard_errors));
  return out;
}

/// Scores and their values by row, computed once.
bbc::RowValues row_values(const bbc::Target& target, const std::vector<py::array>& arrays,
                          const bbc::Metric& metric, int n_threads) {
  const auto repeats = to_repeats(arrays);
  return without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::row_values(target, repeats, metric, control);
  });
}

py::dict discrete_argmin(const bbc::RowValues& rows, bool greater_is_better,
                         double confidence_level, int n_threads) {
  auto found = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::discrete_argmin(rows, greater_is_better, confidence_level, control);
  });
  py::dict out;
  out["p_values"] = to_array(std::move(found.p_values));
  out["possible"] = to_array(std::move(found.possible));
  out["lambdas"] = to_array(std::move(found.lambdas));
  return out;
}

py::dict winner_interval(const bbc::RowValues& rows, std::int64_t winner, bool greater_is_better,
                         double level, const std::string& alternative, const MaybeCodes& units,
                         std::uint64_t seed, int n_threads) {
  bbc::WinnerIntervalOptions options;
  options.greater_is_better = greater_is_better;
  options.confidence = to_confidence(level, alternative);
  options.seed = seed;
  options.units = to_vector(units);
  auto result = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::winner_interval(rows, winner, options, control);
  });
  return to_dict(result);
}

double winner_standard_error(const bbc::RowValues& rows, std::int64_t winner,
                             bool greater_is_better) {
  bbc::WinnerIntervalOptions options;
  options.greater_is_better = greater_is_better;
  return without_gil([&] { return bbc::winner_standard_error(rows, winner, options); });
}

py::dict remaining_optimism(const bbc::Target& target, const std::vector<py::array>& arrays,
                            const bbc::CorrectionOptions& options, const MaybeCodes& folds,
                            std::int64_t winner, const LabelArray& replicate_winners,
                            const DoubleArray& replicates, int n_threads) {
  const auto repeats = to_repeats(arrays);
  const bbc::RemainingOptimismOptions of_correction{options, to_vector(folds)};
  const auto winners = to_vector(replicate_winners);
  const auto scores = to_vector(replicates);
  const auto found = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::remaining_optimism(target, repeats, of_correction, winner, winners, scores,
                                   control);
  });
  py::dict out;
  out["kappa"] = found.kappa;
  out["kappa_sd"] = found.kappa_sd;
  out["share_of_pairs"] = found.share_of_pairs;
  out["in_bag_optimism"] = found.in_bag_optimism;
  out["further_optimism"] = found.further_optimism;
  out["coupled_estimate"] = found.coupled_estimate;
  return out;
}

/// `errors` of shape (iteration, configuration).
py::dict weighted_mean_correction(const DoubleArray& errors, double n_train, double n_test,
                                  bool shrink, std::uint64_t seed, int n_threads) {
  if (errors.ndim() != 2) throw py::type_error("errors: must be 2-d");
  bbc::WeightedMeanOptions options;
  options.n_train = n_train;
  options.n_test = n_test;
  options.shrink = shrink;
  options.seed = seed;
  const std::int64_t n_iterations = errors.shape(0);
  const auto values = span_of(errors);
  auto found = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::weighted_mean_correction(values, n_iterations, options, control);
  });
  py::dict out;
  out["estimate"] = found.estimate;
  out["means"] = to_array(std::move(found.means));
  out["weights"] = to_array(std::move(found.weights));
  out["winner"] = found.winner;
  out["shrinkage"] = found.shrinkage;
  out["monte_carlo_error"] = found.monte_carlo_error;
  out["n_draws"] = options.n_draws;
  return out;
}

}  // namespace

void register_inference(py::module_& module) {
  module.def("model_confidence_set", &model_confidence_set, py::arg("scores").noconvert(),
             py::arg("replicates").noconvert(), py::arg("greater_is_better"),
             py::arg("confidence_level"), py::arg("n_threads"));
  module.def(
      "block_length",
      [](const bbc::Target& target, const std::vector<py::array>& arrays, const bbc::Metric& metric,
         int n_threads) {
        const auto repeats = to_repeats(arrays);
        const auto found = without_gil(n_threads, [&](const bbc::Control& control) {
          return bbc::block_length(target, repeats, metric, control);
        });
        return std::make_tuple(found.length, found.is_capped);
      },
      py::arg("target"), py::arg("predictions"), py::arg("metric"), py::arg("n_threads"));
  py::class_<bbc::RowValues>(module, "RowValues")
      .def(py::init(&row_values), py::arg("target"), py::arg("predictions"), py::arg("metric"),
           py::arg("n_threads"))
      .def_property_readonly("scores", [](const bbc::RowValues& rows) {
        return to_array(std::vector<double>(rows.scores));
      });
  module.def("discrete_argmin", &discrete_argmin, py::arg("rows"), py::arg("greater_is_better"),
             py::arg("confidence_level"), py::arg("n_threads"));
  module.def("winner_interval", &winner_interval, py::arg("rows"), py::arg("winner"),
             py::arg("greater_is_better"), py::arg("confidence_level"), py::arg("alternative"),
             py::arg("units").noconvert(), py::arg("seed"), py::arg("n_threads"));
  module.def("winner_standard_error", &winner_standard_error, py::arg("rows"), py::arg("winner"),
             py::arg("greater_is_better"));
  module.def("remaining_optimism", &remaining_optimism, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("folds").noconvert(), py::arg("winner"),
             py::arg("replicate_winners").noconvert(), py::arg("replicates").noconvert(),
             py::arg("n_threads"));
  module.def(
      "truncated_normal_cdf",
      [](double x, double mean, double sd, double low, double high) {
        return bbc::truncated_normal_cdf(x, mean, sd, {low, high});
      },
      py::arg("x"), py::arg("mean"), py::arg("sd"), py::arg("low"), py::arg("high"));
  module.def("weighted_mean_correction", &weighted_mean_correction, py::arg("errors").noconvert(),
             py::arg("n_train"), py::arg("n_test"), py::arg("shrink"), py::arg("seed"),
             py::arg("n_threads"));
}
