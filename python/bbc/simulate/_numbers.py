"""Simulated regression models."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._docstrings import described
from ._simulation import SIMULATED, Draw, Simulation


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
