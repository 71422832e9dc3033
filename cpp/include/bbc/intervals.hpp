#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <bbc/interval.hpp>
#include <bbc/metric.hpp>
#include <bbc/resampling.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bbc {

/// Wilson's score interval of a proportion (1927).
[[nodiscard]] BBC_API IntervalEstimate wilson(std::int64_t n_successes, std::int64_t n_trials,
                                              const Confidence& confidence);

/// Clopper and Pearson's exact interval of a proportion (1934).
[[nodiscard]] BBC_API IntervalEstimate clopper_pearson(std::int64_t n_successes,
                                                       std::int64_t n_trials,
                                                       const Confidence& confidence);

/// How one column of scores ranks the classes: the structural components of its AUC.
struct Placements {
  /// Per row of the class, in row order: the share of the other class that the row is on the right
  /// side of, ties counting one half (DeLong's V10 and V01).
  std::vector<double> positive;
  std::vector<double> negative;
  double auc = 0.0;
};

/// Ranks once, O(n log n). Throws when a class has no row or a score is NaN.
[[nodiscard]] BBC_API Placements placements(std::span<const std::uint8_t> is_positive,
                                            std::span<const double> scores);

/// DeLong, DeLong and Clarke-Pearson (1988), in the fast form of Sun and Xu (2014).
[[nodiscard]] BBC_API IntervalEstimate delong(std::span<const std::uint8_t> is_positive,
                                              std::span<const double> scores,
                                              const Confidence& confidence);

/// Hanley and McNeil (1982): the variance from the AUC and the class sizes alone.
[[nodiscard]] BBC_API IntervalEstimate hanley_mcneil(double auc, std::int64_t n_positive,
                                                     std::int64_t n_negative,
                                                     const Confidence& confidence);

/// The formula behind Table 2 of Paraschakis et al. (2024), which differs from the one above: it
/// reads the number of correct calls and of all other rows of the whole sample as class sizes, and
/// has one wrong sign. For that table only.
[[nodiscard]] BBC_API IntervalEstimate hanley_mcneil_paraschakis2024(double auc,
                                                                     std::int64_t n_correct,
                                                                     std::int64_t n_other,
                                                                     const Confidence& confidence);

/// DeLong's test of two scores of the same rows.
struct DelongTest {
  double first_auc = 0.0;
  double second_auc = 0.0;
  double z = 0.0;
  double p_value = 1.0;
  IntervalEstimate difference;  ///< of first less second; says why when the test does not exist
};

[[nodiscard]] BBC_API DelongTest delong_test(std::span<const std::uint8_t> is_positive,
                                             std::span<const double> first,
                                             std::span<const double> second,
                                             const Confidence& confidence);

/// Intervals from the plug-in replicates of one fixed statistic. Only the percentile interval
/// (order_statistic_interval) has a meaning for the out-of-bag replicates of BBC.
enum class BootstrapKind { percentile, basic, bca, studentized };

/// What the kinds are computed from.
struct BootstrapSample {
  double estimate = 0.0;
  std::vector<double> replicates;
  std::vector<double> jackknife;         ///< leave-one-out values; bca
  double standard_error = 0.0;           ///< of the estimate; studentized
  std::vector<double> replicate_errors;  ///< one standard error per replicate; studentized
  std::int64_t n_redrawn = 0;
  std::string reason;  ///< why a leave-one-out value does not exist; the interval is infeasible
};

/// Resamples the score of one fixed configuration: whole bags, nothing held out. Draws, redraws and
/// units as in the correction, from a stream of its own; leave-one-out values are over units.
/// Metrics of all rows together only (no folds), without sample weights.
[[nodiscard]] BBC_API BootstrapSample bootstrap_sample(const Target& y,
                                                       const Predictions& predictions,
                                                       const Metric& metric, Resampling resampling,
                                                       BootstrapKind kind,
                                                       const Control& control = {});

/// Percentile and basic (Efron and Tibshirani 1993), BCa (Efron 1987; replicates equal to the
/// estimate count one half in the bias correction), studentized = bootstrap-t.
[[nodiscard]] BBC_API IntervalEstimate bootstrap_interval(const BootstrapSample& sample,
                                                          BootstrapKind kind,
                                                          const Confidence& confidence,
                                                          Interval range);

/// Standard error from leave-one-out values, value i counting `counts[i]` times (empty: once):
/// sqrt((n - 1) / n sum (t_i - mean)^2).
[[nodiscard]] BBC_API double jackknife_error(std::span<const double> values,
                                             std::span<const std::uint16_t> counts);

// Intervals for the cross-validated error of one fixed learner.

/// Nadeau and Bengio (2003): J scores of repeated subsampling whose training sets overlap;
/// variance (1/J + n_test / n_train) S^2, Student's t with J - 1 degrees of freedom.
[[nodiscard]] BBC_API IntervalEstimate corrected_resampled_t(std::span<const double> scores,
                                                             double n_train, double n_test,
                                                             const Confidence& confidence,
                                                             Interval range);

/// Nadeau and Bengio (2003): `first` and `second` are the resampling estimates, each the mean of
/// all subsampling iterations within one half, of R random divisions of the rows into disjoint
/// halves; variance sum (a_r - b_r)^2 / (2 R).
[[nodiscard]] BBC_API IntervalEstimate conservative_z(double estimate,
                                                      std::span<const double> first,
                                                      std::span<const double> second,
                                                      const Confidence& confidence, Interval range);

/// The mean of per-row losses with their naive standard error: of a hold-out set, or of all rows
/// of a cross-validation (which ignores that the folds' models share training rows).
[[nodiscard]] BBC_API IntervalEstimate wald(std::span<const double> losses,
                                            const Confidence& confidence, Interval range);

/// The losses of one outer fold of nested cross-validation.
struct NestedFold {
  std::vector<double> outer;  ///< of the held-out rows
  std::vector<double> inner;  ///< of the other rows, from the inner cross-validation without it
};

struct NestedOptions {
  std::int64_t n_rows = 0;
  std::int64_t n_folds = 0;
  /// Mean loss of plain cross-validation; with it the estimate is corrected for its bias.
  bool has_cv_loss = false;
  double cv_loss = 0.0;
};

/// Bates, Hastie and Tibshirani (2024), Algorithm 1: `folds` are those of all repetitions.
[[nodiscard]] BBC_API IntervalEstimate nested_cv(std::span<const NestedFold> folds,
                                                 const NestedOptions& options,
                                                 const Confidence& confidence, Interval range);

/// Evaluation rows of one or several configurations.
struct TiltingData {
  /// The truth of the AUC; empty: the statistic is the accuracy.
  std::vector<std::uint8_t> is_positive;
  /// [configuration][row]: scores, or for the accuracy 1 where the label is right and 0 elsewhere.
  std::vector<double> columns;
  std::int64_t n_configurations = 1;
  /// The configuration whose performance is bounded.
  std::int64_t selected = 0;

  [[nodiscard]] std::int64_t n_rows() const noexcept {
    return static_cast<std::int64_t>(columns.size()) / n_configurations;
  }
};

struct TiltingOptions {
  /// `published`: as the code of Rink and Brannath's experiments does it, for tables of papers that
  /// used it: influence values of the AUC by regression on the counts, weights normalised over the
  /// whole sample although replicates are drawn within classes.
  enum class Variant { standard, published };
  Variant variant = Variant::standard;
  /// Replicates; 0: 2000 for the AUC (drawn within classes), 10000 for the accuracy.
  std::int64_t n_bootstraps = 0;
  std::uint64_t seed = 0;
  /// Explicit drawn rows, n_bootstraps x n_rows, to replay an analysis; classes keep their sizes.
  std::vector<std::int32_t> resamples;
  Confidence confidence{0.95, Alternative::greater};
};

struct TiltingResult {
  IntervalEstimate bound;
  double tau = 0.0;                    ///< the tilt of the lower bound, or of the only one
  double effective_sample_size = 0.0;  ///< of the importance weights there; the smaller of two
  std::int64_t n_bootstraps = 0;
};

/// Bootstrap tilting (Efron 1981): the performance of the nearest exponentially tilted sample in
/// which a score as good as the observed one has probability 1 - level. Other configurations than
/// the selected one are ignored.
[[nodiscard]] BBC_API TiltingResult tilting(const TiltingData& data, const TiltingOptions& options,
                                            const Control& control = {});

/// Multiplicity-adjusted bootstrap tilting (Rink and Brannath 2025): a lower bound for the best of
/// several configurations on the same rows.
[[nodiscard]] BBC_API TiltingResult mabt(const TiltingData& data, const TiltingOptions& options,
                                         const Control& control = {});

/// Out-of-sample scores of a binary truth.
struct BoundData {
  std::vector<std::uint8_t> is_positive;
  std::vector<std::int32_t> folds;      ///< codes 0 .. K - 1
  std::vector<std::string> fold_names;  ///< of each code, for messages; empty: the code
  View<double> scores;                  ///< (row, configuration)
};

enum class BoundMethod { delong, hanley_mcneil, tilting, mabt, naive_bootstrap };

/// `best` mean AUC of the folds' learn rows; or, of the configurations at or above the 90 %
/// quantile (type 7) of it, the one with the best AUC on the evaluation rows.
enum class BoundRule { best, top_decile };

struct BoundOptions {
  BoundMethod method = BoundMethod::mabt;
  BoundRule rule = BoundRule::top_decile;
  /// The formulas and weights behind published tables: see hanley_mcneil_paraschakis2024 and
  /// TiltingOptions::Variant::published.
  bool published = false;
  double confidence_level = 0.95;
  /// Replicates; 0: 2000 for tilting, 1000 for the naive bootstrap.
  std::int64_t n_bootstraps = 0;
  std::uint64_t seed = 0;
};

struct BoundResult {
  IntervalEstimate bound;  ///< low is the lower bound
  bool selected = false;   ///< false: infeasible before anything could be selected
  std::int64_t winner = -1;
  /// The configurations that the rule chose among on the evaluation rows; the winner if `best`.
  std::vector<std::int64_t> candidates;
  std::vector<std::int32_t> evaluation_rows;  ///< ascending
  std::int64_t n_splits = 0;                  ///< random splits tried
  std::int64_t n_bootstraps = 0;              ///< 0: nothing was resampled
  double effective_sample_size = 0.0;         ///< 0: no importance weights
};

/// A lower confidence bound for the AUC of a selected configuration, by the protocol of Paraschakis
/// et al. (2024): rows are split at random, three quarters to learn which configuration is best and
/// the rest to evaluate it, again until every fold's learn part and the evaluation part have both
/// classes. The naive bootstrap selects on all rows and resamples the winner's fold scores.
[[nodiscard]] BBC_API BoundResult bound(const BoundData& data, const BoundOptions& options,
                                        const Control& control = {});

}  // namespace bbc
