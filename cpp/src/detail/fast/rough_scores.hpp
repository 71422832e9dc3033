#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "detail/fast/rough_search.hpp"
#include "detail/fast/time_halves.hpp"
#include "detail/isa/rough_kernel.hpp"
#include "detail/metrics/auc.hpp"
#include "detail/metrics/average_precision.hpp"
#include "detail/metrics/concordance.hpp"
#include "detail/metrics/confusion.hpp"
#include "detail/metrics/moments.hpp"
#include "detail/metrics/multiclass_auc.hpp"
#include "detail/metrics/row_loss.hpp"
#include "detail/metrics/spearman.hpp"
#include "detail/metrics/spread.hpp"
#include "detail/metrics/zero_one.hpp"
#include "detail/support/aligned.hpp"

namespace bbc::detail {

/// A metric's rough form: scores of a part of the rows in float32, for all replicates of a block,
/// with proven bounds of their errors. It has
///   Column, prepare(metric, exact column) -> Column    one configuration
///   Rough(kind, target, metric)                        of the part's rows
///   Shared, shared(kernel, weights, exact) -> Shared   what depends on truth and weights alone;
///                                                      `exact` says that sums of weights are
///   add(kernel, shared, columns, weights, scores)      of up to kRoughColumns configurations:
///                                                      writes values of the formula, and errors
/// Lanes in which the metric is undefined may hold anything.
///
/// Where the score is a number plus `slope()` times a mean of entries, and `linear()`, the parts
/// are added up at once, as RoughEntries of all of them.
template <class M>
class Rough;

template <class M>
concept LinearRough = requires(const Rough<M>& rough) { rough.slope(); };

/// What a part's weights are.
struct RoughRows {
  const float* weights;
  std::int64_t n;
  bool exact;  ///< sums of weights are
};

/// Errors of sums of products in float32: of kRoughRows terms, values and weights rounded.
inline constexpr double kRoughSum = 1.01 * (static_cast<double>(kRoughRows) + 8.0) * kRoughUnit;
/// What is too small for float32, by weights that are not below RoughWeights::kLeast.
inline constexpr double kRoughTiny = 1e-34;
/// What formulas in float64 lose with sums of n terms, relative to what they add up.
[[nodiscard]] double rough_rounding(std::int64_t n_rows);

/// Losses, errors and other entries of a row that are added up, of one sign or of both.
struct RoughEntries {
  std::vector<float> values;  ///< in units of the largest
  double unit = 1.0;
  bool one_sign = true;
  bool whole = true;  ///< all of them, in this unit
  bool usable = true;

  void take(std::span<const double> entries);
};

/// Means of entries.
class RoughMeans {
 public:
  using Column = RoughEntries;
  struct Shared {
    double weights[kBlock];
    double factors[kBlock];  ///< what a sum of the part counts in the whole, where that is linear
  };
  [[nodiscard]] static Shared shared(const RoughKernel& kernel, const RoughRows& rows);
  /// Sums, and bounds of their errors.
  static void sums(const RoughKernel& kernel, const RoughRows& rows,
                   std::span<const Column* const> columns, const Shared& shared, RoughScores* sums);
};

template <>
class Rough<RowLossColumns> : public RoughMeans {
 public:
  Rough(const metric::RowLoss& kind, const Target& /*target*/, const RowLossColumns& /*metric*/)
      : root_(kind.root) {}
  [[nodiscard]] bool linear() const noexcept { return !root_; }
  [[nodiscard]] double slope() const noexcept { return 1.0; }
  [[nodiscard]] static Column prepare(const RowLossColumns& /*metric*/,
                                      const RowLossColumns::Column& exact) {
    Column column;
    column.take(exact);
    return column;
  }
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  bool root_;
};

template <>
class Rough<ZeroOneColumns> : public RoughMeans {
 public:
  Rough(const metric::ZeroOne& kind, const Target& /*target*/, const ZeroOneColumns& /*metric*/)
      : sign_(kind.accuracy ? 1.0 : -1.0) {}
  [[nodiscard]] bool linear() const noexcept { return true; }
  [[nodiscard]] double slope() const noexcept { return sign_; }

 private:
  double sign_;
};

template <>
class Rough<R2Columns> : public RoughMeans {
 public:
  Rough(const R2Columns::Kind& /*kind*/, const Target& /*target*/, const R2Columns& metric)
      : variance_(metric.variance()) {}
  [[nodiscard]] bool linear() const noexcept { return true; }
  [[nodiscard]] double slope() const noexcept { return -1.0 / variance_; }

 private:
  double variance_;
};

/// Steps of a walk along sorted scores.
[[nodiscard]] std::vector<std::uint32_t> rough_steps(const SortedScores& sorted,
                                                     std::span<const std::int32_t> codes,
                                                     std::int32_t positive, bool down);
/// The most steps that are walked before float32 sums go on in float64.
[[nodiscard]] double rough_stretch(std::span<const std::uint32_t> steps);

struct RoughWalk {
  std::vector<std::uint32_t> steps;
  double stretch = 0.0;
};

template <>
class Rough<AucColumns> {
 public:
  using Column = RoughWalk;
  struct Shared {
    double pairs[kBlock];  // twice
  };
  Rough(const metric::Auc& /*kind*/, const Target& target, const AucColumns& /*metric*/)
      : codes_(target.codes) {}
  [[nodiscard]] Column prepare(const AucColumns& metric, const SortedScores& exact) const;
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  std::vector<std::int32_t> codes_;
};

template <>
class Rough<AveragePrecisionColumns> {
 public:
  using Column = RoughWalk;
  struct Shared {
    double positives[kBlock];
  };
  Rough(const metric::AveragePrecision& /*kind*/, const Target& target,
        const AveragePrecisionColumns& /*metric*/)
      : codes_(target.codes) {}
  /// The correctly rounded areas of kExactLanes lanes, or of one, of weights that are whole
  /// numbers; false where a rounding is uncertain, or a sum of weights too large.
  [[nodiscard]] static bool exact_sums(const RoughKernel& kernel, const Column& column,
                                       const double* weights, const double* positives, int n_lanes,
                                       double* sums);
  [[nodiscard]] Column prepare(const AveragePrecisionColumns& metric,
                               const SortedScores& exact) const;
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  std::vector<std::int32_t> codes_;
};

template <>
class Rough<SpearmanColumns> {
 public:
  using Column = RoughWalk;
  struct Shared {
    std::vector<float> truth;  // weighted ranks, [row][lane]
    float all[kBlock];
    double squares[kBlock];
  };
  Rough(const metric::Spearman& /*kind*/, const Target& target, const SpearmanColumns& /*metric*/)
      : by_truth_(sorted_scores(target.values)) {}
  [[nodiscard]] static Column prepare(const SpearmanColumns& metric, const SortedScores& exact);
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  SortedScores by_truth_;
};

/// Comparable pairs by halves of time (TimeHalves): of each, a walk along the risks of the later
/// half's rows, which are its negatives, and the earlier half's events, its positives.
template <>
class Rough<ConcordanceColumns> {
 public:
  struct Column {
    std::vector<std::uint32_t> short_walks;  // RoughKernel::add_walks
    std::vector<std::vector<std::uint32_t>> long_walks;
    double stretch = 0.0;
  };
  struct Shared {
    Aligned<float> weights;  // of rows; behind them of events, times their own weights: [row][lane]
    double pairs[kBlock];    // twice the comparable ones
  };
  Rough(const metric::Concordance& kind, const Target& target, const ConcordanceColumns& metric);
  [[nodiscard]] Column prepare(const ConcordanceColumns& metric,
                               const ConcordanceColumns::Column& exact) const;
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  static constexpr std::size_t kFew = 8;
  void take_near_pairs(std::span<const std::int32_t> ranks, Column& column) const;

  TimeHalves halves_;
  std::vector<std::int32_t> events_;        // rows
  std::vector<std::int32_t> event_of_row_;  // where their weights are among these
  std::vector<float> event_weights_;        // of these, in units of the largest
  bool usable_ = true;
};

/// Any function of the confusion matrix.
class RoughConfusion {
 public:
  using Column = ConfusionColumn;
  /// Weights of each class, then of all rows: [class][lane].
  using Shared = std::vector<double>;
  RoughConfusion(const metric::Confusion& kind, const Target& target);
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  void count(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
             const Column& column, double* right, double* predicted, double* apart) const;
  void evaluate(const double* right, const double* predicted, const double* apart,
                const Shared& totals, double error, RoughScores& scores) const;

  metric::Confusion kind_;
  ConfusionRatio ratio_;
  std::int32_t n_classes_;
  std::vector<std::vector<std::int32_t>> rows_of_class_;
};

template <class Number>
class Rough<ConfusionColumns<Number>> : public RoughConfusion {
 public:
  Rough(const metric::Confusion& kind, const Target& target,
        const ConfusionColumns<Number>& /*metric*/)
      : RoughConfusion(kind, target) {}
  [[nodiscard]] static Column prepare(const ConfusionColumns<Number>& /*metric*/,
                                      const ConfusionColumn& exact) {
    return exact;
  }
};

/// AUC of several classes.
template <>
class Rough<MulticlassAucColumns> {
 public:
  using Column = std::vector<RoughWalk>;  // of each class, or of each ordered pair
  /// Weights of each class, then of all rows: [class][lane].
  using Shared = std::vector<double>;
  Rough(const metric::MulticlassAuc& kind, const Target& target,
        const MulticlassAucColumns& /*metric*/);
  [[nodiscard]] Column prepare(const MulticlassAucColumns& metric,
                               const MulticlassAucColumns::Column& exact) const;
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  bool one_vs_rest_;
  bool weighted_;
  std::int32_t n_classes_;
  std::vector<std::int32_t> codes_;
};

/// Functions of first and second moments.
template <>
class Rough<MomentsColumns> {
 public:
  struct Column {
    RoughEntries first;   // R2: squared residuals; else the centred values
    RoughEntries second;  // their squares
    RoughEntries mixed;   // their products with the truth
    bool usable = true;
  };
  struct Shared {
    double weights[kBlock];
    double mean[kBlock];     // of the centred truth
    double squares[kBlock];  // of the truth about its mean
    double inverse_weights[kBlock];
    double inverse_squares[kBlock];
  };
  Rough(const metric::Moments& kind, const Target& target, const MomentsColumns& metric)
      : formula_(kind.formula), y_(metric.truth()) {
    static_cast<void>(target);
  }
  [[nodiscard]] Column prepare(const MomentsColumns& metric,
                               const MomentsColumns::Column& exact) const;
  [[nodiscard]] Shared shared(const RoughKernel& kernel, const RoughRows& rows) const;
  void add(const RoughKernel& kernel, const RoughRows& rows, const Shared& shared,
           std::span<const Column* const> columns, RoughScores* scores) const;

 private:
  /// From the sums of one column's entries.
  void evaluate(const RoughScores* sums, const Shared& shared, const RoughRows& rows,
                RoughScores& scores) const;

  metric::Moments::Formula formula_;
  std::vector<double> y_;
};

/// Whether the parts are never scored one by one.
template <class M>
concept AlwaysLinear = std::is_same_v<M, ZeroOneColumns> || std::is_same_v<M, R2Columns>;

/// Whether the exact key, of which the score is a share of the first total, has a faster form.
template <class M>
concept HasExactSums = requires(double* out) {
  Rough<M>::exact_sums(kRoughPortable, typename Rough<M>::Column(), out, out, 1, out);
};

}  // namespace bbc::detail
