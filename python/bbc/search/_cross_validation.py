"""Every configuration cross-validated: predictions, their scores, and what is estimated by them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.stats import rankdata

from .. import _engine, _validation
from .._design import Design
from .._frozen import read_only
from .._store import FitKey
from .._training._check import Predicted
from .._training._collected import Collected
from .._training._configurations import parameter_columns
from .._training._fit import Split, warn_of_failures
from .._training._scoring import reads, select
from .._typing import BoolArray, FloatArray, IndexArray
from .._validation import PLAIN, Needs, Problem
from ..correction import Correction, correct_predictions
from ..errors import UndefinedMetricError
from ..findings import Finding
from ..metrics import Metric
from ..predictions import BY_ROW, OUTPUTS, OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..results._correction import automatic_pooling, facts_of, uncorrected_findings
from ..selection import Selection
from ..selection import get as get_selection
from ..sources import Predictions, Source
from ._run import OF_PREDICTIONS, Run

Pooling: TypeAlias = Literal["pooled", "fold"]


class CrossValidation:
    """The fits of a run and their scores; data are validated once for each metric.

    `working` are the remaining configurations: not dropped, and without a failed fit. `poolings`
    say for each metric whether it is computed on all rows together or as the mean over folds.
    `inner` are the inner loops of nested cross-validation.
    """

    def __init__(
        self, run: Run, fits: Collected | None = None, inner: "CrossValidation | None" = None
    ) -> None:
        self.run = run
        self.fits = run.collector() if fits is None else fits
        self.inner = inner
        self.working: IndexArray = np.arange(len(run.configurations))
        self.poolings: dict[str, Pooling] = {}
        self._predictions: dict[str, OutOfSamplePredictions] = {}
        self._problems: dict[str, Problem] = {}
        self._scores: dict[str, tuple[FloatArray, int]] = {}

    @property
    def loops(self) -> "list[CrossValidation]":
        """The inner loops, if there are any, and this one."""
        return [self] if self.inner is None else [self.inner, self]

    def train(self, splits: Sequence[Split], part: str = "cv") -> None:
        """Train the remaining configurations in some of the folds."""
        self._forget()
        for key, fit in self.run.train(part, splits, self.working.tolist()):
            self.fits.add(key, fit)
            predicted = self.run.trainer.predicted.pop(key, None)
            if predicted is not None:  # of a model that is sampled
                self.check(key, predicted, f"repeat {key.repeat}, fold {key.fold}")

    def check(self, key: FitKey, predicted: Predicted, where: str) -> None:
        """Compare the scores of a model of a fold with those of scikit-learn's scorers."""
        run = self.run
        rows = self.fits.partitions[key.repeat].folds[key.fold].test
        method = self.fits.response[key.configuration]

        def read(name: str) -> str:
            metric = run.scoring.metrics[name]
            decisions = run.responses.decisions and metric.reads_decisions(
                by_fold=self._by_fold(name)
            )
            return "decision_function" if decisions and predicted.has_decisions else method

        chosen, repeats = np.array([key.configuration]), np.array([key.repeat])

        def score(name: str) -> float:
            metric = run.scoring.metrics[name]
            # Without folds and groups: one of each may be all there is.
            made = self.fits.predictions(
                run.y,
                chosen,
                run.names,
                reads(metric, run.classifier),
                sample_weight=run.sample_weight,
                with_folds=False,
            )
            made = part_of(made, repeats, rows)
            try:
                problem = self._problem(name, made)
                return float(_engine.score(problem, metric, folds=None, n_threads=1)[0][0])
            except UndefinedMetricError:
                return np.nan

        run.checks.compare(
            f"configuration {run.names[key.configuration]!r}, {where}",
            predicted,
            read,
            run.y[rows],
            None if run.sample_weight is None else run.sample_weight[rows],
            score,
        )

    def keep(self, chosen: IndexArray) -> None:
        """Restrict the remaining configurations to the chosen ones."""
        if len(chosen) < len(self.working):
            self.working = chosen
            self._forget()

    def _forget(self) -> None:
        """Forget what was computed of other fits or configurations."""
        self._predictions, self._problems, self._scores = {}, {}, {}

    def leave_out_failures(self) -> None:
        """Warn of configurations with a failed fit, and continue without them."""
        loops = self.loops
        failures: dict[int, list[str]] = {}
        for loop in loops:
            for index, reasons in loop.fits.failures.items():
                failures.setdefault(index, []).extend(reasons)
        warn_of_failures(failures, self.run.configurations)
        for loop in loops:
            loop.keep(np.setdiff1d(loop.working, list(failures)))

    def choose_poolings(self, pooling: str) -> None:
        """Set how each metric is pooled; "auto" depends on the predictions."""
        for name, metric in self.run.scoring.metrics.items():
            if pooling != "auto":
                self.poolings[name] = "fold" if pooling == "fold" else "pooled"
                continue
            predictions = self.predictions(name)
            decisions = self.run.responses.decisions and metric.reads_decisions(by_fold=False)
            if decisions and predictions.decisions is not None:
                predictions = replace(
                    predictions,
                    scores=predictions.decisions,
                    decisions=None,
                    response=("decision_function",) * predictions.n_configurations,
                )
            self.poolings[name] = automatic_pooling(predictions, metric, self.run.pos_label)

    def predictions(
        self, name: str | None = None, chosen: IndexArray | None = None
    ) -> OutOfSamplePredictions:
        """Return the predictions of some configurations, read by one of the metrics."""
        run = self.run
        kind = reads(run.scoring.metrics[name or run.scoring.decides], run.classifier)
        if chosen is None and kind in self._predictions:
            return self._predictions[kind]
        made = self.fits.predictions(
            run.y,
            self.working if chosen is None else chosen,
            run.names,
            kind,
            design=self._design(),
            **{name: getattr(run, name) for name in OF_PREDICTIONS},
        )
        if chosen is None:
            self._predictions[kind] = made
        return made

    def numbered_predictions(self) -> OutOfSamplePredictions:
        """Return the predictions that know their places among all configurations."""
        made = self.predictions()
        if len(self.working) == len(self.run.configurations):
            return made
        return replace(made, tried=tuple(self.run.names), places=self.working)

    def _design(self) -> Design:
        """The design: folds, and configurations that were left out on the way."""
        failed = {index for loop in self.loops for index in loop.fits.failures}
        gone = np.setdiff1d(np.arange(len(self.run.configurations)), [*self.working, *failed])
        return Design(
            training="observed",
            n_failed=len(failed),
            dropped_after=tuple(self.fits.predicted[:, gone].sum(axis=0).tolist()),
            **self.run.splitter,
        )

    def predictions_so_far(self) -> OutOfSamplePredictions:
        """Return the predictions of the repeats and rows predicted so far."""
        predictions = self.predictions()
        mask: BoolArray = np.any(predictions.mask, axis=2)
        repeats, rows = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        return part_of(predictions, repeats, rows)

    def problem(self, name: str, needs: Needs = PLAIN) -> Problem:
        """Return the validated data of a metric for the remaining configurations."""
        if needs != PLAIN or name not in self._problems:
            self._problems[name] = self._problem(name, self.predictions(name), needs)
        return self._problems[name]

    def scores(self, name: str) -> tuple[FloatArray, int]:
        """Return the scores of the remaining configurations, and the index of the best."""
        if name not in self._scores:
            metric, problem = self.run.scoring.metrics[name], self.problem(name)
            parts = problem.parts(self.poolings[name])
            scores, best = _engine.score(problem, metric, folds=parts, n_threads=1)
            if best < 0:
                raise UndefinedMetricError(
                    "metric", f"{metric.name!r} is undefined on these predictions"
                )
            self._scores[name] = scores, best
        return self._scores[name]

    def scores_by_fold(self, name: str, chosen: IndexArray | None = None) -> FloatArray:
        """Return scores of shape (n_splits, n_configurations) of some configurations, or of all.

        NaN where a configuration did not predict the fold, or the metric is undefined on its rows.
        """
        if chosen is None:
            chosen = np.arange(len(self.run.configurations))
        scores = np.full((self.fits.n_splits, len(chosen)), np.nan)
        # Configurations that predicted the same folds are scored together.
        patterns, member_of = np.unique(self.fits.predicted[:, chosen], axis=1, return_inverse=True)
        for number, predicted in enumerate(patterns.T):
            members = np.flatnonzero(member_of.reshape(-1) == number)
            if predicted.any():
                scores[:, members] = self._fold_scores(name, chosen[members])
        return scores

    def _fold_scores(self, name: str, chosen: IndexArray) -> FloatArray:
        """Fold scores of configurations that predicted the same folds."""
        scores = np.full((self.fits.n_splits, len(chosen)), np.nan)
        repeats = self.fits.repeats_of(int(chosen[0]))
        try:
            problem = self._problem_of_repeats(name, chosen, repeats)
        except UndefinedMetricError:
            return scores
        table = _engine.fold_scores(
            problem, self.run.scoring.metrics[name], every_fold=False, n_threads=1
        )
        assert problem.fold_labels is not None
        for repeat, fold_ids, values in zip(repeats, problem.fold_labels, table, strict=True):
            scores[self.fits.first_split[repeat] + fold_ids] = values[: len(fold_ids)]
        return scores

    def row_scores(self, name: str) -> FloatArray:
        """Return the score of each row alone, of the repeats and rows predicted so far.

        The shape is (n_repeats, n_rows, n_configurations); scores of rows that a repeat did not
        predict are arbitrary.
        """
        repeats = self.fits.repeats_of(int(self.working[0]))
        problem = self._problem_of_repeats(name, self.working, repeats)
        return _engine.row_scores(problem, self.run.scoring.metrics[name], n_threads=1)

    def _problem_of_repeats(self, name: str, chosen: IndexArray, repeats: IndexArray) -> Problem:
        """The data of configurations that predicted the same folds, of some repeats."""
        if np.array_equal(chosen, self.working) and len(repeats) == len(self.fits.partitions):
            return self.problem(name)
        rows = np.arange(self.run.n_rows)
        return self._problem(name, part_of(self.predictions(name, chosen), repeats, rows))

    def _problem(
        self, name: str, predictions: OutOfSamplePredictions, needs: Needs = PLAIN
    ) -> Problem:
        metric = self.run.scoring.metrics[name]
        pos_label = self.run.pos_label_of(metric)
        needs = needs._replace(by_fold=needs.by_fold or self._by_fold(name))
        return _validation.problem(
            _validation.Data(predictions.y, predictions, pos_label=pos_label), metric, needs
        )

    def _by_fold(self, name: str) -> bool:
        """True if a metric's scores are compared within folds only."""
        return self.poolings.get(name, self.run.pooling) == "fold"


def part_of(
    predictions: OutOfSamplePredictions, repeats: IndexArray, rows: IndexArray
) -> OutOfSamplePredictions:
    """Return the predictions of some repeats and rows."""

    places: dict[str, Any] = dict.fromkeys(BY_ROW, rows)
    places |= dict.fromkeys((*OUTPUTS, "folds", "mask"), np.ix_(repeats, rows))
    given = {name: getattr(predictions, name) for name in places}
    parts: dict[str, Any] = {
        name: read_only(values[places[name]])
        for name, values in given.items()
        if values is not None
    }
    return replace(predictions, **parts)


def cv_results(trained: CrossValidation, error_score: Any) -> dict[str, Any]:
    """Return times, parameters, and every metric by fold, counted through all repeats.

    Ranks are those of the selection scores: of all rows together, if metrics are pooled.
    """
    run, fits = trained.run, trained.fits
    results: dict[str, Any] = {}
    results |= _summary("fit_time", fits.fit_times)
    results |= _summary("score_time", fits.score_times)
    results |= parameter_columns(run.configurations)
    results["params"] = [dict(each.params) for each in run.configurations]
    if run.configurations[0].estimator_name:
        names = [each.estimator_name for each in run.configurations]
        results["estimator"] = np.array(names, dtype=object)
    # A fit that took time but gave no prediction.
    failed = ~fits.predicted & ~np.isnan(fits.fit_times)
    for name, metric in run.scoring.metrics.items():
        scores = trained.scores_by_fold(name)
        if error_score != "raise":
            scores[failed] = error_score
        label = run.scoring.label(name)
        for split in range(fits.n_splits):
            results[f"split{split}_test_{label}"] = scores[split]
        results |= _summary(f"test_{label}", scores)
        selection = np.full(len(run.configurations), np.nan)
        with suppress(UndefinedMetricError):
            selection[trained.working] = trained.scores(name)[0]
        if trained.poolings[name] == "pooled":
            results[f"pooled_test_{label}"] = selection
        results[f"rank_test_{label}"] = _ranks(
            selection if metric.greater_is_better else -selection
        )
    return results


def _summary(name: str, by_split: FloatArray) -> dict[str, FloatArray]:
    """Mean and standard deviation over the splits, as scikit-learn computes them."""
    columns = np.ascontiguousarray(by_split.T)
    means = np.average(columns, axis=1)
    deviations = np.sqrt(np.average((columns - means[:, None]) ** 2, axis=1))
    return {f"mean_{name}": means, f"std_{name}": deviations}


def _ranks(scores: FloatArray) -> Any:
    """1 for the best; configurations without a score come last."""
    if np.isnan(scores).all():
        return np.ones(len(scores), dtype=np.int32)
    filled = np.where(np.isnan(scores), np.nanmin(scores) - 1, scores)
    return rankdata(-filled, method="min").astype(np.int32)


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
        _validation.options(
            metric=trained.run.scoring.metrics[name], pooling=trained.poolings[name]
        ),
        winner=best,
        known=[found for estimate in before.values() for found in estimate.data_findings],
    )
    return found | {"design": replace(found["design"], selection=str(rule))}


def plain_estimate(trained: CrossValidation, name: str, **facts: Any) -> PerformanceEstimate:
    """Return an estimate without an interval."""
    run = trained.run
    metric, decides = run.scoring.metrics[name], run.scoring.metric
    return PerformanceEstimate(
        **facts_of(trained.problem(name).among(tuple(run.names), trained.working), metric),
        decided_by="" if metric is decides else decides.name,
        pooling=trained.poolings[name],
        n_folds=len(run.partitions[0].folds),
        **facts,
    )


@dataclass(frozen=True)
class Poolings:
    """How metrics are pooled: those of the run as it chose, others by the same rule."""

    pooling: str
    pos_label: Any = None
    of_run: Mapping[Metric, Any] = field(default_factory=dict)

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
        Poolings(run.pooling, run.pos_label, poolings),
        secondary=run.scoring.secondary,
        learners=tuple(each.estimator_name for each in run.configurations),
        no_blocks=run.no_blocks,
    )
    given = Predictions._of(predictions, source)
    found: Correction = correct_predictions(given, decides, options={})
    return found


def finding(correction: Correction, findings: Mapping[str, tuple[Finding, ...]]) -> Correction:
    """Add findings by name of a secondary metric, and to all later corrections, too."""
    if not findings:
        return correction
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
