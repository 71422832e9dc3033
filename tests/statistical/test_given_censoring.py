"""Weights of the true censoring remove the bias that Kaplan-Meier leaves where inputs matter."""

import numpy as np

import bbc

N_REPETITIONS, N_ROWS, TIME = 300, 200, 3.0
_ERRORS = 4.0  # standard errors; 4 are exceeded in 1 of 16 000 runs


def draw(rng):
    """Events and censoring both come earlier where an input is large."""
    x = rng.normal(size=N_ROWS)
    event_time = 4 * rng.exponential(size=N_ROWS) * np.exp(-x)
    hazard = np.exp(x) / 8
    censoring_time = rng.exponential(size=N_ROWS) / hazard
    y = np.empty(N_ROWS, [("event", bool), ("time", float)])
    y["event"], y["time"] = event_time <= censoring_time, np.minimum(event_time, censoring_time)
    survival = np.exp(-TIME / 4 * np.exp(x))
    return y, event_time, hazard, survival


def means_and_errors(differences):
    differences = np.asarray(differences)
    return differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(len(differences))


def apparent(y, prediction, metric):
    return bbc.correct(
        y, prediction[:, None], metric=metric, n_bootstraps=40, random_state=0
    ).apparent


def test_the_brier_score_is_that_of_the_uncensored_rows():
    """Seen to fail with G of half the hazard, 41 standard errors off; Kaplan-Meier is 9 off."""
    rng = np.random.default_rng(0)
    differences = []
    for _ in range(N_REPETITIONS):
        y, event_time, hazard, survival = draw(rng)
        wanted = np.mean(((event_time > TIME) - survival) ** 2)
        given = bbc.metrics.survival_brier_score(
            TIME,
            censoring_survival=np.exp(-hazard * y["time"]),
            censoring_survival_at=np.exp(-hazard * TIME),
        )
        estimated = bbc.metrics.survival_brier_score(TIME)
        differences.append([apparent(y, survival, each) - wanted for each in (given, estimated)])
    (given, estimated), (error, error_of_estimated) = means_and_errors(differences)
    assert abs(given) < _ERRORS * error
    assert abs(estimated) > _ERRORS * error_of_estimated
