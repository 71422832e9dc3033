"""From a cross-validation to performance: apparent, or corrected as by `bbc.correct`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from .. import _engine, _validation
from .._training._scoring import select
from .._typing import IndexArray
from ..correction import Correction, correct_predictions
from ..findings import Finding
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..results._correction import automatic_pooling, uncorrected_findings
from ..selection import Selection
from ..selection import get as get_selection
from ..sources import Predictions, Source
from ._cross_validation import CrossValidation, Pooling
from ._run import Run

#: What a protocol estimates; a correction may be asked further questions.
Performed: TypeAlias = Correction | PerformanceEstimate


def rule_for(selection: Any, run: Run, chosen: IndexArray) -> Selection:
    """Return the selection rule for some of the configurations."""
    rule = get_selection(selection)
    rule.check(len(run.configurations))
    return rule.of_kept(chosen)


def apparent(trained: CrossValidation, selection: Any) -> dict[str, PerformanceEstimate]:
    """Return the uncorrected performance by every metric of the selection metric's winner."""
    run, chosen = trained.run, trained.working
    decides, metric = run.scoring.decides, run.scoring.metric
    scores, best = trained.scores(decides)
    rule = rule_for(selection, run, chosen)
    if rule.rule != "best":
        by_fold = trained.scores_by_fold(decides, chosen)
        best = select(rule, scores, best, by_fold, metric, run.n_rows)
    estimates: dict[str, PerformanceEstimate] = {}
    for name in run.scoring.metrics:
        value = float(trained.scores(name)[0][best])
        estimates[name] = plain_estimate(
            trained,
            name,
            estimate=value,
            apparent=value,
            winner=int(chosen[best]),
            method="cvt",
            **notes_of(trained, name, best, estimates, rule),
        )
    return estimates


def notes_of(
    trained: CrossValidation,
    name: str,
    best: int,
    before: Mapping[str, PerformanceEstimate],
    rule: Selection,
) -> dict[str, Any]:
    """Return findings and notes; `best` is the winner's index in `working`.

    Findings of the estimates `before` are not repeated as warnings.
    """
    found = uncorrected_findings(
        trained.predictions(name),
        trained.problem(name),
        trained.run.scoring.metrics[name],
        pooling=trained.poolings[name],
        winner=best,
        known=[found for estimate in before.values() for found in estimate.data_findings],
    )
    return found | {"design": replace(found["design"], selection=str(rule))}


def plain_estimate(trained: CrossValidation, name: str, **facts: Any) -> PerformanceEstimate:
    """Return an estimate without an interval."""
    run = trained.run
    metric, decides = run.scoring.metrics[name], run.scoring.metric
    return PerformanceEstimate(
        metric=metric.name,
        metric_range=metric.range,
        decided_by="" if metric is decides else decides.name,
        greater_is_better=metric.greater_is_better,
        n_rows=run.n_rows,
        n_configurations=len(run.configurations),
        pooling=trained.poolings[name],
        n_folds=len(run.partitions[0].folds),
        n_repeats=len(run.partitions),
        version=_engine.kernel_version(),
        names=tuple(run.names),
        pos_label=trained.problem(name).truth.pos_label if metric.target == "binary" else None,
        left_out_rows=np.flatnonzero(
            np.all([each.fold_ids(run.n_rows) < 0 for each in run.partitions], axis=0)
        ),
        left_out_configurations=_left_out(trained),
        **facts,
    )


@dataclass(frozen=True)
class _Poolings:
    """How metrics are pooled: those of the run as it chose, others by the same rule."""

    of_run: dict[Metric, Pooling]
    pooling: str
    pos_label: Any

    def __call__(self, predictions: OutOfSamplePredictions, metric: Metric) -> Any:
        if metric in self.of_run or self.pooling != "auto":
            return self.of_run.get(metric, self.pooling)
        pos_label = self.pos_label if metric.has_classes else None
        return automatic_pooling(predictions, metric, pos_label)


def correction_of(trained: CrossValidation, selection: Any, options: dict[str, Any]) -> Correction:
    """Return the correction of the winner; configurations are numbered as in the run."""
    run, predictions = trained.run, trained.numbered_predictions()
    decides = run.scoring.metric
    poolings: Any = {metric: trained.poolings[name] for name, metric in run.scoring.metrics.items()}
    source = Source(
        "protocol",
        decides,
        options
        | {
            "selection": selection,
            "random_state": run.seed,
            "pos_label": run.pos_label_of(decides),
        },
        _Poolings(poolings, run.pooling, run.pos_label),
        secondary=run.scoring.secondary,
        learners=tuple(each.estimator_name for each in run.configurations),
        no_blocks=run.no_blocks,
    )
    given = Predictions._of(predictions, source)
    found: Correction = correct_predictions(given, decides, options={})
    return found


def finding(correction: Correction, findings: Mapping[str, tuple[Finding, ...]]) -> Correction:
    """Add findings by name of a secondary metric, and to all later corrections, too."""
    assert correction.predictions is not None
    correction.predictions._find(findings)
    return correction._found(findings)


def of_one_winner(
    estimates: Mapping[str, PerformanceEstimate], decides: str
) -> PerformanceEstimate:
    """The estimate by the metric that decides, with the others."""
    others = {name: each for name, each in estimates.items() if name != decides}
    return replace(estimates[decides], secondary=others)


def check_options(owner: Any) -> None:
    """Validate the parameters of a protocol that are options of `bbc.correct`."""
    given = correction_options(owner)
    options = _validation.options(metric="accuracy", **given)
    _validation.enough_replicates(owner.confidence_level, "two-sided", options.n_bootstraps)


def correction_options(owner: Any) -> dict[str, Any]:
    """Return the parameters of a protocol that `bbc.correct` takes, but those of a run."""
    of_run = ("pooling", "selection", "pos_label", "random_state")
    taken = (name for name in owner.get_params(deep=False) if name in _validation.ARGUMENTS)
    return {name: getattr(owner, name) for name in taken if name not in of_run}


def _left_out(trained: CrossValidation) -> IndexArray:
    return np.setdiff1d(np.arange(len(trained.run.configurations)), trained.working)
