#pragma once

#include <limits>
#include <span>
#include <vector>

#include "detail/isa/rough_kernel.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/aligned.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// Rough scores, larger being better, and how far they may be from the exact ones; a lane each.
struct RoughScores {
  alignas(64) double of[kBlock];
  alignas(64) double error[kBlock];

  /// Adds another part's scores; what has no share in a lane may be anything there.
  void add(const RoughScores& part, double sign, const double* shares) {
    for (int lane = 0; lane < kBlock; ++lane) {
      const bool counts = shares[lane] > 0.0;
      of[lane] += counts ? sign * shares[lane] * part.of[lane] : 0.0;
      error[lane] += counts ? shares[lane] * part.error[lane] : 0.0;
    }
  }
};

/// The configurations that can be the best of each replicate of a block.
class RoughSearch {
 public:
  void begin();
  /// Configurations come in any order. What is not a number may be the best.
  void take(std::int64_t configuration, const RoughScores& scores, int n_replicates);

  /// The best of a replicate by key_of(configuration), then by lowest index.
  template <class Key>
  [[nodiscard]] Choice best(int lane, const Key& key_of) const {
    Choice best;
    for (std::int64_t at = last_[lane]; at >= 0;) {
      const Candidate& candidate = candidates_[static_cast<std::size_t>(at)];
      if (!(candidate.at_most < least_[lane])) {
        const Choice other{key_of(candidate.configuration), candidate.configuration};
        if (beats(other, best)) best = other;
      }
      at = candidate.before;
    }
    return best;
  }

 private:
  struct Candidate {
    std::int64_t configuration;
    double at_most;       ///< its score
    std::int64_t before;  ///< the same replicate's candidate before it, or -1
  };
  std::vector<Candidate> candidates_;
  std::int64_t last_[kBlock];  ///< each replicate's last candidate
  double least_[kBlock];       ///< the best configuration scores at least this
};

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
