#pragma once

#include <bbc/estimate.hpp>
#include <cstdint>
#include <type_traits>
#include <vector>

/// The fields of results, by the names that they have in documents of other languages: the one list
/// of them, which a language's visitor turns into its own values.
namespace bbc {

/// A number, or none where it is NaN.
struct OrNone {
  double number;
};
/// The index of a configuration.
struct Configuration {
  std::int64_t index;
};

/// Calls visit(name, value) for what limits say.
template <class Visit>
void visit_fields(const CorrectedLimits& of, const Visit& visit) {
  visit("low", of.interval.low);
  visit("high", of.interval.high);
  visit("replicates_low", of.of_replicates.low);
  visit("replicates_high", of.of_replicates.high);
  visit("few_events", of.few_events);
  visit("monte_carlo_error", of.monte_carlo_error);
  visit("kurtosis", OrNone{of.kurtosis});
  visit("alike_errors", of.alike_errors);
}

/// The same of an estimate, without those that its rule gives no meaning. Vectors may be moved
/// from; those of integers are of configurations, but for the attempts.
template <class Of, class Visit>
  requires std::is_same_v<std::remove_cv_t<Of>, Estimate>
void visit_fields(Of& of, const Visit& visit) {
  visit_fields(static_cast<const CorrectedLimits&>(of), visit);
  visit("estimate", of.estimate);
  visit("rates", of.rates);
  visit("replicate_sd", of.replicate_sd);
  visit("apparent", of.apparent);
  visit("optimism", of.optimism);
  visit("size_bias", OrNone{of.size_bias});
  visit("winner", Configuration{of.winner});
  visit("replicates", of.replicates);
  visit("replicate_winners", of.replicate_winners);
  visit("n_redrawn", of.n_redrawn);
  if (!of.attempts.empty()) visit("attempts", of.attempts);
  visit("undefined_fold_share", of.undefined_fold_share);
  if (of.n_rungs > 0) {
    visit("n_rungs", of.n_rungs);
    visit("n_rows_scored", of.n_rows_scored);
    visit("rung_choices", of.rung_choices);
  }
  if (!of.replicate_thresholds.empty()) {
    visit("threshold", of.threshold);
    visit("replicate_thresholds", of.replicate_thresholds);
  }
  if (!of.weights.empty()) {
    visit("weights", of.weights);
    visit("selection_frequency", of.selection_frequency);
  }
}

}  // namespace bbc
