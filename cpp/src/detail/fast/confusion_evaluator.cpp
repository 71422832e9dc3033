#include "detail/fast/confusion_evaluator.hpp"

#include <algorithm>
#include <bit>

#include "detail/metrics/defined.hpp"

namespace bbc::detail {
namespace {

constexpr int kClasses = ConfusionEvaluator::kClasses;
constexpr std::int64_t kPanel = 512;  // configurations whose counts are kept at a time
/// Beyond it the products of a key overflow, and the general evaluator says so.
constexpr double kMostBeta = 1e100;
/// Shares of two classes whose rows multiply to no more differ by more than their rounding.
constexpr double kMostProduct = 0x1p50;

/// The confusion matrix of two classes in L replicates, as ConfusionColumns takes it.
template <int L>
struct Matrix {
  static constexpr int kLanes = L;
  double right[kClasses * L];
  double predicted[kClasses * L];

  void set(int lane, double first_wrong, double second_wrong, const double* totals) {
    right[lane] = totals[lane] - first_wrong;
    right[L + lane] = totals[L + lane] - second_wrong;
    predicted[lane] = right[lane] + second_wrong;
    predicted[L + lane] = right[L + lane] + first_wrong;
  }
};

/// One sample's, from wrong labels and rows of each class.
struct OneMatrix {
  template <class Wrong>
  explicit OneMatrix(const Wrong& wrong) {
    for (int code = 0; code < kClasses; ++code) {
      totals[code] = static_cast<double>(wrong.rows[code]);
      totals[kClasses] += totals[code];
    }
    matrix.set(0, static_cast<double>(wrong.labels[0]), static_cast<double>(wrong.labels[1]),
               totals);
  }
  double totals[kClasses + 1] = {};
  Matrix<1> matrix{};
};

/// Wrong labels of one configuration among the rows of each class, in all replicates.
struct WrongLine {
  const std::int32_t* first;
  const std::int32_t* second;
};

}  // namespace

/// Rows of each class in a block of replicates, then all: [class * kBlock + lane].
struct ConfusionTotals {
  double rows[(kClasses + 1) * kBlock] = {};
  bool exact = true;  ///< products of both classes' rows are small enough

  explicit ConfusionTotals(const ReplicateBlock (&blocks)[kClasses]) {
    for (int lane = 0; lane < blocks[0].n_replicates; ++lane) {
      for (int code = 0; code < kClasses; ++code) {
        rows[code * kBlock + lane] = static_cast<double>(blocks[code].total(lane));
      }
      rows[kClasses * kBlock + lane] = first(lane) + second(lane);
      exact = exact && first(lane) * second(lane) <= kMostProduct;
    }
  }
  [[nodiscard]] double first(int lane) const { return rows[lane]; }
  [[nodiscard]] double second(int lane) const { return rows[kBlock + lane]; }
};

namespace {

/// The quotient of the second class, with the operations of its key.
void quotients(const ConfusionRatio& ratio, const ConfusionTotals& totals, const WrongLine& wrong,
               double* values) {
  for (int lane = 0; lane < kBlock; ++lane) {
    const double of_class = totals.second(lane);
    const double right = of_class - wrong.second[lane];
    const double predicted = right + wrong.first[lane];
    const double others = totals.first(lane);
    const double form[ConfusionRatio::kTerms] = {right, of_class, predicted, others,
                                                 others - wrong.first[lane]};
    double numerator = 0.0;
    double denominator = 0.0;
    for (int i = 0; i < ConfusionRatio::kTerms; ++i) {
      numerator += ratio.numerator[i] * form[i];
      denominator += ratio.denominator[i] * form[i];
    }
    const bool defined = denominator > 0.0;
    values[lane] = (defined ? numerator : 0.0) / (defined ? denominator : 1.0);
  }
}

/// The sum of both classes' shares of right calls, times the rows of either.
void balanced(const ConfusionTotals& totals, const WrongLine& wrong, double* values) {
  for (int lane = 0; lane < kBlock; ++lane) {
    const double first = totals.first(lane);
    const double second = totals.second(lane);
    values[lane] = (first - wrong.first[lane]) * (second > 0.0 ? second : 1.0) +
                   (second - wrong.second[lane]) * (first > 0.0 ? first : 1.0);
  }
}

}  // namespace

bool ConfusionEvaluator::suits(const metric::Confusion& kind, const EvaluatorInput& input) {
  return input.folds.empty() && input.row_weights.empty() && input.repeats.size() == 1 &&
         input.target.n_classes == kClasses && kind.beta <= kMostBeta;
}

ConfusionEvaluator::ConfusionEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                                       const Control& control)
    : formula_(kind, input.target),
      ratio_(confusion_ratio(kind)),
      kernel_(zero_one_kernel(simd_level())),
      patterns_(input, kernel_.patterns, control),
      codes_(input.target.codes),
      needed_classes_(Defined(input.metric, input.target).needed_classes()) {
  using Formula = metric::Confusion::Formula;
  using metric::Average;
  if (kind.formula == Formula::balanced_accuracy ||
      (kind.formula == Formula::recall && kind.average == Average::macro)) {
    order_ = Order::balanced;
  } else if (kind.average == Average::binary && kind.formula != Formula::mcc &&
             kind.formula != Formula::kappa && kind.formula != Formula::distance_to_corner) {
    order_ = Order::quotient;
  }
  for (int code = 0; code < kClasses; ++code) {
    for (const std::int32_t own : codes_) members_[code].push_back(own == code ? 0xFFFF : 0);
  }
}

ReplicateBlock ConfusionEvaluator::of_class(const ReplicateBlock& block, int code,
                                            std::uint16_t of_others) const {
  ReplicateBlock own{block.n_replicates, block.n_rows, {}, {}};
  own.counts.resize(block.counts.size());
  const std::uint16_t* members = members_[code].data();
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::uint16_t* from = block.replicate(lane);
    std::uint16_t* to = own.counts.data() + lane * block.n_rows;
    for (std::int64_t row = 0; row < block.n_rows; ++row) {
      to[row] =
          static_cast<std::uint16_t>((from[row] & members[row]) | (of_others & ~members[row]));
    }
  }
  return own;
}

template <class Use>
void ConfusionEvaluator::for_each(const ReplicateBlock (&blocks)[kClasses], std::int64_t first,
                                  std::int64_t last, const StopFlag& stop, const Use& use) const {
  const auto memory = memory_.take([&] {
    return Memory{{ZeroOneSums(patterns_, kernel_.sums), ZeroOneSums(patterns_, kernel_.sums)}, {}};
  });
  for (int code = 0; code < kClasses; ++code) memory->sums[code].take(blocks[code]);
  for (std::int64_t from = first; from < last; from += kPanel) {
    const std::int64_t to = std::min(from + kPanel, last);
    for (int code = 0; code < kClasses; ++code) {
      memory->wrong[code].assign(static_cast<std::size_t>((to - from) * kBlock), 0);
      memory->sums[code].add_to(from, to, 1, stop, memory->wrong[code].data());
    }
    for (std::int64_t j = from; j < to; ++j) {
      const std::int64_t at = (j - from) * kBlock;
      use(j, WrongLine{memory->wrong[0].data() + at, memory->wrong[1].data() + at});
    }
  }
}

template <class Use>
void ConfusionEvaluator::for_each_order(const ReplicateBlock& block, std::int64_t first,
                                        std::int64_t last, const StopFlag& stop,
                                        const Use& use) const {
  const ReplicateBlock blocks[kClasses] = {of_class(block, 0, 0), of_class(block, 1, 0)};
  const ConfusionTotals totals(blocks);
  double values[kBlock];
  if (order_ == Order::quotient) {
    for_each(blocks, first, last, stop, [&](std::int64_t j, const WrongLine& wrong) {
      quotients(ratio_, totals, wrong, values);
      use(j, values);
    });
  } else if (order_ == Order::balanced && totals.exact) {
    for_each(blocks, first, last, stop, [&](std::int64_t j, const WrongLine& wrong) {
      balanced(totals, wrong, values);
      use(j, values);
    });
  } else {
    Matrix<kBlock> matrix{};
    for_each(blocks, first, last, stop, [&](std::int64_t j, const WrongLine& wrong) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        matrix.set(lane, wrong.first[lane], wrong.second[lane], totals.rows);
        values[lane] = formula_.key(matrix, totals.rows, lane).rounded();
      }
      std::fill(values + block.n_replicates, values + kBlock, 0.0);
      use(j, values);
    });
  }
}

template <class Value>
void ConfusionEvaluator::fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                              const StopFlag& stop, double* out, const Value& value) const {
  const ReplicateBlock blocks[kClasses] = {of_class(block, 0, 0), of_class(block, 1, 0)};
  const ConfusionTotals totals(blocks);
  Matrix<kBlock> matrix{};
  for_each(blocks, first, last, stop, [&](std::int64_t j, const WrongLine& wrong) {
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      matrix.set(lane, wrong.first[lane], wrong.second[lane], totals.rows);
      out[lane * (last - first) + j - first] = value(matrix, totals.rows, lane);
    }
  });
}

void ConfusionEvaluator::keys(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                              const StopFlag& stop, double* keys) const {
  fill(block, first, last, stop, keys, [&](const auto& matrix, const double* totals, int lane) {
    return formula_.key(matrix, totals, lane).rounded();
  });
}

void ConfusionEvaluator::scores(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                                const StopFlag& stop, double* scores) const {
  fill(block, first, last, stop, scores, [&](const auto& matrix, const double* totals, int lane) {
    return score_of(matrix, totals, lane);
  });
}

void ConfusionEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                    std::int64_t last, const StopFlag& stop,
                                    Choice* choices) const {
  double highest[kBlock];
  double where[kBlock];  // as wide as what is compared, so that the loop becomes vectors
  std::fill_n(highest, kBlock, -std::numeric_limits<double>::infinity());
  for_each_order(block, first, last, stop, [&](std::int64_t j, const double* values) {
    const auto configuration = static_cast<double>(j);
    for (int lane = 0; lane < kBlock; ++lane) {
      const bool higher = values[lane] > highest[lane];
      highest[lane] = higher ? values[lane] : highest[lane];
      where[lane] = higher ? configuration : where[lane];
    }
  });
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const auto winner = static_cast<std::int64_t>(where[lane]);
    const OneMatrix one(wrong_in_bag(block.replicate(lane), winner));
    choices[lane] = {formula_.key(one.matrix, one.totals, 0).rounded(), winner};
  }
}

void ConfusionEvaluator::count_worse(const ReplicateBlock& block, std::int64_t than,
                                     const StopFlag& stop, std::int64_t* worse) const {
  double limits[kBlock];
  for_each_order(block, than, than + 1, stop,
                 [&](std::int64_t, const double* values) { std::copy_n(values, kBlock, limits); });
  for_each_order(block, 0, n_configurations(), stop, [&](std::int64_t j, const double* values) {
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      worse[j] += values[lane] < limits[lane] ? 1 : 0;
    }
  });
}

ConfusionEvaluator::Wrong ConfusionEvaluator::wrong_in_bag(const std::uint16_t* counts,
                                                           std::int64_t configuration) const {
  Wrong found{};
  for (int code = 0; code < kClasses; ++code) {
    const std::uint16_t* members = members_[code].data();
    for (std::size_t row = 0; row < codes_.size(); ++row) {
      found.rows[code] += counts[row] & members[row];
    }
  }
  for (std::int64_t chunk = 0; chunk < patterns_.n_chunks(); ++chunk) {
    std::uint64_t errors = patterns_.bits(chunk, 0, configuration);
    for (; errors != 0; errors &= errors - 1) {
      const std::int64_t row = chunk * kChunkRows + std::countr_zero(errors);
      found.labels[codes_[static_cast<std::size_t>(row)]] += counts[row];
    }
  }
  return found;
}

void ConfusionEvaluator::out_of_bag(const ReplicateBlock& block, const Choice* choices,
                                    const StopFlag& stop, double* scores) const {
  // Rows of the other class pass for drawn.
  const ReplicateBlock blocks[kClasses] = {of_class(block, 0, 1), of_class(block, 1, 1)};
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration < 0) continue;
    stop.check();
    Wrong wrong{};
    for (int code = 0; code < kClasses; ++code) {
      const OutOfBagErrors found =
          kernel_.counts.out_of_bag(patterns_.column(choices[lane].configuration),
                                    blocks[code].replicate(lane), block.n_rows);
      wrong.labels[code] = found.errors;
      wrong.rows[code] = found.n_rows;
    }
    const OneMatrix one(wrong);
    scores[lane] = score_of(one.matrix, one.totals, 0);
  }
}

void ConfusionEvaluator::in_bag(const ReplicateBlock& block, const Choice* choices,
                                const StopFlag& stop, double* scores) const {
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (choices[lane].configuration < 0) continue;
    stop.check();
    const OneMatrix one(wrong_in_bag(block.replicate(lane), choices[lane].configuration));
    scores[lane] = score_of(one.matrix, one.totals, 0);
  }
}

}  // namespace bbc::detail
