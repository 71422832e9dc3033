#pragma once

#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include "bbc/metric.hpp"
#include "detail/metrics/weighted_sums.hpp"
#include "detail/support/double_double.hpp"

namespace bbc::detail {

/// How far a call is from the truth, in steps between the sorted classes or their squares; 0 for
/// formulas that do not ask.
[[nodiscard]] inline double apart(metric::Confusion::Formula formula, std::int32_t truth,
                                  std::int32_t predicted) {
  using Formula = metric::Confusion::Formula;
  const double steps = std::abs(predicted - truth);
  if (formula == Formula::quadratic_kappa) return steps * steps;
  return formula == Formula::linear_kappa ? steps : 0.0;
}

/// The sum, over the rows of the classes so far, of how far the next class is. Nothing cancels.
template <class Number>
class StepsUp {
 public:
  explicit StepsUp(metric::Confusion::Formula formula)
      : squared_(formula == metric::Confusion::Formula::quadratic_kappa) {}
  [[nodiscard]] Number sum() const { return squared_ ? squares_ : steps_; }
  void add(Number of_class) {
    rows_ = rows_ + of_class;
    squares_ = squares_ + steps_ + steps_ + rows_;  // (d + 1)^2 = d^2 + 2 d + 1
    steps_ = steps_ + rows_;
  }

 private:
  bool squared_;
  Number rows_{};
  Number steps_{};
  Number squares_{};
};

/// Rows of one (true, predicted) pair: rows [begin, end) of a column.
struct ConfusionCell {
  std::int32_t truth;
  std::int32_t predicted;
  std::int32_t begin;
  std::int32_t end;
  bool implied;  ///< not summed: what the other cells leave of the class
};

/// One configuration: its rows by cell, in row order within a cell; the cells of a class together.
struct ConfusionColumn {
  std::vector<std::int32_t> rows;
  std::vector<ConfusionCell> cells;
};

/// With integer weights (`implied`) the largest cell of each class needs no rows.
[[nodiscard]] ConfusionColumn confusion_column(const std::vector<std::int32_t>& truth,
                                               const std::vector<std::int32_t>& predicted,
                                               bool implied);

/// Right calls and calls of each class; of real weights also what differences would lose: rows
/// of the class that are missed, and other rows that are not called so.
template <class Number, int L>
class ConfusionCounts {
 public:
  static constexpr int kLanes = L;
  static constexpr bool kReal = std::is_same_v<Number, DoubleDouble>;

  ConfusionCounts(int n_classes, const ConfusionColumn& column, const LaneWeights& weights,
                  const double* totals, metric::Confusion::Formula formula) {
    const auto size = static_cast<std::size_t>(n_classes * L);
    right = small_;
    if (n_classes > kSmall) {
      large_.resize(kSums * size);
      right = large_.data();
    }
    predicted = right + size;
    if constexpr (kReal) {
      missed = predicted + size;
      others = missed + size;
    }
    Number rest[L] = {};
    std::int32_t truth = -1;
    for (const ConfusionCell& cell : column.cells) {
      Number sum[L] = {};
      if constexpr (!kReal) {
        if (cell.truth != truth) {
          truth = cell.truth;
          for (int lane = 0; lane < L; ++lane) rest[lane] = totals[truth * L + lane];
        }
      }
      if (cell.implied) {
        for (int lane = 0; lane < L; ++lane) sum[lane] = rest[lane];
      } else {
        const std::int32_t* rows = column.rows.data() + cell.begin;
        sum_weights<L>(
            weights, cell.end - cell.begin, [&](std::int64_t i) { return std::int64_t{rows[i]}; },
            sum);
        if constexpr (!kReal) {
          for (int lane = 0; lane < L; ++lane) rest[lane] -= sum[lane];
        }
      }
      add(predicted + cell.predicted * L, sum);
      if (cell.predicted == cell.truth) add(right + cell.truth * L, sum);
      if (const double distance = detail::apart(formula, cell.truth, cell.predicted);
          distance > 0.0) {
        for (int lane = 0; lane < L; ++lane) {
          apart[lane] = apart[lane] + Number{distance} * sum[lane];
        }
      }
      if constexpr (kReal) {
        if (cell.predicted != cell.truth) add(missed + cell.truth * L, sum);
        for (int k = 0; k < n_classes; ++k) {
          if (k != cell.truth && k != cell.predicted) add(others + k * L, sum);
        }
      }
    }
  }
  ConfusionCounts(const ConfusionCounts&) = delete;
  ConfusionCounts& operator=(const ConfusionCounts&) = delete;

  Number* right;
  Number* predicted;
  Number* missed = nullptr;
  Number* others = nullptr;
  Number apart[L] = {};  ///< how far calls are from the truth, over all rows

 private:
  static constexpr int kSmall = 4;
  static constexpr int kSums = kReal ? 4 : 2;
  static void add(Number* to, const Number* sum) {
    for (int lane = 0; lane < L; ++lane) to[lane] = to[lane] + sum[lane];
  }
  Number small_[kSums * kSmall * L] = {};
  std::vector<Number> large_;
};

}  // namespace bbc::detail
