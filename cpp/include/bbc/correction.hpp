#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/resampling.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace bbc {

/// The rules that choose a winner, a closed set.
namespace selection {

/// The best in-bag score; ties go to the lowest index.
struct Best {
  bool operator==(const Best&) const = default;
};

/// The least complex configuration within one standard error of the best (Breiman et al. 1984,
/// section 3.4.3). The standard error is that of the fold scores on all rows of the configuration
/// that is best there, of all repeats together; it is the same in all replicates. Equally complex
/// configurations are decided by score, then by index.
struct OneStandardError {
  std::vector<double> complexity;   ///< per configuration; larger is more complex
  std::vector<std::int32_t> folds;  ///< fold of each row in each repeat: repeat * n_rows + row

  bool operator==(const OneStandardError&) const = default;
};

/// What follows chooses something other than one configuration's predictions: a column that is
/// derived from them, and scored out of bag. All configurations are needed at once, by `correct`.

/// A configuration's scores and a cut-off: labels are `score > threshold`, for a metric of two
/// classes. Cut-offs are -inf, the midpoints between distinct in-bag scores of all repeats (the
/// lower score, if a midpoint rounds to the upper) and +inf. Ties go to the lowest configuration,
/// then to the middle, by index, of its first consecutive run of best cut-offs (lower on ties).
struct Threshold {
  bool operator==(const Threshold&) const = default;
};

/// Caruana et al. (2004): the first of n_rounds members is the best configuration, each next the
/// one whose addition gives the best in-bag metric, with replacement; ties go to the lowest index.
/// An average is the running sum in order of rounds, from zero, divided by their number; of label
/// predictions the class with the most votes, the lowest on ties.
struct GreedyEnsemble {
  std::int64_t n_rounds = 25;

  bool operator==(const GreedyEnsemble&) const = default;
};

/// The average, or vote, of the k best in bag, added up in order of their indices.
struct TopK {
  std::int64_t k = 1;

  bool operator==(const TopK&) const = default;
};

/// For searches that dropped configurations on the way, whose predictions have holes (see
/// find_rungs, which finds these). Rows were predicted rung by rung, by those configurations alone
/// that were alive then. The rows of a rung are scored by the configuration that is best in bag, on
/// rows of this rung and of earlier ones, among those alive there: whether it is alive depends on
/// earlier rows only. Means over rows and confusion metrics are computed on the rows out of bag of
/// all rungs together; the AUC and the concordance index count pairs within rungs. A rung whose
/// choice is undefined in bag, or which has nothing to score, contributes nothing. Predictions that
/// are not there are never read. Of one repeat.
struct Rungs {
  std::vector<std::int32_t> of_row;   ///< rung of each row, from 0
  std::vector<std::int32_t> reached;  ///< rungs that each configuration reached, 0 if none
  std::vector<std::uint8_t> scores;   ///< of rows: 1 where they score, 0 where they choose only

  bool operator==(const Rungs&) const = default;
};

}  // namespace selection

using Selection = std::variant<selection::Best, selection::OneStandardError, selection::Threshold,
                               selection::GreedyEnsemble, selection::TopK, selection::Rungs>;

/// How rungs score.
struct RungOptions {
  /// Rungs that end within this share of the rows choose, but do not score: their choice rests on
  /// few rows.
  double burn = 0.25;
  /// Further rungs that choose only, such as those whose scores a sampler saw.
  std::vector<std::int32_t> choose_only;
};

/// The rungs of a search that dropped configurations on the way: halving, ASHA, a pruner.
///
/// `predicted` says which configuration predicted which row, (row, configuration). Rows of one rung
/// are those that the same configurations predicted, and rungs follow each other from the most
/// configurations to the fewest; `of_row` gives the numbers, in the order of the search, where they
/// are known (empty: found from the pattern). The sets of configurations must be nested: what was
/// dropped does not come back. A row whose unit (empty: each row is one) has a row in an earlier
/// rung is not fresh, and chooses only.
///
/// Throws Error at a row that nothing predicted, at the first two configurations that are dropped
/// in either order, and where no row is left to score.
[[nodiscard]] BBC_API selection::Rungs find_rungs(std::span<const std::uint8_t> predicted,
                                                  std::int64_t n_rows,
                                                  std::int64_t n_configurations,
                                                  std::span<const std::int32_t> of_row,
                                                  std::span<const std::int32_t> unit_of_row,
                                                  const RungOptions& options = {});

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
