"""From predictions to performance: apparent, or corrected by `bbc.correct`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from .. import _engine
from .._several import MultiMetricCorrection
from .._typing import FloatArray, IndexArray
from .._warn import warn
from ..errors import UndefinedMetricError
from ..metrics import Metric
from ..results import PerformanceEstimate
from ..results._correction import automatic_pooling, notes
from ..selection import Selection
from ..selection import get as get_selection
from ._collected import Collected
from ._run import Run
from ._scores import scores_by_fold, scores_on_all_rows, select

Pooling: TypeAlias = Literal["pooled", "fold"]


def rule_for(selection: Any, run: Run, chosen: IndexArray) -> Selection:
    """Return the selection rule for some of the configurations."""
    rule = get_selection(selection)
    rule.check(len(run.configurations))
    return rule.of_kept(chosen)


def choose_pooling(
    run: Run, collected: Collected, pooling: str, chosen: IndexArray
) -> dict[str, Pooling]:
    """Return how each metric is pooled: as asked, or by what the chosen configurations predict."""
    poolings: dict[str, Pooling] = {}
    for name, metric in run.scoring.metrics.items():
        if pooling != "auto":
            poolings[name] = "fold" if pooling == "fold" else "pooled"
        elif "decision_function" not in collected.response:
            poolings[name] = "pooled"
        else:
            predictions = run.predictions(collected, chosen, name)
            poolings[name] = automatic_pooling(predictions, metric, run.pos_label)
    return poolings


def apparent(
    run: Run, collected: Collected, *, poolings: Mapping[str, Pooling], selection: Any
) -> dict[str, PerformanceEstimate]:
    """Return the winner's uncorrected performance by every metric; the winner by the one."""
    chosen, metric = run.working, run.scoring.metric
    scores, best = scores_of(run, collected, run.scoring.decides, poolings)
    rule = rule_for(selection, run, chosen)
    if rule.rule != "best":
        by_fold = scores_by_fold(run, collected, run.scoring.decides)[:, chosen]
        best = select(rule, scores, best, by_fold, metric, run.n_rows)
    winner = int(chosen[best])
    estimates: dict[str, PerformanceEstimate] = {}
    for name, other in run.scoring.metrics.items():
        own = scores if other is metric else scores_of(run, collected, name, poolings)[0]
        value = float(own[best])
        estimates[name] = plain_estimate(
            run,
            other,
            estimate=value,
            apparent=value,
            winner=winner,
            method="cvt",
            pooling=poolings[name],
            **notes_of(run, collected, name, poolings[name], winner, estimates),
        )
    return estimates


def notes_of(
    run: Run,
    collected: Collected,
    name: str,
    pooling: Pooling,
    winner: int,
    before: Mapping[str, PerformanceEstimate],
) -> dict[str, Any]:
    """Return what the data and the predictions show; `winner` counts all configurations.

    There is no second warning of what the estimates `before` say.
    """
    return notes(
        run.predictions(collected, metric=name),
        run.scoring.metrics[name],
        pooling=pooling,
        winner=int(np.searchsorted(run.working, winner)),
        pos_label=run.pos_label,
        known=[each for one in before.values() for each in one.data_findings],
    )


def scores_of(
    run: Run, collected: Collected, name: str, poolings: Mapping[str, Pooling]
) -> tuple[FloatArray, int]:
    """Return the scores of the working configurations by a metric, and which is best."""
    predictions = run.predictions(collected, metric=name)
    return scores_on_all_rows(
        predictions, run.scoring.metrics[name], pooling=poolings[name], pos_label=run.pos_label
    )


def plain_estimate(run: Run, metric: Metric, **facts: Any) -> PerformanceEstimate:
    """Return an estimate without an interval, with what is known of the run."""
    classes = run.responses.classes
    binary = metric.target == "binary" and classes is not None
    decides = run.scoring.metric
    return PerformanceEstimate(
        metric=metric.name,
        metric_range=metric.range,
        decided_by="" if metric is decides else decides.name,
        greater_is_better=metric.greater_is_better,
        n_rows=run.n_rows,
        n_configurations=len(run.configurations),
        n_folds=len(run.partitions[0].folds),
        n_repeats=len(run.partitions),
        version=_engine.kernel_version(),
        names=tuple(run.names),
        pos_label=classes[run.responses.positive] if binary and classes is not None else None,
        left_out_rows=np.flatnonzero(
            np.all([one.labels(run.n_rows) < 0 for one in run.partitions], axis=0)
        ),
        left_out_configurations=_left_out(run),
        **facts,
    )


def corrected(
    run: Run,
    collected: Collected,
    *,
    poolings: Mapping[str, Pooling],
    selection: Any,
    **options: Any,
) -> dict[str, PerformanceEstimate]:
    """Return the winner's corrected performance; configurations keep their places in the run."""
    predictions = run.predictions(collected)
    correction = MultiMetricCorrection(
        predictions.y,
        predictions,
        run.scoring.metric,
        pooling=poolings[run.scoring.decides],
        selection=rule_for(selection, run, run.working),
        pos_label=run.pos_label,
        random_state=run.seed,
        **options,
    )

    return {run.scoring.decides: in_run(correction.estimate, run)} | by_others(
        run, lambda name, metric: in_run(correction.score(metric, poolings[name]), run)
    )


def by_others(
    run: Run, estimate: Callable[[str, Metric], PerformanceEstimate]
) -> dict[str, PerformanceEstimate]:
    """Return the estimates by the metrics that do not decide.

    Where the data leave one undefined there is a warning: models were trained for the others.
    """
    estimates = {}
    for name, metric in run.scoring.metrics.items():
        if name == run.scoring.decides:
            continue
        try:
            estimates[name] = estimate(name, metric)
        except UndefinedMetricError as error:
            warn(f"performances_ lacks {name!r}: {error}")
    return estimates


def in_run(estimate: PerformanceEstimate, run: Run) -> PerformanceEstimate:
    """Number the configurations of an estimate as the run does."""
    if len(run.working) == len(run.configurations):
        return estimate
    winners = estimate.replicate_winners
    return replace(
        estimate,
        winner=int(run.working[estimate.winner]),
        winner_name="",  # found again from names and winner
        replicate_winners=None if winners is None else run.working[winners],
        n_configurations=len(run.configurations),
        names=tuple(run.names),
        left_out_configurations=_left_out(run),
    )


def _left_out(run: Run) -> IndexArray:
    return np.setdiff1d(np.arange(len(run.configurations)), run.working)
