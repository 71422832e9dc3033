"""Scores of folds: a source of its own, one score of what a tool says of its search."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._cells import words_of
from .._design import Lost
from .._frozen import read_only
from .._typing import BoolArray, FloatArray, IndexArray
from .._validation import Asked, Data, Problem, Truth, asked
from .._validation._values import real_numbers
from ..errors import Argument, InvalidTypeError, InvalidValueError, arguments_called
from ..findings import Finding
from ..findings import found as shown_by
from ..metrics import Metric
from . import claim_of
from ._claim import DYNAMIC, Claim, Said, limits_of, said_of
from ._fold_rows import FoldRows, rows_of

#: As many folds are likely to be those of several partitions.
_MANY_FOLDS = 20
#: What is known of a search beside that configurations stopped on the way.
_OF_STOPPED: dict[str, Any] = {
    **dict.fromkeys(("dynamic_search", "time_ordered", "block_draws"), False),
    **dict.fromkeys(("first_mixed", "n_mixed", "n_more_mixed")),
}


class FoldScores:
    """Scores of each fold by each configuration, of a search that kept nothing else.

    A correction of them draws folds (BBC-F), and their means select. Scores are validated and
    copied when this is made. Sources that know what they kept, such as a fitted GridSearchCV, need
    not become one: `bbc.correct` and `bbc.compare` take them as they are.

    Parameters
    ----------
    scores : array-like of shape (n_splits, n_configurations), mapping, path or search
        The scores; NaN where a configuration has none, which leaves it out. The folds of one
        partition follow each other. Or what keeps them by name: `cv_results_` of scikit-learn, as a
        mapping, a data frame or the path of a file, a search, or an Optuna study.
    metric : str, Metric or scorer, optional
        What was scored. Of a table, which of its scores is meant, or what its only one is called;
        of a search that selected, by default what it selected by.
    greater_is_better : bool, optional
        Whether larger scores are better. By default as the search, or the name of the metric, says;
        scores of scikit-learn always rise, also those of losses, which are negated
        ("neg_log_loss").
    n_repeats : int, optional
        Number of partitions of which these are the folds. By default what the search's splitter
        says, else 1.
    names : sequence of str, optional
        Names of the configurations; by default those of the table, or numbers.
    y : array-like of shape (n_rows,), optional
        The truth of the rows, as the search was fitted on it. Folds that keep the shares of the
        classes do not show that these are those of a sample, so that limits from scores alone are
        too short; the truth tells by how much at most.
    groups : array-like of shape (n_rows,), optional
        Groups of the rows of `y`, as the search was fitted on them.
    na : str or collection of str, optional
        The words of a text file that stand for no value, beside the empty cell: these and no
        others, by default "NA", "NaN", "None" and "null".

    Attributes
    ----------
    metric : Metric
        What was scored: its name, direction and range. It is never called.
    values : ndarray of shape (n_repeats, n_folds, n_configurations)
        Scores of the configurations that have one in every fold.
    configurations : ndarray of int
        Their places among all configurations.
    names : tuple of str
        Names of all configurations.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    See Also
    --------
    bbc.correct : Correct the performance of the selected configuration.
    bbc.Predictions : Predictions of rows, which narrow the interval.

    Examples
    --------
    >>> import bbc
    >>> import numpy as np
    >>> by_fold = np.random.default_rng(0).normal(0.8, 0.05, size=(10, 30))
    >>> scores = bbc.FoldScores(by_fold, metric="accuracy")
    >>> scores
    FoldScores('accuracy', n_repeats=1, n_folds=10, n_configurations=30)
    >>> c = bbc.correct(scores, random_state=1)
    >>> bool(c.estimate < c.apparent), c.method
    (True, 'bbc-f')

    The truth of the rows lengthens the interval by what stratified folds hide:

    >>> y = np.arange(60) % 10 < 2
    >>> told = bbc.correct(bbc.FoldScores(by_fold, metric="accuracy", y=y), random_state=1)
    >>> told.estimate == c.estimate, told.confidence_interval.low < c.confidence_interval.low
    (True, True)

    A table of another tool is an array of its scores, and the names of its rows:

    >>> import pandas as pd
    >>> table = pd.DataFrame({"model": ["a", "b"], "fold1": [0.7, 0.8], "fold2": [0.6, 0.9]})
    >>> scores = table[["fold1", "fold2"]].T
    >>> bbc.FoldScores(scores.to_numpy(), metric="accuracy", names=table["model"]).names
    ('a', 'b')
    """

    metric: Metric
    values: FloatArray
    configurations: IndexArray
    #: All that the tool says of its search.
    _claim: Claim
    #: Facts of the search that findings name.
    _told: Mapping[str, Any]
    #: Fits and scores that the tool lost.
    _lost: tuple[Lost, ...]
    #: Remarks.
    _notes: tuple[str, ...]
    #: Whether these are the scores that the tool chose by, and its rule is repeated.
    _as_chosen: bool
    #: Whether rows have weights in them.
    _weighted: bool
    #: The rows that they are of; None if their truth is not known.
    _rows: FoldRows | None

    def __init__(
        self,
        scores: Any,
        *,
        metric: Any = None,
        greater_is_better: bool | None = None,
        n_repeats: int | None = None,
        names: Sequence[str] | None = None,
        y: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        na: str | Collection[str] | None = None,
    ) -> None:
        with arguments_called(search="scores"):
            if na is not None:
                scores = _file_of_text(scores, na)
            claim = _claim_of_array(scores, metric) if _is_array(scores) else claim_of(scores)
            if names is not None:
                claim = replace(claim, names=_validation.names(names, len(claim.names)))
            self._pick(claim, metric, greater_is_better, n_repeats)
        self._take_rows(claim, y, groups)

    @classmethod
    def _of(
        cls,
        claim: Claim,
        metric: Any = None,
        *,
        greater_is_better: bool | None = None,
        reselect: bool = False,
        y: Any = None,
        groups: Any = None,
    ) -> "FoldScores":
        """One score of a claim."""
        made = cls.__new__(cls)
        made._pick(claim, metric, greater_is_better, reselect=reselect)
        made._take_rows(claim, y, groups)
        return made

    def _pick(
        self,
        claim: Claim,
        metric: Any,
        greater_is_better: bool | None,
        n_repeats: int | None = None,
        *,
        reselect: bool = False,
    ) -> None:
        """Take one score of a claim; configurations that miss a fold are left out.

        A selection that means over folds do not repeat is refused, unless another one is asked for.
        """
        if greater_is_better is not None:
            _validation.flag(greater_is_better, "greater_is_better")
        if n_repeats is not None:
            _validation.integer(n_repeats, "n_repeats", lowest=1)
        key, said = said_of(claim, metric, greater_is_better)
        if not reselect:
            _refuse_unrepeatable(claim, key, said)
        self.metric = metric_of(said, metric)
        scores = said.by_fold
        self.configurations = _complete(claim, key, scores, self.metric)
        is_said = n_repeats is not None or not claim.is_table or claim.n_repeats > 1
        n_repeats = _repeats(claim, len(scores), n_repeats)
        shape = n_repeats, -1, len(self.configurations)
        values = np.ascontiguousarray(scores[:, self.configurations])
        self.values = read_only(values.reshape(shape))
        told = dict(claim.told)
        stopped = np.zeros(scores.shape[1], np.bool_)
        if claim.is_table and not claim.form_negates:  # scikit-learn's searches stop nothing
            stopped = _stopped(
                scores if claim.eligible is None else np.where(claim.eligible, scores, np.nan)
            )
        if stopped.any() and not any(told.get(name) for name in DYNAMIC):
            told["n_stopped"] = int(stopped.sum())
        many = not is_said and len(scores) >= _MANY_FOLDS
        said_of_many = f"the {len(scores)} splits are taken for folds of one partition (n_repeats)"
        # Whose splits are drawn once: the search itself is not kept.
        self._claim, self._told = replace(claim, splits_of=None), told
        self._lost = _lost(claim, said, stopped)
        self._notes = (said_of_many,) if many else ()
        self._as_chosen = key == claim.decides and not reselect
        self._weighted = said.weighted

    def _take_rows(self, claim: Claim, y: Any, groups: Any) -> None:
        shape = self.n_repeats, self.n_folds
        self._rows = rows_of(claim, self.metric, y, groups, *shape, weighted=self._weighted)

    def _with(self, **changes: Any) -> "FoldScores":
        """The same with other facts, by their names."""
        made = copy(self)
        made.__dict__ |= changes
        return made

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all configurations."""
        return self._claim.names

    @property
    def n_repeats(self) -> int:
        """Number of partitions."""
        return int(self.values.shape[0])

    @property
    def n_folds(self) -> int:
        """Folds of each partition."""
        return int(self.values.shape[1])

    @property
    def n_configurations(self) -> int:
        """Number of configurations, with those that miss a fold."""
        return len(self.names)

    def _problem(self) -> Problem:
        """What is drawn and scored: folds, of which each is one row without a truth."""
        training = self._claim.design
        if any(self._told.get(name) for name in DYNAMIC):
            training = replace(training, dynamic_search=True)
        found = Problem(
            Truth("any", np.zeros(self.n_folds)),
            tuple(self.values),
            n_repeats=self.n_repeats,
            of_folds=training,
        )
        return found.among(self.names, self.configurations)

    def _asked(self, given: Mapping[str, Any]) -> Asked:
        """A question about the means over the folds of one partition."""
        if self.n_repeats > 1:
            raise InvalidValueError(
                "predictions",
                f"are scores of {self.n_repeats} partitions, whose folds share rows: only BBC-F "
                "knows how to draw them",
                hint="use bbc.correct, or a search that keeps its predictions",
            )
        mean = _engine.mean_of_folds(self.metric, self._claim.n_classes)
        return asked(None, self._problem(), {**given, "metric": mean})

    def __repr__(self) -> str:
        return (
            f"FoldScores({self.metric.name!r}, n_repeats={self.n_repeats}, n_folds={self.n_folds}, "
            f"n_configurations={self.n_configurations})"
        )


def _is_array(scores: Any) -> bool:
    """Whether these are scores and nothing else."""
    if isinstance(scores, list | tuple):
        return True
    return hasattr(scores, "__array__") and not hasattr(scores, "columns")


def _file_of_text(source: Any, na: Any) -> Any:
    """A text file, of which `na` are words that stand for no value."""
    from ._cv_results import table_of_file

    words_of(na)
    if not isinstance(source, str | PathLike):
        raise InvalidValueError(Argument("na", na), "is for files of text")
    return table_of_file(source, na)


def _claim_of_array(scores: Any, metric: Any) -> Claim:
    """What an array says: nothing but its scores, which `metric` names."""
    array = _validation.plain_array(scores, "scores")
    if array.dtype.kind not in "iuf":
        raise InvalidTypeError("scores", f"must be numbers, got {array.dtype}")
    if array.ndim != 2 or 0 in array.shape:
        raise InvalidValueError(
            "scores", f"must have the shape (n_splits, n_configurations), got {array.shape}"
        )
    values = real_numbers(array, "scores", ("split", "configuration"))
    if metric is None:
        metrics.get(metric)
    names = tuple(f"configuration {place}" for place in range(values.shape[1]))
    return Claim("table", names, {"score": Said("score", values)})


def _complete(claim: Claim, key: str, scores: FloatArray, metric: Metric) -> IndexArray:
    """The places of the configurations that have a score in every fold."""
    complete: BoolArray = np.all(np.isfinite(scores), axis=0)
    infinite = np.argwhere(scores == (np.inf if metric.greater_is_better else -np.inf))
    if infinite.size:
        fold, place = infinite[0].tolist()
        raise InvalidValueError(
            "search",
            f": split{fold}_test_{key} of {claim.names[place]!r} is infinite, the best score there "
            "is; BBC-F averages scores of folds and requires finite ones",
        )
    if claim.eligible is not None:
        complete &= claim.eligible
    if not complete.any():
        why = next((each.reason for each in claim.lost if each.reason), "")
        raise InvalidValueError(
            "search",
            ": no configuration has a score in every fold",
            hint=f"the first was lost: {why}" if why else "",
        )
    return np.flatnonzero(complete)


def findings_of(scores: FoldScores) -> tuple[Finding, ...]:
    """What the facts of the search show."""
    facts = dict.fromkeys(DYNAMIC) | dict(scores._told)
    n_stopped = facts.pop("n_stopped")
    found = shown_by("search", facts | {"time_ordered_folds": scores._claim.design.time_ordered})
    if n_stopped and facts["n_trials"] is None:
        found += shown_by("origin", _OF_STOPPED | {"n_stopped": n_stopped})
    return found + of_lost(scores._lost, scores.names)


def of_scores_alone(
    scores: FoldScores, *, by_truth: bool, truth_tells: bool
) -> tuple[Finding, ...]:
    """What limits of scores of folds do not show, unless the truth of their rows told it.

    `truth_tells` says whether it would tell anything by their metric.
    """
    claim, metric, rows = scores._claim, scores.metric, scores._rows
    of_classes = metric.has_classes or bool(claim.is_classifier)
    if rows is not None and rows.classes is not None:
        of_classes = True
    stratified = claim.design.stratified
    mean_of_r2 = metric.kernel in ("r2", "explained_variance")
    facts = {
        "shares_hidden": not by_truth and bool(stratified or (of_classes and stratified is None)),
        "mean_of_r2": mean_of_r2 and not by_truth,
        "truth_given": rows is not None,
        "truth_tells": truth_tells,
        "metric": metric.name,
    }
    return shown_by("fold_scores", facts)


def of_lost(lost: Sequence[Lost], names: Sequence[str]) -> tuple[Finding, ...]:
    """A finding for each kind of what a tool lost: how much, and the first with its reason."""
    found: tuple[Finding, ...] = ()
    for kind in dict.fromkeys(each.kind for each in lost):
        own = [each for each in lost if each.kind == kind]
        first = own[0]
        where = [first.reason] if first.reason else []
        if first.split is not None:
            where.insert(0, f"split {first.split}")
        if first.configuration is not None:
            where.insert(0, f"configuration {names[first.configuration]!r}")
        facts = {
            "lost_kind": kind,
            "n_lost": len(own),
            "n_losing": len({each.configuration for each in own}),
            "first_lost": ", ".join(where),
        }
        found += shown_by("lost", facts)
    return found


def never_called(y: Any, prediction: Any) -> float:
    """The function of a metric whose scores are computed already."""
    raise AssertionError("scores of folds are computed already")


def _refuse_unrepeatable(claim: Claim, key: str, said: Said) -> None:
    hint = "reselect=True corrects the selection of the best mean over folds in its place"
    if claim.chosen_by != "best":
        raise InvalidValueError(
            "search",
            f": it selects by {claim.chosen_by}, which replicates of its scores cannot repeat",
            hint=hint,
        )
    if key == claim.decides and not said.is_of_folds:
        raise InvalidValueError(
            "search",
            f": what the {claim.source} compares is neither the mean nor the sum of its scores of "
            f"folds, {said.called!r}, so replicates cannot repeat its selection",
            hint=f"keep the scores whose mean it is; or {hint}",
        )


def metric_of(said: Said, given: Any) -> Metric:
    """The metric of a score under the name that it has here; it is never called."""
    known = said.metric
    if known is not None and known.greater_is_better == said.rises:
        return known if known is given else replace(known, name=said.called)
    low, high = limits_of(said)
    return metrics.from_callable(
        never_called,
        greater_is_better=bool(said.rises),
        name=said.called,
        lowest=low,
        highest=high,
    )


def _repeats(claim: Claim, n_splits: int, given: int | None) -> int:
    n_repeats = claim.n_repeats if given is None else given
    if n_splits % n_repeats:
        raise InvalidValueError(
            Argument("n_repeats", n_repeats), f"does not divide the {n_splits} splits"
        )
    if n_splits < 2 * n_repeats:
        raise InvalidValueError(
            "search", ": BBC-F draws folds and requires two or more per repeat; the search has one"
        )
    return n_repeats


def _stopped(scores: FloatArray) -> BoolArray:
    """Configurations that have scores of the first folds only, as a pruner leaves several."""
    there = np.isfinite(scores)
    counts = there.sum(axis=0)
    first = np.arange(len(scores))[:, None] < counts
    stopped: BoolArray = (there == first).all(axis=0) & (counts > 0) & (counts < len(scores))
    # A single one may have crashed there.
    return stopped if stopped.sum() > 1 else np.zeros_like(stopped)


def _lost(claim: Claim, said: Said, stopped: BoolArray) -> tuple[Lost, ...]:
    """What the tool says that it lost, and scores that are missing without a word."""
    missing = ~np.isfinite(said.by_fold) & ~stopped
    if claim.eligible is not None:
        missing &= claim.eligible
    for each in claim.lost:
        if each.split is not None:
            missing[each.split, each.configuration] = False
    scores = (Lost("score", int(i), int(j)) for i, j in np.argwhere(missing))
    return (*claim.lost, *scores)


#: Arguments that say something of rows.
_OF_ROWS = (*Data._fields, "stratify_bootstrap", "class_counts", "pooling", "resamples")
_DEFAULTS = ("raise", "pooled", "sampled")


def refuse_facts_of_rows(options: Mapping[str, Any]) -> None:
    for name in _OF_ROWS:
        given = options.get(name)
        if given is None or given is False or (type(given) is str and given in _DEFAULTS):
            continue
        raise InvalidValueError(name, "is for predictions of rows, but scores by fold were kept")
    method = options.get("method")
    if method == "bbc-two-level":
        raise InvalidValueError(
            Argument("method", method), "reads single rows, but scores by fold were kept"
        )
