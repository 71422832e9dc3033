"""Parts of results: an interval, the test of model luck, and the record of the design."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, TypeAlias

from .._result import Level, Number, Result, Share, Within
from .._typing import Alternative

Size: TypeAlias = Annotated[float, Within(0, math.inf)]


@dataclass(frozen=True, eq=False)
class ConfidenceInterval(Result):
    """Limits of a confidence interval; unpacks as ``low, high``.

    Sides are numerical, whatever the metric's direction: for a score the conservative one-sided
    interval is ``alternative="greater"`` (a lower bound), for a loss ``"less"`` (an upper bound).

    Attributes
    ----------
    low, high : float
        The limits; the open side of a one-sided interval ends at the limit of the metric's range,
        which may be infinite.
    confidence_level : float
        Nominal coverage.
    alternative : {"two-sided", "greater", "less"}
        "greater" has a lower bound only, "less" an upper bound only.
    calibrated : bool
        Whether it is the calibrated interval of two-level BBC rather than order statistics.

    Examples
    --------
    >>> from bbc.results import ConfidenceInterval
    >>> low, high = ConfidenceInterval(0.71, 0.83)
    >>> high
    0.83
    """

    low: float
    high: float
    confidence_level: Level = 0.95
    alternative: Alternative = "two-sided"
    calibrated: bool = False

    _spread: ClassVar[bool] = True

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def _negated(self) -> "ConfidenceInterval":
        """That of the value with the opposite sign; a bound changes its side."""
        sides: dict[Alternative, Alternative] = {"greater": "less", "less": "greater"}
        side = sides.get(self.alternative, self.alternative)
        return replace(self, low=0.0 - self.high, high=0.0 - self.low, alternative=side)

    def _check(self) -> None:
        super()._check()
        if not self.low <= self.high:
            raise ValueError(f"the interval is [{self.low}, {self.high}]")


@dataclass(frozen=True, eq=False)
class MonteCarloError(Result):
    """How much the number of replicates leaves to the seed; unpacks as ``estimate, low, high``.

    Standard deviations between seeds, each proportional to one over the root of the number of
    replicates. They are no errors of the estimate as a statement about the performance, which is
    what the interval is for.

    Attributes
    ----------
    estimate : float
        That of the estimate, `replicate_sd` over the root of the number of replicates; 0 of one
        configuration, whose estimate is its score.
    low, high : float or None
        Those of the limits, from the order statistics on both sides of theirs; at most so much
        where few events, few folds or the shares of the classes moved a limit. None of an open
        side, of calibrated limits, and where too few replicates lie beyond the limit to tell.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(80, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> error, low, high = e.monte_carlo_error
    >>> error < low < 0.1 * (e.confidence_interval.high - e.confidence_interval.low)
    True
    """

    estimate: Size
    low: Size | None = None
    high: Size | None = None

    def __iter__(self) -> Iterator[float | None]:
        return iter((self.estimate, self.low, self.high))


@dataclass(frozen=True, eq=False)
class Deployed(Result):
    """The configuration that the tool deploys, beside the one whose performance is corrected.

    Attributes
    ----------
    index : int
        Its index.
    name : str
        Its name.
    source : str
        What deploys it, such as "search" or "study".
    score : float or None
        Its score by the tool's metric and rule, in the tool's sign.
    frequency : float or None
        Share of the replicates that chose it.
    is_corrected : bool
        Whether the estimate is of this configuration.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=10)
    >>> e = bbc.correct(grid.fit(X, y), y=y, random_state=1)
    >>> e.deployed.name, bool(e.deployed.index == grid.best_index_), e.deployed.is_corrected
    ('n_neighbors=5', True, True)
    """

    index: int
    name: str
    source: str = "search"
    score: Number | None = None
    frequency: Share | None = None
    is_corrected: bool = True


@dataclass(frozen=True, eq=False)
class ModelLuck(Result):
    """Test whether the models fitted for a configuration in different folds differ by chance.

    A permutation test of the interaction of configuration and fold in the fold scores: if fitted
    models do not differ, rows of a class are exchangeable between folds. A large p-value does not
    show that they do not differ.

    Attributes
    ----------
    p_value : float or None
        The p-value; None if the test was not possible.
    predicted_bias : float or None
        Predicted bias of the estimate of method "bbc", in the metric's units; positive means too
        good.
    luck_variance, row_variance : float or None
        Variance of the score on one fold due to the fitted model and due to its rows, each
        without what all configurations have in common: on average over the configurations that
        were selected in at least one replicate, since only their luck can bias the estimate.
    n_permutations : int
        Permutations drawn; the test stops once a p-value of at most 0.05 is out of reach.
    untestable : str
        Why the test was not possible; "" if it was.

    References
    ----------
    .. [1] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991).

    Examples
    --------
    The accuracy of each fitted model is drawn at random.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> folds = np.arange(500) % 5
    >>> y = rng.integers(0, 2, 500)
    >>> accuracy = rng.normal(0.75, 0.05, size=(5, 40))
    >>> wrong = rng.random((500, 40)) > accuracy[folds]
    >>> predictions = np.where(wrong, 1 - y[:, None], y[:, None])
    >>> e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=0)
    >>> e.model_luck.p_value <= 0.05, e.model_luck.predicted_bias > 0.01
    (True, True)
    """

    p_value: Share | None = None
    predicted_bias: float | None = None
    luck_variance: float | None = None
    row_variance: float | None = None
    n_permutations: int = 0
    untestable: str = ""
