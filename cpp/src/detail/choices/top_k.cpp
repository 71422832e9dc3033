#include <algorithm>
#include <bbc/error.hpp>
#include <numeric>
#include <string>

#include "detail/choices/choice_rule.hpp"
#include "detail/metrics/column_reader.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {

TopKRule::TopKRule(const selection::TopK& selection, const ChoiceInput& input,
                   const Control& control)
    : k_(selection.k) {
  evaluator_ =
      make_evaluator({input.options.metric, input.target, input.repeats, input.options.folds,
                      input.row_weights, input.options.size_correction},
                     control);
  const std::int64_t n = evaluator_->n_configurations();
  if (k_ < 1 || k_ > n) {
    throw_invalid("selection", "top_k averages " + std::to_string(k_) + " of " + std::to_string(n) +
                                   " configurations");
  }
}

void TopKRule::choose(const ReplicateBlock& block, const StopFlag& stop, Derivation* chosen) const {
  const std::int64_t n = evaluator_->n_configurations();
  std::vector<double> keys(static_cast<std::size_t>(block.n_replicates * n));
  evaluator_->keys(block, 0, n, stop, keys.data());
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  for (int lane = 0; lane < block.n_replicates; ++lane) {
    const double* key = keys.data() + lane * n;
    std::iota(order.begin(), order.end(), 0);
    std::nth_element(
        order.begin(), order.begin() + (k_ - 1), order.end(),
        [&](std::int64_t a, std::int64_t b) { return key[a] != key[b] ? key[a] > key[b] : a < b; });
    chosen[lane].members.assign(order.begin(), order.begin() + k_);
    std::sort(chosen[lane].members.begin(), chosen[lane].members.end());
  }
}

}  // namespace bbc::detail
