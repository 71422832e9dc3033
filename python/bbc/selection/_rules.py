"""Rules that select a configuration, a cut-off or an ensemble."""

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._counts import integer
from .._typing import AnyArray, FloatArray, IndexArray
from ..errors import Argument, InvalidTypeError, InvalidValueError

Rule: TypeAlias = Literal[
    "best", "one_standard_error", "callable", "best_threshold", "greedy_ensemble", "top_k", "rungs"
]
# Rules that choose something other than one configuration's predictions, as they are called.
_SHOWN: dict[str, str] = {
    "best_threshold": "best_threshold()",
    "greedy_ensemble": "greedy_ensemble(n_rounds={})",
    "top_k": "top_k({})",
    "rungs": "rungs",
}


@dataclass(frozen=True, eq=False)
class Rungs:
    """How a search that dropped configurations on the way is scored, rung by rung.

    For the argument `rungs` of `bbc.correct`, beside ``missing="rungs"``.

    Parameters
    ----------
    of_row : array-like of int of shape (n_rows,) or (n_repeats, n_rows), optional
        The rung at which each row was first predicted, numbered in the order of the search. By
        default rungs are found from the missing predictions: rows that the same configurations
        predicted form one, and the rung with most configurations was first.
    choose_only : collection of int, default=()
        Rungs whose rows choose but do not score, such as those whose scores a sampler saw: their
        numbers in `of_row`, else counted from 0.
    burn : float, default=0.25
        Rungs that end within this share of the rows, 0 to 1, choose but do not score, because their
        choice rests on few rows; of repeats, of the rows that some repeat has seen.

    Examples
    --------
    >>> import bbc
    >>> bbc.results.Rungs(choose_only=[0], burn=0).burn
    0
    """

    of_row: ArrayLike | None = None
    choose_only: Collection[int] = ()
    burn: float = 0.25

    def __post_init__(self) -> None:
        burn, numbers = self.burn, self.choose_only
        if isinstance(burn, bool) or not isinstance(burn, int | float):
            raise InvalidTypeError("burn", f"must be a number, got {type(burn).__name__}")
        if not 0 <= burn <= 1:
            raise InvalidValueError(Argument("burn", burn), "must be a share of the rows, 0 to 1")
        if isinstance(numbers, str) or not all(type(each) is int for each in numbers):
            raise InvalidTypeError("choose_only", f"must be numbers of rungs, got {numbers!r}")


@dataclass(frozen=True, eq=False)
class Selection:
    """A selection rule and its requirements.

    Attributes
    ----------
    rule : str
        "best", "one_standard_error", "callable", "best_threshold", "greedy_ensemble", "top_k" or
        "rungs".
    complexity : ndarray or None
        Complexity of each configuration, for the one-standard-error rule.
    function : callable or None
        ``function(scores, counts) -> index``, for a custom rule.
    size : int or None
        Number of rounds of a greedy ensemble, or k of "top_k".
    rungs : Rungs or None
        How rungs score, for ``missing="rungs"``.

    Examples
    --------
    >>> from bbc.selection import get
    >>> get("best").needs_folds
    False
    """

    rule: Rule
    complexity: FloatArray | None = None
    function: Callable[..., Any] | None = None
    size: int | None = None
    rungs: Rungs | None = None

    @cached_property
    def derives(self) -> bool:
        """True if the choice is a column derived from predictions, not one of the configurations.

        A thresholded configuration, an ensemble, or the choices of several rungs.
        """
        return self.rule in _SHOWN

    def __str__(self) -> str:
        return _SHOWN.get(self.rule, self.rule).format(self.size)

    @property
    def needs_folds(self) -> bool:
        """True if the rule reads scores per fold."""
        return self.rule == "one_standard_error"

    def check(self, n_configurations: int) -> None:
        """Raise if the rule is for another number of configurations.

        Parameters
        ----------
        n_configurations : int
            Number of configurations.

        Examples
        --------
        >>> import bbc
        >>> bbc.one_standard_error([1, 2, 3]).check(n_configurations=3)
        """
        if self.complexity is not None and self.complexity.size != n_configurations:
            raise InvalidValueError(
                "selection",
                f": complexity has {self.complexity.size} entries "
                f"for {n_configurations} configurations",
            )
        if self.rule == "top_k" and self.size is not None and self.size > n_configurations:
            raise InvalidValueError(
                "selection", f": top_k averages {self.size} of {n_configurations} configurations"
            )

    def of_kept(self, kept: IndexArray | None) -> "Selection":
        """Return the rule for a subset of configurations.

        Parameters
        ----------
        kept : ndarray of int or None
            Indices of the subset; None for all configurations.

        Returns
        -------
        Selection
            The rule.

        Examples
        --------
        >>> import bbc
        >>> bbc.one_standard_error([1, 2, 3]).of_kept([0, 2]).complexity
        array([1., 3.])
        """
        if kept is None or self.complexity is None:
            return self
        return replace(self, complexity=self.complexity[kept])

    def choose(
        self,
        scores: FloatArray,
        counts: AnyArray,
        *,
        greater_is_better: bool,
        margin: float = 0.0,
    ) -> int:
        """Return the winner on a sample.

        Parameters
        ----------
        scores : ndarray of shape (n_configurations,)
            Scores on the sample.
        counts : ndarray of shape (n_units,)
            How often each row (each fold, for "bbc-f") is in the sample.
        greater_is_better : bool
            Direction of the scores.
        margin : float, default=0.0
            The standard error of the one-standard-error rule.

        Returns
        -------
        int
            Index of the winner; ties go to the better score, then to the lowest index.

        Examples
        --------
        >>> import numpy as np
        >>> import bbc
        >>> rule = bbc.one_standard_error([3, 1, 2])
        >>> rule.choose(np.array([0.9, 0.7, 0.88]), np.ones(5), greater_is_better=True, margin=0.1)
        2
        """
        if self.function is not None:
            return self._of_function(self.function(scores, counts), len(scores))
        signed = scores if greater_is_better else -scores
        if self.complexity is None:
            return int(np.argmax(signed))
        near = np.flatnonzero(signed >= np.nanmax(signed) - margin)
        order = np.lexsort((near, -signed[near], self.complexity[near]))
        return int(near[order[0]])

    @staticmethod
    def _of_function(chosen: Any, n_configurations: int) -> int:
        try:
            index = operator.index(chosen)
        except TypeError:
            raise InvalidTypeError(
                "selection", f": the callable must return an index, got {type(chosen).__name__}"
            ) from None
        if not 0 <= index < n_configurations:
            raise InvalidValueError(
                "selection",
                f": the callable returned {index}, there are {n_configurations} configurations",
            )
        return index


BEST = Selection("best")


def standard_error(fold_scores: FloatArray) -> float:
    """Return the standard error of the mean of one configuration's fold scores.

    Parameters
    ----------
    fold_scores : ndarray
        Scores of all folds of all repeats; NaN where undefined.

    Returns
    -------
    float
        Standard deviation over the square root of the number of defined scores.

    Examples
    --------
    >>> import numpy as np
    >>> from bbc.selection import standard_error
    >>> standard_error(np.array([1.0, 3.0, np.nan]))
    1.0
    """
    defined = fold_scores[~np.isnan(fold_scores)]
    if defined.size < 2:
        raise InvalidValueError(
            "selection", ": one_standard_error needs at least two folds with a score"
        )
    return float(defined.std(ddof=1) / np.sqrt(defined.size))


def one_standard_error(complexity: ArrayLike) -> Selection:
    """Select the least complex configuration within one standard error of the best.

    The standard error is that of the best configuration's fold scores on all rows, the same in all
    replicates, and requires `folds`. Ties in complexity are broken by score, then by index.

    Parameters
    ----------
    complexity : array-like of shape (n_configurations,)
        Complexity of each configuration; only the order matters.

    Returns
    -------
    Selection
        For the argument `selection` of corrections and protocols.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen, C. Stone, "Classification and Regression Trees",
       1984, section 3.4.3.

    Examples
    --------
    >>> import bbc
    >>> bbc.one_standard_error([3, 1, 2]).needs_folds
    True
    """
    try:
        values = np.array(complexity, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidTypeError("complexity", "must be numbers, one per configuration") from None
    if values.ndim != 1 or values.size == 0:
        raise InvalidValueError(
            "complexity",
            f"must have shape (n_configurations,), got an array of shape {values.shape}",
        )
    if not np.isfinite(values).all():
        place = int(np.argmin(np.isfinite(values)))
        raise InvalidValueError(
            "complexity", f"must be finite, configuration {place} is {values[place]}"
        )
    values.flags.writeable = False
    return Selection("one_standard_error", complexity=values)


def rungs(given: Any) -> Rungs:
    """Return what the argument `rungs` says."""
    return given if isinstance(given, Rungs) else Rungs(given)


def best_threshold() -> Selection:
    """Choose a configuration and the cut-off that makes labels of its scores.

    For two classes, and a metric of labels such as accuracy, F1 or MCC. Predictions are scores of
    the positive class. In every replicate each configuration is tried with every cut-off, and the
    best pair labels the rows out of bag. Rows are called positive if their score is above the
    cut-off.

    Returns
    -------
    Selection
        For the argument `selection` of `bbc.correct` and `bbc.BBC`.

    See Also
    --------
    greedy_ensemble, top_k : Rules that average configurations.

    Notes
    -----
    Cut-offs are -inf, the midpoints between distinct in-bag scores of all repeats, and +inf. Ties
    go to the configuration with the lowest index, then to the middle of its first run of
    consecutive best cut-offs. The result has the cut-off of all rows, `threshold`, and those of the
    replicates, `replicate_thresholds`.

    Examples
    --------
    Twenty configurations that score at random: whatever the cut-off, their balanced accuracy is a
    half, but the best cut-off of the best of them seems to do better.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=100)
    >>> scores = rng.random((100, 20))
    >>> e = bbc.correct(y, scores, metric="balanced_accuracy", selection=bbc.best_threshold(),
    ...                 random_state=1)
    >>> e.apparent > 0.6, abs(e.estimate - 0.5) < 0.03, bool(0 < e.threshold < 1)
    (True, True, True)
    """
    return Selection("best_threshold")


def greedy_ensemble(n_rounds: int = 25) -> Selection:
    """Build an ensemble, adding in each round the configuration that improves it most.

    Ensemble selection with replacement [1]_: the best configuration is the first of `n_rounds`
    members, and each round after it adds the one whose addition to the average of predictions
    gives the best in-bag metric; one that is added several times has a larger weight. The ensemble
    is built anew in every replicate and scored out of bag.

    Parameters
    ----------
    n_rounds : int, default=25
        Number of members, the first included, at most a million; one that is added twice counts
        twice.

    Returns
    -------
    Selection
        For the argument `selection` of `bbc.correct` and `bbc.BBC`.

    See Also
    --------
    top_k : Averages the k best.

    Notes
    -----
    Ties go to the lowest index. Scores, probabilities and real predictions are averaged: the
    running sum in order of rounds, divided by their number. Labels vote, with ties for the lowest
    class. The result has the `weights` of the ensemble of all rows, and `selection_frequency` is
    the share of replicates in which a configuration takes part.

    References
    ----------
    .. [1] R. Caruana, A. Niculescu-Mizil, G. Crew, A. Ksikes, "Ensemble selection from libraries
       of models", ICML 2004.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=80)
    >>> predictions = y[:, None] + rng.normal(size=(80, 10))
    >>> e = bbc.correct(y, predictions, metric="r2", selection=bbc.greedy_ensemble(20),
    ...                 random_state=1)
    >>> int((e.weights > 0).sum()) > 3, round(float(e.weights.sum()), 12)
    (True, 1.0)
    """
    return Selection("greedy_ensemble", size=integer(n_rounds, "n_rounds", lowest=1))


def top_k(k: int) -> Selection:
    """Average the predictions of the k best configurations.

    Parameters
    ----------
    k : int
        Number of configurations that are averaged.

    Returns
    -------
    Selection
        For the argument `selection` of `bbc.correct` and `bbc.BBC`.

    See Also
    --------
    greedy_ensemble : Chooses members and weights by the ensemble's own performance.

    Notes
    -----
    Ties go to the lowest index. Predictions are averaged in order of index; labels vote, with ties
    for the lowest class.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=80)
    >>> predictions = y[:, None] + rng.normal(size=(80, 10))
    >>> e = bbc.correct(y, predictions, metric="r2", selection=bbc.top_k(5), random_state=1)
    >>> e.weights.max(), round(float(e.selection_frequency.sum()), 12)
    (np.float64(0.2), 5.0)
    """
    return Selection("top_k", size=integer(k, "k", lowest=1))


def get(selection: object) -> Selection:
    """Return the selection rule of a name or function.

    Parameters
    ----------
    selection : "best", Selection or callable
        As in `bbc.correct`.

    Returns
    -------
    Selection
        The frozen rule.

    Examples
    --------
    >>> from bbc.selection import get
    >>> get(lambda scores, counts: 0).rule
    'callable'
    """
    if isinstance(selection, Selection):
        return selection
    if isinstance(selection, str):
        if selection == "best":
            return BEST
        raise InvalidValueError("selection", f"must be {_ALLOWED}, got {selection!r}")
    if callable(selection):
        if selection in _UNCALLED:
            raise InvalidTypeError("selection", f": call bbc.{_UNCALLED[selection]}")
        return Selection("callable", function=selection)
    raise InvalidTypeError("selection", f"must be {_ALLOWED}, got {type(selection).__name__}")


_UNCALLED: dict[object, str] = {
    one_standard_error: "one_standard_error with the complexities",
    best_threshold: "best_threshold()",
    greedy_ensemble: "greedy_ensemble()",
    top_k: "top_k with the number of configurations",
}
_ALLOWED = (
    '"best", bbc.one_standard_error(complexity), bbc.best_threshold(), bbc.greedy_ensemble(), '
    "bbc.top_k(k) or a callable"
)
