#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "detail/choices/addition_search.hpp"

namespace bbc::detail {

/// The best addition by the AUC of all rows together: pairs of in-bag rows are counted exactly, as
/// keys of AUCs are, for one replicate alone.
class AucAdditions final : public Additions {
 public:
  /// Null for another metric, means over folds and sample weights.
  [[nodiscard]] static std::unique_ptr<const AucAdditions> make(const ChoiceInput& input);
  [[nodiscard]] std::unique_ptr<AdditionSearch> search(const ReplicateBlock& one) const override;

 private:
  class Search;

  Target target_;
  std::size_t n_repeats_ = 0;
  std::size_t n_configurations_ = 0;
  std::vector<double> scores_;  // [repeat][configuration][row]
};

}  // namespace bbc::detail
