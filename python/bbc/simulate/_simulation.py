"""The result of a simulation, and what generators share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _validation
from .._frozen import frozen_copy, made_anew, read_only
from .._typing import AnyArray, CodeArray, FloatArray
from ..errors import InvalidValueError
from ..results import PerformanceEstimate

_NUMBERS_AT_ONCE = 1 << 20
_MOST_FOLDS = 10

#: Arguments that generators share.
SIMULATED = """
n_rows, n_configurations : int
    Size of the matrix of predictions.
beta : (float, float), default=(9, 6)
    Parameters of the Beta distribution of the true performances.
true_performance : array-like of shape (n_configurations,), optional
    The true performances, instead of draws from `beta`.
correlation : float, default=0
    Correlation between configurations, 0 to 1, of the latent normal variables of a row.
n_folds : int, default=10
    Number of folds, which are blocks of consecutive rows.
random_state : int, Generator or None, default=None
    Seed; a Generator gives a new simulation every time.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Simulation:
    """Simulated out-of-sample predictions of known performance; arrays are read-only.

    Attributes
    ----------
    y : ndarray of shape (n_rows,)
        The truth, as `bbc.correct` takes it.
    predictions : ndarray of shape (n_rows, n_configurations[, n_classes])
        The predictions of each configuration.
    true_performance : ndarray of shape (n_configurations,)
        Population value of `metric` for each configuration.
    metric : str
        Name of the metric of `true_performance`.
    folds : ndarray of shape (n_rows,)
        The fold in which each row was held out.
    parameters : mapping
        The generator's arguments, with the seed that reproduces the simulation.

    Examples
    --------
    >>> import bbc
    >>> simulation = bbc.simulate.auc(50, 10, random_state=0)
    >>> simulation
    Simulation(metric='roc_auc', n_rows=50, n_configurations=10)
    """

    y: AnyArray
    predictions: AnyArray
    true_performance: FloatArray
    metric: str
    folds: CodeArray
    parameters: Mapping[str, Any]

    def __post_init__(self) -> None:
        for name in ("y", "predictions", "true_performance", "folds"):
            object.__setattr__(self, name, frozen_copy(getattr(self, name)))
        object.__setattr__(self, "parameters", MappingProxyType(dict(self.parameters)))

    def __reduce__(self) -> tuple[Any, ...]:
        return made_anew(self)

    def bias(self, estimate: PerformanceEstimate) -> float:
        """Return the estimated minus the true performance of the winner.

        Parameters
        ----------
        estimate : PerformanceEstimate
            A correction of these predictions.

        Returns
        -------
        float
            Positive if the estimate is too high; higher is better for all metrics here.
        """
        return float(estimate.estimate - self.true_performance[estimate.winner])

    def __repr__(self) -> str:
        return (
            f"Simulation(metric={self.metric!r}, n_rows={len(self.y)}, "
            f"n_configurations={self.true_performance.size})"
        )


class Draw:
    """Validated arguments that generators share, and the random stream."""

    def __init__(
        self,
        n_rows: int,
        n_configurations: int,
        beta: tuple[float, float],
        correlation: float,
        random_state: Any,
    ) -> None:
        self.n_rows = _validation.integer(n_rows, "n_rows", lowest=2)
        self.n_configurations = _validation.integer(n_configurations, "n_configurations", lowest=1)
        shapes = as_numbers(beta)
        if shapes.shape != (2,) or not (np.isfinite(shapes) & (shapes > 0)).all():
            raise InvalidValueError("beta", f"must be two positive numbers, got {beta!r}")
        self.beta = (float(beta[0]), float(beta[1]))
        self.correlation = _validation.share(correlation, "correlation")
        self.seed = _validation.seed(random_state)
        self.generator = np.random.default_rng(self.seed)

    def true_performance(self, explicit: ArrayLike | None, *more_axes: int) -> FloatArray:
        """Explicit true performances, or draws from the Beta distribution."""
        shape = (self.n_configurations, *more_axes)
        if explicit is None:
            # A draw that rounds to 0 or 1 would require infinitely separated scores.
            drawn = self.generator.beta(*self.beta, size=shape)
            return np.clip(drawn, 1e-12, 1 - 1e-12)
        values = as_numbers(explicit)
        if values.shape != (self.n_configurations,):
            raise InvalidValueError(
                "true_performance",
                f"has {values.size} entries for {self.n_configurations} configurations",
            )
        inside = (values > 0) & (values < 1)
        if not inside.all():
            place = int(np.argmin(inside))
            raise InvalidValueError(
                "true_performance",
                f"must be strictly between 0 and 1, configuration {place} has {values[place]}",
            )
        return np.broadcast_to(values.reshape(-1, *(1 for _ in more_axes)), shape).copy()

    def uniform(self) -> FloatArray:
        """Uniform numbers in [0, 1) of shape (row, configuration)."""
        return self._drawn(self.generator.random)

    def _drawn(self, draw: Callable[..., Any], *more_axes: int) -> FloatArray:
        """Random numbers, drawn in blocks of rows so that Ctrl-C works in between."""
        drawn = np.empty((self.n_rows, self.n_configurations, *more_axes))
        n_rows = max(1, _NUMBERS_AT_ONCE * self.n_rows // max(drawn.size, 1))
        for first in range(0, self.n_rows, n_rows):
            draw(out=drawn[first : first + n_rows])
        return drawn

    def noise(self, *more_axes: int) -> FloatArray:
        """Standard normal numbers, equicorrelated between configurations."""
        noise = self._drawn(self.generator.standard_normal, *more_axes)
        if self.correlation > 0:
            shared = self.generator.standard_normal((self.n_rows, 1, *more_axes))
            noise *= np.sqrt(1 - self.correlation)
            noise += np.sqrt(self.correlation) * shared
        return noise

    def simulation(
        self,
        generator: str,
        metric: str,
        y: AnyArray,
        predictions: AnyArray,
        true_performance: FloatArray,
        *,
        n_folds: int | None,
        stratified: bool = False,
        **parameters: Any,
    ) -> Simulation:
        """The result, with folds that are blocks of rows or stratified by the classes of `y`."""
        if stratified:
            n_folds = min(_MOST_FOLDS, int(np.bincount(y).min())) if n_folds is None else n_folds
            folds = _stratified_folds(y, n_folds)
        else:
            folds = _block_folds(self.n_rows, n_folds)
        shared = {
            "generator": generator,
            "n_rows": self.n_rows,
            "n_configurations": self.n_configurations,
            "beta": self.beta,
            "correlation": self.correlation,
            "random_state": self.seed,
        }
        return Simulation(
            y=y,
            predictions=read_only(predictions),
            true_performance=true_performance,
            metric=metric,
            folds=folds,
            parameters=shared | parameters | {"n_folds": n_folds},
        )


def as_numbers(values: Any) -> FloatArray:
    """A new array of numbers, empty if the values are not numeric."""
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        return np.empty(0)


def _block_folds(n_rows: int, n_folds: int | None) -> CodeArray:
    """Folds of consecutive rows, whose sizes differ by at most one."""
    n_folds = _validation.integer(n_folds, "n_folds", lowest=2)
    if n_folds > n_rows:
        raise ValueError(f"n_folds={n_folds} is more than n_rows={n_rows}")
    return (np.arange(n_rows, dtype=np.int64) * n_folds // n_rows).astype(np.int32)


def _stratified_folds(classes: AnyArray, n_folds: int | None) -> CodeArray:
    """Stratified folds: the rows of each class are assigned in turn."""
    rarest = int(np.bincount(classes).min())
    n_folds = _validation.integer(n_folds, "n_folds", lowest=2)
    if n_folds > rarest:
        raise ValueError(f"n_folds={n_folds}, but the rarest class has {rarest} rows")
    folds = np.empty(classes.size, dtype=np.int32)
    folds[np.argsort(classes, kind="stable")] = np.arange(classes.size) % n_folds
    return folds
