#pragma once

#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "detail/metrics/defined.hpp"
#include "detail/metrics/row_weights.hpp"
#include "detail/support/parallel.hpp"
#include "detail/support/replicate_block.hpp"

namespace bbc::detail {

/// Which sides of a replicate the metric must be defined on.
enum class RequiredSides { both_sides, in_bag };

/// Attempts at a replicate before an error says that none will do.
constexpr std::uint32_t kMostAttempts = 1000;

/// Draws a replicate until `takes()` it, and returns the attempt that it took; `why()` a draw is
/// not taken is said where it may not be drawn anew. The replicates of every metric are redrawn
/// here.
template <class Draw, class Takes, class Why>
std::uint32_t attempt_taken(const Sampler& sampler, bool redraw, std::int64_t replicate,
                            const Draw& draw, const Takes& takes, const Why& why) {
  constexpr const char* kAdvice =
      "use more rows, a metric that needs fewer, or draws within each class";
  for (std::uint32_t attempt = 0;; ++attempt) {
    draw(attempt);
    if (takes()) return attempt;
    const Place place = {{"replicate", replicate}};
    const std::string reason = why();
    if (sampler.is_explicit()) throw_invalid("resamples", "a draw " + reason, place);
    if (!redraw) throw_undefined("a draw " + reason, place, "redraw", kAdvice);
    if (attempt + 1 == kMostAttempts) {
      throw_undefined("1000 draws in a row failed: the last one " + reason, place, "target",
                      kAdvice);
    }
  }
}

/// Draws the replicates of a correction, redrawing those that leave the metric undefined.
class Replicates {
 public:
  /// Throws Error (undefined_metric) when the truth itself makes every draw unacceptable.
  Replicates(const Target& target, const CorrectionOptions& options, RequiredSides required_sides);

  /// What else a draw must allow, besides the metric on either side: a question about its counts.
  void require(std::function<bool(const std::uint16_t*)> scoreable) {
    scoreable_ = std::move(scoreable);
  }

  /// How often replicates were drawn anew, and the folds that stay undefined in them.
  struct Redrawn {
    std::int64_t n_redrawn = 0;
    std::int64_t n_undefined_folds = 0;
  };
  struct Drawn : Redrawn {
    ReplicateBlock block;
    ReplicateBlock
        drawn_folds;  ///< two-level draws: how often the fold of each row was drawn; else no lane
    /// The counts whose zeros mark the rows that score the choice.
    [[nodiscard]] const ReplicateBlock& scoring() const noexcept {
      return drawn_folds.n_replicates > 0 ? drawn_folds : block;
    }
  };

  /// The same replicates will be drawn again.
  void expect_again() const { sampler_.expect_again(); }
  /// Replicates [first, first + n).
  [[nodiscard]] Drawn draw(std::int64_t first, int n) const {
    Drawn drawn;
    draw(first, n, drawn);
    return drawn;
  }
  /// The same in place of those that `drawn` held, whose memory is used again.
  void draw(std::int64_t first, int n, Drawn& drawn) const;
  /// In two steps, so that threads can share the second: room for n replicates, and lanes
  /// [from, to) of those from `first` on.
  void make_room(int n, Drawn& drawn) const;
  [[nodiscard]] Redrawn draw_lanes(std::int64_t first, int from, int to, Drawn& drawn) const;
  /// Draws replicates [first, first + n) block by block, on all threads, and hands each block on
  /// with the number of its first replicate.
  using Use = std::function<void(std::int64_t, const Drawn&, const StopFlag&)>;
  Redrawn each_block(std::int64_t first, std::int64_t n, const Control& control,
                     double expected_nanoseconds, const Use& use) const;
  /// Whether the rows that a replicate leaves out of bag, whose counts are zero, have a value;
  /// counts the folds without one.
  bool defined_out_of_bag(std::int64_t replicate, const std::uint16_t* counts,
                          std::int64_t* n_undefined) const {
    return side_defined(replicate, counts, Side::out_of_bag, n_undefined);
  }
  [[nodiscard]] bool is_two_level() const noexcept { return sampler_.is_two_level(); }
  /// One replicate in which every row counts once: what the apparent score is computed on.
  [[nodiscard]] ReplicateBlock all_rows() const;

  /// Sample weights in units.
  [[nodiscard]] const std::vector<double>& row_weights() const noexcept { return row_weights_; }
  [[nodiscard]] std::int64_t n_bootstraps() const { return sampler_.resampling().n_bootstraps; }
  /// Folds on the sides of all replicates that must suit the metric: what undefined folds are a
  /// share of. In two-level draws a fold is on one side only.
  [[nodiscard]] std::int64_t n_fold_sides() const;

 private:
  /// Rows on which the metric is evaluated whole: all, or those of one fold.
  struct Part {
    std::vector<std::int32_t> rows;  // empty: all
    Defined defined;

    /// The row that is the i-th of these.
    [[nodiscard]] std::int64_t row(std::int64_t i) const {
      return rows.empty() ? i : rows[static_cast<std::size_t>(i)];
    }
  };

  void check_possible(const Target& target) const;
  /// Throws Error unless folds of the repeat can be in bag and others out of bag.
  void check_possible(const Target& target, std::int64_t repeat) const;
  /// Throws Error unless every class that the metric needs has rows in two units (-1: in none).
  void check_classes(const Target& target, std::span<const std::int32_t> unit_of_row) const;
  /// Throws Error unless a metric of pairs of these rows can be defined on both sides.
  void check_pairs(const Part& part, std::int64_t n_units,
                   std::span<const std::int32_t> unit_of_row) const;
  /// Draws one attempt at a replicate into a lane of the block.
  void draw_attempt(std::int64_t replicate, std::uint32_t attempt, int lane, Drawn& drawn) const;
  /// Whether a draw will do; counts the folds that are undefined on a side.
  bool acceptable(std::int64_t replicate, int lane, const Drawn& drawn,
                  std::int64_t* n_undefined) const;
  /// Whether a side has a value; counts the folds that have none.
  bool side_defined(std::int64_t replicate, const std::uint16_t* counts, Side side,
                    std::int64_t* n_undefined) const;
  [[nodiscard]] std::string why_undefined(std::int64_t replicate, int lane,
                                          const Drawn& drawn) const;

  [[nodiscard]] bool weighs(std::size_t row) const noexcept {
    return row_weights_.empty() || row_weights_[row] > 0.0;
  }

  Sampler sampler_;
  RequiredSides required_sides_;
  bool redraw_;
  std::function<bool(const std::uint16_t*)> scoreable_;
  std::vector<double> row_weights_;
  std::vector<std::vector<Part>> repeats_;
};

}  // namespace bbc::detail
