#include "detail/fast/confusion_evaluator.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "detail/metrics/defined.hpp"

namespace bbc::detail {
namespace {

constexpr int kClasses = ConfusionEvaluator::kClasses;
constexpr std::int64_t kPanel = 512;  // configurations whose counts are kept at a time
static_assert(kPanel <= ZeroOneSums::kPanel);

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

/// Rows of the second class in a replicate. 32 bits hold those of 65,537 rows, and add twice as
/// fast.
std::int64_t of_second(const ReplicateBlock& block, int lane, const std::uint16_t* second) {
  constexpr std::int64_t kFit = 65536;
  const std::uint16_t* counts = block.replicate(lane);
  std::int64_t total = 0;
  for (std::int64_t first = 0; first < block.n_rows; first += kFit) {
    const std::int64_t last = std::min(first + kFit, block.n_rows);
    std::uint32_t sum = 0;
    for (std::int64_t row = first; row < last; ++row) {
      sum += static_cast<std::uint32_t>(counts[row] & second[row]);
    }
    total += sum;
  }
  return total;
}

}  // namespace

/// Rows of each class in a block of replicates, then all: [class * kBlock + lane].
struct ConfusionTotals {
  double rows[(kClasses + 1) * kBlock] = {};
  double most_product = 0.0;  ///< of the rows of both classes
  double most_rows = 0.0;

  ConfusionTotals(const ReplicateBlock& block, const std::uint16_t* second) {
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const auto all = static_cast<double>(block.total(lane));
      rows[kBlock + lane] = static_cast<double>(of_second(block, lane, second));
      rows[lane] = all - rows[kBlock + lane];
      rows[kClasses * kBlock + lane] = all;
      most_product = std::max(most_product, rows[lane] * rows[kBlock + lane]);
      most_rows = std::max(most_rows, all);
    }
  }

  [[nodiscard]] ConfusionOrder put_into(ConfusionOrder order) const {
    for (int code = 0; code < kClasses; ++code) {
      for (int lane = 0; lane < kBlock; ++lane) {
        order.rows[code][word_of_lane(lane)] = rows[code * kBlock + lane];
      }
    }
    return order;
  }
};

ConfusionEvaluator::ClassRows ConfusionEvaluator::class_rows(const EvaluatorInput& input, int code,
                                                             const PatternKernel& kernel,
                                                             const Control& control) {
  std::vector<std::int32_t> rows;
  const auto& codes = input.target.codes;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] == code) rows.push_back(static_cast<std::int32_t>(row));
  }
  ErrorPatterns patterns(input, rows, kernel, control);
  return {std::move(rows), std::move(patterns)};
}

ConfusionEvaluator::ConfusionEvaluator(const metric::Confusion& kind, const EvaluatorInput& input,
                                       const Control& control)
    : formula_(kind, input.target),
      kernel_(zero_one_kernel(simd_level())),
      orders_(confusion_kernel(simd_level())),
      classes_{class_rows(input, 0, kernel_.patterns, control),
               class_rows(input, 1, kernel_.patterns, control)},
      needed_classes_(Defined(input.metric, input.target).needed_classes()) {
  using Formula = metric::Confusion::Formula;
  using metric::Average;
  using Kind = ConfusionOrder::Kind;
  has_order_ = true;
  switch (kind.formula) {
    case Formula::mcc:
      order_.kind = Kind::mcc;
      break;
    case Formula::quadratic_kappa:  // of two classes
    case Formula::linear_kappa:
    case Formula::kappa:
      order_.kind = Kind::kappa;
      break;
    case Formula::youden:
    case Formula::balanced_accuracy:
      order_.kind = Kind::balanced;
      break;
    case Formula::distance_to_corner:
      has_order_ = false;
      break;
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      if (kind.formula == Formula::recall && kind.average == Average::macro) {
        order_.kind = Kind::balanced;
        break;
      }
      has_order_ = kind.average == Average::binary;
      const ConfusionRatio ratio = confusion_ratio(kind);
      std::ranges::copy(ratio.numerator, order_.numerator);
      std::ranges::copy(ratio.denominator, order_.denominator);
  }
  for (const std::int32_t own : input.target.codes) second_.push_back(own == 1 ? 0xFFFF : 0);
}

bool ConfusionEvaluator::ordered(const ConfusionTotals& totals) const {
  switch (order_.kind) {
    case ConfusionOrder::Kind::balanced:
      // Shares of classes whose rows multiply to no more differ by more than their rounding.
      return totals.most_product <= 0x1p50;
    case ConfusionOrder::Kind::mcc:
      return totals.most_product <= 0x1p26;  // whose square is exact
    case ConfusionOrder::Kind::kappa:
      return totals.most_rows <= 0x1p26;
    case ConfusionOrder::Kind::quotient:
    case ConfusionOrder::Kind::average:
    case ConfusionOrder::Kind::corner:
      break;
  }
  return has_order_;
}

template <class Use>
void ConfusionEvaluator::for_each_panel(const ReplicateBlock& block, std::int64_t first,
                                        std::int64_t last, const StopFlag& stop,
                                        const Use& use) const {
  const auto memory = memory_.take([&] {
    return Memory{{},
                  {ZeroOneSums(classes_[0].patterns, kernel_.sums),
                   ZeroOneSums(classes_[1].patterns, kernel_.sums)},
                  {}};
  });
  memory->table.fill(block, Side::in_bag);
  for (int code = 0; code < kClasses; ++code) {
    memory->sums[code].take(block, memory->table, classes_[code].rows);
  }
  for (std::int64_t from = first; from < last; from += kPanel) {
    const std::int64_t to = std::min(from + kPanel, last);
    const PanelSums& of_first = memory->sums[0].panel(from, to, stop);
    const PanelSums& of_second = memory->sums[1].panel(from, to, stop);
    if (of_first.fit_words() && of_second.fit_words()) {
      use(ConfusionPanel<std::uint16_t>{{of_first.words(), of_second.words()}, from, to - from});
      continue;
    }
    const auto widen = [&](const PanelSums& sums, std::vector<std::int64_t>& wide) {
      sums.visit([&](const auto* narrow) { wide.assign(narrow, narrow + (to - from) * kBlock); });
    };
    widen(of_first, memory->wide[0]);
    widen(of_second, memory->wide[1]);
    use(ConfusionPanel<std::int64_t>{
        {memory->wide[0].data(), memory->wide[1].data()}, from, to - from});
  }
}

template <class Use>
void ConfusionEvaluator::for_each(const ReplicateBlock& block, const ConfusionTotals& totals,
                                  std::int64_t first, std::int64_t last, const StopFlag& stop,
                                  const Use& use) const {
  Matrix<kBlock> matrix{};
  for_each_panel(block, first, last, stop, [&](const auto& panel) {
    for (std::int64_t i = 0; i < panel.n_configurations; ++i) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const std::int64_t at = i * kBlock + word_of_lane(lane);
        matrix.set(lane, static_cast<double>(panel.wrong[0][at]),
                   static_cast<double>(panel.wrong[1][at]), totals.rows);
      }
      use(panel.first + i, matrix);
    }
  });
}

template <class Value>
void ConfusionEvaluator::fill(const ReplicateBlock& block, std::int64_t first, std::int64_t last,
                              const StopFlag& stop, double* out, const Value& value) const {
  const ConfusionTotals totals(block, second_.data());
  for_each(block, totals, first, last, stop, [&](std::int64_t j, const auto& matrix) {
    for (int lane = 0; lane < block.n_replicates; ++lane) {
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

void ConfusionEvaluator::scores_of(const ReplicateBlock& block,
                                   std::span<const std::int64_t> configurations,
                                   const StopFlag& stop, double* scores) const {
  if (configurations.empty()) return;
  const ConfusionTotals totals(block, second_.data());
  // In the order of words, so that lanes are computed side by side.
  double by_word[(kClasses + 1) * kBlock] = {};
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    for (int code = 0; code <= kClasses; ++code) {
      by_word[code * kBlock + word_of_lane(lane)] = totals.rows[code * kBlock + lane];
    }
  }
  const std::size_t n = configurations.size();
  std::size_t i = 0;
  Matrix<kBlock> matrix{};
  double values[kBlock];
  for_each_panel(
      block, configurations.front(), configurations.back() + 1, stop, [&](const auto& panel) {
        for (; i < n && configurations[i] < panel.first + panel.n_configurations; ++i) {
          const auto* first_wrong = panel.wrong[0] + (configurations[i] - panel.first) * kBlock;
          const auto* second_wrong = panel.wrong[1] + (configurations[i] - panel.first) * kBlock;
          for (int word = 0; word < kBlock; ++word) {
            matrix.set(word, static_cast<double>(first_wrong[word]),
                       static_cast<double>(second_wrong[word]), by_word);
          }
          formula_.scores(matrix, by_word, values);
          for (int lane = 0; lane < block.n_replicates; ++lane) {
            scores[static_cast<std::size_t>(lane) * n + i] = values[word_of_lane(lane)];
          }
        }
      });
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    if (is_defined(totals.rows, kBlock, lane)) continue;
    std::fill_n(scores + static_cast<std::size_t>(lane) * n, n,
                std::numeric_limits<double>::quiet_NaN());
  }
}

void ConfusionEvaluator::best_among(const ReplicateBlock& block, std::int64_t first,
                                    std::int64_t last, const StopFlag& stop,
                                    Choice* choices) const {
  const ConfusionTotals totals(block, second_.data());
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    choices[lane] = {-std::numeric_limits<double>::infinity(), first};
  }
  if (!ordered(totals)) {
    for_each(block, totals, first, last, stop, [&](std::int64_t j, const auto& matrix) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        const double key = formula_.key(matrix, totals.rows, lane).rounded();
        if (key > choices[lane].key) choices[lane] = {key, j};
      }
    });
    return;
  }
  const ConfusionOrder order = totals.put_into(order_);
  ConfusionBest best{};
  std::fill_n(best.value, kBlock, -std::numeric_limits<double>::infinity());
  Matrix<kBlock> matrix{};
  for_each_panel(block, first, last, stop, [&](const auto& panel) {
    orders_.best(order, panel, &best);
    for (int lane = 0; lane < block.n_replicates; ++lane) {
      const int word = word_of_lane(lane);
      const auto winner = static_cast<std::int64_t>(best.where[word]);
      if (winner < panel.first) continue;
      const std::int64_t at = (winner - panel.first) * kBlock + word;
      matrix.set(lane, static_cast<double>(panel.wrong[0][at]),
                 static_cast<double>(panel.wrong[1][at]), totals.rows);
      choices[lane].configuration = winner;
    }
  });
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    choices[lane].key = formula_.key(matrix, totals.rows, lane).rounded();
  }
}

void ConfusionEvaluator::count_worse(const ReplicateBlock& block, std::int64_t than,
                                     const StopFlag& stop, std::int64_t* worse) const {
  const ConfusionTotals totals(block, second_.data());
  if (!ordered(totals)) {
    double limits[kBlock];
    for_each(block, totals, than, than + 1, stop, [&](std::int64_t, const auto& matrix) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        limits[lane] = formula_.key(matrix, totals.rows, lane).rounded();
      }
    });
    for_each(block, totals, 0, n_configurations(), stop, [&](std::int64_t j, const auto& matrix) {
      for (int lane = 0; lane < block.n_replicates; ++lane) {
        worse[j] += formula_.key(matrix, totals.rows, lane).rounded() < limits[lane] ? 1 : 0;
      }
    });
    return;
  }
  const ConfusionOrder order = totals.put_into(order_);
  ConfusionBest limit{};
  std::fill_n(limit.value, kBlock, -std::numeric_limits<double>::infinity());
  for_each_panel(block, than, than + 1, stop,
                 [&](const auto& panel) { orders_.best(order, panel, &limit); });
  for_each_panel(block, 0, n_configurations(), stop, [&](const auto& panel) {
    orders_.below(order, panel, limit.value, worse + panel.first);
  });
}

ConfusionEvaluator::Wrong ConfusionEvaluator::wrong_in_bag(const std::uint16_t* counts,
                                                           std::int64_t configuration) const {
  Wrong found{};
  for (int code = 0; code < kClasses; ++code) {
    const auto& [rows, patterns] = classes_[code];
    for (const std::int32_t row : rows) found.rows[code] += counts[row];
    for (std::int64_t chunk = 0; chunk < patterns.n_chunks(); ++chunk) {
      std::uint64_t errors = patterns.bits(chunk, 0, configuration);
      for (; errors != 0; errors &= errors - 1) {
        const std::int64_t at = chunk * kChunkRows + std::countr_zero(errors);
        found.labels[code] += counts[rows[static_cast<std::size_t>(at)]];
      }
    }
  }
  return found;
}

ConfusionEvaluator::Wrong ConfusionEvaluator::wrong_out_of_bag(
    const std::uint16_t* counts, std::int64_t configuration,
    std::vector<std::uint16_t>& of_class) const {
  Wrong wrong{};
  for (int code = 0; code < kClasses; ++code) {
    const auto& [rows, patterns] = classes_[code];
    of_class.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) of_class[i] = counts[rows[i]];
    const OutOfBagErrors found = kernel_.counts.out_of_bag(patterns.column(configuration),
                                                           of_class.data(), patterns.n_rows());
    wrong.labels[code] = found.errors;
    wrong.rows[code] = found.n_rows;
  }
  return wrong;
}

void ConfusionEvaluator::scores_of_choices(const ReplicateBlock& block, Side side,
                                           const Choice* choices, const StopFlag& stop,
                                           double* scores) const {
  std::vector<std::uint16_t> of_class;
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const std::int64_t configuration = choices[lane].configuration;
    if (configuration < 0) continue;
    stop.check();
    const std::uint16_t* counts = block.replicate(lane);
    const OneMatrix one(side == Side::in_bag ? wrong_in_bag(counts, configuration)
                                             : wrong_out_of_bag(counts, configuration, of_class));
    scores[lane] = score_of(one.matrix, one.totals, 0);
  }
}

}  // namespace bbc::detail
