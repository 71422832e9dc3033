#pragma once

#include <memory>
#include <string_view>

#include "detail/metrics/evaluator.hpp"

namespace bbc::detail {

class AucColumns;
class AveragePrecisionColumns;
class ConcordanceColumns;
class MomentsColumns;
class MulticlassAucColumns;
class R2Columns;
class RowLossColumns;
class SpearmanColumns;
class ZeroOneColumns;
template <class Number>
class ConfusionColumns;

/// What every general evaluator says about itself.
class GeneralEvaluator : public Evaluator {
 public:
  /// Whether rough scores leave few configurations to be compared by their keys.
  [[nodiscard]] virtual bool is_filtered() const = 0;
};

/// The general evaluator of a column metric. Each is compiled in one file, a few per file: together
/// they took a compiler half a gigabyte.
template <class M, class Kind>
[[nodiscard]] std::unique_ptr<Evaluator> make_columns(const Kind& kind, const EvaluatorInput& input,
                                                      const Control& control);

/// How an evaluator finds the best configurations: "look-up" of sums in tables, sums on a "grid",
/// "pairs" counted 64 replicates at a time, a "filter" of float32 scores before exact keys, or
/// "general", the exact keys of all.
[[nodiscard]] std::string_view road_of(const Evaluator& evaluator);

}  // namespace bbc::detail
