"""One question about one random problem."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

import bbc
from reference import metrics as oracle
from reference.metrics import Metric as OracleMetric

Array = npt.NDArray[Any]

# The questions whose replicates draw rows or groups, and have winners.
OF_ROWS = ("bbc", "bbc-two-level")
# The oracle knows averages of F-beta for beta 1 only, under their usual name.
OF_BETA_ONE = {
    "f_beta_macro": "f1_macro",
    "f_beta_micro": "f1_micro",
    "f_beta_weighted": "f1_weighted",
}


@dataclass
class Case:
    """One question about one random problem.

    `given` and `options` are what bbc gets; `y`, `repeats` and `design` what is left of the
    problem when its holes are dealt with: what the oracle gets. `other` is a metric that is scored
    on the winners of the one that decides; `by_function`: bbc gets the metric as a function.
    """

    question: str
    metric: bbc.metrics.Metric
    measure: OracleMetric
    y: Array
    repeats: list[Array]
    design: dict[str, Any]
    given: dict[str, Any]
    options: dict[str, Any] = field(default_factory=dict)
    kept: Array | None = None
    simd: str = "portable"
    block: int = 0
    other: bbc.metrics.Metric | None = None
    by_function: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows that the oracle sees."""
        return len(self.y)

    @property
    def streams(self) -> bool:
        """Whether the question can be asked block by block."""
        whole = {"selection", "seen"}.isdisjoint(self.design) and self.kept is None
        return whole and self.question in OF_ROWS and not self.by_function

    def oracle_of(self, metric: bbc.metrics.Metric) -> OracleMetric:
        """The oracle of a metric that has no parameters, or of the case's own."""
        own = metric is self.metric
        return self.measure if own else oracle.METRICS[OF_BETA_ONE.get(metric.name, metric.name)]
