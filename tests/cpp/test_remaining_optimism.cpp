// What a correction leaves of optimism: pair by pair, with every number of threads, and refusals.
#include <algorithm>
#include <bbc/inference.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "detail/intervals/fold_coupling.hpp"
#include "detail/metrics/check_target.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;

constexpr std::int64_t kRows = 48;
constexpr std::int64_t kColumns = 70;  // more than two tiles
constexpr std::int32_t kFolds = 4;

/// Probabilities of steps of a tenth, so that there are ties, and labels.
struct Data {
  Target target = problem::labels_of(kRows);
  std::vector<double> values;
  std::vector<std::int8_t> labels;
  RemainingOptimismOptions options;
  Estimate estimate;

  explicit Data(const char* metric) {
    problem::Random random(11);
    options.correction = problem::options_of(metric);
    options.correction.resampling.seed = 5;
    for (std::int64_t row = 0; row < kRows; ++row) {
      options.folds.push_back(static_cast<std::int32_t>(row / 2 % kFolds));
      for (std::int64_t j = 0; j < kColumns; ++j) {
        const double signal = 0.3 * target.codes[static_cast<std::size_t>(row)];
        values.push_back(std::round(10.0 * (0.7 * random.uniform() + signal)) / 10.0);
        labels.push_back(static_cast<std::int8_t>(values.back() > 0.5 ? 1 : 0));
      }
    }
    estimate = correct(target, repeats(), options.correction);
  }

  [[nodiscard]] std::vector<Predictions> repeats() const {
    if (std::holds_alternative<metric::ZeroOne>(options.correction.metric.kind)) {
      return {View<std::int8_t>{labels.data(), kRows, kColumns}};
    }
    return {View<double>{values.data(), kRows, kColumns}};
  }
  [[nodiscard]] RemainingOptimism remaining(int n_threads = 1) const {
    return remaining_optimism(target, repeats(), options, estimate.winner,
                              estimate.replicate_winners, estimate.replicates, {n_threads, {}});
  }
};

/// kappa of the folds, from products of pairs of rows.
double by_pairs(const detail::WholeRowValues& rows, std::span<const std::int8_t> folds) {
  const auto n = static_cast<std::size_t>(rows.n_rows);
  const auto value = [&](std::int64_t j, std::size_t row) {
    return rows.values[static_cast<std::size_t>(j) * n + row] * rows.steps[rows.part_of_row[row]];
  };
  double variance = 0.0;
  double excess = 0.0;
  double different = 0.0;
  const auto n_columns = static_cast<double>(rows.n_configurations);
  std::vector<double> means(n, 0.0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::int64_t j = 0; j < rows.n_configurations; ++j) means[row] += value(j, row);
    means[row] /= n_columns;
  }
  for (int a = 0; a < rows.n_parts; ++a) {
    for (int b = 0; b < rows.n_parts; ++b) {
      double sums[2] = {};
      double counts[2] = {};
      double squares = 0.0;
      double m = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        if (rows.part_of_row[i] != a) continue;
        m += 1.0;
        for (std::size_t k = 0; k < n; ++k) {
          if (rows.part_of_row[k] != b) continue;
          double product = 0.0;
          for (std::int64_t j = 0; j < rows.n_configurations; ++j) {
            product += (value(j, i) - means[i]) * (value(j, k) - means[k]) / n_columns;
          }
          if (i == k) {
            squares += product;
            continue;
          }
          const int same = folds[i] == folds[k] ? 1 : 0;
          sums[same] += product;
          counts[same] += 1.0;
          different += 1.0 - same;
        }
      }
      excess += sums[0] / counts[0] - sums[1] / counts[1];
      if (a != b) continue;
      const double pairs = (sums[0] + sums[1]) / (m * (m - 1.0));
      variance += (squares / m - pairs) * (2.0 - 1.0 / m) / m;
    }
  }
  const auto rows_there = static_cast<double>(n);
  return different / (rows_there * (rows_there - 1.0)) * excess / variance;
}

void products_of_pairs() {
  for (const char* metric : {"roc_auc", "accuracy", "zero_one_loss", "brier_score", "log_loss"}) {
    const Data data(metric);
    const Metric& own = data.options.correction.metric;
    const auto rows = detail::whole_row_values(detail::checked_target(own, data.target),
                                               data.repeats()[0], own, {});
    std::vector<std::int8_t> folds(data.options.folds.begin(), data.options.folds.end());
    for (std::int64_t row = 0; row < kRows; ++row) {
      folds.push_back(folds[static_cast<std::size_t>((row + 2) % kRows)]);
    }
    const auto found = detail::fold_coupling(rows, folds, kFolds, {1, {}});
    CHECK_FOR(found.kappas.size() == 2, metric);
    for (std::size_t p = 0; p < 2; ++p) {
      const std::span<const std::int8_t> of_rows(folds.data() + p * kRows, kRows);
      CHECK_FOR(std::abs(found.kappas[p] - by_pairs(rows, of_rows)) < 1e-11, metric);
    }
    CHECK_FOR(data.remaining().kappa == found.kappas[0], metric);
    CHECK(std::abs(found.share_of_pairs - 36.0 / 47.0) < 1e-15);
  }
}

void row_values_by_hand() {
  Target target = problem::labels_of(4);  // 1 0 1 0
  const double scores[] = {0.5, 0.9, 0.5, 0.5, 0.1, 0.1, 0.2, 0.3};
  const Predictions view = View<double>{scores, 4, 2};
  const auto of = [&](const char* metric) {
    return detail::whole_row_values(target, view, make_metric(metric), {}).values;
  };
  // Twice the placements, a configuration after the other.
  CHECK((of("roc_auc") == std::vector<std::int32_t>{3, 1, 0, 2, 4, 2, 0, 2}));
  // Twice the ranks of losses in each row.
  CHECK((of("brier_score") == std::vector<std::int32_t>{2, 3, 3, 4, 4, 3, 3, 2}));
  target.kind = Target::Kind::real;
  target.values = {1.0, 0.0, 1.0, 0.0};
  CHECK(of("mean_squared_error") == of("mean_absolute_error"));
  CHECK(!detail::has_whole_row_values(make_metric("root_mean_squared_error")));
}

void what_is_taken_off() {
  for (const char* metric : {"roc_auc", "accuracy", "zero_one_loss", "brier_score"}) {
    const Data data(metric);
    const RemainingOptimism one = data.remaining(1);
    const RemainingOptimism three = data.remaining(3);
    CHECK_FOR(one.kappa == three.kappa && one.kappa_sd == three.kappa_sd, metric);
    CHECK_FOR(one.in_bag_optimism == three.in_bag_optimism, metric);
    CHECK_FOR(one.coupled_estimate == three.coupled_estimate, metric);
    const double unit = std::string(metric) == "accuracy" || metric[0] == 'z' ? 1.5 : 1.0;
    const double share = std::string(metric) == "roc_auc" ? 0.45 : unit > 1.0 ? 0.6 : 0.9;
    const double sd = unit * one.kappa_sd;
    const double expected = share * std::min(std::max(unit * one.kappa, 0.0), 0.6) * 0.09 /
                            (0.09 + sd * sd) * one.in_bag_optimism;
    CHECK_FOR(std::abs(one.further_optimism - expected) < 1e-15, metric);
    const double sign = data.options.correction.metric.greater_is_better() ? 1.0 : -1.0;
    CHECK_FOR(one.coupled_estimate == data.estimate.estimate - sign * one.further_optimism, metric);
    CHECK_FOR(one.in_bag_optimism > 0.0, metric);
  }
}

std::string refused(const char* metric, const std::function<void(Data&)>& change) {
  Data data(metric);
  change(data);
  return check::message_of([&] { static_cast<void>(data.remaining()); });
}

void refusals() {
  const auto starts = [](const std::string& text, const char* start) {
    CHECK_FOR(text.rfind(start, 0) == 0, text);
  };
  starts(refused("roc_auc", [](Data& d) { d.options.correction.metric = make_metric("mcc"); }),
         "metric: must be the AUC of two classes");
  starts(refused("roc_auc", [](Data& d) { d.options.folds.clear(); }), "folds: must be known:");
  starts(refused("roc_auc", [](Data& d) { d.options.folds[7] = -1; }),
         "folds: must be known of every row at row 7");
  starts(refused("roc_auc", [](Data& d) { d.options.folds.pop_back(); }), "folds: 47 values");
  starts(refused("roc_auc",
                 [](Data& d) {
                   for (std::int32_t& fold : d.options.folds) fold %= 3;
                 }),
         "folds: there are 3, and 4 are needed");
  starts(refused("roc_auc",
                 [](Data& d) {
                   for (std::size_t row = 0; row < kRows; ++row) {
                     d.options.folds[row] = static_cast<std::int32_t>(row);
                   }
                 }),
         "folds: must have several rows each");
  starts(refused("accuracy",
                 [](Data& d) {
                   for (std::size_t row = 14; row < kRows; ++row) d.target.codes[row] = 0;
                 }),
         "target: has a class of 7 rows: 4 folds need two each");
  starts(refused("roc_auc", [](Data& d) { d.options.correction.row_weights.assign(kRows, 2.0); }),
         "row_weights: were not studied");
  starts(
      refused("roc_auc", [](Data& d) { d.options.correction.resampling.units = d.options.folds; }),
      "units: were not studied");
  starts(refused("roc_auc", [](Data& d) { d.estimate.replicates.pop_back(); }), "winners: ");
  starts(refused("brier_score", [](Data& d) { d.values.assign(d.values.size(), 0.25); }),
         "predictions: of all configurations are alike");
  // One row with a probability of zero for what happened.
  starts(refused("log_loss",
                 [](Data& d) {
                   for (std::size_t at = 0; at < d.values.size(); ++at) {
                     const bool event = d.target.codes[at / kColumns] == 1;
                     d.values[at] = event ? 0.99 : 0.01;
                   }
                   for (std::size_t j = 0; j < kColumns; ++j) d.values[j] = 0.0;
                 }),
         "metric: must not rest on one row");
  Data data("roc_auc");
  const std::vector<Predictions> twice{data.repeats()[0], data.repeats()[0]};
  const auto repeats = check::message_of([&] {
    static_cast<void>(remaining_optimism(data.target, twice, data.options, 0,
                                         data.estimate.replicate_winners,
                                         data.estimate.replicates));
  });
  starts(repeats, "predictions: of several repeats");
  const Predictions few = View<double>{data.values.data(), kRows, 9, 1, {kColumns, 1, 1}};
  const auto nine = check::message_of([&] {
    static_cast<void>(remaining_optimism(data.target, {&few, 1}, data.options, 0,
                                         data.estimate.replicate_winners,
                                         data.estimate.replicates));
  });
  starts(nine, "predictions: have 9 configurations");
}

}  // namespace

int main() {
  row_values_by_hand();
  products_of_pairs();
  what_is_taken_off();
  refusals();
  return check::report();
}
