"""Simulated regressors."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._docstrings import described
from .._frozen import read_only
from ._simulation import SIMULATED, Simulation, block_folds, draw


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
    """Simulate predicted numbers with known R2.

    The truth is N(0, 1). A configuration with true R2 of R predicts R y + sqrt(R (1 - R)) e,
    with e from N(0, 1). Then R is also its squared correlation with y, and 1 - R its mean
    squared error.

    Parameters
    ----------
    beta : (float, float), default=(9, 6)
        Law of the true R2.
    true_performance : array-like of shape (n_configurations,), optional
        The true R2 themselves, instead of draws from `beta`.
    correlation : float, default=0
        Correlation of e between configurations, 0 to 1.

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
    d = draw(n_rows, n_configurations, beta, correlation, random_state)
    truth = d.true_performance(true_performance)
    y = d.generator.standard_normal(d.n_rows)
    return Simulation(
        y=y,
        predictions=read_only(y[:, None] * truth + d.noise() * np.sqrt(truth * (1 - truth))),
        true_performance=truth,
        metric="r2",
        folds=block_folds(d.n_rows, n_folds),
        parameters=d.parameters("regression", n_folds=n_folds),
    )
