"""Writes the table of what is read of one winner, which Python and R must give alike.

Calibration, net benefit, curves and subgroups. Run it only when they are meant to change, in
tests/: python -m golden.bits.clinical

Data are those of generate.py. Each line of clinical.csv says what is computed and what comes out:
`integers`, counted from 0, and `reals` as hexadecimal floats, both in the order of `results_of`,
"nan" where there is no number.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import bbc

from . import generate, methods

N_BOOTSTRAPS = 50
THRESHOLDS = [0.1, 0.25, 0.5, 0.8]
STEP = 10  # of the points that are recorded


@dataclass(frozen=True)
class Case:
    """One line of the table; empty where there is no such argument."""

    function: str
    metric: str
    truth: str
    predictions: str
    seed: int
    n_repeats: int = 1
    weights: str = ""
    groups: str = ""
    method: str = "bbc"

    @property
    def of_table(self) -> generate.Case:
        """The same data as a case of generate.py."""
        return generate.Case(
            self.metric, self.truth, self.predictions, self.seed, self.n_repeats, folds="part"
        )


def make_cases() -> list[Case]:
    """Every function with every kind of draws."""
    plans: list[dict[str, Any]] = [
        {},
        {"n_repeats": 2, "weights": "weight"},
        {"groups": "group"},
        {"n_repeats": 2, "method": "bbc-two-level"},
        {"n_repeats": 2, "method": "bbc-f", "weights": "weight"},
    ]
    data = [("brier_score", "probability"), ("roc_auc", "class_2")]
    functions = ("calibration", "decision_curve", "roc_curve", "precision_recall_curve")
    cases = [
        Case(function, metric, "two", predictions, 2000 + number, **plan)
        for function in functions
        for metric, predictions in data
        for number, plan in enumerate(plans)
    ]
    divided = [
        ("brier_score", "two", "probability"),
        ("roc_auc", "two", "score"),
        ("accuracy", "three", "labels_three"),
        ("mean_squared_error", "real", "value"),
        ("concordance_index", "time", "value"),
    ]
    cases += [
        Case("subgroups", *each, 2100 + number, **plan)
        for each in divided
        for number, plan in enumerate(plans[:-1])
    ]
    return cases


def compute(data: dict[str, np.ndarray], case: Case) -> Any:
    """What Python gives."""
    table = case.of_table
    given = (generate.truth_of(data, table), generate.predictions_of(data, table))
    options: dict[str, Any] = {
        "metric": case.metric,
        "method": case.method,
        "folds": generate.folds_of(data, table),
        "groups": data[case.groups] if case.groups else None,
        "sample_weight": data[case.weights] if case.weights else None,
        "n_bootstraps": N_BOOTSTRAPS,
        "confidence_level": 0.8,
        "random_state": case.seed,
    }
    c = bbc.correct(*given, **options)
    if case.function == "subgroups":
        return c.subgroups(data["three"] // 2)
    if case.function == "calibration":
        return c.calibration(n_bins=4)
    if case.function == "decision_curve":
        return c.decision_curve(thresholds=THRESHOLDS)
    return getattr(c, case.function)()


def results_of(result: Any) -> tuple[list[int], list[float]]:
    """The integers and the reals of a line of the table."""
    if isinstance(result, bbc.results.Subgroups):
        return _of_subgroups(result)
    e = result.performance
    integers = [e.winner, *e.replicate_winners.tolist()]
    quantities: tuple[Any, ...] = ()
    curves = [getattr(result, "curve", None)]
    if isinstance(result, bbc.results.Calibration):
        quantities = result.quantities
        integers += [*result.event_counts.tolist(), *result.other_counts.tolist()]
    elif isinstance(result, bbc.results.DecisionCurve):
        curves = [result.net_benefit, result.treat_all, result.over_treat_all, result.standardized]
    elif result.kind == "roc":
        quantities = (
            result.sensitivity_at(specificity=0.9),
            result.sensitivity_at(specificity=0.57),
            result.specificity_at(sensitivity=0.8),
            result.partial_auc(specificity=(0.8, 1)),
            result.partial_auc(sensitivity=(0.5, 0.9)),
        )
    reals = [value for each in quantities for value in _of_quantity(each)]
    return integers, reals + [value for curve in curves for value in _of_curve(curve)]


def _of_quantity(quantity: Any) -> tuple[float | None, ...]:
    low, high = quantity.confidence_interval or (None, None)
    return quantity.estimate, low, high, quantity.apparent, quantity.n_undefined


def _of_curve(curve: Any) -> Iterator[float | None]:
    """Some points, one after the other."""
    limits = (curve.lows, curve.highs, curve.simultaneous_lows, curve.simultaneous_highs)
    for i in range(0, len(curve.x), STEP if len(curve.x) > STEP else 1):
        yield from (curve.x[i], curve.estimates[i])
        yield from (None if each is None else each[i] for each in limits)
        yield from (curve.apparent[i], curve.n_undefined[i])


def _of_subgroups(result: bbc.results.Subgroups) -> tuple[list[int], list[Any]]:
    integers, reals = [result.overall.winner], []
    for group in result.groups:
        e = group.estimate
        integers += [group.n_rows, *group.counts.values(), -1 if e is None else e.n_undefined or 0]
        if e is not None and e.replicates is not None:
            low, high = e.confidence_interval or (None, None)
            reals += [e.estimate, low, high, e.apparent, *e.replicates.tolist()]
    for each in result.differences:
        low, high = each.confidence_interval or (None, None)
        tested = (each.standard_error, each.degrees_of_freedom, each.p_value)
        reals += [each.estimate, low, high, *tested, each.first_better, each.second_better]
    return integers, reals


def line_of(result: Any) -> dict[str, str]:
    """The results as text."""
    integers, reals = results_of(result)
    return {
        "integers": " ".join(str(int(value)) for value in integers),
        "reals": " ".join(float(math.nan if x is None else x).hex() for x in reals),
    }


def main() -> None:
    """Write the table."""
    data = generate.make_data()
    methods.write(
        "clinical.csv",
        (
            {**vars(case), "n_outputs": case.of_table.n_outputs} | line_of(compute(data, case))
            for case in make_cases()
        ),
    )


if __name__ == "__main__":
    main()
