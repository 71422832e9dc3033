// Dominated configurations, rules and metrics that are Python functions, and winners by other
// metrics.
#include <bbc/inference.hpp>
#include <bbc/winners.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>

#include "arrays.hpp"
#include "register.hpp"
#include "results.hpp"

namespace {

auto dominated(const bbc::Target& target, const std::vector<py::array>& arrays,
               const bbc::CorrectionOptions& options, double dropping_level, int n_threads) {
  const auto repeats = to_repeats(arrays);
  auto result = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::dominated(target, repeats, options, dropping_level, control);
  });
  return std::make_tuple(result.best, to_array(std::move(result.share_worse)),
                         to_array(std::move(result.dominated)));
}

auto copied(std::span<const std::int64_t> values) {
  return to_array(std::vector<std::int64_t>(values.begin(), values.end()));
}

/// A metric that is a Python function, in the place of predictions.
class ScoresByFunction {
 public:
  /// `scores(rows, configurations, repeat)`, where repeat -1 is all, returns scores, or None where
  /// they are undefined, and the number of folds without a score.
  ScoresByFunction(py::function scores, const DoubleArray& on_all_rows, std::int64_t n_folds,
                   bool size_dependent, std::string name)
      : scores_(std::move(scores)),
        metric_{{}, to_vector(on_all_rows), n_folds, size_dependent, std::move(name)} {}

  /// The metric, to be called within `outside`.
  [[nodiscard]] bbc::OwnMetric called(WithoutGil& outside) const {
    bbc::OwnMetric metric = metric_;
    metric.scores = [&](std::span<const std::int64_t> rows,
                        std::span<const std::int64_t> configurations, std::int64_t repeat) {
      return outside.within([&] {
        const py::tuple found = scores_(copied(rows), copied(configurations), repeat);
        bbc::ScoresOfRows scores;
        if (!found[0].is_none()) scores.values = to_vector(found[0].cast<DoubleArray>());
        scores.n_undefined_folds = found[1].cast<std::int64_t>();
        return scores;
      });
    };
    return metric;
  }

 private:
  py::function scores_;
  bbc::OwnMetric metric_;
};

/// Predictions that the kernel scores, or their scores by a function.
using Scored = std::variant<std::vector<py::array>, const ScoresByFunction*>;

/// What `call` returns of the predictions, or of the metric, and control, without Python's lock.
template <class Call>
auto scored_without_gil(const Scored& scored, int n_threads, const Call& call) {
  if (const auto* by_function = std::get_if<const ScoresByFunction*>(&scored)) {
    WithoutGil outside(n_threads);
    return call((*by_function)->called(outside), outside);
  }
  const auto repeats = to_repeats(std::get<std::vector<py::array>>(scored));
  WithoutGil outside(n_threads);
  return call(repeats, outside);
}

/// `choose(scores, counts)` returns a configuration.
py::dict correct_by_rule(const bbc::Target& target, const Scored& scored,
                         const bbc::CorrectionOptions& options, const py::function& choose,
                         int n_threads) {
  return to_dict(
      scored_without_gil(scored, n_threads, [&](const auto& predictions, WithoutGil& outside) {
        const auto rule = [&](std::span<const double> scores,
                              std::span<const std::uint16_t> counts) {
          return outside.within([&] {
            return choose(to_array(std::vector<double>(scores.begin(), scores.end())),
                          to_array(std::vector<std::int64_t>(counts.begin(), counts.end())))
                .template cast<std::int64_t>();
          });
        };
        return bbc::correct_by_rule(target, predictions, options, rule, outside.control);
      }));
}

/// `places` are those of bbc::Redraws, of shape (repeat, row).
bbc::Redraws make_redraws(const bbc::Target& target, const bbc::CorrectionOptions& options,
                          const MaybeCodes& places, const std::optional<LabelArray>& attempts) {
  if (places && places->ndim() != 2) throw py::type_error("places: must be 2-d");
  return {target, options, to_vector(places), places ? places->shape(0) : 1, to_vector(attempts)};
}

/// Keys as the fields of WinnerScores in Python.
py::dict winner_scores(const bbc::Target& target, const Scored& scored,
                       const bbc::CorrectionOptions& options, const bbc::Redraws& redraws,
                       const LabelArray& winners, std::int64_t winner, int n_threads) {
  const bbc::Winners chosen{to_vector(winners), winner};
  auto found = scored_without_gil(scored, n_threads, [&](const auto& given, WithoutGil& outside) {
    if constexpr (std::is_same_v<decltype(given), const bbc::OwnMetric&>) {
      return bbc::winner_scores(given, options, redraws, chosen, outside.control);
    } else {
      const bbc::ReplicateScorer scorer(target, given, options, outside.control,
                                        bbc::MetricRole::reported);
      return bbc::winner_scores(scorer, options, redraws, chosen, outside.control);
    }
  });
  py::dict out;
  out["apparent"] = found.apparent;
  out["replicates"] = to_array(std::move(found.replicates));
  out["undefined_fold_share"] = found.undefined_fold_share;
  out["rates"] = rates_array(found.rates);
  out["size_bias"] = number_or_none(found.size_bias);
  return out;
}

/// The scores of all configurations on all rows and in bag, and how often draws were redrawn.
auto in_bag_scores(const bbc::Target& target, const Scored& scored,
                   const bbc::CorrectionOptions& options, int n_threads) {
  auto found = scored_without_gil(scored, n_threads, [&](const auto& given, WithoutGil& outside) {
    return bbc::in_bag_scores(target, given, options, outside.control);
  });
  const auto n = static_cast<py::ssize_t>(found.on_all_rows.size());
  return std::make_tuple(
      to_array(std::move(found.on_all_rows)),
      to_array(std::move(found.replicates), {options.resampling.n_bootstraps, n}), found.n_redrawn);
}

/// Estimate, standard deviation and the estimate's Monte Carlo error.
auto replicate_moments(const DoubleArray& replicates, double apparent,
                       std::int64_t n_configurations, const bbc::CorrectionOptions& options) {
  const auto found =
      bbc::replicate_moments(to_vector(replicates), apparent, n_configurations, options);
  return std::make_tuple(found.estimate, found.sd, found.monte_carlo_error);
}

}  // namespace

void register_replicate_scorer(py::module_& module) {
  module.def("dominated", &dominated, py::arg("target"), py::arg("predictions"), py::arg("options"),
             py::arg("dropping_level"), py::arg("n_threads"));
  py::class_<ScoresByFunction>(module, "ScoresByFunction")
      .def(py::init<py::function, const DoubleArray&, std::int64_t, bool, std::string>(),
           py::arg("scores"), py::arg("on_all_rows").noconvert(), py::arg("n_folds"),
           py::arg("size_dependent"), py::arg("name"));
  module.def("correct_by_rule", &correct_by_rule, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("choose"), py::arg("n_threads"));
  module.def("in_bag_scores", &in_bag_scores, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("n_threads"));
  module.def("replicate_moments", &replicate_moments, py::arg("replicates").noconvert(),
             py::arg("apparent"), py::arg("n_configurations"), py::arg("options"));
  py::class_<bbc::Redraws>(module, "Redraws")
      .def(py::init(&make_redraws), py::arg("target"), py::arg("options"), py::kw_only(),
           py::arg("places").noconvert() = py::none(),
           py::arg("attempts").noconvert() = py::none());
  module.def("winner_scores", &winner_scores, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("redraws"), py::arg("winners").noconvert(),
             py::arg("winner"), py::arg("n_threads"));
}
