"""Selection rules: which configuration wins, given scores."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ._typing import FloatArray


@dataclass(frozen=True, eq=False)
class Selection:
    """A selection rule and what it needs.

    Attributes
    ----------
    rule : {"best", "one_standard_error", "callable"}
        Which rule.
    complexity : ndarray or None
        One number per configuration, for the one-standard-error rule.
    function : callable or None
        ``function(scores, counts) -> index``, for a rule of the user's own.

    Examples
    --------
    >>> from bbc.selection import get
    >>> get("best").needs_folds
    False
    """

    rule: Literal["best", "one_standard_error", "callable"]
    complexity: FloatArray | None = None
    function: Callable[..., Any] | None = None

    @property
    def needs_folds(self) -> bool:
        """Whether the rule reads scores per fold."""
        return self.rule == "one_standard_error"

    def check(self, n_configurations: int) -> None:
        """Refuse a rule that does not fit the number of configurations.

        Parameters
        ----------
        n_configurations : int
            Number of configurations that compete.

        Examples
        --------
        >>> import bbc
        >>> bbc.one_standard_error([1, 2, 3]).check(n_configurations=3)
        """
        if self.complexity is not None and self.complexity.size != n_configurations:
            raise ValueError(
                f"selection: complexity has {self.complexity.size} entries "
                f"for {n_configurations} configurations"
            )


def one_standard_error(complexity: ArrayLike) -> Selection:
    """Select the least complex configuration within one standard error of the best.

    The standard error is that of the best configuration's fold scores on all rows; it is the
    same for all replicates. Needs `folds`. Equally complex configurations are decided by score,
    then by index.

    Parameters
    ----------
    complexity : array-like of shape (n_configurations,)
        Larger is more complex; only the order counts.

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
        raise TypeError("complexity must be numbers, one per configuration") from None
    if values.ndim != 1 or values.size == 0:
        raise ValueError(
            f"complexity must have shape (n_configurations,), got an array of shape {values.shape}"
        )
    if not np.isfinite(values).all():
        place = int(np.argmin(np.isfinite(values)))
        raise ValueError(f"complexity must be finite, configuration {place} is {values[place]}")
    values.flags.writeable = False
    return Selection("one_standard_error", complexity=values)


def get(selection: object) -> Selection:
    """Return the rule that the argument `selection` stands for.

    Parameters
    ----------
    selection : "best", Selection or callable
        What the user gave; a callable gets the (n_configurations,) scores and the counts.

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
            return Selection("best")
        raise ValueError(
            f'selection must be "best", bbc.one_standard_error(complexity) or a callable, '
            f"got {selection!r}"
        )
    if callable(selection):
        if selection is one_standard_error:
            raise TypeError("selection: call bbc.one_standard_error with the complexities")
        return Selection("callable", function=selection)
    raise TypeError(
        'selection must be "best", bbc.one_standard_error(complexity) or a callable, '
        f"got {type(selection).__name__}"
    )
