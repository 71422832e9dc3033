#pragma once

#include <span>
#include <vector>

#include "detail/isa/rough_kernel.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// The weights of a block's rows in float32, in the order that the parts have them: [place][lane].
/// Lanes past the block's end weigh nothing.
class RoughWeights {
 public:
  /// Smaller weights lose digits in float32, or their products do.
  static constexpr double kLeast = 1e-10;
  static constexpr double kMost = 1e10;
  /// Whether sample weights can be rounded to float32 with a bounded relative error.
  [[nodiscard]] static bool suit(std::span<const double> row_weights);

  /// Rows of all parts, one part after the other; the memory is used again.
  void take(const ReplicateBlock& block, std::span<const std::int32_t> rows);
  [[nodiscard]] const float* from(std::size_t place) const noexcept {
    return weights_.data() + place * kBlock;
  }
  /// Whether sums of these weights are exact in float32.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

 private:
  Aligned<float> weights_;
  bool exact_ = false;
};

}  // namespace bbc::detail
