#pragma once

#include <cstdint>

#include "detail/isa/simd.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// What puts configurations in the order of a metric of the confusion matrix of two classes in each
/// replicate. Rows are numbered by word_of_lane.
struct ConfusionOrder {
  static constexpr int kClasses = 2;
  static constexpr int kTerms = 5;
  enum class Kind {
    quotient,  ///< of two linear forms in the terms of ConfusionRatio
    balanced,  ///< the shares of right calls of both classes, times the rows of either
    kappa,     ///< Cohen's
    mcc,       ///< its square with its sign, times what all configurations share
    average,   ///< of the quotients of both classes
    corner,    ///< the distance to the corner of the ROC curve
  };
  Kind kind = Kind::quotient;
  double numerator[kTerms] = {};
  double denominator[kTerms] = {};
  alignas(64) double rows[kClasses][kBlock] = {};
  /// What a value counts where values of parts are added up; an average has one for each class.
  alignas(64) double factors[kClasses][kBlock] = {};
};

/// Wrong labels of some configurations among the rows of each class.
template <class Count>
struct ConfusionPanel {
  const Count* wrong[ConfusionOrder::kClasses];  ///< [configuration][word of lane]
  std::int64_t first;                            ///< number of the first of them
  std::int64_t n_configurations;
};

/// The highest values so far, and the first configuration that has them: [word of lane].
struct ConfusionBest {
  alignas(64) double value[kBlock];
  alignas(64) double where[kBlock];  ///< as wide as what is compared
};

/// The inner loops for counts of one type.
template <class Count>
struct ConfusionLoops {
  void (*find_best)(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
                    ConfusionBest* best);
  /// Adds to each configuration of the panel the lanes in which its value is below the limits.
  void (*count_below)(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
                      const double* limits, std::int64_t* counts);
  /// sums[configuration][word of lane] += factor * value.
  void (*add_each)(const ConfusionOrder& order, const ConfusionPanel<Count>& panel, double* sums);
  /// The same of wrong labels of the first class, times factors[word of lane].
  void (*add_first)(const ConfusionPanel<Count>& panel, const double* factors, double* sums);
};

/// The inner loops, once per instruction set.
struct ConfusionKernel : ConfusionLoops<std::uint16_t>, ConfusionLoops<std::int64_t> {
  template <class Count>
  void best(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
            ConfusionBest* best) const {
    ConfusionLoops<Count>::find_best(order, panel, best);
  }
  template <class Count>
  void below(const ConfusionOrder& order, const ConfusionPanel<Count>& panel, const double* limits,
             std::int64_t* counts) const {
    ConfusionLoops<Count>::count_below(order, panel, limits, counts);
  }
  template <class Count>
  void add_values(const ConfusionOrder& order, const ConfusionPanel<Count>& panel,
                  double* sums) const {
    ConfusionLoops<Count>::add_each(order, panel, sums);
  }
  template <class Count>
  void add_wrong(const ConfusionPanel<Count>& panel, const double* factors, double* sums) const {
    ConfusionLoops<Count>::add_first(panel, factors, sums);
  }
};

extern const ConfusionKernel kConfusionPortable;
extern const ConfusionKernel kConfusionAvx2;
extern const ConfusionKernel kConfusionAvx512;

[[nodiscard]] inline const ConfusionKernel& confusion_kernel(SimdLevel level) {
  return BBC_OF_LEVEL(level, kConfusion);
}

}  // namespace bbc::detail
