#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/data.hpp>
#include <cstdint>
#include <span>
#include <vector>

namespace bbc {

/// Inverse probability of censoring weighting: what a row stands for that others like it were not
/// followed long enough to show.

/// Kaplan-Meier estimate of G(t), the probability of being uncensored beyond t. Events of a time
/// come before the censored rows of that time.
struct CensoringSurvival {
  std::vector<double> times;     ///< at which rows were censored, ascending
  std::vector<double> survival;  ///< G at each of them

  /// G(t-), just before a time.
  [[nodiscard]] BBC_API double before(double time) const;
  /// G(t).
  [[nodiscard]] BBC_API double beyond(double time) const;
};

/// The estimate from events and times. `row_weights` count rows; empty: once each.
[[nodiscard]] BBC_API CensoringSurvival
censoring_survival(const Target& survival, std::span<const double> row_weights = {});

/// The truth whose concordance index is Uno's C up to `tau` (Uno et al. 2011, equation 6): events
/// before tau weigh 1 / G(t-)^2, and later ones count as censored.
[[nodiscard]] BBC_API Target uno_target(const Target& survival, const CensoringSurvival& censoring,
                                        double tau);

/// The same with G(t-) of each row at its own time, such as from a model of the censoring.
[[nodiscard]] BBC_API Target uno_target(const Target& survival, std::span<const double> uncensored,
                                        double tau);

/// The truth whose concordance index is the cumulative/dynamic AUC at `time` (Uno et al. 2007; Hung
/// and Chiang 2010): rows with an event by then, weighted by 1 / G(t-), against rows followed
/// longer. Rows censored before are in no pair.
[[nodiscard]] BBC_API Target dynamic_auc_target(const Target& survival,
                                                const CensoringSurvival& censoring, double time);

/// The same with G(t-) of each row at its own time.
[[nodiscard]] BBC_API Target dynamic_auc_target(const Target& survival,
                                                std::span<const double> uncensored, double time);

/// Weights of the squared errors of survival probabilities (Graf et al. 1999): [row][time], by
/// 1 / G(t-) for events by the time, 1 / G(time) for rows followed longer, 0 for rows censored
/// before. Of several times they hold the trapezoidal rule over the span of the times, too.
[[nodiscard]] BBC_API std::vector<double> brier_weights(const Target& survival,
                                                        const CensoringSurvival& censoring,
                                                        std::span<const double> times);

/// The same with G(t-) of each row at its own time, and G of each row at each of the times:
/// [row][time].
[[nodiscard]] BBC_API std::vector<double> brier_weights(const Target& survival,
                                                        std::span<const double> uncensored,
                                                        std::span<const double> uncensored_beyond,
                                                        std::span<const double> times);

/// The loss of each row and configuration: [configuration][row]. `predictions` are probabilities of
/// surviving each of the times, which must not rise from one time to the next by more than 1e-8;
/// `weights` are those of the rows.
[[nodiscard]] BBC_API std::vector<double> brier_losses(std::span<const double> row_times,
                                                       std::span<const double> weights,
                                                       std::span<const double> times,
                                                       const View<double>& predictions);

/// A configuration's survival probabilities beside one curve for all rows.
struct CurveComparison {
  double score = 0.0;        ///< mean loss of the configuration
  double curve_score = 0.0;  ///< and of the curve
  bool worse = false;        ///< whether the configuration's is larger by more than chance explains
};

/// What `against_curve` reads beside the losses.
struct CurveDesign {
  std::vector<double> row_times;
  std::vector<double> weights;  ///< of `brier_weights`
  std::vector<double> times;
  /// As in CorrectionOptions; empty: rows count alike, each for itself, and were all predicted.
  std::vector<double> row_weights;
  std::vector<std::int32_t> units;
  std::vector<std::int32_t> folds;  ///< repeat * n_rows + row, -1 where there is no prediction
};

/// Compares a configuration with the Kaplan-Meier curve of the rows, which gives each the same
/// probability: the mean of outcomes with the weights for censoring. `losses` of all repeats are
/// those of `brier_losses`. One-sided at the level .01, by the normal approximation of the sum D
/// of differences between row losses, added up by unit; its variance is taken to be 2 sum d^2:
/// about zero, not about the mean, so that few rows show nothing, and twice that of independent
/// models, because folds share training rows. D is first reduced by three times what it costs to
/// estimate the curve: without information, the curves of the other folds' rows cost up to that
/// much (with two folds; with one row per fold twice) and vary too little to show it.
[[nodiscard]] BBC_API CurveComparison against_curve(std::span<const Predictions> losses,
                                                    std::int64_t configuration,
                                                    const CurveDesign& design);

/// Kaplan-Meier estimate of the probability of an event by a time. Events of a time come before the
/// censored rows of that time. `row_weights` count rows; empty: once each.
[[nodiscard]] BBC_API double event_probability(const Target& survival, double time,
                                               std::span<const double> row_weights = {});

/// What each row contributes to that estimate: its jackknife pseudo-value (Andersen, Klein &
/// Rosthoj 2003), W F - (W - w) F' over w, where W is the weight of all rows, w that of the row and
/// F' the estimate without it. Without censoring before the time it is 0 or 1, whether there was an
/// event. Given the inputs its mean is the probability of the event, if censoring does not depend
/// on them. Rows that weigh nothing have the estimate itself.
[[nodiscard]] BBC_API std::vector<double> pseudo_event_probabilities(
    const Target& survival, double time, std::span<const double> row_weights = {},
    const Control& control = {});

}  // namespace bbc
