"""Selection rules that make something new of configurations, and the rule of a name or function."""

import operator
from typing import Any

import numpy as np

from ..errors import InvalidTypeError, InvalidValueError
from ._rules import BEST, Selection, one_standard_error


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
        Number of members, the first included; one that is added twice counts twice.

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
    return Selection("greedy_ensemble", size=_positive(n_rounds, "n_rounds"))


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
    return Selection("top_k", size=_positive(k, "k"))


def _positive(value: Any, name: str) -> int:
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise InvalidTypeError(name, f"must be an integer, got {type(value).__name__} {value!r}")
    if number < 1:
        raise InvalidValueError(name, f"must be at least 1, got {number}")
    return number


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
