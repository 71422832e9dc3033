// Predictions that are the truth in some form, or run against it, and what is refused.
#include <bbc/against_truth.hpp>
#include <bbc/metric.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

using namespace bbc;
using Values = std::vector<double>;

Target classes_of(std::vector<std::int32_t> codes, std::int32_t n,
                  std::vector<std::int64_t> values) {
  Target target;
  target.kind = Target::Kind::labels;
  target.codes = std::move(codes);
  target.n_classes = n;
  target.label_values = std::move(values);
  return target;
}

Target numbers_of(Values values) {
  Target target;
  target.values = std::move(values);
  return target;
}

template <class T>
Predictions column(const std::vector<T>& values, std::int64_t n_outputs = 1) {
  const auto n = static_cast<std::int64_t>(values.size()) / n_outputs;
  return View<T>(values.data(), n, 1, n_outputs);
}

FromTruth found(const Target& target, const Predictions& predictions, const char* metric,
                const std::vector<std::int32_t>& folds = {}) {
  return from_truth(target, {&predictions, 1}, make_metric(metric), 0, folds);
}

void classes() {
  const Target target = classes_of({0, 1, 1, 0}, 2, {3, 7});
  const std::vector<std::int32_t> right{3, 7, 7, 3};
  const std::vector<std::int32_t> wrong{3, 7, 7, 7};
  CHECK(found(target, column(right), "accuracy").equal);
  CHECK(!found(target, column(wrong), "accuracy").equal);
  // The row that differs was not predicted.
  CHECK(found(target, column(wrong), "accuracy", {0, 0, 1, -1}).equal);
  for (const Values& scores : {Values{0, 1, 1, 0}, Values{3, 7, 7, 3}}) {
    CHECK(found(target, column(scores), "roc_auc").equal);
    CHECK(found(target, column(scores), "roc_auc").ranks_labels);
    CHECK(!found(target, column(scores), "brier_score").ranks_labels);
  }
  const Values same(4, 1.0);
  CHECK(!found(target, column(same), "roc_auc").ranks_labels);
  const Values halves{0.5, 1, 1, 0};
  CHECK(!found(target, column(halves), "roc_auc").ranks_labels);
  const Target three = classes_of({0, 1, 2}, 3, {});
  const Values indicators{1, 0, 0, 0, 1, 0, 0, 0, 1};
  CHECK(found(three, column(indicators, 3), "log_loss").equal);
  CHECK(!found(classes_of({0, 2, 1}, 3, {}), column(indicators, 3), "log_loss").equal);
}

void numbers() {
  const Values truth{1.0, 4.0, 2.5, -3.0};
  const Target target = numbers_of(truth);
  Values line;
  Values cubes;
  Values rounded;
  for (const double value : truth) {
    line.push_back(3.0 - 2.0 * value);
    cubes.push_back(value * value * value);
    rounded.push_back(value * (1.0 + 1e-15));
  }
  CHECK(found(target, column(truth), "r2").equal);
  CHECK(found(target, column(rounded), "r2").up_to == "up to rounding");
  CHECK(found(target, column(line), "r2").up_to.empty());
  CHECK(found(target, column(line), "squared_pearson").up_to == "shifted or in other units");
  CHECK(found(target, column(cubes), "squared_pearson").up_to.empty());
  CHECK(found(target, column(cubes), "spearman").up_to == "in another scale");
}

void associations() {
  const Target target = numbers_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  Values turned;
  for (const double value : target.values) turned.push_back(-value);
  const std::vector<std::int32_t> folds{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
  const auto of = [&](const Values& values, const std::vector<std::int32_t>& parts) {
    const Predictions predictions = column(values);
    return association(target, {&predictions, 1}, make_metric("r2"), 0, parts, {});
  };
  const Association against = of(turned, folds);
  // The ranks of six rows have a sum of squares of 17.5, and two folds share training rows.
  CHECK(std::fabs(against.correlation + 1.0) < 1e-12);
  CHECK(std::fabs(against.statistic + 35.0 / std::sqrt(3.0 * 2.0 * 17.5 * 17.5 / 5.0)) < 1e-12);
  CHECK(!against.runs_against);
  CHECK(of(target.values, folds).statistic == 0.0);
  CHECK(of(turned, {}).statistic == 0.0);
  CHECK(of(turned, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).statistic == 0.0);
}

void rows() {
  std::vector<std::int32_t> codes;
  std::vector<std::int32_t> units;
  std::vector<std::int32_t> folds;
  for (std::int32_t row = 0; row < 24; ++row) {
    codes.push_back(row % 3 == 0 ? 1 : 0);
    units.push_back(row / 2);
    folds.push_back(row / 12);
  }
  const Target target = classes_of(codes, 2, {});
  const RowFacts plain = row_facts(target, {}, {}, {});
  CHECK(plain.n_units == 24.0 && (plain.n_units_of_class == Values{16.0, 8.0}));
  CHECK(!plain.folds_tell_truth && !plain.units_tell_truth && plain.n_split_units == 0);
  const RowFacts in_units = row_facts(target, folds, units, {});
  CHECK(in_units.n_units == 12.0 && (in_units.n_units_of_class == Values{12.0, 8.0}));
  CHECK(in_units.n_split_units == 0);
  // One unit in three loses a row to the other fold, and another one a row that was not predicted.
  folds[1] = 1;
  folds[5] = -1;
  CHECK(row_facts(target, folds, units, {}).n_split_units == 1);
  // Weights of 1 and 3 are worth (1 + 3)^2 / (1 + 9) of each two rows.
  Values weights;
  for (std::size_t row = 0; row < codes.size(); ++row)
    weights.push_back(row % 2 == 0 ? 1e300 : 3e300);
  CHECK(std::fabs(row_facts(target, {}, {}, weights).n_units - 12.0 * 1.6) < 1e-12);
  CHECK(row_facts(target, {}, units, weights).n_units == 12.0);
  CHECK(row_facts(target, codes, codes, {}).folds_tell_truth);
  CHECK(row_facts(target, codes, codes, {}).units_tell_truth);
  CHECK(!row_facts(target, folds, units, {}).units_tell_truth);
  CHECK(!row_facts(classes_of({0, 1, 0}, 2, {}), std::vector{0, 1, 0}, {}, {}).folds_tell_truth);
  Target survival = numbers_of({1, 2, 3});
  survival.kind = Target::Kind::survival;
  survival.events = {1, 0, 1};
  CHECK((row_facts(survival, {}, {}, {}).n_units_of_class == Values{1.0, 2.0}));
}

void refusals() {
  const Target target = classes_of({0, 1, 1, 0}, 2, {});
  const Values scores{0, 1, 1, 0};
  const auto said = [&](const Target& truth, const std::vector<std::int32_t>& folds) {
    return check::message_of(
        [&] { static_cast<void>(found(truth, column(scores), "roc_auc", folds)); });
  };
  CHECK(check::contains(said(target, {0, 0, 1}), "folds: need one for each row"));
  CHECK(check::contains(said(target, {-1, -1, -1, -1}), "folds: leave no row"));
  CHECK(check::contains(said(classes_of({0, 1, 1}, 2, {}), {}), "another number of rows"));
  CHECK(check::contains(said(classes_of({0, 1, 5, 0}, 2, {}), {}), "target"));
  const std::vector<std::int32_t> few{0, 1};
  const std::vector<std::int32_t> negative{0, 1, -1, 0};
  const auto of_rows = [&](const std::vector<std::int32_t>& folds,
                           const std::vector<std::int32_t>& units) {
    return check::message_of([&] { static_cast<void>(row_facts(target, folds, units, {})); });
  };
  CHECK(check::contains(of_rows(few, {}), "folds"));
  CHECK(check::contains(of_rows({}, negative), "units"));
}

}  // namespace

int main() {
  classes();
  numbers();
  associations();
  rows();
  refusals();
  return check::report();
}
