// Metrics from a confusion matrix against their definitions, for two and more classes.
#include "by_formula.hpp"
#include "detail/metrics/confusion.hpp"
#include "detail/metrics/confusion_counts.hpp"

namespace {

using namespace bbc;
using by_formula::Sample;
using Formula = metric::Confusion::Formula;
using Average = metric::Average;
using Labels = by_formula::Block<std::int16_t>;
using Matrix = std::vector<std::vector<double>>;  // [truth][predicted]

double share(double part, double whole) { return whole > 0.0 ? part / whole : 0.0; }

/// What one class against all others gives.
struct Calls {
  double right = 0.0;         // true positives
  double missed = 0.0;        // false negatives
  double false_alarms = 0.0;  // false positives
  double rest = 0.0;          // true negatives
};

Calls calls_of(const Matrix& matrix, std::size_t k) {
  Calls calls;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      if (i == k && j == k) calls.right += matrix[i][j];
      if (i == k && j != k) calls.missed += matrix[i][j];
      if (i != k && j == k) calls.false_alarms += matrix[i][j];
      if (i != k && j != k) calls.rest += matrix[i][j];
    }
  }
  return calls;
}

/// Numerator and denominator of a class.
std::pair<double, double> parts(const metric::Confusion& kind, const Calls& calls) {
  const double b = kind.beta * kind.beta;
  switch (kind.formula) {
    case Formula::precision:
      return {calls.right, calls.right + calls.false_alarms};
    case Formula::specificity:
      return {calls.rest, calls.rest + calls.false_alarms};
    case Formula::npv:
      return {calls.rest, calls.rest + calls.missed};
    case Formula::f_beta:
      return {(1.0 + b) * calls.right,
              (1.0 + b) * calls.right + b * calls.missed + calls.false_alarms};
    case Formula::jaccard:
      return {calls.right, calls.right + calls.missed + calls.false_alarms};
    default:
      return {calls.right, calls.right + calls.missed};
  }
}

/// Gorodkin (2004), equation 8: the sums over three classes as they stand.
double correlation(const Matrix& matrix) {
  const std::size_t n = matrix.size();
  double both = 0.0;
  double of_truth = 0.0;
  double of_prediction = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    double row = 0.0;
    double column = 0.0;
    double other_rows = 0.0;
    double other_columns = 0.0;
    for (std::size_t l = 0; l < n; ++l) {
      row += matrix[k][l];
      column += matrix[l][k];
      for (std::size_t m = 0; m < n; ++m) {
        both += matrix[k][k] * matrix[l][m] - matrix[k][l] * matrix[m][k];
        if (l != k) other_rows += matrix[l][m];
        if (m != k) other_columns += matrix[l][m];
      }
    }
    of_truth += row * other_rows;
    of_prediction += column * other_columns;
  }
  return share(both, std::sqrt(of_truth) * std::sqrt(of_prediction));
}

double kappa(const Matrix& matrix) {
  double right = 0.0;
  double expected = 0.0;
  double n = 0.0;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const Calls calls = calls_of(matrix, k);
    n = calls.right + calls.missed + calls.false_alarms + calls.rest;
    right += calls.right / n;
    expected += (calls.right + calls.missed) / n * ((calls.right + calls.false_alarms) / n);
  }
  return expected < 1.0 ? (right - expected) / (1.0 - expected) : 0.0;
}

double weighted_kappa(const Matrix& matrix, bool squared) {
  double observed = 0.0;
  double expected = 0.0;
  double n = 0.0;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    for (std::size_t l = 0; l < matrix.size(); ++l) {
      const Calls of_truth = calls_of(matrix, k);
      const Calls of_call = calls_of(matrix, l);
      const double steps = std::abs(static_cast<double>(k) - static_cast<double>(l));
      const double weight = squared ? steps * steps : steps;
      n += matrix[k][l];
      observed += weight * matrix[k][l];
      expected +=
          weight * (of_truth.right + of_truth.missed) * (of_call.right + of_call.false_alarms);
    }
  }
  return expected > 0.0 ? 1.0 - observed / (expected / n) : 0.0;
}

double value(const metric::Confusion& kind, const Matrix& matrix) {
  switch (kind.formula) {
    case Formula::mcc:
      return correlation(matrix);
    case Formula::kappa:
      return kappa(matrix);
    case Formula::quadratic_kappa:
    case Formula::linear_kappa:
      return weighted_kappa(matrix, kind.formula == Formula::quadratic_kappa);
    case Formula::distance_to_corner: {
      const Calls calls = calls_of(matrix, 1);
      return std::hypot(share(calls.missed, calls.right + calls.missed),
                        share(calls.false_alarms, calls.rest + calls.false_alarms));
    }
    case Formula::youden: {
      const Calls calls = calls_of(matrix, 1);
      return share(calls.right, calls.right + calls.missed) -
             share(calls.false_alarms, calls.rest + calls.false_alarms);
    }
    default:
      break;
  }
  const bool balanced = kind.formula == Formula::balanced_accuracy;
  const Average average = balanced ? Average::macro : kind.average;
  if (average == Average::binary) {
    const auto [part, whole] = parts(kind, calls_of(matrix, 1));
    return share(part, whole);
  }
  double sum = 0.0;
  double all = 0.0;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const Calls calls = calls_of(matrix, k);
    const auto [part, whole] = parts(kind, calls);
    const double support = calls.right + calls.missed;
    if (average == Average::micro) {
      sum += part;
      all += whole;
    } else {
      const double counts = average == Average::weighted ? support : 1.0;
      sum += counts * share(part, whole);
      all += counts;
    }
  }
  return share(sum, all);
}

/// Whether the truth lets the metric have a value: which classes it needs.
bool defined(const metric::Confusion& kind, const Matrix& matrix) {
  std::vector<bool> present;
  for (const auto& row : matrix) {
    present.push_back(*std::max_element(row.begin(), row.end()) > 0.0);
  }
  const auto n_present = std::count(present.begin(), present.end(), true);
  const bool all = n_present == static_cast<std::ptrdiff_t>(matrix.size());
  if (kind.formula == Formula::mcc || kind.formula == Formula::kappa ||
      kind.formula == Formula::quadratic_kappa || kind.formula == Formula::linear_kappa) {
    return n_present > 1;
  }
  if (kind.average == Average::macro) return all;
  if (kind.formula == Formula::specificity || kind.formula == Formula::npv) {
    return kind.average == Average::binary ? present[0] : all;
  }
  return kind.average == Average::binary ? present[1] : true;
}

void run(const metric::Confusion& kind, const std::vector<std::int64_t>& labels,
         std::size_t n_repeats, std::uint64_t seed) {
  problem::Random random(seed);
  const auto n_classes = static_cast<std::uint32_t>(labels.size());
  Target target;
  target.kind = Target::Kind::labels;
  target.n_classes = static_cast<std::int32_t>(n_classes);
  target.label_values = labels;
  Labels block{20 * n_classes, 9};
  for (std::int64_t row = 0; row < block.n_rows; ++row) {
    target.codes.push_back(static_cast<std::int32_t>(random.below(n_classes)));
  }
  block.fill(n_repeats, [&](std::int64_t row, std::int64_t configuration) {
    // One calls everything the first class and one is always right.
    std::int32_t code = target.codes[static_cast<std::size_t>(row)];
    if (configuration == 1) code = 0;
    if (configuration > 2 && random.below(2) == 0) {
      code = static_cast<std::int32_t>(random.below(n_classes));
    }
    return static_cast<std::int16_t>(labels[static_cast<std::size_t>(code)]);
  });
  const auto formula = [&](const Sample& sample, std::size_t repeat,
                           std::int64_t configuration) -> std::optional<double> {
    Matrix matrix(n_classes, std::vector<double>(n_classes));
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const auto label = block(repeat, sample.rows[i], configuration);
      const auto code = std::find(labels.begin(), labels.end(), label) - labels.begin();
      matrix[static_cast<std::size_t>(target.codes[sample.rows[i]])]
            [static_cast<std::size_t>(code)] += sample.weights[i];
    }
    if (!defined(kind, matrix)) return {};
    return value(kind, matrix);
  };
  by_formula::check<detail::ConfusionColumns<double>,
                    detail::ConfusionColumns<detail::DoubleDouble>>(
      Metric{kind}, target, block, random, formula,
      "formula " + std::to_string(static_cast<int>(kind.formula)) + " average " +
          std::to_string(static_cast<int>(kind.average)) + " of " + std::to_string(n_classes) +
          " classes");
}

/// The largest cell of each class is told by the others.
void columns() {
  const auto column = detail::confusion_column({0, 0, 1, 1, 1, 0}, {1, 0, 1, 1, 0, 0}, true);
  CHECK((column.rows == std::vector<std::int32_t>{0, 4}));
  CHECK(column.cells.size() == 4);
  CHECK(!column.cells[0].implied && column.cells[0].predicted == 1);
  CHECK(column.cells[1].implied && column.cells[1].predicted == 0);
  CHECK(!column.cells[2].implied && column.cells[2].predicted == 0);
  CHECK(column.cells[3].implied && column.cells[3].predicted == 1);
}

}  // namespace

int main() {
  std::uint64_t seed = 0;
  for (const metric::Confusion& kind : problem::confusion_metrics(1.5)) {
    for (const std::size_t n_repeats : {1U, 2U}) {
      run(kind, {-1, 1}, n_repeats, ++seed);
      if (detail::is_of_two_classes(kind)) continue;
      run(kind, {5, 7, 100}, n_repeats, ++seed);
      run(kind, {9, 1, 2, 4, 30}, n_repeats, ++seed);
    }
  }
  columns();
  return check::report();
}
