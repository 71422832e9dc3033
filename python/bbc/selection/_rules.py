"""Selection rules: from scores to the winner."""

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .._typing import AnyArray, FloatArray, IndexArray
from ..errors import InvalidTypeError, InvalidValueError
from ._rungs import Rungs

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
