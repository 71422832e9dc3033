"""What every correction does first and last: options checked once, the result made once."""

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

from numpy.typing import ArrayLike

from . import _engine, _notes, _validation, metrics
from . import selection as _selection
from ._frozen import frozen
from ._typing import Alternative
from ._validation import Problem
from .metrics import Metric
from .predictions import OutOfSamplePredictions
from .resampling import Resampling
from .results import ConfidenceInterval, PerformanceEstimate
from .results._model_luck import model_luck
from .selection import Selection

Method = Literal["bbc", "bbc-two-level", "bbc-f"]
IntervalKind = Literal["order-statistics", "calibrated"]
METHODS: tuple[Method, ...] = get_args(Method)
BEST = _selection.BEST
_DEFAULTS: dict[str, Any] = {
    "method": "bbc",
    "pooling": "pooled",
    "selection": "best",
    "n_bootstraps": 1000,
    "interval": "order-statistics",
    "confidence_level": 0.95,
    "alternative": "two-sided",
    "on_undefined": "redraw",
    "random_state": None,
    "stratify_bootstrap": False,
    "dynamic_search": False,
}
_DESIGN: dict[str, Any] = {
    "folds": None,
    "groups": None,
    "sample_weight": None,
    "pos_label": None,
    "labels": None,
    "missing": "raise",
    "names": None,
}


@frozen()
class Options:
    """The arguments of a correction that do not depend on the data, checked."""

    metric: Metric
    method: Method
    pooling: Literal["pooled", "fold"]
    selection: Selection
    n_bootstraps: int
    interval: IntervalKind
    confidence_level: float
    alternative: Alternative
    on_undefined: Literal["redraw", "raise"]
    seed: int
    stratify_bootstrap: bool
    dynamic_search: bool = False

    @classmethod
    def checked(cls, *, metric: Any, selection: Any, random_state: Any, **given: Any) -> "Options":
        """Check each argument; errors name it."""
        for name, allowed in (
            ("method", METHODS),
            ("pooling", ("pooled", "fold")),
            ("interval", get_args(IntervalKind)),
            ("on_undefined", ("redraw", "raise")),
            ("alternative", ("two-sided", "greater", "less")),
        ):
            _validation.choice(given[name], name, allowed)
        if given["interval"] == "calibrated" and given["method"] != "bbc-two-level":
            raise ValueError('interval="calibrated" is one of method="bbc-two-level" only')
        given["n_bootstraps"] = _validation.n_bootstraps(given["n_bootstraps"])
        given["confidence_level"] = _validation.confidence_level(given["confidence_level"])
        rule = _selection.get(selection)
        _validation.flag(given.get("dynamic_search", False), "dynamic_search")
        return cls(
            metric=metrics.get(metric),
            selection=rule,
            seed=_validation.seed(random_state),
            **given,
        )

    @property
    def folds_needed_by(self) -> str:
        """The argument that makes folds necessary, or nothing."""
        if self.method != "bbc":
            return f'method="{self.method}"'
        if self.pooling == "fold":
            return 'pooling="fold"'
        return "selection=one_standard_error(...)" if self.selection.needs_folds else ""

    @property
    def needs(self) -> dict[str, Any]:
        """What the data must have, as `problem` takes it."""
        return {
            "folds_needed_by": self.folds_needed_by,
            "every_fold_scored": self.method == "bbc-f",
            "stratify": self.stratify_bootstrap,
        }

    def plan(self, problem: Problem, resamples: ArrayLike | None) -> _engine.Plan:
        """What the engine draws on this problem, enough of it for the interval."""
        plan = self.draws(problem, resamples)
        _validation.enough_replicates(
            self.confidence_level, self.alternative, plan.resampling.n_bootstraps
        )
        return plan

    def draws(
        self, problem: Problem, resamples: ArrayLike | None, *, out_of_bag: bool = True
    ) -> _engine.Plan:
        """What the engine draws on this problem; something out of bag, if that is needed."""
        unit, n_units = self._unit(problem)
        two_level = self.method == "bbc-two-level"
        drawn = None
        if resamples is not None:
            if two_level:
                raise ValueError(
                    'resamples are one draw of units per replicate, but method="bbc-two-level" '
                    "draws folds, and units within them"
                )
            drawn = _validation.resamples(resamples, n_units, unit, out_of_bag=out_of_bag)
        resampling = Resampling(
            unit=unit,
            n_bootstraps=self.n_bootstraps,
            seed=self.seed,
            stratified=self.stratify_bootstrap,
            on_undefined=self.on_undefined,
            resamples=drawn,
        )
        self.selection.check(problem.n_configurations_given)
        of_rows = unit != "fold"
        return _engine.Plan(
            resampling,
            units=problem.groups if of_rows else None,
            strata=problem.strata,
            folds=problem.parts(self.pooling) if of_rows else None,
            drawn_folds=problem.folds if two_level else None,
            row_weights=problem.sample_weight if of_rows else None,
            confidence_level=self.confidence_level,
            alternative=self.alternative,
            selection=self.selection.of_kept(problem.kept_configurations),
            selection_folds=problem.folds if self.selection.needs_folds else None,
        )

    def _unit(self, problem: Problem) -> tuple[Literal["row", "group", "fold"], int]:
        """What a replicate draws, and how many there are."""
        if self.method == "bbc-f":
            assert problem.folds is not None
            return "fold", int(problem.folds.max()) + 1
        if problem.groups is not None:
            return "group", int(problem.groups.max()) + 1
        return "row", problem.n_rows


def arguments(
    given: Mapping[str, Any], function: str
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """Arguments of `correct` that were passed on: options, design of the data, resamples."""
    unknown = set(given) - set(_DEFAULTS) - set(_DESIGN) - {"resamples"}
    if unknown:
        raise TypeError(f"{function} takes no argument {sorted(unknown)[0]!r}")
    filled = {**_DEFAULTS, **_DESIGN, **given}
    options = {name: filled[name] for name in _DEFAULTS}
    design = {name: filled[name] for name in _DESIGN}
    return options, design, given.get("resamples")


def run(
    problem: Problem, options: Options, plan: _engine.Plan, *, n_threads: int
) -> dict[str, Any]:
    """The kernel's correction."""
    if options.method != "bbc-f":
        return _engine.correct(problem, options.metric, plan, n_threads=n_threads)
    scores = _engine.fold_scores(problem, options.metric, n_threads=n_threads)
    return _engine.correct_fold_scores(scores, options.metric, plan, n_threads=n_threads)


def problem(y_true: Any, predictions: Any, metric: Metric, *, names: Any, **design: Any) -> Problem:
    """The canonical problem; an OutOfSamplePredictions brings its own folds, groups and names."""
    mask = None
    if isinstance(predictions, OutOfSamplePredictions):
        own = predictions
        for name in ("folds", "groups", "sample_weight"):
            design[name] = getattr(own, name) if design[name] is None else design[name]
        if metric.target in ("binary", "classes"):
            design["labels"] = own.classes if design["labels"] is None else design["labels"]
            if design["labels"] is None or len(design["labels"]) == 2:
                design["pos_label"] = _positive(own, metric, design["pos_label"])
        names = own.names if names is None else names
        mask = None if own.is_complete else own.mask
        wanted = own.labels if metric.predicts == "labels" else own.scores
        predictions = list(own.values if wanted is None else wanted)
    return _validation.problem(
        y_true,
        predictions,
        metric,
        names=names,
        mask=mask,
        **design,
    )


def _positive(own: OutOfSamplePredictions, metric: Metric, pos_label: Any) -> Any:
    """The positive class: by default that of the predictions, whose scores are no other's."""
    if pos_label is None or own.pos_label is None or pos_label == own.pos_label:
        return own.pos_label if pos_label is None else pos_label
    read = own.labels if metric.predicts == "labels" else own.scores
    if read is own.scores and read is not None and read.ndim == 3:
        raise ValueError(
            f"pos_label={pos_label!r}, but predictions are scores of class {own.pos_label!s}"
        )
    return pos_label


def estimate(
    raw: dict[str, Any],
    problem: Problem,
    options: Options,
    plan: _engine.Plan,
    *,
    given: Any = None,
    of_winner: tuple[str, ...] | None = None,
    known: Collection[str] = (),
) -> PerformanceEstimate:
    """The kernel's numbers as a result, in the caller's numbering of configurations.

    `given` are the predictions as the caller gave them, `of_winner` the notes about the winner
    where its predictions are gone, and `known` the notes that there was a warning of before.
    """
    metric = options.metric
    kept, winners = problem.kept_configurations, raw["replicate_winners"]
    pooling = "fold" if options.method == "bbc-f" else options.pooling
    limits = metric.limits(problem.truth.n_classes)
    calibrated = options.interval == "calibrated"
    if calibrated:
        raw = raw | _engine.calibrated(raw, plan, limits)
    between = interval(raw, plan, limits, calibrated=calibrated)
    luck = model_luck(raw.get("model_luck"))
    notes = (
        *_notes.of_origin(given, metric, pooling, dynamic_search=options.dynamic_search),
        *_notes.of_draws(raw, metric, plan),
        *(_notes.of_luck(luck, raw["estimate"], between) if options.method == "bbc" else ()),
        *_notes.of_data(problem, metric),
        *(_notes.of_winner(problem, metric, raw["winner"]) if of_winner is None else of_winner),
    )
    _notes.warn(notes, known=known)
    return PerformanceEstimate(
        estimate=raw["estimate"],
        metric=metric.name,
        method=options.method,
        greater_is_better=metric.greater_is_better,
        n_rows=problem.n_rows_given,
        n_configurations=problem.n_configurations_given,
        winner=raw["winner"] if kept is None else int(kept[raw["winner"]]),
        apparent=raw["apparent"],
        confidence_interval=between,
        infeasible=raw["infeasible"] or None,
        replicate_sd=raw["replicate_sd"],
        replicates=raw["replicates"],
        replicate_winners=winners if kept is None else kept[winners],
        n_redrawn=raw["n_redrawn"],
        pooling=pooling,
        unit=plan.resampling.unit,
        n_folds=0 if problem.folds is None else int(problem.folds[0].max()) + 1,
        n_repeats=problem.n_repeats,
        seed=plan.resampling.seed,
        version=_engine.kernel_version(),
        names=problem.names,
        pos_label=problem.truth.pos_label if metric.target == "binary" else None,
        left_out_rows=problem.left_out_rows,
        left_out_configurations=problem.left_out_configurations,
        undefined_fold_share=raw["undefined_fold_share"]
        if plan.folds is not None and pooling == "fold"
        else None,
        model_luck=luck,
        notes=notes,
    )


def interval(
    raw: dict[str, Any],
    plan: _engine.Plan,
    limits: tuple[float, float],
    *,
    calibrated: bool = False,
) -> ConfidenceInterval | None:
    """The kernel's interval, if there is one; its open end is a limit of the metric."""
    if raw["infeasible"]:
        return None
    return ConfidenceInterval(
        low=limits[0] if plan.alternative == "less" else raw["low"],
        high=limits[1] if plan.alternative == "greater" else raw["high"],
        confidence_level=plan.confidence_level,
        alternative=plan.alternative,
        calibrated=calibrated,
    )


def notes(
    predictions: OutOfSamplePredictions,
    metric: Metric,
    *,
    pooling: str,
    winner: int,
    pos_label: Any,
    known: Collection[str],
) -> tuple[str, ...]:
    """What results without a correction say of the predictions; warns unless it is `known`."""
    of_classes = metric.target in ("binary", "classes")
    design = dict(_DESIGN) | {"pos_label": pos_label if of_classes else None}
    own = problem(predictions.y, predictions, metric, **design)
    found = (
        *_notes.of_origin(predictions, metric, pooling),
        *_notes.of_data(own, metric),
        *_notes.of_winner(own, metric, winner),
    )
    _notes.warn(found, known=known)
    return found


def automatic_pooling(
    predictions: OutOfSamplePredictions, metric: Metric, pos_label: Any = None
) -> Literal["pooled", "fold"]:
    """By fold if pooling would rank decision values of several folds' models together.

    A fold that lacks a class has no score: then they are pooled all the same.
    """
    if predictions.folds is None or not _notes.mixes_decision_values(predictions, metric):
        return "pooled"
    scored = _validation.scored_in_every_fold(
        predictions.y, predictions.folds, metric, pos_label=pos_label, labels=predictions.classes
    )
    return "fold" if scored else "pooled"
