#pragma once

#include "detail/choices/choice_rule.hpp"

namespace bbc::detail {

/// The best configuration and cut-off of two-class scores, by a metric of labels. Throws Error
/// where the metric is another, or the truth has more classes.
[[nodiscard]] std::unique_ptr<const ChoiceRule> make_threshold_rule(const ChoiceInput& input,
                                                                    const Control& control);

}  // namespace bbc::detail
