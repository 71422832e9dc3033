#pragma once

// Every metric, every plan, and random problems that are hard in every way that is known.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "detail/metrics/evaluator.hpp"
#include "detail/metrics/traits.hpp"
#include "problem.hpp"

namespace every {

/// What truths and predictions look like; each is hard in its own way.
enum class Look {
  plain,
  ties,      // few values, configurations that are nearly all right
  near,      // differences in the last bits
  extreme,   // of all sizes and both signs
  huge,      // overflows somewhere
  constant,  // all rows the same
};
constexpr Look kLooks[] = {Look::plain,   Look::ties, Look::near,
                           Look::extreme, Look::huge, Look::constant};

enum class Weights {
  none,
  integers,
  any,
  unequal,
  tiny,
  two,
  few,   // 16 values
  wide,  // few, from zero on, that no sum holds together
};

/// How rows are put together.
struct Plan {
  const char* name;
  std::size_t n_repeats = 1;
  std::int32_t n_folds = 0;  ///< 0: pooled
  Weights weights = Weights::none;
  bool groups = false;  ///< of three rows, which are drawn together
};
constexpr Plan kPlans[] = {
    {"pooled"},
    {"folds", 1, 3},
    {"repeats", 2},
    {"folds of repeats", 2, 3},
    {"groups", 1, 0, Weights::none, true},
    {"integer weights", 1, 0, Weights::integers},
    {"weights", 1, 0, Weights::any},
    {"weights and folds of repeats", 2, 3, Weights::any},
    {"unequal weights of repeats", 2, 0, Weights::unequal},
    {"weights that vanish", 1, 0, Weights::tiny},
};

struct Shape {
  std::int64_t n_rows;
  std::int64_t n_configurations;
  int n_replicates;
  std::uint32_t most = 0;  ///< of a row's counts; 0: what draws give
};

/// A metric, and what the truth is like where the metric does not say it.
struct Kind {
  bbc::Metric metric;
  std::int32_t n_classes = 2;
  bool event_weights = false;
};

inline bbc::detail::LossTraits::Reads reads(const bbc::Metric& metric) {
  const auto* loss = std::get_if<bbc::metric::RowLoss>(&metric.kind);
  return loss == nullptr ? bbc::detail::LossTraits::Reads::value
                         : bbc::detail::traits_of(loss->kind).reads;
}

inline bool is_of_labels(const bbc::Metric& metric) {
  return std::holds_alternative<bbc::metric::ZeroOne>(metric.kind) ||
         std::holds_alternative<bbc::metric::Confusion>(metric.kind) ||
         reads(metric) == bbc::detail::LossTraits::Reads::label;
}

inline bbc::Target::Kind truth_of(const bbc::Metric& metric) {
  if (std::holds_alternative<bbc::metric::Concordance>(metric.kind))
    return bbc::Target::Kind::survival;
  const bool of_scores = std::holds_alternative<bbc::metric::Auc>(metric.kind) ||
                         std::holds_alternative<bbc::metric::AveragePrecision>(metric.kind) ||
                         std::holds_alternative<bbc::metric::MulticlassAuc>(metric.kind);
  const bool of_classes = reads(metric) == bbc::detail::LossTraits::Reads::probabilities;
  return of_scores || of_classes || is_of_labels(metric) ? bbc::Target::Kind::labels
                                                         : bbc::Target::Kind::real;
}

/// A random problem. Rows 0 to k - 1 are in bag and the next k out of bag, for which every metric
/// is defined; fold 0 has one value of the truth; the last configuration repeats the first.
class Problem {
 public:
  bbc::Target target;
  std::vector<bbc::Predictions> repeats;
  std::vector<std::int32_t> folds;
  std::vector<double> weights;
  bbc::detail::ReplicateBlock block;

  Problem(const Kind& kind, const Plan& plan, const Shape& shape, Look look, std::uint64_t seed)
      : kind_(kind), plan_(plan), shape_(shape), look_(look), seed_(seed), random_(seed) {
    if (const auto* loss = std::get_if<bbc::metric::RowLoss>(&kind.metric.kind)) {
      truths_ = bbc::detail::traits_of(loss->kind).truths;
      numbers_ = bbc::detail::traits_of(loss->kind).predictions;
    }
    const bool of_classes =
        (reads(kind.metric) == bbc::detail::LossTraits::Reads::probabilities && seed % 2 == 0) ||
        std::holds_alternative<bbc::metric::MulticlassAuc>(kind.metric.kind) || kind.n_classes > 2;
    n_outputs_ = of_classes && !is_of_labels(kind.metric) ? kind.n_classes : 1;
    target.kind = truth_of(kind.metric);
    if (target.kind == bbc::Target::Kind::labels) target.n_classes = kind.n_classes;
    for (std::int64_t row = 0; row < shape.n_rows; ++row) add_truth(row);
    if (is_of_labels(kind.metric)) {
      add_labels();
    } else {
      add_numbers();
    }
    draw_weights();
    draw_block();
  }
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  [[nodiscard]] bbc::detail::EvaluatorInput input() const {
    return {kind_.metric, target, repeats, folds, weights, /*fixed_spread=*/seed_ % 3 > 0};
  }
  [[nodiscard]] std::string context() const {
    std::string name = plan_.name;
    if (const auto* confusion = std::get_if<bbc::metric::Confusion>(&kind_.metric.kind)) {
      name += " formula " + std::to_string(static_cast<int>(confusion->formula)) + " average " +
              std::to_string(static_cast<int>(confusion->average));
    }
    if (const auto* loss = std::get_if<bbc::metric::RowLoss>(&kind_.metric.kind)) {
      name += " loss " + std::to_string(static_cast<int>(loss->kind));
    }
    return name + " kind " + std::to_string(kind_.metric.kind.index()) + " classes " +
           std::to_string(kind_.n_classes) + " look " + std::to_string(static_cast<int>(look_)) +
           " " + std::to_string(shape_.n_rows) + " x " + std::to_string(shape_.n_configurations) +
           " counts to " + std::to_string(shape_.most);
  }

 private:
  [[nodiscard]] std::int64_t n_kept() const {
    return std::min<std::int64_t>(2 * kind_.n_classes, shape_.n_rows);
  }
  /// Whether a row is in the fold that has one value of the truth.
  [[nodiscard]] bool is_alike(std::int64_t row) const {
    return plan_.n_folds > 0 && row >= n_kept() && row % 4 == 3;
  }

  void add_truth(std::int64_t row) {
    const bool is_first = row < n_kept() && row % kind_.n_classes == 0;
    const auto n_classes = static_cast<std::uint32_t>(kind_.n_classes);
    const std::uint32_t drawn = random_.below(3) == 0 ? random_.below(n_classes) : 0;
    if (target.kind == bbc::Target::Kind::labels) {
      const auto kept = static_cast<std::int32_t>(row) % kind_.n_classes;
      target.codes.push_back(row < n_kept()  ? kept
                             : is_alike(row) ? 0
                                             : static_cast<std::int32_t>(drawn));
      return;
    }
    double value = look_ == Look::ties ? std::floor(4.0 * random_.uniform()) : random_.uniform();
    if (look_ == Look::extreme && row == 5) value = 1e6;
    if (row < n_kept()) value = is_first ? 0.0 : 1.0 + static_cast<double>(row);
    if (is_alike(row)) value = 0.5;
    if (truths_ == bbc::detail::Numbers::any && look_ != Look::ties) value -= 0.25;
    target.values.push_back(truths_ == bbc::detail::Numbers::positive ? value + 0.1 : value);
    if (target.kind != bbc::Target::Kind::survival) return;
    target.events.push_back(is_first || (!is_alike(row) && random_.below(3) > 0) ? 1 : 0);
    if (!kind_.event_weights) return;
    const double weight = look_ == Look::extreme ? std::ldexp(1.0, -20 * static_cast<int>(row % 3))
                                                 : 1.0 + random_.below(3);
    target.event_weights.push_back(target.events.back() == 0 ? 0.0 : weight);
  }

  /// Memory whose layout is one of the common ones, or none.
  template <class T, class Draw>
  void add(const Draw& draw) {
    const std::int64_t gap = seed_ % 5 == 0 ? 3 : 1;
    const std::int64_t n_rows = shape_.n_rows;
    const std::int64_t n = shape_.n_configurations;
    for (std::size_t repeat = 0; repeat < plan_.n_repeats; ++repeat) {
      const auto data =
          std::make_shared<std::vector<T>>(static_cast<std::size_t>(gap * n_rows * n * n_outputs_));
      bbc::View<T> view{data->data(), n_rows, n, n_outputs_, {}};
      view.strides = seed_ % 2 == 0 ? std::array{gap * n * n_outputs_, gap * n_outputs_, gap}
                                    : std::array{gap, gap * n_rows * n_outputs_, gap * n_rows};
      for (std::int64_t row = 0; row < n_rows; ++row) {
        for (std::int64_t j = 0; j < n; ++j) {
          std::vector<T> outputs = draw(row, j);
          for (std::int64_t k = 0; k < n_outputs_; ++k) {
            const std::int64_t from = j + 1 == n ? 0 : j;
            T& place = (*data)[static_cast<std::size_t>(&view(row, j, k) - view.data)];
            place = from == j ? outputs[static_cast<std::size_t>(k)] : view(row, from, k);
          }
        }
      }
      repeats.emplace_back(view);
      memory_.push_back(data);
      for (std::int64_t row = 0; row < n_rows && plan_.n_folds > 0; ++row) {
        const auto others = static_cast<std::uint32_t>(plan_.n_folds - 1);
        folds.push_back(row < n_kept()   ? 1
                        : row % 37 == 36 ? -1
                        : is_alike(row)  ? 0
                                         : 1 + static_cast<std::int32_t>(random_.below(others)));
      }
    }
  }

  template <class T>
  void add_labels_of(std::int64_t first, std::int64_t step) {
    const auto n_classes = static_cast<std::uint32_t>(kind_.n_classes);
    const auto label = [&](std::int64_t code) { return first + step * code; };
    for (std::int32_t k = 0; k < kind_.n_classes; ++k) target.label_values.push_back(label(k));
    const double error_rate = look_ == Look::ties ? 0.01 : look_ == Look::near ? 0.1 : 0.4;
    add<T>([&](std::int64_t row, std::int64_t j) {
      std::int64_t code = target.codes[static_cast<std::size_t>(row)];
      // One calls all the same.
      if (look_ == Look::constant || j == 1)
        code = 0;
      else if (random_.uniform() < error_rate)
        code = random_.below(n_classes);
      return std::vector<T>{static_cast<T>(label(code))};
    });
  }
  void add_labels() {
    switch (seed_ % 6) {
      case 0:
        return add_labels_of<std::uint8_t>(3, 90);
      case 1:
        return add_labels_of<std::int16_t>(-1, 2);
      case 2:
        return add_labels_of<std::int32_t>(5, 40'000);
      case 3:
        return add_labels_of<std::int64_t>(std::int64_t{1} << 40, -7);
      default:
        return add_labels_of<std::int8_t>(-1, 3);
    }
  }

  double draw_number(double truth, std::int64_t row) {
    const double bell = random_.uniform() + random_.uniform() - 1.0;
    switch (look_) {
      case Look::plain:
        break;
      case Look::ties:
        return random_.below(3) == 0 ? -0.0 : truth + std::round(4.0 * bell) / 4.0;
      case Look::near:
        return truth + 1.0 + std::numeric_limits<double>::epsilon() * std::round(4.0 * bell);
      case Look::extreme:
        return bell * std::pow(10.0, static_cast<double>(row % 30) - 15.0);
      case Look::huge:
        return std::ldexp(bell, 800);
      case Look::constant:
        return 0.25;
    }
    return truth + bell;
  }
  double draw_probability() {
    const double uniform = random_.uniform();
    switch (look_) {
      case Look::plain:
        break;
      case Look::ties:
        return std::round(8.0 * uniform) / 8.0;
      case Look::near:
        return 0.5 + 0x1p-50 * std::round(4.0 * uniform);
      case Look::extreme:
      case Look::huge:
        return std::pow(10.0, -30.0 * uniform);
      case Look::constant:
        return 0.25;
    }
    return uniform;
  }
  void add_numbers() {
    const bool of_probabilities =
        reads(kind_.metric) == bbc::detail::LossTraits::Reads::probabilities;
    add<double>([&](std::int64_t row, std::int64_t /*j*/) {
      const auto at = static_cast<std::size_t>(row);
      const double truth = target.kind == bbc::Target::Kind::labels ? 0.3 * target.codes[at]
                           : target.kind == bbc::Target::Kind::real ? target.values[at]
                                                                    : 0.0;
      std::vector<double> outputs;
      for (std::int64_t k = 0; k < n_outputs_; ++k) {
        double number = of_probabilities ? draw_probability() : draw_number(truth, row);
        if (numbers_ != bbc::detail::Numbers::any) number = std::fabs(number) + 0.125;
        outputs.push_back(number);
      }
      return outputs;
    });
  }

  static double wide(std::uint32_t step) {
    return step == 0 ? 0.0 : std::ldexp(1.0 / 3.0, -static_cast<int>((step - 1) * 150));
  }
  void draw_weights() {
    if (plan_.weights == Weights::none) return;
    for (std::int64_t row = 0; row < shape_.n_rows; ++row) {
      const double uniform = random_.uniform();
      const double drawn = plan_.weights == Weights::integers  ? random_.below(4)
                           : plan_.weights == Weights::any     ? (row % 7 == 6 ? 0.0 : uniform)
                           : plan_.weights == Weights::unequal ? std::pow(10.0, -12.0 * uniform)
                           : plan_.weights == Weights::two     ? (uniform < 0.5 ? 0.1 : 1.0)
                           : plan_.weights == Weights::few     ? std::floor(16.0 * uniform) / 7.0
                           : plan_.weights == Weights::wide    ? wide(random_.below(9))
                                                               : 1e-300 * uniform;
      weights.push_back(row < n_kept() ? 1.0 + drawn : drawn);
    }
    weights[0] += 0.5;
    weights = bbc::detail::relative_weights(weights, shape_.n_rows);
  }

  void draw_block() {
    block = problem::random_block(random_, shape_.n_rows, shape_.n_replicates, shape_.most);
    block.row_weights = weights;
    for (int lane = 0; lane < shape_.n_replicates; ++lane) {
      std::uint16_t* counts = block.counts.data() + lane * shape_.n_rows;
      for (std::int64_t row = 0; row < shape_.n_rows; ++row) {
        if (plan_.groups) counts[row] = counts[row - row % 3];
        if (row < n_kept() / 2) counts[row] = std::max<std::uint16_t>(counts[row], 1);
        if (row >= n_kept() / 2 && row < n_kept()) counts[row] = 0;
      }
    }
  }

  Kind kind_;
  Plan plan_;
  Shape shape_;
  Look look_;
  std::uint64_t seed_;
  problem::Random random_;
  bbc::detail::Numbers truths_ = bbc::detail::Numbers::any;
  bbc::detail::Numbers numbers_ = bbc::detail::Numbers::any;
  std::int64_t n_outputs_ = 1;
  std::vector<std::shared_ptr<void>> memory_;
};

/// Every metric once, whatever its names and sign, and confusion metrics with every average.
inline std::vector<Kind> all_kinds() {
  std::vector<bbc::Metric> metrics;
  const auto add = [&](const bbc::Metric::Kind& kind) {
    const auto known = [&](const bbc::Metric& metric) { return metric.kind == kind; };
    if (std::ranges::none_of(metrics, known)) metrics.push_back({kind});
  };
  for (const std::string_view name : bbc::metric_names()) add(bbc::make_metric(name).kind);
  for (const bbc::MetricFacts& facts : bbc::metric_table()) {
    bbc::MetricParameters parameters;
    if (!facts.average.empty()) parameters.average = facts.average;
    add(bbc::make_metric(facts.kernel, parameters).kind);
  }
  for (const bbc::metric::Confusion& kind : problem::confusion_metrics(0.7)) add(kind);
  add(bbc::metric::RowLoss{.kind = bbc::metric::RowLoss::Kind::pinball, .alpha = 0.3});
  std::vector<Kind> kinds;
  for (const bbc::Metric& metric : metrics) {
    const auto* confusion = std::get_if<bbc::metric::Confusion>(&metric.kind);
    const auto* loss = std::get_if<bbc::metric::RowLoss>(&metric.kind);
    const bool of_two = std::holds_alternative<bbc::metric::Auc>(metric.kind) ||
                        std::holds_alternative<bbc::metric::AveragePrecision>(metric.kind) ||
                        (loss != nullptr && loss->kind == bbc::metric::RowLoss::Kind::binomial) ||
                        (confusion != nullptr && bbc::detail::is_of_two_classes(*confusion));
    kinds.push_back({metric});
    if (truth_of(metric) == bbc::Target::Kind::labels && !of_two) kinds.push_back({metric, 3});
    if (truth_of(metric) == bbc::Target::Kind::survival) kinds.push_back({metric, 2, true});
  }
  return kinds;
}

}  // namespace every
