// Block lengths: those of values without and with memory, and where they end.
#include <bbc/scores.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace {

/// Columns of an autoregressive series with this coefficient.
bbc::RowValues series(std::int64_t n_rows, std::int64_t n_configurations, double coefficient) {
  problem::Random random(11);
  bbc::RowValues values{n_rows, n_configurations, {}, {}, 0.0, {-1.0, 1.0}, {}};
  for (std::int64_t j = 0; j < n_configurations; ++j) {
    double last = 0.0;
    for (std::int64_t row = 0; row < n_rows; ++row) {
      last = coefficient * last + random.uniform() - 0.5;
      values.values.push_back(last);
    }
  }
  return values;
}

void lengths_follow_memory() {
  const auto none = bbc::block_length(series(1000, 5, 0.0));
  CHECK(none.length >= 10 && none.length <= 15 && !none.is_capped);
  const auto some = bbc::block_length(series(1000, 5, 0.8));
  CHECK(some.length > 2 * none.length && !some.is_capped);
  const auto much = bbc::block_length(series(240, 5, 0.97));
  CHECK(much.length == 30 && much.is_capped);
}

void constant_values_have_the_shortest() {
  bbc::RowValues values = series(1000, 2, 0.0);
  for (double& value : values.values) value = 1.0;
  CHECK(bbc::block_length(values).length == 10);  // the cube root of the rows
}

void later_configurations_do_not_matter() {
  bbc::RowValues values = series(500, 16, 0.5);
  const auto before = bbc::block_length(values).length;
  for (std::int64_t row = 0; row < 500; ++row) {
    values.values[static_cast<std::size_t>(15 * 500 + row)] = static_cast<double>(row);
  }
  CHECK(bbc::block_length(values).length == before);
}

void few_rows_are_refused() {
  CHECK(check::message_of([] { static_cast<void>(bbc::block_length(series(15, 1, 0.0))); }) ==
        "block_length: \"auto\" needs 16 rows, there are 15");
}

void metrics_without_values_of_rows_have_errors() {
  const bbc::Target target = problem::labels_of(200);
  std::vector<double> scores;
  std::vector<std::int32_t> labels;
  problem::Random random(3);
  for (int i = 0; i < 400; ++i) {
    scores.push_back(random.uniform());
    labels.push_back(scores.back() > 0.5 ? 1 : 0);
  }
  const auto length_of = [&](const char* metric, const bbc::Predictions& predictions) {
    return bbc::block_length(target, {&predictions, 1}, bbc::make_metric(metric)).length;
  };
  const bbc::Predictions of_labels = bbc::View<std::int32_t>{labels.data(), 200, 2};
  CHECK(length_of("f_beta", of_labels) == length_of("accuracy", of_labels));
  const bbc::Predictions of_scores = bbc::View<double>{scores.data(), 200, 2};
  CHECK(length_of("roc_auc", of_scores) >= 6);
  CHECK(check::message_of([&] {
          static_cast<void>(length_of("average_precision", of_scores));
        }).find("block_length: \"auto\" reads what rows contribute") == 0);
  bbc::Target real;
  real.values.assign(scores.begin(), scores.begin() + 200);
  const auto real_length = [&](const char* metric) {
    return bbc::block_length(real, {&of_scores, 1}, bbc::make_metric(metric)).length;
  };
  CHECK(real_length("r2") == real_length("mean_squared_error"));
  CHECK(real_length("root_mean_squared_error") == real_length("mean_squared_error"));
}

}  // namespace

int main() {
  lengths_follow_memory();
  constant_values_have_the_shortest();
  later_configurations_do_not_matter();
  few_rows_are_refused();
  metrics_without_values_of_rows_have_errors();
  return check::report();
}
