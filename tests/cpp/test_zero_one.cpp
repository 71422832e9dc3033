// The look-up evaluator of the 0-1 loss against the general one, for every instruction set.
#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/zero_one_evaluator.hpp"
#include "detail/metrics/zero_one.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;

struct Shape {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::size_t n_repeats;
  int n_replicates;
  std::uint32_t most;
  double error_rate;
};

template <class T>
void run(const Shape& shape, const std::vector<std::int64_t>& labels, bool accuracy, bool by_column,
         std::uint64_t seed) {
  problem::Random random(seed);
  Metric metric{metric::ZeroOne{accuracy}};
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = static_cast<std::int32_t>(labels.size());
  target.label_values = labels;
  const auto any_code = [&] {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(labels.size())));
  };
  for (std::int64_t i = 0; i < shape.n_rows; ++i) {
    target.codes.push_back(any_code());
  }
  // Two unused outputs between configurations make strides that are none of the common ones.
  const std::int64_t gap = seed % 2 == 0 ? 1 : 3;
  std::vector<std::vector<T>> data(shape.n_repeats);
  std::vector<Predictions> repeats;
  for (auto& block : data) {
    block.resize(static_cast<std::size_t>(shape.n_rows * shape.n_configurations * gap));
    View<T> view{block.data(), shape.n_rows, shape.n_configurations, 1, {}};
    view.strides = by_column ? std::array<std::int64_t, 3>{gap, gap * shape.n_rows, 1}
                             : std::array<std::int64_t, 3>{gap * shape.n_configurations, gap, 1};
    for (std::int64_t i = 0; i < shape.n_rows; ++i) {
      for (std::int64_t j = 0; j < shape.n_configurations; ++j) {
        const auto code = random.uniform() < shape.error_rate ? any_code() : target.codes[i];
        block[static_cast<std::size_t>(&view(i, j) - view.data)] = static_cast<T>(labels[code]);
      }
    }
    repeats.emplace_back(view);
  }
  const EvaluatorInput input{metric, target, repeats, {}, {}};
  const auto& kind = std::get<metric::ZeroOne>(metric.kind);
  const Control control{1, {}};
  const auto reference = make_columns<ZeroOneColumns>(kind, input, control);
  const auto drawn = problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const ZeroOneEvaluator tested(kind, input, control);
    problem::check_equal(tested, *reference, drawn,
                         std::string(level) + " " + std::to_string(shape.n_rows) + " x " +
                             std::to_string(shape.n_configurations) + " x " +
                             std::to_string(shape.n_repeats));
  }
}

void equal_to_general() {
  const Shape shapes[] = {
      {1, 1, 1, 1, 0, 0.5},      {2, 3, 1, 64, 0, 0.5},     {6, 63, 2, 17, 0, 0.3},
      {20, 50, 1, 64, 0, 0.2},   {48, 65, 1, 64, 0, 0.1},   {49, 300, 3, 40, 0, 0.4},
      {100, 200, 1, 64, 0, 0.0}, {331, 97, 1, 63, 0, 1.0},  {500, 20, 2, 64, 0, 0.02},
      {60, 30, 1, 64, 50, 0.3},  {60, 30, 2, 33, 300, 0.3}, {10, 5, 1, 8, 60000, 0.5},
      {300, 2100, 1, 5, 0, 0.1}, {70000, 3, 1, 2, 0, 0.5},  {23000, 2, 3, 20, 0, 0.9},
      {7, 4100, 1, 64, 0, 0.4},  {4100, 530, 1, 9, 0, 0.3}, {200, 100, 1, 20, 300, 0.3},
  };
  std::uint64_t seed = 0;
  std::uint64_t place = 0;  // of the shape
  for (const auto& shape : shapes) {
    ++place;
    for (const bool accuracy : {false, true}) {
      run<std::int8_t>(shape, {0, 1}, accuracy, false, ++seed);
      if (shape.n_rows > 1000) continue;
      // Every type with a third of the shapes.
      const auto some = [&]<class T>(const std::vector<std::int64_t>& labels, bool transposed) {
        ++seed;
        if (check::runs(place + seed, 3)) run<T>(shape, labels, accuracy, transposed, seed);
      };
      some.operator()<std::uint8_t>({200, 3}, true);
      some.operator()<std::int16_t>({-1, 1}, false);
      some.operator()<std::int32_t>({5, 7, 9, 100000}, true);
      some.operator()<std::int64_t>({3, 4, 2, 5}, false);
      some.operator()<std::int64_t>({std::int64_t{1} << 40, -7, 12}, true);
    }
  }
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
        [&] { const ZeroOneEvaluator evaluator({}, {metric, target, repeats, {}, {}}, {2, {}}); });
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
  const ZeroOneEvaluator evaluator({}, {metric, target, repeats, {}, {}}, {1, {}});
  const ReplicateBlock all{1, 3, {1, 1, 1}, {}};
  const Choice choice{0.0, 0};
  double score = 0.0;
  evaluator.in_bag(all, &choice, StopFlag{}, &score);
  CHECK(score == 2.0 / 3.0);
}

}  // namespace

int main() {
  equal_to_general();
  unknown_labels();
  truth_beyond_the_type();
  return check::report();
}
