"""Findings of inference that takes the fitted models as given."""

from typing import Any

from .. import _engine
from .._validation import Options, Problem
from ..results import ConfidenceInterval, ModelLuck
from ..results._correction import draw_findings, luck_findings, uncorrected_findings, warn
from ..results._parts import model_luck


def given_models(
    predictions: Any,
    problem: Problem,
    options: Options,
    *,
    winner: int,
    score: float,
    interval: ConfidenceInterval | None,
    n_redrawn: int = 0,
    n_threads: int,
) -> dict[str, Any]:
    """Findings, notes and the test of model luck, as fields of a result; warns of findings.

    `interval` is that of the winner's score, against which the bias due to luck is compared.
    """
    metric = options.metric
    found = uncorrected_findings(
        predictions, problem, metric, pooling=options.pooling, winner=winner
    )
    raw = _engine.luck_of(problem, options, n_threads=n_threads)
    luck: ModelLuck | None = model_luck(raw)
    more = (
        *draw_findings({"n_redrawn": n_redrawn}, problem, options),
        *luck_findings(luck, score, interval),
    )
    warn(more)
    return found | {"data_findings": (*found["data_findings"], *more), "model_luck": luck}
