// What is read and refused before anything is computed: metrics by name, truths, predictions; and
// which samples leave a metric undefined.
#include <algorithm>
#include <bbc/bbc.hpp>
#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/metric.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "detail/metrics/check_target.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/metrics/defined.hpp"
#include "detail/metrics/evaluator.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Target labels_target(std::vector<std::int32_t> codes, std::int32_t n_classes) {
  Target target;
  target.kind = Target::Kind::labels;
  target.codes = std::move(codes);
  target.n_classes = n_classes;
  return target;
}

void targets() {
  Target target = labels_target({2, 0, 1, 0}, 3);
  CHECK(target.n_rows() == 4 && target.name_of_class(1) == "1");
  target.label_values = {5, 7, 9};
  CHECK(target.name_of_class(1) == "7");
  target.label_names = {"a", "b", "c"};
  CHECK(target.name_of_class(2) == "c");
  const Target some = target.rows({3, 0, 0});
  CHECK((some.codes == std::vector<std::int32_t>{0, 2, 2}));
  CHECK(some.label_values == target.label_values && some.label_names == target.label_names);
  CHECK(some.n_classes == 3 && some.values.empty());
  Target survival;
  survival.kind = Target::Kind::survival;
  survival.values = {4.0, 5.0};
  survival.events = {1, 0};
  CHECK((survival.rows({1}).values == std::vector<double>{5.0}));
  CHECK((survival.rows({1}).events == std::vector<std::uint8_t>{0}));
  CHECK(survival.n_rows() == 2);
}

void metrics() {
  for (const auto name : metric_names()) {
    const Metric metric = make_metric(name);
    MetricParameters negated;
    negated.sign = -1.0;
    const Metric negative = make_metric(name, negated);
    CHECK(metric.greater_is_better() != negative.greater_is_better());
    for (const double n_classes : {2.0, 3.0, kInfinity}) {
      const Range range = metric.range(n_classes);
      const Range negated_range = negative.range(n_classes);
      CHECK(range.low < range.high);
      CHECK(negated_range.low == -range.high && negated_range.high == -range.low);
    }
    const bool loss = name.ends_with("loss") || name.ends_with("error") ||
                      name.ends_with("deviance") || name == "brier_score" ||
                      name == "ranked_probability_score" || name == "distance_to_corner" ||
                      name.ends_with("_percent");
    CHECK_FOR(metric.greater_is_better() == !loss, std::string(name));
  }
  CHECK(make_metric("mcc").range(2).low == -1.0);
  CHECK(make_metric("r2").range(0).low == -kInfinity);
  CHECK(make_metric("mean_squared_error").range(0).high == kInfinity);
  const Metric brier = make_metric("brier_score");
  CHECK(brier.range(2).high == 1.0 && brier.range(3).high == 2.0);
  const Metric steps = make_metric("ordinal_mean_absolute_error");
  CHECK(steps.range(2).high == 1.0 && steps.range(5).high == 4.0);
  CHECK(steps.range(kInfinity).high == kInfinity);
  for (const Metric& metric : {brier, steps}) {
    CHECK(check::message_of([&] { (void)metric.range(0); }).starts_with("n_classes: "));
  }
  MetricParameters wrong;
  wrong.average = "median";
  CHECK(check::message_of([&] {
          (void)make_metric("recall", wrong);
        }).starts_with("average: unknown 'median'"));
  CHECK(check::message_of([] {
          (void)make_metric("auc");
        }).starts_with("metric: unknown name 'auc'; known: accuracy"));
  CHECK(std::string(version()).find('.') != std::string::npos);
}

void refused_targets() {
  const auto message = [](const char* metric, const Target& target) {
    return check::message_of([&] { (void)checked_target(make_metric(metric), target); });
  };
  Target real;
  real.values = {1.0, std::nan("")};
  CHECK(message("roc_auc", real).ends_with("the metric needs labels, not real values"));
  CHECK(message("r2", real).ends_with("not finite at row 1"));
  CHECK(message("r2", Target{}).ends_with("no rows"));
  CHECK(message("roc_auc", labels_target({0, 1, 2}, 3)).find("3 classes, but") !=
        std::string::npos);
  CHECK(
      message("accuracy", labels_target({0, 3}, 2)).ends_with("code 3 is outside 0 to 1 at row 1"));
  Target named = labels_target({0, 1}, 2);
  named.label_values = {4};
  CHECK(message("accuracy", named).ends_with("one label value per class is needed"));
  Target survival;
  survival.kind = Target::Kind::survival;
  survival.values = {1.0, 2.0};
  survival.events = {1};
  CHECK(message("concordance_index", survival).ends_with("events and times differ in length"));
  survival.events = {1, 2};
  CHECK(message("concordance_index", survival).ends_with("event must be 0 or 1, not 2 at row 1"));
  const Target filled = checked_target(make_metric("accuracy"), labels_target({0, 1}, 2));
  CHECK((filled.label_values == std::vector<std::int64_t>{0, 1}));
}

void outputs() {
  const double values[6] = {};
  const Target three = labels_target({0, 1, 2}, 3);
  const auto message = [&](const char* metric, std::int64_t n_outputs) {
    const Predictions view = View<double>{values, 2, 1, n_outputs, {n_outputs, 1, 1}};
    return check::message_of([&] { check_outputs(make_metric(metric), three, view); });
  };
  CHECK(message("roc_auc_ovr", 3) == "no error" && message("log_loss", 3) == "no error");
  CHECK(message("accuracy", 1) == "no error");
  CHECK(message("roc_auc_ovr", 1) ==
        "predictions: 1 outputs per row, but the metric needs one per class");
  CHECK(message("accuracy", 3) == "predictions: 3 outputs per row, but the metric needs one");
  const Target two = labels_target({0, 1}, 2);
  for (const std::int64_t n : {1, 2}) {
    const Predictions view = View<double>{values, 2, 1, n, {n, 1, 1}};
    check_outputs(make_metric("roc_auc_ovr"), two, view);
  }
}

/// Rows backwards, configurations apart, outputs far apart: the strides of a view.
void columns() {
  std::vector<double> memory(48);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
  // value(row, configuration, output) = 3 - row + 8 configuration + 24 output
  const Predictions view = View<double>{memory.data() + 3, 4, 3, 2, {-1, 8, 24}};
  CHECK(n_rows(view) == 4 && n_configurations(view) == 3 && n_outputs_of(view) == 2);
  std::vector<double> values;
  read_values(view, 1, {}, values);
  CHECK((values == std::vector<double>{11, 35, 10, 34, 9, 33, 8, 32}));
  const std::int32_t some[] = {3, 3, 0};
  read_values(view, 2, some, values);
  CHECK((values == std::vector<double>{16, 40, 16, 40, 19, 43}));
  const Predictions last = configurations(view, 1, 3);
  CHECK(n_configurations(last) == 2);
  read_values(last, 1, some, values);
  CHECK(values[0] == 16.0);
  const Predictions single = View<double>{memory.data(), 3, 5, 1, {5, 1, 1}};
  std::vector<double> read;
  read_columns(single, 1, 3, {}, read);
  CHECK((read == std::vector<double>{1, 6, 11, 2, 7, 12}));
  read_columns(single, 4, 5, some, read);
  CHECK(read[0] == 19.0 && read.size() == 3);
  memory[7] = std::numeric_limits<double>::infinity();
  const char* const place = "predictions: not finite at row 1, configuration 2";
  CHECK(check::message_of([&] { read_values(single, 2, {}, values); }) == place);
  CHECK(check::message_of([&] { read_columns(single, 0, 5, {}, values); }) == place);

  // Columns are checked some rows at a time: what is wrong in any of them is found, in the first
  // column that has it.
  constexpr std::int64_t kRows = 1000;
  std::vector<double> tall(2 * kRows, 0.5);
  const Predictions two = View<double>(tall.data(), kRows, 2);
  for (const std::size_t row : {0U, 255U, 256U, 511U, 767U, 768U, 999U}) {
    tall[2 * row + 1] = std::numeric_limits<double>::quiet_NaN();
    const std::string wrong = "predictions: not finite at row " + std::to_string(row);
    const auto message = [&](std::int64_t first, std::span<const std::int32_t> rows) {
      return check::message_of([&] { read_columns(two, first, 2, rows, values); });
    };
    CHECK(message(0, {}) == wrong + ", configuration 1");
    const auto own = static_cast<std::int32_t>(row);
    CHECK(message(1, {&own, 1}) == wrong + ", configuration 1");
    tall[2 * kRows - 2] = std::numeric_limits<double>::infinity();
    CHECK(message(0, {}) == "predictions: not finite at row 999, configuration 0");
    tall[2 * kRows - 2] = 0.5;
    tall[2 * row + 1] = 0.5;
  }
  read_columns(two, 0, 2, {}, values);
  CHECK(values == tall);
}

void codes() {
  Target target = labels_target({0, 1, 2}, 3);
  target.label_values = {30, -4, 5};
  const std::int16_t labels[] = {5, 30, -4, 30, 6, 30};
  const Predictions view = View<std::int16_t>{labels, 3, 2, 1, {2, 1, 1}};
  std::vector<std::int32_t> codes;
  read_codes(view, target, 1, {}, codes);
  CHECK((codes == std::vector<std::int32_t>{0, 0, 0}));
  CHECK(
      check::message_of([&] { read_codes(view, target, 0, {}, codes); }) ==
      "predictions: label 6, which the truth does not have (30, -4, 5) at row 2, configuration 0");
  const std::int32_t first_rows[] = {1, 0};
  read_codes(view, target, 0, first_rows, codes);
  CHECK((codes == std::vector<std::int32_t>{1, 2}));
  const double score = 1.0;
  CHECK(check::message_of([&] {
          read_codes(View<double>{&score, 1, 1, 1, {1, 1, 1}}, target, 0, {}, codes);
        }) == "predictions: labels must be integers, not float64");
}

/// Whether a sample has a value, by the definition of each metric.
bool has_value(const std::string& metric, const Target& target, const std::vector<bool>& in) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < in.size(); ++row) {
    if (in[row]) rows.push_back(row);
  }
  const auto n_of = [&](std::int32_t code) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](std::size_t row) { return target.codes[row] == code; });
  };
  if (rows.empty()) return false;
  if (metric == "accuracy" || metric == "mean_squared_error") return true;
  if (metric == "recall" || metric == "average_precision") return n_of(1) > 0;
  if (metric == "specificity") return n_of(0) > 0;
  if (metric == "roc_auc_ovr" || metric == "balanced_accuracy" || metric == "roc_auc") {
    for (std::int32_t code = 0; code < target.n_classes; ++code) {
      if (n_of(code) == 0) return false;
    }
    return true;
  }
  for (const std::size_t a : rows) {
    for (const std::size_t b : rows) {
      if (metric == "mcc" && target.codes[a] != target.codes[b]) return true;
      if ((metric == "r2" || metric == "spearman") && target.values[a] != target.values[b]) {
        return true;
      }
      if (metric == "concordance_index" && target.events[a] != 0 &&
          (target.values[b] > target.values[a] ||
           (target.values[b] == target.values[a] && target.events[b] == 0))) {
        return true;
      }
    }
  }
  return false;
}

void defined_samples() {
  problem::Random random(7);
  const std::pair<const char*, std::int32_t> cases[] = {{"accuracy", 2},
                                                        {"mean_squared_error", 0},
                                                        {"recall", 2},
                                                        {"specificity", 2},
                                                        {"average_precision", 2},
                                                        {"roc_auc", 2},
                                                        {"mcc", 2},
                                                        {"mcc", 3},
                                                        {"balanced_accuracy", 3},
                                                        {"roc_auc_ovr", 3},
                                                        {"r2", 0},
                                                        {"spearman", 0},
                                                        {"concordance_index", -1}};
  for (const auto& [metric, n_classes] : cases) {
    for (int round = 0; round < 200; ++round) {
      const std::size_t n = 1 + random.below(round % 20 == 0 ? 200 : 12);
      Target target;
      if (n_classes > 0) target = labels_target({}, n_classes);
      if (n_classes < 0) target.kind = Target::Kind::survival;
      for (std::size_t row = 0; row < n; ++row) {
        if (n_classes > 0) {
          target.codes.push_back(static_cast<std::int32_t>(
              random.below(3) > 0 ? 0 : random.below(static_cast<std::uint32_t>(n_classes))));
        } else {
          target.values.push_back(random.below(4) > 0 ? 1.0 : random.below(3));
        }
        if (n_classes < 0) target.events.push_back(static_cast<std::uint8_t>(random.below(2)));
      }
      const Defined defined(make_metric(metric), target);
      std::vector<std::uint16_t> counts;
      std::vector<bool> in;
      std::vector<bool> out;
      for (std::size_t row = 0; row < n; ++row) {
        counts.push_back(static_cast<std::uint16_t>(random.below(3)));
        in.push_back(counts.back() != 0);
        out.push_back(counts.back() == 0);
      }
      if (std::find(in.begin(), in.end(), true) == in.end()) continue;  // something is drawn
      const auto ask = [&](const std::vector<bool>& sample) {
        return defined([&](std::int64_t row) { return sample[static_cast<std::size_t>(row)]; });
      };
      const bool inside = has_value(metric, target, in);
      const bool outside = has_value(metric, target, out);
      CHECK_FOR(ask(in) == inside && ask(out) == outside, metric);
      CHECK_FOR(defined.on_both_sides(counts.data()) == (inside && outside), metric);
    }
  }
}

/// Marks of each class took a square of memory, 69 GB here, and each class a pass over all rows.
void as_many_classes_as_rows() {
  constexpr std::int32_t kClasses = 1 << 17;
  Target target = labels_target({}, kClasses);
  for (std::int32_t row = 0; row < 2 * kClasses; ++row) target.codes.push_back(row % kClasses);
  const CorrectionOptions options = problem::options_of("balanced_accuracy");
  const Defined defined(options.metric, target);
  std::vector<std::uint16_t> counts(target.codes.size(), 1);
  CHECK(!defined.on_both_sides(counts.data()));
  std::fill_n(counts.begin(), kClasses, std::uint16_t{0});
  CHECK(defined.on_both_sides(counts.data()));
  counts.back() = 0;
  CHECK(!defined.on_both_sides(counts.data()));

  target.codes.back() = 0;
  CHECK(check::contains(
      check::message_of([&] { Correction(target, options); }),
      "class " + std::to_string(kClasses - 1) + " has 1 row, so it is never both in"));
}

/// A label that the truth does not have is refused, wherever it stands and whatever the type.
template <class T>
void refuse(const std::vector<std::int64_t>& labels, T wrong, const std::string& known) {
  const std::int64_t n_rows = 60;
  const std::int64_t n_configurations = 300;
  const Metric metric{metric::ZeroOne{}};
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = static_cast<std::int32_t>(labels.size());
  target.label_values = labels;
  target.codes.assign(static_cast<std::size_t>(n_rows), 0);
  std::vector<T> data(static_cast<std::size_t>(n_rows * n_configurations),
                      static_cast<T>(labels[0]));
  data[55 * n_configurations + 299] = wrong;
  data[57 * n_configurations + 280] = wrong;
  const std::vector<Predictions> repeats{
      View<T>{data.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}}};
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const auto message = check::message_of(
        [&] { const auto made = make_evaluator({metric, target, repeats, {}, {}}, {2, {}}); });
    CHECK_FOR(message == "predictions: label " + std::to_string(wrong) +
                             ", which the truth does not have (" + known +
                             ") at row 57, configuration 280",
              message);
  }
}

void unknown_labels() {
  refuse<std::int8_t>({0, 1}, 2, "0, 1");
  refuse<std::uint8_t>({0, 1, 2}, 3, "0, 1, 2");
  refuse<std::int16_t>({-1, 1}, 0, "-1, 1");
  refuse<std::int32_t>({10, 20, 40}, 30, "10, 20, 40");
  refuse<std::int64_t>({0, 1}, std::int64_t{1} << 32, "0, 1");
  refuse<std::int8_t>({1, 300}, 44, "1, 300");  // 300 - 256
  refuse<std::int8_t>({1}, -1, "1");
}

/// No prediction of a narrow type can be right where the truth does not fit it.
void truth_beyond_the_type() {
  const Metric metric{metric::ZeroOne{}};
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = 2;
  target.label_values = {1, 300};
  target.codes = {0, 1, 1};
  const std::vector<std::int8_t> data{1, 1, 1};
  const std::vector<Predictions> repeats{View<std::int8_t>{data.data(), 3, 1, 1, {1, 1, 1}}};
  const auto evaluator = make_evaluator({metric, target, repeats, {}, {}}, {1, {}});
  const ReplicateBlock all{1, 3, {1, 1, 1}, {}};
  const Choice choice{0.0, 0};
  double score = 0.0;
  evaluator->in_bag(all, &choice, StopFlag{}, &score);
  CHECK(score == 2.0 / 3.0);
}

/// So is a prediction whose loss cannot be added up, by the fast reader as by the slow one.
void refused_losses() {
  using Kind = metric::RowLoss::Kind;
  const std::int64_t n_rows = 70;
  const std::int64_t n_configurations = 120;
  struct Case {
    Kind kind;
    double wrong;
    const char* message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {Kind::given, nan, "predictions: not finite at row 66, configuration 50"},
      {Kind::squared, infinity, "predictions: not finite at row 66, configuration 50"},
      {Kind::squared, 1e200,
       "predictions: a loss that is too large to be added up at row 66, configuration 50"},
      {Kind::brier, 1.5, "predictions: a probability outside [0, 1] at row 66, configuration 50"},
      {Kind::log, -0.5, "predictions: a probability outside [0, 1] at row 66, configuration 50"},
      {Kind::gamma, 0.0,
       "predictions: gamma deviance needs a positive truth and positive predictions at row 66, "
       "configuration 50"},
  };
  for (const auto& wrong : cases) {
    const metric::RowLoss kind{wrong.kind};
    const Metric metric{kind};
    Target target;
    target.kind = wrong.kind == Kind::brier || wrong.kind == Kind::log ? Target::Kind::labels
                                                                       : Target::Kind::real;
    target.n_classes = 2;
    target.codes.assign(n_rows, 1);
    target.values.assign(n_rows, 0.5);
    std::vector<double> data(static_cast<std::size_t>(n_rows * n_configurations), 0.25);
    data[65 * n_configurations + 119] = wrong.wrong;
    data[66 * n_configurations + 50] = wrong.wrong;
    const std::vector<Predictions> repeats{
        View<double>{data.data(), n_rows, n_configurations, 1, {n_configurations, 1, 1}}};
    for (const char* level : problem::levels()) {
      problem::set_level(level);
      const auto message = check::message_of(
          [&] { const auto made = make_evaluator({metric, target, repeats, {}, {}}, {2, {}}); });
      CHECK_FOR(message == wrong.message, std::string(level) + ": " + message);
    }
  }
}

}  // namespace

int main() {
  targets();
  metrics();
  refused_targets();
  outputs();
  columns();
  codes();
  defined_samples();
  as_many_classes_as_rows();
  unknown_labels();
  truth_beyond_the_type();
  refused_losses();
  return check::report();
}
