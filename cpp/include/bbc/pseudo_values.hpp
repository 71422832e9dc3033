#pragma once

#include <bbc/export.h>

#include <bbc/control.hpp>
#include <bbc/target.hpp>
#include <span>
#include <vector>

namespace bbc {

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
