#pragma once

#include <memory>

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

/// The general evaluator of a column metric. Each is compiled in one file, a few per file: together
/// they took a compiler half a gigabyte.
template <class M, class Kind>
[[nodiscard]] std::unique_ptr<Evaluator> make_columns(const Kind& kind, const EvaluatorInput& input,
                                                      const Control& control);

}  // namespace bbc::detail
