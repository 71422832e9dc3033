"""Writes the table of every metric by every function that several languages have.

Python, R, C and C++ must give it alike. Run it only when results are meant to change, in tests/:
python -m golden.bits.doors

Data are those of generate.py. Each line of doors.csv says what is computed and what comes out:
`integers`, counted from 0, and `reals` as hexadecimal floats, both in the order of `results_of`, or
"refused" where the function does not take the metric. Corrections on two sides are in cases.csv.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import bbc
from families import compared_arrays

from . import generate, methods

# Seed, method and alternative of each function's lines.
PLANS = {
    "correct": [(300, "", "greater"), (301, "", "less")],
    "compare": [(300, "", "two-sided"), (301, "", "greater"), (302, "", "less")],
    "winner_interval": [(301, "", "two-sided"), (302, "", "greater"), (303, "", "less")],
    "possible_winners": [(300, "mcs", ""), (301, "argmin", "")],
    "tuning_path": [(300, "", "")],
}


@dataclass(frozen=True)
class Case:
    """One line of the table; empty where the function has no such argument."""

    function: str
    metric: str
    truth: str
    predictions: str
    seed: int
    method: str = ""
    alternative: str = ""

    @property
    def of_table(self) -> generate.Case:
        """The same data as a case of generate.py."""
        return generate.Case(self.metric, self.truth, self.predictions, self.seed)


def make_cases() -> Iterator[Case]:
    """Every metric of the table, for each kind of truth that it takes."""
    for metric, info in sorted(bbc.metrics.names().items()):
        for truth in generate.TRUTHS[info.target]:
            start = generate.PREDICTIONS[info.predicts]
            if start == "labels":
                start += f"_{truth}"
            elif start == "class":
                start += "_2" if truth == "two" else "_3"
            for function, plans in PLANS.items():
                for plan in plans:
                    yield Case(function, metric, truth, start, *plan)


def compute(data: dict[str, np.ndarray], case: Case) -> Any:
    """What Python gives."""
    y = generate.truth_of(data, case.of_table)
    (predictions,) = generate.predictions_of(data, case.of_table)
    options: dict[str, Any] = {
        "metric": case.metric,
        "confidence_level": 0.8,
        "random_state": case.seed,
    }
    if case.alternative:
        options["alternative"] = case.alternative
    if case.function != "winner_interval":
        options["n_bootstraps"] = generate.N_BOOTSTRAPS
    if case.function == "compare":
        families = {name: predictions[:, own] for name, own in methods.FAMILIES.items()}
        return compared_arrays(y, families, **options)
    c = bbc.correct(y, predictions, **options)
    if case.function == "winner_interval":
        return c.winner_interval()
    if case.function == "possible_winners":
        return c.possible_winners(test=case.method)
    return c.tuning_path() if case.function == "tuning_path" else c


def results_of(result: Any) -> tuple[list[int], list[float]]:
    """The integers and the reals of a line of the table."""
    if isinstance(result, bbc.results.PossibleWinners):
        integers = [result.winner, result.n_redrawn, *result.possible.astype(int)]
        return integers, [*result.p_values, *result.scores, *result.tuning]
    if isinstance(result, bbc.results.TuningPath):
        curves = (result.estimates, result.apparent, result.lows, result.highs)
        falls = [value for fall in result.falls for value in (fall.estimate, fall.p_value)]
        return result.winners.tolist(), [value for curve in curves for value in curve] + falls
    if isinstance(result, bbc.Comparison):
        return methods.results_of(result)
    ends = [] if result.confidence_interval is None else list(result.confidence_interval)
    return [result.winner], [result.estimate, result.apparent, *ends]


def line_of(data: dict[str, np.ndarray], case: Case) -> dict[str, str]:
    """The results as text."""
    try:
        integers, reals = results_of(compute(data, case))
    except bbc.errors.InvalidValueError:
        return {"integers": "refused", "reals": ""}
    return {
        "integers": " ".join(str(int(value)) for value in integers),
        "reals": " ".join(float(value).hex() for value in reals),
    }


def main() -> None:
    """Write the table; what the C interface needs stands in columns as in cases.csv."""
    data = generate.make_data()
    lines = []
    for case in make_cases():
        metric = bbc.metrics.get(case.metric)
        of_kernel = {
            "kernel": "" if metric.censoring else metric.kernel,
            "average": dict(metric.parameters).get("average", "binary"),
            "negate": int(metric.sign < 0),
        }
        own = vars(case) | vars(case.of_table)
        lines.append(own | {"n_outputs": case.of_table.n_outputs} | of_kernel | line_of(data, case))
    methods.write("doors.csv", lines)


if __name__ == "__main__":
    main()
