// Where roads end, and what they take: prepared predictions have the room that their model says, by
// which large matrices are divided into pieces.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "detail/evaluation/cost.hpp"
#include "detail/evaluation/road.hpp"
#include "every_problem.hpp"
#include "replaced_new.hpp"

namespace {

std::int64_t n_bytes = 0;  // that are allocated

/// What stands before an array.
struct Head {
  void* place;
  std::size_t size;
};

}  // namespace

void* allocate(std::size_t size, std::size_t alignment) {
  void* const place = std::malloc(size + alignment + sizeof(Head));
  if (place == nullptr) throw std::bad_alloc();
  const auto first = reinterpret_cast<std::uintptr_t>(place) + sizeof(Head);
  char* const array = static_cast<char*>(place) + sizeof(Head) + (alignment - first % alignment);
  reinterpret_cast<Head*>(array)[-1] = {place, size};
  n_bytes += static_cast<std::int64_t>(size);
  return array;
}

void release(void* array) noexcept {
  if (array == nullptr) return;
  const Head head = static_cast<Head*>(array)[-1];
  n_bytes -= static_cast<std::int64_t>(head.size);
  std::free(head.place);
}

namespace {

using namespace bbc;
using namespace bbc::detail;
using every::Kind;
using every::Look;
using every::Plan;
using every::Problem;
using every::Weights;

/// Bytes that more configurations take, in doubles for each value.
double size_of(const Kind& kind, const Plan& plan) {
  constexpr std::int64_t kFew = 512;  // errors are packed for so many at a time
  constexpr std::int64_t kMany = 2 * kFew;
  const std::int64_t n_rows = every::is_of_labels(kind.metric) ? 1200 : 300;
  std::int64_t taken_by[2];
  std::int64_t n_values = 0;
  for (const bool many : {false, true}) {
    const Problem given(kind, plan, {n_rows, many ? kMany : kFew, 8}, Look::plain, 4);
    const std::int64_t before = n_bytes;
    const auto evaluator = make_evaluator(given.input(), {1, {}});
    std::vector<Choice> choices(8);
    evaluator->best(given.block, StopFlag{}, choices.data());
    taken_by[many ? 1 : 0] = n_bytes - before;
    const std::int64_t of_one =
        std::visit([](const auto& view) { return view.n_outputs; }, given.repeats[0]);
    n_values = n_rows * (kMany - kFew) * static_cast<std::int64_t>(plan.n_repeats) * of_one;
  }
  return static_cast<double>(taken_by[1] - taken_by[0]) / 8.0 / static_cast<double>(n_values);
}

/// What is prepared takes the room that pieces of large matrices are made by.
void models() {
  std::set<std::size_t> seen;
  for (const Kind& kind : every::all_kinds()) {
    const std::size_t index =
        kind.metric.kind.index() * 4 + (kind.n_classes > 2 ? 2 : 0) + (kind.event_weights ? 1 : 0);
    if (!seen.insert(index).second) continue;
    for (const Plan& plan :
         {Plan{"pooled"}, Plan{"repeats", 2}, Plan{"folds", 1, 3},
          Plan{"weights", 1, 0, Weights::any}, Plan{"two weights", 1, 0, Weights::two}}) {
      const Problem given(kind, plan, {300, 2, 1}, Look::plain, 4);
      const Road road = road_of(given.input());
      const double size = size_of(kind, plan);
      const double model = prepared_size(road, given.target);
      CHECK_FOR(size < 2.5 * model && model < 2.5 * size,
                given.context() + ": " + std::to_string(size) + " of " + std::to_string(model));
    }
  }
}

/// Where roads end.
void decisions() {
  const auto road = [](const Kind& kind, const Plan& plan, std::int64_t n_rows) {
    return road_of(Problem(kind, plan, {n_rows, 3, 1}, Look::plain, 1).input());
  };
  const Plan pooled{"pooled"};
  const Kind f1{make_metric("f_beta")};
  // Folds of a few rows would leave most of a table empty.
  CHECK(road(f1, {"folds", 1, 3}, 72) == Road::part_errors);
  CHECK(road(f1, {"folds", 1, 3}, 71) == Road::filter);
  CHECK(road({make_metric("accuracy")}, {"folds", 1, 3}, 36) == Road::part_errors);
  CHECK(road({make_metric("accuracy")}, {"folds", 1, 3}, 35) == Road::filter);
  // So would rows of a few equal weights; weights of nothing count for none.
  const Kind accuracy{make_metric("accuracy")};
  for (const std::int64_t n_rows : {60, 59}) {
    const Problem given(accuracy, pooled, {n_rows, 3, 1}, Look::plain, 1);
    std::vector<double> weights;
    for (std::int64_t row = 0; row < n_rows; ++row) {
      weights.push_back(static_cast<double>(row % 6) / 7.0);
    }
    const EvaluatorInput input{accuracy.metric, given.target, given.repeats, {}, weights};
    CHECK(road_of(input) == (n_rows == 60 ? Road::weighed_errors : Road::filter));
    const std::vector<std::int32_t> folds(static_cast<std::size_t>(n_rows));
    const EvaluatorInput in_folds{accuracy.metric, given.target, given.repeats, folds, weights};
    CHECK(road_of(in_folds) == Road::filter);
  }
  // Products of larger ones overflow.
  Kind steep = f1;
  std::get<metric::Confusion>(steep.metric.kind).beta = 1e101;
  CHECK(road(steep, pooled, 100) == Road::filter);
  // The mean over repeats of a root is no sum.
  const Kind root{make_metric("root_mean_squared_error")};
  CHECK(road(root, pooled, 100) == Road::losses);
  CHECK(road(root, {"repeats", 2}, 100) == Road::filter);
  // One class only.
  const std::vector<std::int8_t> labels(100);
  Target target = problem::labels_of(100);
  std::ranges::fill(target.codes, 1);
  const std::vector<Predictions> repeats{View<std::int8_t>(labels.data(), 100, 1)};
  CHECK(road_of({f1.metric, target, repeats, {}, {}}) == Road::part_errors);
  // R2 of all rows is that of its squared errors, with the variance of all rows alone.
  const std::vector<double> values(100);
  target = {};
  target.values.assign(100, 0.5);
  const std::vector<Predictions> numbers{View<double>(values.data(), 100, 1)};
  const Metric r2 = make_metric("r2");
  CHECK(road_of({r2, target, numbers, {}, {}, true}) == Road::losses);
  CHECK(road_of({r2, target, numbers, {}, {}, false}) == Road::filter);
  // Whatever two classes are scored by; of more micro averages, and shares of right calls.
  for (const std::int32_t n_classes : {2, 3}) {
    int n_looked_up = 0;
    for (const metric::Confusion& kind : problem::confusion_metrics(1.0)) {
      const Kind one{{kind}, n_classes};
      n_looked_up += road(one, {"folds", 1, 3}, 120) == Road::part_errors ? 1 : 0;
      CHECK(road(one, {"weights", 1, 3, Weights::any}, 120) == Road::filter);
    }
    CHECK_FOR(n_looked_up == (n_classes == 2 ? 30 : 10), std::to_string(n_looked_up));
  }
}

}  // namespace

int main() {
  decisions();
  models();
  return check::report();
}
