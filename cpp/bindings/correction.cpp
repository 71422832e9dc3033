// Truth, metric, options and correction. Every kernel call releases the GIL.
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/score_interval.hpp>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "register.hpp"
#include "results.hpp"

namespace {

bbc::Target labels_target(const CodeArray& codes, std::int32_t n_classes,
                          const LabelArray& label_values,
                          const std::vector<std::string>& label_names) {
  bbc::Target target;
  target.kind = bbc::Target::Kind::labels;
  target.codes = to_vector(codes);
  target.n_classes = n_classes;
  target.label_values = to_vector(label_values);
  target.label_names = label_names;
  return target;
}

bbc::Target real_target(const DoubleArray& values) {
  bbc::Target target;
  target.values = to_vector(values);
  return target;
}

/// Rungs from what was predicted, of shape (row, configuration).
bbc::selection::Rungs find_rungs(const EventArray& predicted, const MaybeCodes& of_row,
                                 const MaybeCodes& units, double burn,
                                 const std::vector<std::int32_t>& choose_only) {
  if (predicted.ndim() != 2) throw py::type_error("predicted: must be 2-d");
  return bbc::find_rungs(span_of(predicted), predicted.shape(0), predicted.shape(1),
                         to_vector(of_row), to_vector(units), {burn, choose_only});
}

bbc::CorrectionOptions make_options(
    const bbc::Metric& metric, std::int64_t n_bootstraps, std::uint64_t seed, std::uint32_t stream,
    const MaybeCodes& units, const MaybeCodes& strata, const MaybeCodes& resamples,
    const MaybeCodes& drawn_folds, const MaybeCodes& folds, const MaybeDoubles& row_weights,
    bool redraw, double confidence_level, const std::string& alternative,
    const MaybeDoubles& complexity, const MaybeCodes& complexity_folds, bool rotate_repeats,
    const std::string& choice, std::int64_t choice_size, bool size_correction,
    const std::optional<bbc::selection::Rungs>& rungs, const MaybeCodes& classes,
    bool fixed_class_counts) {
  bbc::CorrectionOptions options;
  options.classes = to_vector(classes);
  options.fixed_class_counts = fixed_class_counts;
  options.metric = metric;
  options.resampling.n_bootstraps = n_bootstraps;
  options.resampling.seed = seed;
  options.resampling.stream = stream;
  options.resampling.units = to_vector(units);
  options.resampling.strata = to_vector(strata);
  options.resampling.resamples = to_vector(resamples);
  options.resampling.folds = to_vector(drawn_folds);
  options.folds = to_vector(folds);
  options.row_weights = to_vector(row_weights);
  options.redraw = redraw;
  options.confidence_level = confidence_level;
  options.alternative = parse_alternative(alternative);
  options.rotate_repeats = rotate_repeats;
  options.size_correction = size_correction;
  if (complexity) {
    options.selection =
        bbc::selection::OneStandardError{to_vector(complexity), to_vector(complexity_folds)};
  }
  if (choice == "best_threshold") options.selection = bbc::selection::Threshold{};
  if (choice == "greedy_ensemble") options.selection = bbc::selection::GreedyEnsemble{choice_size};
  if (choice == "top_k") options.selection = bbc::selection::TopK{choice_size};
  if (rungs) options.selection = *rungs;
  return options;
}

py::dict correct(const bbc::Target& target, const std::vector<py::array>& arrays,
                 const bbc::CorrectionOptions& options, int n_threads) {
  const auto repeats = to_repeats(arrays);
  auto estimate = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::correct(target, repeats, options, control);
  });
  return to_dict(std::move(estimate));
}

/// What limits of a configuration's score rest on, of the folds that are drawn where `by_folds`.
auto rate_terms(const bbc::Target& target, const std::vector<py::array>& arrays,
                const bbc::CorrectionOptions& options, std::int64_t configuration, bool by_folds) {
  const auto repeats = to_repeats(arrays);
  const auto computed = by_folds ? bbc::terms_of_drawn_folds : bbc::rate_terms;
  return rates_array(
      without_gil([&] { return computed(repeats, target, options, configuration); }));
}

std::vector<py::dict> to_list(std::vector<bbc::Estimate>&& estimates) {
  std::vector<py::dict> out;
  for (auto& estimate : estimates) out.push_back(to_dict(std::move(estimate)));
  return out;
}

std::vector<py::dict> correct_families(const bbc::Target& target,
                                       const std::vector<std::vector<py::array>>& families,
                                       const bbc::CorrectionOptions& options, int n_threads) {
  std::vector<std::vector<bbc::Predictions>> views;
  for (const auto& arrays : families) views.push_back(to_repeats(arrays));
  auto estimates = without_gil(n_threads, [&](const bbc::Control& control) {
    return bbc::correct_families(target, views, options, control);
  });
  return to_list(std::move(estimates));
}

void add(bbc::Correction& correction, const std::vector<py::array>& arrays,
         std::int64_t first_configuration, int n_threads) {
  const auto repeats = to_repeats(arrays);
  without_gil(n_threads, [&](const bbc::Control& control) {
    correction.add(repeats, first_configuration, control);
  });
}

/// Names of parameters and their defaults; None where a metric has no meaning without.
py::tuple parameters_of(const bbc::MetricFacts& facts) {
  const bbc::MetricParameters defaults;
  py::dict known;
  known["average"] = facts.average;
  known["beta"] = defaults.beta;
  known["alpha"] = defaults.alpha;
  known["tau"] = std::numeric_limits<double>::infinity();
  py::list found;
  std::istringstream names(facts.parameters);
  for (std::string name; names >> name;) {
    found.append(py::make_tuple(name, known.attr("get")(name)));
  }
  return py::tuple(found);
}

/// What is known of each metric, by the members of MetricFacts.
std::vector<py::dict> metric_table() {
  std::vector<py::dict> table;
  for (const auto& facts : bbc::metric_table()) {
    py::dict entry;
    entry["name"] = facts.name;
    entry["kernel"] = facts.kernel;
    entry["average"] = facts.average;
    entry["sign"] = static_cast<int>(facts.sign);
    entry["parameters"] = parameters_of(facts);
    entry["form"] = facts.form;
    entry["family"] = facts.family;
    entry["target"] = facts.target;
    entry["predicts"] = facts.predicts;
    entry["target_range"] = facts.target_range;
    entry["prediction_range"] = facts.prediction_range;
    entry["needs_classes"] = facts.needs_classes;
    entry["censoring"] = facts.censoring;
    entry["greater_is_better"] = facts.greater_is_better;
    entry["orders_classes"] = facts.orders_classes;
    entry["one_class"] = facts.one_class;
    entry["skewed"] = facts.skewed;
    entry["limits"] = py::make_tuple(facts.range.low, facts.range.high);
    entry["title"] = facts.title;
    entry["multiclass"] = facts.multiclass;
    entry["sklearn"] = facts.sklearn;
    entry["yardstick"] = facts.yardstick;
    entry["yardstick_of_two"] = facts.yardstick_of_two;
    entry["others"] = facts.others;
    table.push_back(entry);
  }
  return table;
}

}  // namespace

void register_correction(py::module_& module) {
  py::class_<bbc::Metric>(module, "Metric")
      .def(py::init([](const std::string& name, const std::string& average, double beta,
                       double alpha, double sign,
                       const std::optional<std::pair<double, double>>& within) {
             bbc::MetricParameters parameters{average, beta, alpha, sign};
             if (within) std::tie(parameters.lowest, parameters.highest) = *within;
             return bbc::make_metric(name, parameters);
           }),
           py::arg("name"), py::kw_only(), py::arg("average") = "binary", py::arg("beta") = 1.0,
           py::arg("alpha") = 0.5, py::arg("sign") = 1.0, py::arg("within") = py::none())
      .def_property_readonly("size_dependent", &bbc::Metric::size_dependent)
      .def_property_readonly("greater_is_better", &bbc::Metric::greater_is_better)
      .def(
          "limits",
          [](const bbc::Metric& metric, double n_classes) {
            const bbc::Range range = metric.range(n_classes);
            return std::make_tuple(range.low, range.high);
          },
          py::arg("n_classes"));
  module.def("metric_names", &bbc::metric_names);
  module.def("metric_table", &metric_table);
  module.def(
      "limit_of", [](const std::string& name) { return bbc::limit_of(name); }, py::arg("name"));
  module.def(
      "default_n_bootstraps",
      [](const std::string& rule, bool by_function) {
        return bbc::default_n_bootstraps(rule, by_function);
      },
      py::arg("rule"), py::arg("by_function"));
  module.attr("MOST_RIVALS") = bbc::kMostRivals;

  py::class_<bbc::Target>(module, "Target")
      .def_static("labels", &labels_target, py::arg("codes").noconvert(), py::arg("n_classes"),
                  py::arg("label_values").noconvert(), py::arg("label_names"))
      .def_static("real", &real_target, py::arg("values").noconvert())
      .def_static("survival", &survival_target, py::arg("events").noconvert(),
                  py::arg("times").noconvert());

  py::class_<bbc::selection::Rungs>(module, "Rungs")
      .def_readonly("of_row", &bbc::selection::Rungs::of_row)
      .def_readonly("reached", &bbc::selection::Rungs::reached)
      .def_readonly("scores", &bbc::selection::Rungs::scores);
  module.def("find_rungs", &find_rungs, py::arg("predicted").noconvert(),
             py::arg("of_row").noconvert(), py::arg("units").noconvert(), py::arg("burn"),
             py::arg("choose_only"));

  py::class_<bbc::CorrectionOptions>(module, "Options")
      .def(py::init(&make_options), py::kw_only(), py::arg("metric"), py::arg("n_bootstraps"),
           py::arg("seed"), py::arg("stream"), py::arg("units").noconvert() = py::none(),
           py::arg("strata").noconvert() = py::none(),
           py::arg("resamples").noconvert() = py::none(),
           py::arg("drawn_folds").noconvert() = py::none(),
           py::arg("folds").noconvert() = py::none(),
           py::arg("row_weights").noconvert() = py::none(), py::arg("redraw"),
           py::arg("confidence_level"), py::arg("alternative"),
           py::arg("complexity").noconvert() = py::none(),
           py::arg("complexity_folds").noconvert() = py::none(), py::arg("rotate_repeats") = false,
           py::arg("choice") = "", py::arg("choice_size") = 0, py::arg("size_correction") = true,
           py::arg("rungs") = py::none(), py::arg("classes").noconvert() = py::none(),
           py::arg("fixed_class_counts") = false);

  module.def("correct", &correct, py::arg("target"), py::arg("predictions"), py::arg("options"),
             py::arg("n_threads"));
  module.def("correct_families", &correct_families, py::arg("target"), py::arg("families"),
             py::arg("options"), py::arg("n_threads"));

  module.def("rate_terms", &rate_terms, py::arg("target"), py::arg("predictions"),
             py::arg("options"), py::arg("configuration"), py::arg("by_folds"));
  module.def("too_few_folds", &bbc::too_few_folds, py::arg("n_folds"));
  module.def(
      "order_statistic_interval",
      [](const DoubleArray& replicates, double confidence_level, const std::string& alternative,
         double lowest, double highest) {
        const auto interval =
            bbc::order_statistic_interval(to_vector(replicates), confidence_level,
                                          parse_alternative(alternative), lowest, highest);
        return std::make_tuple(interval.low, interval.high);
      },
      py::arg("replicates").noconvert(), py::arg("confidence_level"), py::arg("alternative"),
      py::arg("lowest"), py::arg("highest"));

  module.def(
      "corrected_limits",
      [](const DoubleArray& replicates, double estimate, const DoubleArray& rates,
         double confidence_level, const std::string& alternative, double lowest, double highest) {
        const auto limits = bbc::corrected_limits(
            to_vector(replicates), estimate, bbc::terms_of(span_of(rates)),
            {confidence_level, parse_alternative(alternative)}, {lowest, highest});
        return to_dict(limits);
      },
      py::arg("replicates").noconvert(), py::arg("estimate"), py::arg("rates").noconvert(),
      py::arg("confidence_level"), py::arg("alternative"), py::arg("lowest"), py::arg("highest"));

  py::class_<bbc::Correction>(module, "Correction")
      .def(py::init<bbc::Target, bbc::CorrectionOptions>(), py::arg("target"), py::arg("options"))
      .def("add", &add, py::arg("predictions"), py::arg("first_configuration"),
           py::arg("n_threads"))
      .def("merge",
           [](bbc::Correction& self, const py::bytes& state) { self.merge(std::string(state)); })
      .def("added",
           [](const bbc::Correction& self) {
             py::list ranges;
             for (const auto& [first, last] : self.added()) {
               ranges.append(py::make_tuple(first, last));
             }
             return py::tuple(ranges);
           })
      .def("winner", &bbc::Correction::winner)
      .def("finish", [](const bbc::Correction& self) { return to_dict(self.finish()); })
      .def("state", [](const bbc::Correction& self) { return py::bytes(self.state()); });
}
