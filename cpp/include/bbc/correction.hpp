#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/predictions.hpp>
#include <bbc/resampling.hpp>
#include <bbc/selection.hpp>
#include <bbc/target.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// Everything but the truth and the predictions.
struct CorrectionOptions {
  Metric metric;
  Resampling resampling;
  /// Anything but the best rule needs all configurations in one block.
  Selection selection;
  /// Fold of each row in each repeat (repeat * n_rows + row), codes 0 .. K - 1: the metric is the
  /// mean over folds. Negative: a row that the repeat did not predict, which must hold some valid
  /// prediction all the same. Empty: the metric of all rows together.
  std::vector<std::int32_t> folds;
  /// Sample weights, which multiply the counts; empty: all one.
  std::vector<double> row_weights;
  /// BBC-F: replicate b uses repeat b mod n_repeats alone; repeats are never mixed.
  bool rotate_repeats = false;
  /// Redraw a replicate that leaves the metric undefined; otherwise an error names it.
  bool redraw = true;
  double confidence_level = 0.95;
  Alternative alternative = Alternative::two_sided;
  /// What the number of rows does to a metric is kept apart from selection: R2 is divided by the
  /// variance of all rows, and from scores of other metrics that depend on the number of rows the
  /// winner's mean shift between all rows and those out of bag is taken. Otherwise Algorithm 5 as
  /// it was published, whose optimism holds both.
  bool size_correction = true;
  /// Class of each row, any codes, within which folds were drawn; empty: the classes of the truth,
  /// if it has any. Limits read them where folds, or rows within classes, are drawn.
  std::vector<std::int32_t> classes;
  /// The classes' shares are those of the design (case-control), not of a sample.
  bool fixed_class_counts = false;

  bool operator==(const CorrectionOptions&) const = default;
};

/// Configurations [first, last) of all.
struct ConfigurationRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool operator==(const ConfigurationRange&) const = default;
};

/// Bootstrap Bias Correction (Tsamardinos et al. 2018, Algorithm 5) as a map-reduce over blocks of
/// configurations: blocks may come in any order and from any process, and the result is the same
/// to the last bit. The state is of size O(n_bootstraps). There may be 2^31 - 1 rows, as many
/// configurations in a block, and 2^32 - 1 replicates.
class Correction {
 public:
  /// Throws Error when no replicate could ever be scored.
  BBC_API Correction(Target target, CorrectionOptions options);
  BBC_API ~Correction();
  BBC_API Correction(Correction&&) noexcept;
  BBC_API Correction& operator=(Correction&&) noexcept;
  BBC_API Correction(const Correction& other);
  BBC_API Correction& operator=(const Correction& other);

  /// Adds a block of configurations (one view per repeat), numbered from `first_configuration`.
  /// A configuration that was added before is refused. A block that is refused, stopped or runs out
  /// of memory leaves nothing of it behind.
  BBC_API void add(std::span<const Predictions> repeats, std::int64_t first_configuration,
                   const Control& control = {});
  /// Takes over what another correction of the same truth and options has seen, other
  /// configurations than this one.
  BBC_API void merge(const Correction& other);
  /// Throws Error unless configurations were added from the first on and without gaps.
  [[nodiscard]] BBC_API Estimate finish() const;

  /// What was added, ascending; adjacent blocks are joined.
  [[nodiscard]] BBC_API std::vector<ConfigurationRange> added() const;
  /// The best on all rows of what was added; -1 before anything was.
  [[nodiscard]] BBC_API std::int64_t winner() const;

  /// What was seen so far, to be merged in another process. Truth and options are not in it, but a
  /// digest of them, by which a correction refuses the state of an unlike one, and a checksum, by
  /// which it refuses bytes that were changed.
  [[nodiscard]] BBC_API std::string state() const;
  BBC_API void merge(const std::string& state);

 private:
  friend std::vector<Estimate> correct_families(const Target& target,
                                                std::span<const std::vector<Predictions>> families,
                                                const CorrectionOptions& options,
                                                const Control& control);
  /// Forgets what was seen, but keeps the draws.
  void begin_anew();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One block, one call.
[[nodiscard]] BBC_API Estimate correct(const Target& target, std::span<const Predictions> repeats,
                                       const CorrectionOptions& options,
                                       const Control& control = {});

/// What `correct` gives for each of several families of configurations, on draws that are shared.
[[nodiscard]] BBC_API std::vector<Estimate> correct_families(
    const Target& target, std::span<const std::vector<Predictions>> families,
    const CorrectionOptions& options, const Control& control = {});

}  // namespace bbc
