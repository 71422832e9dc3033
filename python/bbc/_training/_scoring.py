"""Metrics of a run: the predictions that they require of a model, and scores of these."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier, is_outlier_detector
from sklearn.utils.validation import _num_samples

from .. import _engine, _validation, metrics
from .._typing import AnyArray, FloatArray, IndexArray
from ..errors import Argument, ArgumentError, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..metrics._resolve import is_sklearn_function, own_score
from ..predictions import survival_at
from ..selection import Selection, standard_error
from ._check import scorer_of
from ._configurations import method_of
from ._splits import Partition

#: Gives a function of time for each row, as scikit-survival's learners do.
_SURVIVAL = "predict_survival_function"
_CODES = (np.int8, np.int16, np.int32)


@dataclass(frozen=True)
class Responses:
    """The predictions that the metrics require of each model.

    `labels` says whether labels are required, as codes into the sorted `classes` (None for
    regression); `methods` give scores, in order of preference. `positive` is the code of the one of
    two classes whose score is taken (None: both); `probabilities` says whether a metric reads the
    scores as probabilities. Survival is required at `times`, if there are any. `said` tells that
    the caller named the class. `decisions` says that what scorers of scikit-learn rank is required
    beside probabilities: decision values, of models that have them.
    """

    labels: bool
    methods: tuple[str, ...]
    classes: AnyArray | None = None
    positive: int | None = 1
    probabilities: bool = False
    times: tuple[float, ...] = ()
    said: bool = False
    decisions: bool = False

    @property
    def pos_label(self) -> Any:
        """Return the one of two classes whose score is taken."""
        if self.classes is None or self.positive is None or len(self.classes) != 2:
            return None
        return self.classes[self.positive]

    @property
    def describe(self) -> str:
        """Return one line that identifies the responses."""
        parts = ["labels"] if self.labels else []
        what = "probabilities" if self.probabilities else "scores"
        parts += [f"{what} by {' or '.join(self.methods)}"] if self.methods else []
        if self.decisions:
            parts.append("decision values")
        if self.pos_label is not None:
            parts.append(f"class {self.pos_label!s}")
        if self.times:
            parts.append(f"survival at {', '.join(map(str, self.times))}")
        return ", ".join(parts)

    def of(self, model: Any, X: Any) -> tuple[dict[str, AnyArray], str]:
        """Return a model's outputs by name, and the method that gave the scores."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = self._codes(_checked(model.predict(X), "predict", X))
        method = ""
        if self.methods:
            method = self._method(model)
            raw = _checked(getattr(model, method)(X), method, X)
            outputs["scores"] = _finite(self._scores(raw, method, model), method)
        if self.times:
            outputs["survival"] = _finite(self._survival(model, X), _SURVIVAL)
        if self.decisions:
            outputs["decisions"] = self._decisions(model, X, outputs["scores"], method)
        return outputs, method

    def empty(self, n_rows: int) -> dict[str, AnyArray]:
        """Return outputs to be filled: codes of -1, scores of NaN."""
        outputs: dict[str, AnyArray] = {}
        if self.labels:
            outputs["labels"] = np.full(n_rows, -1, dtype=self._code_type)
        if self.methods:
            several: tuple[int, ...] = ()
            if self.classes is not None and self.pos_label is None:
                several = self.classes.shape
            outputs["scores"] = np.full((n_rows, *several), np.nan)
        if self.times:
            outputs["survival"] = np.full((n_rows, len(self.times)), np.nan)
        if self.decisions:
            outputs["decisions"] = outputs["scores"].copy()
        return outputs

    def could_give(self, outputs: Mapping[str, AnyArray], method: str, n_rows: int) -> bool:
        """True if a model can have given these outputs for so many rows."""
        if method not in (self.methods or [""]):
            return False
        layouts = [
            {name: (array.dtype, array.shape) for name, array in arrays.items()}
            for arrays in (outputs, self.empty(n_rows))
        ]
        if layouts[0] != layouts[1]:
            return False
        codes = outputs.get("labels", np.empty(0))
        known = 0 if self.classes is None else len(self.classes)
        in_range = ((codes >= 0) & (codes < known)).all()
        finite = all(np.isfinite(array).all() for array in outputs.values())
        return bool(in_range and finite)

    @property
    def _code_type(self) -> Any:
        assert self.classes is not None
        return next(kind for kind in _CODES if len(self.classes) <= np.iinfo(kind).max)

    def _codes(self, predicted: AnyArray) -> AnyArray:
        return self._codes_of(_column(predicted, "predict"), "predict gave the label").astype(
            self._code_type
        )

    def _codes_of(self, labels: AnyArray, source: str) -> IndexArray:
        """Codes of labels; refuses those that are not classes."""
        assert self.classes is not None
        if labels.dtype.hasobject or self.classes.dtype.hasobject:
            code_of = {label: code for code, label in enumerate(self.classes.tolist())}
            codes = np.array([code_of.get(label, -1) for label in labels.tolist()], dtype=np.int64)
            known = codes >= 0
        else:
            codes = np.searchsorted(self.classes, labels)
            known = codes < len(self.classes)
            known[known] = self.classes[codes[known]] == labels[known]
        if not known.all():
            raise ValueError(f"{source} {labels[~known][0]!r}, which y does not have")
        return codes

    def _method(self, model: Any) -> str:
        for method in self.methods:
            if hasattr(model, method):
                return method
        raise AttributeError(f"{model.__class__.__name__} has no {' nor '.join(self.methods)}")

    def _decisions(self, model: Any, X: Any, scores: FloatArray, method: str) -> FloatArray:
        """The scores that a scorer ranks: decision values, or else probabilities."""
        if method == "decision_function" or not hasattr(model, "decision_function"):
            return scores
        raw = _checked(model.decision_function(X), "decision_function", X)
        return _finite(self._scores(raw, "decision_function", model), "decision_function")

    def _survival(self, model: Any, X: Any) -> FloatArray:
        """Probabilities of surviving the times, by each row's survival function."""
        try:
            predict = method_of(model, _SURVIVAL)
        except AttributeError:
            raise AttributeError(
                f"{model.__class__.__name__} has no {_SURVIVAL}, which gives a function of time "
                "for each row as scikit-survival's learners do; metrics of risks, such as "
                "bbc.metrics.uno_concordance, need predict alone"
            ) from None
        functions = _checked(predict(X), _SURVIVAL, X)
        if functions.ndim != 1 or not all(map(callable, functions)):
            raise TypeError(
                f"{_SURVIVAL} gave an array of shape {functions.shape} and dtype "
                f"{functions.dtype}; one function of time for each row is needed"
            )
        times = np.array(self.times)
        values = np.array([function(times) for function in functions], dtype=np.float64)
        if values.shape != (len(functions), len(times)):
            raise ValueError(
                f"a function of {_SURVIVAL} gave values of shape {values.shape[1:]} for "
                f"{len(times)} times"
            )
        if ((values < 0) | (values > 1)).any():
            row, place = np.argwhere((values < 0) | (values > 1))[0]
            raise ValueError(
                f"{_SURVIVAL} gave {values[row, place]:g} at time {times[place]:g} for row {row} "
                "of the fold: probabilities of surviving are in [0, 1]"
            )
        return values

    def _scores(self, raw: AnyArray, method: str, model: Any) -> FloatArray:
        """Scores in the order of all classes, though a model may know fewer of them."""
        if raw.dtype.kind not in "biuf":
            raise TypeError(f"{method} gave {raw.dtype}, not numbers")
        if self.classes is None or method == "predict":
            return _column(raw, method).astype(np.float64)
        named = hasattr(model, "classes_") or not is_outlier_detector(model)
        own = model.classes_ if named else self.classes
        known = self._codes_of(
            _validation.plain_array(own, "classes_ of the model"), "classes_ have"
        )
        if len(np.unique(known)) < len(known):
            raise ValueError("classes_ have a class twice")
        raw = raw.reshape(len(raw), -1)
        if method == "decision_function" and raw.shape[1] == 1 and len(known) == 2:
            # One column for two classes: the score of the second.
            raw = np.concatenate([-raw, raw], axis=1)
        if raw.shape[1] != len(known):
            raise ValueError(
                f"{method} gave {raw.shape[1]} columns for {len(known)} classes; "
                "one column per class is needed"
            )
        if self.probabilities and method != "decision_function":
            raw = _probabilities(raw, method)
        # As scikit-learn's cross_val_predict: a class absent from the training rows comes last.
        absent = 0.0 if method == "predict_proba" else np.finfo(np.float64).min
        scores = np.full((len(raw), len(self.classes)), absent)
        scores[:, known] = raw
        return scores if self.pos_label is None else scores[:, self.positive].copy()


def _checked(predicted: Any, method: str, X: Any) -> AnyArray:
    """A method's predictions as an array with a row for each of X."""
    array = _validation.plain_array(predicted, f"what {method} gave")
    if array.ndim not in (1, 2):
        raise ValueError(f"{method} gave an array of shape {array.shape}")
    if len(array) != _num_samples(X):
        raise ValueError(f"{method} gave {len(array)} predictions for {_num_samples(X)} rows")
    return array


def _finite(values: FloatArray, method: str) -> FloatArray:
    if not np.isfinite(values).all():
        raise ValueError(f"{method} gave NaN or infinity")
    return values


def _column(array: AnyArray, method: str) -> AnyArray:
    if array.ndim == 2 and array.shape[1] != 1:
        raise ValueError(f"{method} gave {array.shape[1]} columns; one is needed")
    return array.reshape(-1)


def _probabilities(raw: AnyArray, method: str) -> FloatArray:
    """Refuse what is not a distribution over classes; normalize lower precision in float64."""
    values = raw.astype(np.float64)
    sums = values.sum(axis=1, keepdims=True)
    precision = np.finfo(raw.dtype if raw.dtype.kind == "f" else np.float64).eps
    wrong = (values < 0).any(axis=1) | ~(np.abs(sums[:, 0] - 1) <= np.sqrt(precision))
    if np.isfinite(values).all() and wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{method} gave {values[row].tolist()} for row {row} of the fold: probabilities are "
            "not negative and sum to 1"
        )
    return values / sums if raw.dtype.itemsize < values.dtype.itemsize else values


@dataclass(frozen=True)
class Scoring:
    """The metrics of a run by name, and the name of the selection metric.

    `asked` is what each came from.
    """

    metrics: dict[str, Metric]
    decides: str
    asked: dict[str, Any] = field(default_factory=dict)

    def scorers(self, estimators: Mapping[str, Any], pos_label: Any) -> dict[str, Any]:
        """Return the scorers of scikit-learn that metrics came from."""
        found = {}
        for name, asked in self.asked.items():
            scorer = scorer_of(asked, estimators, pos_label)
            if scorer is not None:
                found[name] = scorer
        return found

    @property
    def metric(self) -> Metric:
        """The selection metric."""
        return self.metrics[self.decides]

    @property
    def secondary(self) -> dict[str, Metric]:
        """The metrics beside the selection metric, by name."""
        return {name: each for name, each in self.metrics.items() if name != self.decides}

    def label(self, name: str) -> str:
        """Return the ending of a metric's columns in ``cv_results_``."""
        return name if len(self.metrics) > 1 else "score"


def make_scoring(scoring: Any, refit: Any, estimators: Mapping[str, Any]) -> Scoring:
    """Return the metrics that `scoring` stands for."""
    if scoring is None:
        scoring = _default_metric(estimators)
    if isinstance(scoring, Mapping):
        named = {str(name): metrics.get(metric) for name, metric in scoring.items()}
        asked = {str(name): metric for name, metric in scoring.items()}
    elif isinstance(scoring, list | tuple | set | frozenset):
        ordered = sorted(scoring) if isinstance(scoring, set | frozenset) else scoring
        found = [metrics.get(metric) for metric in ordered]
        named = {metric.name: metric for metric in found}
        asked = dict(zip(named, ordered, strict=False))
        if len(named) < len(found):
            raise InvalidValueError(
                "scoring", ": two metrics have the same name; give a dict with two names"
            )
    else:
        metric = metrics.get(scoring)
        named, asked = {metric.name: metric}, {metric.name: scoring}
    if not named:
        raise InvalidValueError("scoring", ": there is no metric")
    if isinstance(refit, str):
        if refit not in named:
            raise InvalidValueError(
                Argument("refit", refit),
                f"names none of the metrics of scoring ({', '.join(named)})",
            )
        return Scoring(named, refit, asked)
    if refit and len(named) > 1:
        raise ValueError(
            f"with several metrics, refit must name the selection metric ({', '.join(named)}) "
            f"or be False, which takes the first; got {refit!r}"
        )
    return Scoring(named, next(iter(named)), asked)


def refuse_times(scoring: Scoring, learners: Iterable[tuple[str, Any]]) -> None:
    """Refuse named learners that predict times of survival where a metric reads risks.

    scikit-survival's say so themselves; others show it by a score worse than chance.
    """
    from sklearn.pipeline import Pipeline

    read = [name for name, metric in scoring.metrics.items() if metric.predicts == "risk"]
    for name, learner in learners if read else ():
        last = learner
        while isinstance(last, Pipeline):
            last = last.steps[-1][1]
        if getattr(last, "_predict_risk_score", True):
            continue
        raise InvalidValueError(
            "estimator",
            f": {name!r}, {type(last).__name__}, predicts times of survival, but {read[0]!r} reads "
            "risks, which are higher where the event comes earlier",
            hint="wrap it in a learner whose predict gives -time",
        )


def make_responses(
    scoring: Scoring,
    pooling: str,
    *,
    classifier: bool,
    y: AnyArray,
    pos_label: Any,
    cut: bool = False,
) -> Responses:
    """Return what models must predict so that all metrics can be computed.

    `cut` says that scores are required besides labels, because a cut-off is chosen.
    """
    wanted: dict[str, tuple[str, ...]] = {}
    labels = decisions = probabilities = False
    for name, metric in scoring.metrics.items():
        probabilities = probabilities or metric.response == "probabilities"
        read = reads(metric, classifier)
        if read == "labels":
            labels = True
        elif read == "scores":
            wanted[name] = _methods(metric, pooling)
            decisions = decisions or metric.reads_decisions(by_fold=pooling == "fold")
    of_scores = list(wanted)
    if cut and classifier:
        wanted["selection"] = ("predict_proba", "decision_function")
    methods = _common(wanted)
    decisions = decisions and methods == ("predict_proba",)
    if classifier and labels and methods:
        _refuse_unsaid(scoring, cut)
    if not classifier:
        read_at = [each.times for each in scoring.metrics.values() if each.predicts == "survival"]
        times = tuple(sorted({time for some in read_at for time in some}))
        if methods and times:
            _refuse_unsaid(scoring, cut)
        return Responses(labels=False, methods=methods, times=times)
    classes = np.unique(y)
    named = set()
    for name, metric in scoring.metrics.items():
        if metric.pos_label is not None or name in of_scores:
            own = pos_label if metric.pos_label is None else metric.pos_label
            named.add(_positive(classes, own, metric))
    # Metrics of one class and of the other: the scores of both are kept.
    positive = None if len(named) > 1 else next(iter(named), _positive(classes, pos_label))
    said = pos_label is not None
    return Responses(
        labels, methods, classes, positive, probabilities, said=said, decisions=decisions
    )


def _common(wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The methods that give the scores of all metrics.

    Metrics of probabilities and of decision values alone go together: both are kept.
    """
    methods: tuple[str, ...] = ()
    for position, (name, offered) in enumerate(wanted.items()):
        if position and {*methods, *offered} == {"predict_proba", "decision_function"}:
            both = tuple(method for method in methods if method in offered)
            methods = both or ("predict_proba",)
            continue
        methods = offered if not position else tuple(m for m in methods if m in offered)
        if not methods:
            raise InvalidValueError(
                "scoring",
                f": {name!r} reads {' or '.join(offered)}, which the metrics before it do "
                "not; make two runs of it",
            )
    return methods


def _refuse_unsaid(scoring: Scoring, cut: bool) -> None:
    """Refuse a plain function beside metrics of another response: it may mean either."""
    for name, metric in scoring.metrics.items():
        if not metric.response and not (cut and len(scoring.metrics) == 1):
            raise InvalidValueError(
                "scoring",
                f": {name!r} is a plain function, and the metrics read several outputs of models: "
                "say which it takes",
                hint='bbc.metrics.row_loss and bbc.metrics.from_callable take response="labels", '
                '"scores" or "probabilities"; sklearn.metrics.make_scorer says it, too',
            )


def reads(metric: Metric, classifier: bool) -> Literal["labels", "scores", "survival"]:
    """Return which predictions a metric reads: what `predict` gives are labels for a classifier."""
    if metric.predicts == "survival":
        return "survival"
    return "labels" if classifier and metric.response_method == ("predict",) else "scores"


def kind_of(estimators: Mapping[str, Any]) -> bool:
    """Return whether the estimators are classifiers; a mixture is refused."""
    kinds = {name: bool(is_classifier(learner)) for name, learner in estimators.items()}
    if len(set(kinds.values())) > 1:
        first = next(name for name, kind in kinds.items() if kind)
        other = next(name for name, kind in kinds.items() if not kind)
        raise InvalidValueError("estimator", f": {first!r} is a classifier, {other!r} is not")
    return any(kinds.values())


def _default_metric(estimators: Mapping[str, Any]) -> Any:
    """What the estimators' own `score` computes, if it has a name."""
    kind_of(estimators)
    found = {name: own_score(estimator) for name, estimator in estimators.items()}
    unnamed = next((name for name, scoring in found.items() if scoring is None), None)
    if unnamed is not None:
        raise InvalidValueError(
            "scoring",
            f"must be given: the score of {type(estimators[unnamed]).__name__} is a method of its "
            "own, neither accuracy nor r2",
        )
    first, *others = found.values()
    if any(scoring != first for scoring in others):
        raise InvalidValueError(
            "scoring", "must be given: the estimators' own scores are different metrics"
        )
    return first


def _methods(metric: Metric, pooling: str) -> tuple[str, ...]:
    """The methods that give a metric's scores, in order of preference.

    Scores of different folds' models are ranked together when they are pooled, and decision values
    of theirs need not be comparable, so probabilities come first; within a fold the order is
    scikit-learn's own.
    """
    methods = metric.response_method
    if pooling != "fold" and set(methods) == {"decision_function", "predict_proba"}:
        return ("predict_proba", "decision_function")
    return methods


def _positive(classes: AnyArray, pos_label: Any, metric: Metric | None = None) -> int:
    """Code of the class whose scores are taken: that which the metric calls positive."""
    if pos_label is None:
        # Its absence is refused with the other checks of the data.
        one = _validation.place_of_one(classes)
        takes_one = metric is not None and _validation.takes_one(metric)
        return one if takes_one and one is not None else len(classes) - 1
    found = np.flatnonzero(classes == pos_label)
    if not found.size:
        raise InvalidValueError(
            Argument("pos_label", pos_label),
            f"is not a class of y ({', '.join(map(str, classes))})",
        )
    return int(found[0])


def score_of_outputs(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    *,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> float:
    """Return the score of one model's outputs; NaN or an error if it is undefined."""
    problem = _problem(outputs, truth, metric, responses, sample_weight, pos_label)
    return float(_engine.score(problem, metric, folds=None, n_threads=1)[0][0])


def row_scores_of_outputs(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    *,
    pos_label: Any,
) -> FloatArray:
    """Return the score of one model's output for each row alone; NaN where it is undefined."""
    problem = _problem(outputs, truth, metric, responses, None, pos_label)
    scores: FloatArray = _engine.row_scores(problem, metric, n_threads=1)[0, :, 0]
    return scores


def _problem(
    outputs: Mapping[str, AnyArray],
    truth: AnyArray,
    metric: Metric,
    responses: Responses,
    sample_weight: ArrayLike | None,
    pos_label: Any,
) -> _validation.Problem:
    _validation.refuse_given_censoring(metric, "a model is scored on other rows here")
    classes = responses.classes
    if metric.predicts == "survival":
        values = survival_at(outputs["survival"], responses.times, metric)
    elif classes is not None and reads(metric, True) == "labels":
        values = classes[outputs["labels"]]
    elif "decisions" in outputs and metric.reads_decisions(by_fold=True):
        values = outputs["decisions"]
    else:
        values = outputs["scores"]
    data = _validation.Data(truth, values[:, None], sample_weight=sample_weight)
    if metric.has_classes:  # of which a fold may lack one
        positive = _validation.positive_class(metric, pos_label, responses.pos_label)
        data = data._replace(classes=classes, pos_label=positive)
    return _validation.problem(data, metric)


def fold_means(by_fold: FloatArray, partitions: Sequence[Partition]) -> FloatArray:
    """Return the mean over repeats of the mean over folds, as the kernel computes it."""
    total, first = np.zeros(by_fold.shape[1]), 0
    for partition in partitions:
        n_folds = len(partition.folds)
        # Along the first axis numpy adds row after row.
        total += by_fold[first : first + n_folds].sum(axis=0) / n_folds
        first += n_folds
    means: FloatArray = total / len(partitions)
    return means


def best_of(scores: FloatArray, metric: Metric) -> int:
    """Return the best score that is defined; ties go to the lowest index."""
    worst = -np.inf if metric.greater_is_better else np.inf
    filled = np.where(np.isnan(scores), worst, scores)
    return int(filled.argmax() if metric.greater_is_better else filled.argmin())


def select(
    rule: Selection,
    scores: FloatArray,
    best: int,
    by_fold: FloatArray,
    metric: Metric,
    n_rows: int,
) -> int:
    """Return the winner by a rule, given the scores on all rows, the best, and the folds' scores.

    One standard error: that of the best configuration's fold scores.
    """
    if rule.rule == "best":
        return best
    margin = standard_error(by_fold[:, best]) if rule.needs_folds else 0.0
    counts = np.ones(n_rows, dtype=np.int64)
    return rule.choose(scores, counts, greater_is_better=metric.greater_is_better, margin=margin)


# What the caller names, and can change; messages about other arguments speak of predictions.
_NAMED = ("y_true", "pos_label", "labels")
_ARGUMENTS = "sklearn.metrics.make_scorer takes its arguments, such as average= or pos_label="


def probe(
    name: str,
    metric: Metric,
    y: AnyArray,
    responses: Responses,
    *,
    pos_label: Any,
    refuse: bool = True,
) -> None:
    """Refuse a metric that cannot be computed from what models will predict.

    It is computed on all rows, on half of them, as folds and draws have them, and without the rows
    of a class: a metric may be undefined there, and a function may fail there. Without `refuse`
    functions of the caller may fail on what is made up.
    """
    classes = responses.classes
    if metric.has_classes and (classes is None or len(classes) < 2):
        return
    if metric.target == "survival" or (classes is None and y.dtype.kind not in "biuf"):
        return
    outputs = made_up(y, responses)
    half = np.arange(0, len(y), 2)
    lacking = np.arange(len(y)) if classes is None else np.flatnonzero(y != classes[0])
    for told, rows in (("", np.arange(len(y))), (" on a part of the rows", half), (None, lacking)):
        if len(rows) < 2:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                some = {kind: array[rows] for kind, array in outputs.items()}
                score_of_outputs(
                    some, y[rows], metric, responses, sample_weight=None, pos_label=pos_label
                )
        except UndefinedMetricError:
            continue
        except Exception as error:
            if told is None and metric.function is not None:
                continue  # replicates without a class are drawn again
            if isinstance(error, ArgumentError) and error.argument in _NAMED:
                raise
            function = getattr(metric.function, "func", metric.function)
            own = function is not None and not is_sklearn_function(function)
            if own and not refuse:
                return
            _refuse(name, error, told or "", own=own)


def _refuse(name: str, error: Exception, where: str, *, own: bool) -> None:
    told = str(error) if isinstance(error, ArgumentError) else f"{type(error).__name__}: {error}"
    if isinstance(error, ArgumentError):
        what, hint = f"cannot be computed from what models predict{where}", ""
    elif own:
        what, hint = f"fails on predictions that were made up{where}", ""
    else:
        what, hint = f"fails on these classes{where}", _ARGUMENTS
    raise InvalidValueError("scoring", f": metric {name!r} {what}: {told}", hint=hint) from error


def made_up(y: AnyArray, responses: Responses) -> dict[str, AnyArray]:
    """Return outputs that say what is true of the row before: labels, scores of all classes."""
    before, classes = np.roll(y, 1), responses.classes
    if classes is None:
        values = before.astype(np.float64)
        return {"scores": (values + values.mean()) / 2}
    guessed = np.searchsorted(classes, before)  # which are sorted
    of_classes = np.full((len(y), len(classes)), 0.5 / (len(classes) - 1))
    of_classes[np.arange(len(y)), guessed] = 0.5
    of_classes += np.linspace(0, 0.1, len(classes)) - 0.05
    of_classes /= of_classes.sum(axis=1, keepdims=True)
    one = responses.pos_label is not None
    return {
        "labels": guessed,
        "scores": of_classes[:, responses.positive] if one else of_classes,
    }
