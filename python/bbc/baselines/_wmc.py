"""Weighted mean correction of subsampling errors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._docstrings import described
from .._typing import FloatArray
from .._validation import ANALYSIS
from ..errors import InvalidTypeError, InvalidValueError
from ..results import WeightedMeanCorrection


@described(ANALYSIS)
def wmc(
    errors: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    shrink: bool = False,
    names: Sequence[str] | None = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> WeightedMeanCorrection:
    """Correct the least of several subsampling errors by a weighted mean (WMC, WMCS).

    The weight of a configuration is the probability that its mean error is the least, if mean
    errors are normal with the correlations over iterations and the variances of Nadeau and Bengio,
    (1 / B + n_test / n_train) times those over iterations. WMCS shrinks the means towards their
    mean before weighting, so that its estimate is higher. Neither has an interval. For errors of
    cross-validation, use `correct`.

    Parameters
    ----------
    errors : array-like or frame of shape (n_iterations, n_configurations)
        Test error of each configuration in each iteration of repeated subsampling (splits of the
        rows at random into training and test sets); lower is better. The columns of a frame are
        the configurations.
    n_train, n_test : int
        Rows that each iteration trains and tests on.
    shrink : bool, default=False
        Whether to shrink (WMCS).
    random_state : int, Generator or None, default=None
        Seed of the 50,000 draws behind the weights, 0 to 2**53 - 1.

    Returns
    -------
    WeightedMeanCorrection
        The corrected error, its Monte Carlo error, and the weights.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.

    Notes
    -----
    The R function ``wmc`` of the package CMA replaces variances of 0 by 1e-7 and correlations of 1
    by 0.9. Here they stay as they are: an error that never varies is a constant, and configurations
    with equal errors share a weight, which leaves the weighted mean as it is.

    References
    ----------
    .. [1] C. Bernau, T. Augustin, A.-L. Boulesteix, "Correcting the optimal resampling-based error
       rate by estimating the error rate of wrapper algorithms", Biometrics 69 (2013).
    .. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> errors = np.random.default_rng(0).normal(0.3, 0.05, size=(50, 20))
    >>> plain, shrunken = (
    ...     bbc.baselines.wmc(errors, n_train=80, n_test=20, shrink=shrink, random_state=0)
    ...     for shrink in (False, True))
    >>> plain.apparent < plain.estimate < shrunken.estimate
    True
    """
    table, columns = _table(errors)
    rows = {
        "n_train": _validation.integer(n_train, "n_train", lowest=1),
        "n_test": _validation.integer(n_test, "n_test", lowest=1),
    }
    shrink = _validation.flag(shrink, "shrink")
    seed = _validation.seed(random_state)
    named = _validation.names(columns if names is None else names, table.shape[1])
    raw = _engine.kernel.weighted_mean_correction(
        table, **rows, shrink=shrink, seed=seed, n_threads=_validation.n_threads(n_threads)
    )
    return WeightedMeanCorrection(
        estimate=raw["estimate"],
        apparent=float(raw["means"][raw["winner"]]),
        weights=raw["weights"],
        errors=raw["means"],
        winner=raw["winner"],
        n_iterations=table.shape[0],
        n_configurations=table.shape[1],
        method="wmcs" if shrink else "wmc",
        shrinkage=raw["shrinkage"],
        monte_carlo_error=raw["monte_carlo_error"],
        n_draws=raw["n_draws"],
        names=named,
        seed=seed,
        version=_engine.kernel_version(),
    )


def _table(errors: Any) -> tuple[FloatArray, Sequence[str] | None]:
    """The errors as float64, and the names of a frame's columns."""
    columns = getattr(errors, "columns", None)
    values = _validation.plain_array(errors, "errors")
    if values.dtype.kind not in "fiub":
        raise InvalidTypeError("errors", f"must be numbers, got {values.dtype}")
    if values.ndim != 2:
        raise InvalidValueError(
            "errors",
            f"must have the axes (iteration, configuration), got shape {values.shape}",
        )
    if values.shape[1] == 0:
        raise InvalidValueError("errors", "has no configurations")
    if values.shape[0] < 2:
        raise InvalidValueError(
            "errors", f"has {values.shape[0]} iteration; the variance needs two"
        )
    table = np.ascontiguousarray(values, dtype=np.float64)
    wrong = ~np.isfinite(table)
    if wrong.any():
        place = {
            axis: int(at)
            for axis, at in zip(("iteration", "configuration"), np.argwhere(wrong)[0], strict=True)
        }
        raise InvalidValueError(
            "errors", "are not finite", place=place, count=int(np.count_nonzero(wrong))
        )
    return table, None if columns is None else [str(name) for name in columns]
