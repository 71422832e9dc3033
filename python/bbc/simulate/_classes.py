"""Simulated predictions of classifiers, and of regression models."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from .. import _validation
from .._docstrings import described
from .._typing import AnyArray
from ..errors import InvalidValueError
from ._simulation import SIMULATED, Draw, Simulation, as_numbers


@described(SIMULATED)
def accuracy(
    n_rows: int,
    n_configurations: int,
    *,
    beta: tuple[float, float] = (9, 6),
    true_performance: ArrayLike | None = None,
    correlation: float = 0.0,
    n_folds: int = 10,
    random_state: Any = None,
) -> Simulation:
    """Simulate predicted labels of classifiers with known accuracy.

    Configuration j has true accuracy P_j from a Beta distribution, and predicts row i correctly if
    a uniform number is below P_j. The uniform numbers are independent between rows and, by a
    Gaussian copula, correlated between configurations, which then err on the same rows. The paper
    uses means 0.6, 0.7, 0.8 and 0.9: `beta` of (9, 6), (14, 6), (24, 6) and (54, 6).

    Returns
    -------
    Simulation
        With alternating labels 0 and 1, and metric "accuracy".

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       section 5.1.

    Examples
    --------
    >>> import bbc
    >>> simulation = bbc.simulate.accuracy(1000, 3, random_state=0)
    >>> accuracy = (simulation.predictions == simulation.y[:, None]).mean(axis=0)
    >>> bool(abs(accuracy - simulation.true_performance).max() < 0.06)
    True
    """
    d = Draw(n_rows, n_configurations, beta, correlation, random_state)
    truth = d.true_performance(true_performance)
    correct = d.uniform() < truth if d.correlation == 0 else d.noise() < ndtri(truth)
    y = np.arange(d.n_rows) % 2
    predictions = np.where(correct, y[:, None], 1 - y[:, None]).astype(np.int8)
    return d.simulation("accuracy", "accuracy", y, predictions, truth, n_folds=n_folds)


@described(SIMULATED)
def auc(
    n_rows: int,
    n_configurations: int,
    *,
    beta: tuple[float, float] = (9, 6),
    true_performance: ArrayLike | None = None,
    minority: float = 0.5,
    class_counts: Literal["sampled", "fixed"] = "sampled",
    correlation: float = 0.0,
    n_folds: int | None = None,
    random_state: Any = None,
) -> Simulation:
    """Simulate scores of classifiers with known AUC.

    Configuration j has true AUC A_j from a Beta distribution; its scores are N(0, 1) for rows of
    class 0 and N(mu_j, 1) for rows of class 1, where mu_j = sqrt(2) Phi^-1(A_j). The paper uses
    `beta` of (9, 6) and (24, 6).

    Parameters
    ----------
    minority : float, default=0.5
        Share of class 1, at most one half.
    class_counts : {"sampled", "fixed"}, default="sampled"
        With "sampled", each row is of class 1 with probability `minority`, as in the paper; classes
        are redrawn until both have two rows. With "fixed", exactly ``int(minority * n_rows)`` rows
        are of class 1, as in the paper's code.
    n_folds : int, optional
        Number of stratified folds; by default 10, or the size of the rarer class if smaller.

    Returns
    -------
    Simulation
        With scores for class 1, and metric "roc_auc".

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in
       the context of AutoML", AutoML (2024), section 4.

    Examples
    --------
    >>> import bbc
    >>> simulation = bbc.simulate.auc(200, 5, minority=0.1, random_state=0)
    >>> bool(simulation.y.mean() < 0.2), simulation.predictions.shape
    (True, (200, 5))
    """
    d = Draw(n_rows, n_configurations, beta, correlation, random_state)
    if not 0 < _validation.share(minority, "minority") <= 0.5:
        raise InvalidValueError("minority", f"must be in (0, 0.5], got {minority!r}")
    _validation.choice(class_counts, "class_counts", ("sampled", "fixed"))
    fixed = int(minority * d.n_rows)
    if fixed < 2:
        raise ValueError(
            f"minority={minority} of n_rows={d.n_rows} is {minority * d.n_rows:g} rows; "
            "there must be two"
        )
    if class_counts == "fixed":
        y = (np.arange(d.n_rows) < fixed).astype(np.int64)
    else:
        y = _bernoulli(d, minority)
    truth = d.true_performance(true_performance)
    scores = d.noise()
    scores += y[:, None] * (np.sqrt(2) * ndtri(truth))
    return d.simulation(
        "auc",
        "roc_auc",
        y,
        scores,
        truth,
        n_folds=n_folds,
        stratified=True,
        minority=minority,
        class_counts=class_counts,
    )


def _bernoulli(d: Draw, share: float) -> AnyArray:
    while True:
        y = (d.generator.random(d.n_rows) < share).astype(np.int64)
        if 2 <= y.sum() <= d.n_rows - 2:
            return y


@described(SIMULATED)
def multiclass(
    n_rows: int,
    n_configurations: int,
    *,
    beta: tuple[float, float] = (9, 6),
    true_performance: ArrayLike | None = None,
    n_classes: int = 3,
    shares: Sequence[float] | None = None,
    correlation: float = 0.0,
    n_folds: int | None = None,
    random_state: Any = None,
) -> Simulation:
    """Simulate class scores with known pairwise AUC.

    For each ordered pair of classes (a, b) the true AUC of the score of class a, on rows of
    classes a and b, is drawn from a Beta distribution. That score is N(0, 1) on rows of class a and
    N(-mu_ab, 1) on rows of class b, where mu_ab = sqrt(2) Phi^-1(AUC_ab).

    Parameters
    ----------
    true_performance : array-like of shape (n_configurations,), optional
        The true AUC of all pairs of each configuration, instead of draws from `beta`.
    n_classes : int, default=3
        Number of classes.
    shares : sequence of float, optional
        Share of each class; equal by default. Counts of classes are fixed.
    n_folds : int, optional
        Number of stratified folds; by default 10, or the size of the rarest class if smaller.

    Returns
    -------
    Simulation
        With class scores, and metric "roc_auc_ovo_pairs", the mean AUC over ordered pairs.

    References
    ----------
    .. [1] K. Paraschakis et al., "Confidence interval estimation of predictive performance in
       the context of AutoML", AutoML (2024), published code.

    Examples
    --------
    >>> import bbc
    >>> bbc.simulate.multiclass(60, 5, n_classes=4, random_state=0).predictions.shape
    (60, 5, 4)
    """
    d = Draw(n_rows, n_configurations, beta, correlation, random_state)
    n_classes = _validation.integer(n_classes, "n_classes", lowest=2)
    y = _classes(d.n_rows, n_classes, shares)
    pairs = d.true_performance(true_performance, n_classes, n_classes)
    diagonal = np.arange(n_classes)
    pairs[:, diagonal, diagonal] = 0.5
    off_diagonal = ~np.eye(n_classes, dtype=bool)
    # The shift of the score of class a (last axis) on a row of class y.
    shift = (np.sqrt(2) * ndtri(pairs)).transpose(2, 0, 1)[y]
    return d.simulation(
        "multiclass",
        "roc_auc_ovo_pairs",
        y,
        d.noise(n_classes) - shift,
        pairs[:, off_diagonal].mean(axis=1),
        n_folds=n_folds,
        stratified=True,
        n_classes=n_classes,
    )


def _classes(n_rows: int, n_classes: int, shares: Sequence[float] | None) -> AnyArray:
    parts = np.full(n_classes, 1 / n_classes) if shares is None else as_numbers(shares)
    if parts.shape != (n_classes,) or not (parts > 0).all() or abs(parts.sum() - 1) > 1e-9:
        raise InvalidValueError(
            "shares", f"must be {n_classes} positive numbers of sum 1, got {shares!r}"
        )
    ends = np.rint(np.cumsum(parts) * n_rows).astype(np.int64)
    counts = np.diff(ends, prepend=0)
    if counts.min() < 2:
        rarest = int(np.argmin(counts))
        raise ValueError(f"class {rarest} would have {counts[rarest]} rows; there must be two")
    return np.repeat(np.arange(n_classes), counts)


@described(SIMULATED)
def regression(
    n_rows: int,
    n_configurations: int,
    *,
    beta: tuple[float, float] = (9, 6),
    true_performance: ArrayLike | None = None,
    correlation: float = 0.0,
    n_folds: int = 10,
    random_state: Any = None,
) -> Simulation:
    """Simulate predictions of regression models with known R2.

    The truth is N(0, 1). A configuration with true R2 of R predicts R y + sqrt(R (1 - R)) e,
    with e from N(0, 1). Then R is also its squared correlation with y, and 1 - R its mean
    squared error.

    Returns
    -------
    Simulation
        With metric "r2".

    Examples
    --------
    >>> import bbc
    >>> simulation = bbc.simulate.regression(2000, 2, random_state=0)
    >>> mse = ((simulation.predictions - simulation.y[:, None]) ** 2).mean(axis=0)
    >>> bool(abs(1 - mse - simulation.true_performance).max() < 0.1)
    True
    """
    d = Draw(n_rows, n_configurations, beta, correlation, random_state)
    truth = d.true_performance(true_performance)
    y = d.generator.standard_normal(d.n_rows)
    predictions = y[:, None] * truth + d.noise() * np.sqrt(truth * (1 - truth))
    return d.simulation("regression", "r2", y, predictions, truth, n_folds=n_folds)
