#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "detail/choices/choice_rule.hpp"

namespace bbc::detail {

/// One replicate's search for the configuration that is best added to an ensemble.
class AdditionSearch {
 public:
  AdditionSearch() = default;
  virtual ~AdditionSearch() = default;
  AdditionSearch(const AdditionSearch&) = delete;
  AdditionSearch& operator=(const AdditionSearch&) = delete;

  /// The configurations that may be the best addition, in order; empty: any may.
  [[nodiscard]] virtual const std::vector<std::int64_t>& candidates() = 0;
  virtual void add(std::int64_t configuration) = 0;
};

/// Searches of a metric that need no evaluator for each round. Made once per call.
class Additions {
 public:
  Additions() = default;
  virtual ~Additions() = default;
  Additions(const Additions&) = delete;
  Additions& operator=(const Additions&) = delete;

  [[nodiscard]] virtual std::unique_ptr<AdditionSearch> search(const ReplicateBlock& one) const = 0;
};

/// Null for other metrics.
[[nodiscard]] std::unique_ptr<const Additions> make_additions(const ChoiceInput& input);

}  // namespace bbc::detail
