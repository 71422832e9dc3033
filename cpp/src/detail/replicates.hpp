#pragma once

#include <bbc/correction.hpp>
#include <string>
#include <vector>

#include "detail/bag.hpp"
#include "detail/defined.hpp"

namespace bbc::detail {

/// Which sides of a replicate the metric must be defined on.
enum class Needs { both_sides, in_bag };

/// Draws the replicates of a correction, redrawing those that leave the metric undefined.
class Replicates {
 public:
  /// Throws Error (undefined_metric) when the truth itself makes every draw unacceptable.
  Replicates(const Target& target, const CorrectionOptions& options, Needs needs);

  struct Block {
    Bag bag;
    std::int64_t n_redrawn = 0;
    std::int64_t n_undefined_folds = 0;
  };

  /// Replicates [first, first + n).
  [[nodiscard]] Block draw(std::int64_t first, int n) const {
    Block block;
    draw(first, n, block);
    return block;
  }
  /// The same in place of those that `block` held, whose memory is used again.
  void draw(std::int64_t first, int n, Block& block) const;
  /// Whether the rows that a replicate did not draw have a value; counts the folds without one.
  bool defined_out_of_bag(const std::uint16_t* counts, std::int64_t* n_undefined) const {
    return side_defined(counts, Side::out_of_bag, n_undefined);
  }
  /// The bag in which every row counts once: what the apparent score is computed on.
  [[nodiscard]] Bag all_rows() const;
  [[nodiscard]] std::int64_t n_bootstraps() const { return sampler_.resampling().n_bootstraps; }
  /// Folds on both sides of all replicates: what undefined folds are a share of.
  [[nodiscard]] std::int64_t n_fold_sides() const;

 private:
  /// Rows on which the metric is evaluated whole: all, or those of one fold.
  struct Part {
    std::vector<std::int32_t> rows;  // empty: all
    Defined defined;
  };

  void check_possible(const Target& target) const;
  /// Whether a draw will do; counts the folds that are undefined on a side.
  bool acceptable(const std::uint16_t* counts, std::int64_t* n_undefined) const;
  /// Whether a side has a value; counts the folds that have none.
  bool side_defined(const std::uint16_t* counts, Side side, std::int64_t* n_undefined) const;
  [[nodiscard]] std::string why_undefined(const std::uint16_t* counts) const;

  Sampler sampler_;
  std::string truth_name_;
  Needs needs_;
  bool redraw_;
  std::vector<double> row_weights_;
  std::vector<std::vector<Part>> repeats_;
};

}  // namespace bbc::detail
