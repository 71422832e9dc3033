#pragma once

#include "detail/evaluation/column_evaluator.hpp"
#include "detail/evaluation/column_evaluators.hpp"

namespace bbc::detail {

template <class M, class Kind>
std::unique_ptr<Evaluator> make_columns(const Kind& kind, const EvaluatorInput& input,
                                        const Control& control) {
  return std::make_unique<ColumnEvaluator<M>>(kind, input, control);
}

}  // namespace bbc::detail
