"""One correction, and every statistic of its winner."""

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._typing import AnyArray, FloatArray
from .._winners import Winners, secondary_metrics
from ..errors import (
    Argument,
    InvalidTypeError,
    InvalidValueError,
    UndefinedMetricError,
)
from ..results import (
    Calibration,
    ClinicalPerformance,
    ConfidenceInterval,
    Curve,
    DecisionCurve,
    Per1000,
    PerformanceCurve,
    Quantity,
    SurvivalCalibration,
    SurvivalPerformance,
)
from ..results._clinical import in_1000_rows
from ..results._survival import groups_by_risk

_GRID_POINTS = 51
_RATES = np.linspace(0, 1, 101)
#: Metrics of a clinical paper, beside the one that selects.
SECONDARY = ("roc_auc", "average_precision", "brier_score")
#: Quantities of a calibration: its field, which the kernel calls likewise, its title and its ideal.
_QUANTITIES = (
    ("intercept", "calibration in the large", 0.0),
    ("slope", "calibration slope", 1.0),
    ("slope_intercept", "intercept beside the slope", 0.0),
    ("observed_expected", "observed / expected", 1.0),
    ("brier_score", "Brier score", None),
    ("reliability", "reliability", 0.0),
    ("resolution", "resolution", None),
    ("uncertainty", "uncertainty", None),
    ("within_bins", "within bins", None),
    ("calibration_error", "calibration error", 0.0),
)
#: Right and wrong calls: field, title, whether the row is an event, and whether it is called so.
_CALLS = (
    ("found", "found", (True, True)),
    ("missed", "missed", (True, False)),
    ("false_alarms", "false alarms", (False, True)),
    ("left_alone", "rightly left alone", (False, False)),
)
#: Those of survival at a time.
_QUANTITIES_OF_RISKS = _QUANTITIES[:4]


class WinnerPerformance:
    """One correction, from which calibration, net benefit and curves of the winner are read.

    Parameters
    ----------
    winners : Winners
        The correction by the selection metric.
    of_class : optional
        The class of several that is set against all others.

    Attributes
    ----------
    performance : PerformanceEstimate
        The correction by the selection metric.
    """

    def __init__(self, winners: Winners, of_class: Any = None) -> None:
        self._winners = winners
        self._code = None if of_class is None else _code_of(of_class, winners)
        self._event = 1 if self._code is None else self._code
        self._of_class = None if of_class is None else str(of_class)
        self.performance = winners.estimate

    def calibration(self, *, n_bins: int = 10) -> Calibration:
        """As `Correction.calibration`."""
        n_bins = _validation.integer(n_bins, "n_bins", lowest=1)
        scored = self._risks
        predicted, codes = self._winners.winners_predictions(scored)
        grid = np.unique(np.linspace(predicted.min(), predicted.max(), _GRID_POINTS))
        statistic = _engine.kernel.Statistic.calibration(n_bins, grid)
        scalars = list(_engine.kernel.Statistic.calibration_scalars())
        return Calibration(
            **self._calibrated(scored, grid, statistic, scalars, _QUANTITIES),
            event_counts=np.histogram(predicted[codes == 1], bins=50, range=(0, 1))[0],
            other_counts=np.histogram(predicted[codes == 0], bins=50, range=(0, 1))[0],
            n_bins=n_bins,
            of_class=self._of_class,
        )

    def survival_calibration(self, reads: metrics.Metric, *, n_groups: int) -> SurvivalCalibration:
        """As `Correction.survival_calibration`, of the risks that a survival Brier score reads."""
        (time,) = reads.times
        decides = self._winners.options.metric
        if decides.predicts != "survival" and "survival" not in self._winners.outputs:
            raise InvalidValueError(
                "predictions",
                f"are one array, which metric {decides.name!r} reads: calibration reads survival",
                hint="protocols keep it for a metric that reads it, such as "
                "bbc.metrics.survival_brier_score(time); of arrays a dict holds both, "
                '{"scores": risks, "survival": array}, beside times=[...]',
            )
        given = self._winners.reading(replace(reads, name="calibration"))
        problem = given.problem
        outcomes = _engine.pseudo_risks(problem, time, n_threads=self._winners.n_threads)
        # Numbers to be predicted, which the kernel takes as those of any regression.
        scored = _engine.ScoredProblem(
            problem._replace(
                truth=_validation.Truth("real", outcomes, real=outcomes),
                predictions=tuple(1 - survival for survival in problem.predictions),
            ),
            given.options._replace(metric=metrics.get("mean_squared_error")),
        )
        risks = self._winners.winners_predictions(scored)[0]
        grid = np.unique(np.linspace(risks.min(), risks.max(), _GRID_POINTS))
        statistic = _engine.kernel.Statistic.survival_calibration(grid)
        scalars = list(_engine.kernel.Statistic.survival_calibration_scalars())
        of_row = self._winners.winners_means(scored)
        groups = groups_by_risk(of_row, n_groups)
        return SurvivalCalibration(
            **self._calibrated(scored, grid, statistic, scalars, _QUANTITIES_OF_RISKS),
            time=time,
            group_risks=np.array([of_row[rows].mean() for rows in groups]),
            group_observed=np.array(
                [_engine.observed_risk(problem, time, rows) for rows in groups]
            ),
            group_counts=np.array([len(rows) for rows in groups]),
        )

    def _calibrated(
        self,
        scored: _engine.ScoredProblem,
        grid: FloatArray,
        statistic: Any,
        scalars: list[str],
        quantities: Sequence[tuple[str, str, float | None]],
    ) -> dict[str, Any]:
        """What calibrations of events and of survival have in common.

        The curve is drawn where most replicates define it.
        """
        apparent, replicates, _, ranges = self._winners.statistics(statistic, scored)
        found: dict[str, Any] = {"performance": self.performance}
        for field, title, ideal in quantities:
            own = scalars.index(field)
            # The likelihood's estimate is apparent, the reduced one that of replicates.
            i = scalars.index(f"reduced_{field}") if f"reduced_{field}" in scalars else own
            found[field] = self._quantity(
                title, float(apparent[own]), replicates[:, i], ranges[i : i + 1], ideal
            )
        n = len(scalars)
        curve, curves, ends = apparent[n:], replicates[:, n:], ranges[n:]
        drawn = (2 * np.isnan(curves).sum(axis=0) <= len(curves)) & ~np.isnan(curve)
        return found | {
            "curve": self._curve(grid[drawn], curve[drawn], curves[:, drawn], ends[drawn]),
            "share_certain": float(apparent[scalars.index("share_certain")]),
            "shares_left_out": self._shares_left_out,
        }

    def decision_curve(self, *, thresholds: ArrayLike | None = None) -> DecisionCurve:
        """As `Correction.decision_curve`."""
        at = _thresholds(thresholds)
        statistic = _engine.kernel.Statistic.net_benefit(at)
        apparent, replicates, rates, ranges = self._winners.statistics(statistic, self._risks)
        n = len(at)
        curves = []
        for first in range(0, 4 * n, n):
            part = slice(first, first + n)
            curves.append(
                self._curve(at, apparent[part], replicates[:, part], ranges[part], rates[part])
            )
        net_benefit, treat_all, over_treat_all, standardized = curves
        return DecisionCurve(
            performance=self.performance,
            net_benefit=net_benefit,
            treat_all=treat_all,
            over_treat_all=over_treat_all,
            standardized=standardized,
            of_class=self._of_class,
            shares_left_out=self._shares_left_out,
        )

    def per_1000(self, *, threshold: float | None = None) -> Per1000:
        """As `Correction.per_1000`."""
        at, calls, raw = self._calls(threshold)
        counts = {field: self._count(title, calls, raw, of) for field, title, of in _CALLS}
        return Per1000(
            performance=self.performance,
            **counts,
            prevalence=_prevalence(calls.problem),
            threshold=at,
            of_class=self._of_class,
            shares_left_out=self._shares_left_out,
        )

    def _calls(
        self, threshold: float | None
    ) -> tuple[float | None, _engine.ScoredProblem, dict[str, Any]]:
        """The cut-off, which rows each winner calls events by it, and who won.

        Net benefit calls the rows at a cut-off events as well; one that was chosen does not.
        """
        winners, raw = self._winners, self._winners.raw
        chosen = winners.options.selection.derives
        of_labels = chosen or winners.options.metric.predicts == "labels"
        if threshold is None and of_labels:
            scored = self._labels
            if chosen:
                scored, raw = _engine.at_cut_offs(scored, raw)
            event = _engine.label_values(scored.problem)[self._event]
            scored = self._of_two(scored, [array == event for array in scored.problem.predictions])
            return (raw["threshold"] if chosen else None), scored, raw
        at = 0.5 if threshold is None else _cut_off(threshold)
        if of_labels and not chosen and "scores" not in winners.outputs:
            given = Argument("threshold", threshold)
            raise InvalidValueError(given, "is for probabilities; these predictions are labels")
        problem = self._risks.problem
        called = tuple(array >= at for array in problem.predictions)
        return at, self._risks._replace(problem=problem._replace(predictions=called)), raw

    def _count(
        self, title: str, calls: _engine.ScoredProblem, raw: dict[str, Any], of: tuple[bool, bool]
    ) -> Quantity:
        """How many of 1000 rows are events or not, and called so or not.

        If all rows were events, and those certain that are such, it would be the net benefit at
        even odds.
        """
        problem = calls.problem
        event, called = of
        codes = problem.truth.codes
        assert codes is not None
        rows = (codes == 1) == event
        such = problem._replace(
            truth=problem.truth._replace(codes=np.ones_like(codes)),
            predictions=tuple(
                np.asfortranarray((array == called) & rows[:, None], dtype=np.float64)
                for array in problem.predictions
            ),
        )
        statistic = _engine.kernel.Statistic.net_benefit(np.array([0.5]))
        apparent, replicates, rates, _ = self._winners.statistics(
            statistic, calls._replace(problem=such), raw
        )
        hits = rates[0][: len(rates[0]) // 2]  # without the false alarms, which cannot be
        share = self._quantity(
            title, float(apparent[0]), replicates[:, 0], np.array([[0.0, 1.0]]), rates=[hits]
        )
        return in_1000_rows(share)

    def roc_curve(self) -> PerformanceCurve:
        """As `Correction.roc_curve`."""
        statistic = _engine.kernel.Statistic.roc(_RATES, np.empty(0), [], [])
        return self._performance_curve("roc", _RATES, statistic)

    def precision_recall_curve(self) -> PerformanceCurve:
        """As `Correction.precision_recall_curve`."""
        recalls = _RATES[1:]
        statistic = _engine.kernel.Statistic.precision_recall(recalls)
        return self._performance_curve("precision-recall", recalls, statistic)

    def clinical_performance(
        self,
        *,
        secondary: Sequence[Any] | Mapping[str, Any] = SECONDARY,
        n_bins: int = 10,
        thresholds: ArrayLike | None = None,
        threshold: float | None = None,
    ) -> ClinicalPerformance:
        """As `Correction.clinical`."""
        others = secondary_metrics(secondary, self._winners.options.metric)
        codes = self._scores.problem.truth.codes
        return ClinicalPerformance(
            performances=(
                self.performance,
                *map(self._winners.score, others.values()),
            ),
            calibration=self.calibration(n_bins=n_bins),
            decision_curve=self.decision_curve(thresholds=thresholds),
            roc_curve=self.roc_curve(),
            precision_recall_curve=self.precision_recall_curve(),
            n_events=int(np.count_nonzero(codes == 1)),
            per_1000=self.per_1000(threshold=0.5 if threshold is None else threshold),
        )

    def survival_performance(
        self,
        *,
        times: Sequence[float],
        secondary: Sequence[Any] | Mapping[str, Any] | None,
        n_groups: int,
    ) -> SurvivalPerformance:
        """As `Correction.clinical`."""
        given: Any = self._of_times(times) if secondary is None else secondary
        others = secondary_metrics(given, self._winners.options.metric)
        calibrations = tuple(
            self.survival_calibration(metrics.survival_brier_score(time), n_groups=n_groups)
            for time in times
        )
        event = self._winners.problem(self._winners.options.metric).truth.event
        assert event is not None  # or survival_calibration has refused it
        return SurvivalPerformance(
            performances=(self.performance, *map(self._winners.score, others.values())),
            calibrations=calibrations,
            n_events=int(np.count_nonzero(event)),
        )

    def _of_times(self, times: Sequence[float]) -> list[metrics.Metric]:
        """What is reported of survival up to the last time, of what the predictions hold."""
        found = [metrics.survival_brier_score(time) for time in times]
        if len(times) > 1:
            found = [metrics.integrated_brier_score(times), *found]
        decides = self._winners.options.metric
        if "scores" in self._winners.outputs or decides.predicts != "survival":
            aucs = [metrics.cumulative_dynamic_auc(time) for time in times]
            found = [metrics.uno_concordance(tau=times[-1]), *aucs, *found]
        return found

    def _performance_curve(
        self, kind: Literal["roc", "precision-recall"], x: FloatArray, statistic: Any
    ) -> PerformanceCurve:
        scored = self._scores
        apparent, replicates, rates, ranges = self._winners.statistics(statistic, scored)
        return PerformanceCurve(
            performance=self.performance,
            curve=self._curve(x, apparent, replicates, ranges, rates),
            kind=kind,
            prevalence=_prevalence(scored.problem),
            reader=partial(self._read_roc, self._winners.detached_reader(scored)),
            of_class=self._of_class,
            shares_left_out=kind != "roc" and self._shares_left_out,
        )

    def _read_roc(
        self,
        statistics: Callable[[Any], _engine.StatisticOfWinner],
        name: str,
        *,
        at: tuple[str, float] | None = None,
        over: tuple[str, tuple[float, float]] | None = None,
        standardized: bool = False,
    ) -> Quantity:
        """A quantity of the ROC curve at a value, or over a range."""
        rates, sensitivities = np.empty(0), np.empty(0)
        ranges: dict[str, list[tuple[float, float]]] = {"specificity": [], "sensitivity": []}
        if at is not None and at[0] == "specificity":
            rates = np.array([1 - at[1]])
        elif at is not None:
            sensitivities = np.array([at[1]])
        if over is not None:
            ranges[over[0]].append(over[1])
        statistic = _engine.kernel.Statistic.roc(
            rates, sensitivities, ranges["specificity"], ranges["sensitivity"]
        )
        apparent, replicates, terms, ends = statistics(statistic)
        place = 1 if over is not None and standardized else 0
        part = slice(place, place + 1)
        return self._quantity(
            name, float(apparent[place]), replicates[:, place], ends[part], rates=terms[part]
        )

    @cached_property
    def _risks(self) -> _engine.ScoredProblem:
        """The data as calibration and net benefit read them, validated once."""
        return self._read("binomial_deviance", "log_loss", "calibration")

    @cached_property
    def _scores(self) -> _engine.ScoredProblem:
        """The data as curves read them."""
        return self._read("roc_auc", "roc_auc_ovr", "curve")

    @property
    def _labels(self) -> _engine.ScoredProblem:
        """The data as metrics of labels read them."""
        return self._given("recall", "accuracy", "per_1000")

    def _read(self, of_two: str, of_several: str, name: str) -> _engine.ScoredProblem:
        """The data as a metric of two classes reads them: of several, one against all others."""
        given = self._given(of_two, of_several, name)
        if self._code is None:
            return given
        columns = [array[:, :, self._code] for array in given.problem.predictions]
        return self._of_two(given, columns, metrics.get(of_two))

    def _given(self, of_two: str, of_several: str, name: str) -> _engine.ScoredProblem:
        """The data as metrics of two classes, or of several, read them."""
        if self._winners.options.metric.target == "survival":
            raise InvalidValueError(
                "y_true",
                "has times and events, not two classes",
                hint="survival_calibration(time) and clinical(times=[...]) are of survival",
            )
        classes = _classes(self._winners)
        if self._code is None and len(classes) > 2:
            raise InvalidValueError(
                "y_true",
                f"has {len(classes)} classes ({_validation.shown(classes)}), not two",
                hint="of_class= sets one against the others, in calibration and curves",
            )
        metric = metrics.get(of_two if self._code is None else of_several)
        return self._winners.reading(replace(metric, name=name))

    def _of_two(
        self,
        given: _engine.ScoredProblem,
        columns: Sequence[AnyArray],
        metric: metrics.Metric | None = None,
    ) -> _engine.ScoredProblem:
        """Data of one class against the others, whose predictions are these."""
        truth = given.problem.truth
        assert truth.codes is not None
        codes = np.asarray(truth.codes == self._event, dtype=np.int32)
        problem = given.problem._replace(
            truth=truth._replace(
                target="binary",
                codes=codes,
                classes=np.array([0, 1]),
                n_classes=2,
                columns=None,
                integer_labels=None,
            ),
            predictions=tuple(map(np.ascontiguousarray, columns)),
            label_values=None,
        )
        options = given.options if metric is None else given.options._replace(metric=metric)
        return _engine.ScoredProblem(problem, options)

    @property
    def _draws_few_folds(self) -> bool:
        """Whether there are too few replicates for limits of anything but a score: BBC015."""
        options = self._winners.options
        if options.method not in ("bbc-f", "bbc-two-level"):
            return False
        return _engine.too_few_folds(self._winners.problem(options.metric).fewest_folds)

    @property
    def _shares_left_out(self) -> bool:
        """Whether draws keep shares of classes that another sample would have otherwise: BBC035."""
        options = self._winners.options
        sampled = options.keeps_shares() and options.class_counts == "sampled"
        return sampled and self._winners.problem(options.metric).drawn_classes is not None

    def _quantity(
        self,
        name: str,
        apparent: float,
        replicates: FloatArray,
        ranges: FloatArray,
        ideal: float | None = None,
        rates: Sequence[FloatArray] = (),
    ) -> Quantity:
        defined = replicates[~np.isnan(replicates)]
        level = self._winners.options.confidence_level
        enough = round((1 - level) / 2 * len(defined), 9) >= 1  # for limits at the level
        band = None
        if enough and not self._draws_few_folds:
            band = _engine.curve_band(defined[:, None], level, rates, ranges)
        low, high = map(float, ranges[0])
        mean = math.fsum(defined) / len(defined) if len(defined) else math.nan
        return Quantity(
            name=name,
            estimate=min(max(mean, low), high) if len(defined) else None,
            apparent=None if math.isnan(apparent) else apparent,
            confidence_interval=None
            if band is None
            else ConfidenceInterval(float(band["lows"][0]), float(band["highs"][0]), level),
            n_undefined=len(replicates) - len(defined),
            replicates=defined,
            ideal=ideal,
        )

    def _curve(
        self,
        x: FloatArray,
        apparent: FloatArray,
        replicates: FloatArray,
        ranges: FloatArray,
        rates: Sequence[FloatArray] = (),
    ) -> Curve:
        level = self._winners.options.confidence_level
        band: dict[str, Any] = dict(_engine.curve_band(replicates, level, rates, ranges))
        if np.isnan(band["estimates"]).any():
            raise UndefinedMetricError(
                "predictions",
                f": the curve is undefined out of bag in all {len(replicates)} replicates",
            )
        if self._draws_few_folds:
            for limit in ("lows", "highs", "simultaneous_lows", "simultaneous_highs"):
                band[limit] = None
        return Curve(
            x=x,
            apparent=apparent,
            n_bootstraps=len(replicates),
            confidence_level=level,
            **band,
        )


def _prevalence(problem: _validation.Problem) -> float:
    """The share of events."""
    events = np.asarray(problem.truth.codes == 1, dtype=np.float64)
    return float(np.average(events, weights=problem.sample_weight))


def _classes(winners: Winners) -> list[Any]:
    classes = winners.problem(winners.options.metric).truth.classes
    return [] if classes is None else classes.tolist()


def _code_of(of_class: Any, winners: Winners) -> int:
    """The code of the class that is set against the others."""
    classes, given = _classes(winners), Argument("of_class", of_class)
    if len(classes) <= 2:
        raise InvalidValueError(given, "is for more than two classes")
    if of_class not in classes:
        raise InvalidValueError(given, f"is none of the classes ({_validation.shown(classes)})")
    return classes.index(of_class)


def _thresholds(given: ArrayLike | None) -> FloatArray:
    """Threshold probabilities, ascending."""
    if given is None:
        return np.arange(1, 100) / 100
    try:
        values = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        raise InvalidTypeError("thresholds", "must be numbers between 0 and 1") from None
    if values.ndim != 1 or values.size == 0:
        raise InvalidValueError("thresholds", f"must be a list of numbers, got {given!r}")
    for value in values:
        _refuse_no_threshold(value, "thresholds")
    if (np.diff(values) <= 0).any():
        raise InvalidValueError("thresholds", "must ascend")
    return values


def _cut_off(given: Any) -> float:
    """A threshold probability."""
    if isinstance(given, bool) or not isinstance(given, numbers.Real):
        raise InvalidTypeError("threshold", f"must be a number, got {type(given).__name__}")
    value = float(given)
    _refuse_no_threshold(value, "threshold")
    return value


def _refuse_no_threshold(value: float, name: str) -> None:
    if not 0 < value < 1:
        raise InvalidValueError(
            name,
            f"must be between 0 and 1, got {value:g}",
            hint=f"write {value:g} % as {value / 100:g}" if 1 < value < 100 else "",
        )
