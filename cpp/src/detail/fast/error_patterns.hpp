#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "detail/isa/zero_one_kernel.hpp"
#include "detail/metrics/evaluator.hpp"
#include "detail/support/aligned.hpp"

namespace bbc::detail {

/// Which rows each configuration gets wrong, packed for the kernel of the 0-1 loss: one third of a
/// byte per row and configuration.
class ErrorPatterns {
 public:
  /// Throws Error at the first label that the target does not have.
  ErrorPatterns(const EvaluatorInput& input, const PatternKernel& kernel, const Control& control);
  /// Some of the rows only, in this order.
  ErrorPatterns(const EvaluatorInput& input, std::span<const std::int32_t> rows,
                const PatternKernel& kernel, const Control& control);
  /// Patterns that somebody else packs, tile by tile.
  ErrorPatterns(std::int64_t n_rows, std::int64_t n_repeats, std::int64_t n_configurations)
      : n_rows_(n_rows),
        n_repeats_(n_repeats),
        n_configurations_(n_configurations),
        stride_((n_configurations_ + kPackTile - 1) / kPackTile * kPackTile),
        offsets_(static_cast<std::size_t>(n_chunks() * n_repeats_ * stride_ * kChunkGroups)) {}

  [[nodiscard]] std::int64_t n_rows() const noexcept { return n_rows_; }
  [[nodiscard]] std::int64_t n_repeats() const noexcept { return n_repeats_; }
  [[nodiscard]] std::int64_t n_configurations() const noexcept { return n_configurations_; }
  [[nodiscard]] std::int64_t n_chunks() const noexcept {
    return (n_rows_ + kChunkRows - 1) / kChunkRows;
  }
  [[nodiscard]] int rows_of_chunk(std::int64_t chunk) const noexcept {
    const std::int64_t left = n_rows_ - chunk * kChunkRows;
    return static_cast<int>(left < kChunkRows ? left : kChunkRows);
  }

  /// Where the patterns of the kPackTile configurations from `configuration` on are packed to.
  [[nodiscard]] std::uint16_t* tile(std::int64_t chunk, std::int64_t repeat,
                                    std::int64_t configuration) noexcept {
    return const_cast<std::uint16_t*>(std::as_const(*this).offsets(chunk, repeat, configuration));
  }
  [[nodiscard]] const std::uint16_t* offsets(std::int64_t chunk, std::int64_t repeat,
                                             std::int64_t configuration) const noexcept {
    return offsets_.data() +
           ((chunk * n_repeats_ + repeat) * stride_ + configuration) * kChunkGroups;
  }
  [[nodiscard]] ErrorColumn column(std::int64_t configuration) const noexcept {
    const std::int64_t repeat_stride = stride_ * kChunkGroups;
    return {offsets(0, 0, configuration), repeat_stride * n_repeats_, repeat_stride, n_repeats_};
  }
  /// Bit i is set where row i of the chunk is wrong.
  [[nodiscard]] std::uint64_t bits(std::int64_t chunk, std::int64_t repeat,
                                   std::int64_t configuration) const noexcept {
    return error_bits(offsets(chunk, repeat, configuration));
  }

 private:
  std::int64_t n_rows_;
  std::int64_t n_repeats_;
  std::int64_t n_configurations_;
  std::int64_t stride_;  // configurations, filled up to whole tiles
  Aligned<std::uint16_t> offsets_;
};

}  // namespace bbc::detail
