#pragma once

#include <bbc/export.h>

#include <bbc/predictions.hpp>
#include <bbc/target.hpp>
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

}  // namespace bbc
