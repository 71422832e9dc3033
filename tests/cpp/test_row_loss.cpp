// The grid evaluator of losses per row against the general one, for every instruction set.
#include <cmath>
#include <limits>

#include "detail/evaluation/column_evaluators.hpp"
#include "detail/fast/row_loss_evaluator.hpp"
#include "detail/metrics/row_loss.hpp"
#include "problem.hpp"

namespace {

using namespace bbc;
using namespace bbc::detail;
using Kind = metric::RowLoss::Kind;

/// What predictions look like; each is hard for the grid in its own way.
enum class Values {
  plain,
  equal,         // all configurations are the same one
  few,           // multiples of 1/8: sums tie exactly
  nearly_equal,  // differences in the last bits
  outlier_row,   // one truth far away
  outlier_cell,  // one prediction far away
  large,         // losses near the largest that is allowed
  tiny,          // subnormal losses
  cancelling,    // losses of both signs
};

constexpr Values kAllValues[] = {Values::plain,        Values::equal,       Values::few,
                                 Values::nearly_equal, Values::outlier_row, Values::outlier_cell,
                                 Values::large,        Values::tiny,        Values::cancelling};

struct Shape {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  std::size_t n_repeats;
  int n_replicates;
  std::uint32_t most;
};

double draw(problem::Random& random, Values values, Kind kind, double truth, std::int64_t row,
            std::int64_t configuration) {
  const double bell = random.uniform() + random.uniform() - 1.0;
  if (kind == Kind::brier || kind == Kind::ranked_probability || kind == Kind::log ||
      kind == Kind::binomial) {
    const double probability = random.uniform();
    return values == Values::few ? std::round(8.0 * probability) / 8.0 : probability;
  }
  if (kind == Kind::poisson || kind == Kind::gamma) return 0.1 + random.uniform();
  switch (values) {
    case Values::equal:
      return 0.5 * truth;
    case Values::few:
      return truth + std::round(8.0 * bell) / 8.0;
    case Values::nearly_equal:
      return truth + 1.0 + std::numeric_limits<double>::epsilon() * std::round(4.0 * bell);
    case Values::outlier_cell:
      return row == 3 && configuration == 2 ? 1e9 : truth + bell;
    case Values::large:
      return bell * (kind == Kind::squared ? 1e144 : 1e289);
    case Values::tiny:
      return bell * 1e-310;
    case Values::cancelling:
      return bell * std::pow(10.0, static_cast<double>(row % 30) - 15.0);
    default:
      return truth + bell;
  }
}

void run(const metric::RowLoss& kind, Values values, const Shape& shape, std::uint64_t seed) {
  problem::Random random(seed);
  const Metric metric{kind};
  const bool of_classes = kind.kind == Kind::brier || kind.kind == Kind::ranked_probability ||
                          kind.kind == Kind::log || kind.kind == Kind::binomial;
  Target target;
  if (of_classes) {
    target.kind = Target::Kind::labels;
    target.n_classes = 2;
    target.label_values = {0, 1};
  }
  for (std::int64_t row = 0; row < shape.n_rows; ++row) {
    if (of_classes) {
      target.codes.push_back(static_cast<std::int32_t>(random.below(2)));
    } else if (values == Values::tiny || values == Values::large) {
      target.values.push_back(0.0);
    } else {
      const double scale = values == Values::outlier_row && row == 1 ? 1e6 : 1.0;
      target.values.push_back(scale * (0.5 + std::round(64.0 * random.uniform()) / 64.0));
    }
  }
  const bool by_column = seed % 3 == 0;
  std::vector<std::vector<double>> data(shape.n_repeats);
  std::vector<Predictions> repeats;
  for (auto& block : data) {
    block.resize(static_cast<std::size_t>(shape.n_rows * shape.n_configurations));
    View<double> view{block.data(), shape.n_rows, shape.n_configurations, 1, {}};
    view.strides = by_column ? std::array<std::int64_t, 3>{1, shape.n_rows, 1}
                             : std::array<std::int64_t, 3>{shape.n_configurations, 1, 1};
    for (std::int64_t row = 0; row < shape.n_rows; ++row) {
      const double truth = of_classes ? 0.0 : target.values[static_cast<std::size_t>(row)];
      for (std::int64_t j = 0; j < shape.n_configurations; ++j) {
        block[static_cast<std::size_t>(&view(row, j) - view.data)] =
            draw(random, values, kind.kind, truth, row, j);
      }
    }
    repeats.emplace_back(view);
  }
  const EvaluatorInput input{metric, target, repeats, {}, {}};
  const Control control{1, {}};
  const auto reference = make_columns<RowLossColumns>(kind, input, control);
  const auto drawn = problem::random_block(random, shape.n_rows, shape.n_replicates, shape.most);
  for (const char* level : problem::levels()) {
    problem::set_level(level);
    const RowLossEvaluator tested(kind, input, control);
    problem::check_equal(
        tested, *reference, drawn,
        std::string(level) + " kind " + std::to_string(static_cast<int>(kind.kind)) + " values " +
            std::to_string(static_cast<int>(values)) + " " + std::to_string(shape.n_rows) + " x " +
            std::to_string(shape.n_configurations));
  }
}

void equal_to_general() {
  const Shape shapes[] = {
      {1, 1, 1, 1, 0},    {2, 3, 1, 64, 0},   {7, 47, 2, 17, 0},     {20, 50, 1, 64, 0},
      {100, 97, 1, 9, 0}, {333, 48, 1, 3, 0}, {60, 20, 2, 5, 40000},
  };
  metric::RowLoss score{Kind::given};
  score.greater_is_better = true;
  metric::RowLoss pinball{Kind::pinball};
  pinball.alpha = 0.3;
  std::uint64_t seed = 0;
  for (const auto& shape : shapes) {
    for (const Values values : kAllValues) {
      run({Kind::given}, values, shape, ++seed);
      run(score, values, shape, ++seed);
      run({Kind::squared}, values, shape, ++seed);
      run({Kind::absolute}, values, shape, ++seed);
      run(pinball, values, shape, ++seed);
    }
    run({Kind::brier}, Values::plain, shape, ++seed);
    run({Kind::brier}, Values::few, shape, ++seed);
    run({Kind::ranked_probability}, Values::few, shape, ++seed);
    run({Kind::log}, Values::few, shape, ++seed);
    run({Kind::binomial}, Values::plain, shape, ++seed);
    run({Kind::squared_log}, Values::plain, shape, ++seed);
    run({Kind::huber}, Values::plain, shape, ++seed);
    run({Kind::symmetric_per_cent}, Values::plain, shape, ++seed);
    run({Kind::poisson}, Values::plain, shape, ++seed);
    run({Kind::gamma}, Values::plain, shape, ++seed);
    if (shape.n_repeats == 1) run({Kind::squared, true}, Values::plain, shape, ++seed);
  }
  // Several chunks of rows, and more weight in one chunk than the kernel's integers hold.
  run({Kind::squared}, Values::plain, {2500, 60, 2, 3, 0}, ++seed);
  run({Kind::absolute}, Values::few, {1025, 5, 1, 10, 0}, ++seed);
  run({Kind::squared}, Values::plain, {40, 30, 1, 4, 65000}, ++seed);
  // Counts that do not fit bytes.
  run({Kind::squared}, Values::few, {80, 30, 1, 4, 300}, ++seed);
}

void refusals() {
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
      const auto message = check::message_of([&] {
        const RowLossEvaluator evaluator(kind, {metric, target, repeats, {}, {}}, {2, {}});
      });
      CHECK_FOR(message == wrong.message, std::string(level) + ": " + message);
    }
  }
}

}  // namespace

int main() {
  equal_to_general();
  refusals();
  return check::report();
}
