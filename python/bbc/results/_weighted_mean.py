"""WeightedMeanCorrection: errors weighted by the probability of being the least."""

from dataclasses import dataclass
from typing import Annotated, Any

from .._digits import decimals, shown
from .._page import Page
from .._result import Index, PerConfiguration, PerEntry, Result, SharePerConfiguration
from .._sentences import counted
from ._estimate import name_of


@dataclass(frozen=True, eq=False)
class WeightedMeanCorrection(Result):
    """Error of the best configuration, corrected by WMC or WMCS.

    Rows of `to_frame` are configurations, with their errors and weights.

    Attributes
    ----------
    estimate : float
        The weighted mean of the configurations' errors.
    apparent : float
        The least mean error.
    weights : ndarray of shape (n_configurations,)
        Estimated probability that each configuration has the least error.
    errors : ndarray of shape (n_configurations,)
        Mean error of each configuration.
    winner : int
        The configuration with the least mean error.
    winner_name : str
        Its name, if configurations have names.
    method : {"wmc", "wmcs"}
        Whether means were shrunken before weighting.
    shrinkage : float
        By how much; 0 for "wmc".
    monte_carlo_error : float
        Standard error of the estimate due to the simulated weights.
    n_draws, n_iterations, n_configurations : int
        Numbers of simulated draws, subsampling iterations and configurations.
    names : tuple of str or None
        Names of the configurations.
    seed : int or None
        Seed of the draws.
    version : str
        Version of bbc.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> errors = np.random.default_rng(0).normal(0.3, 0.05, size=(50, 4))
    >>> corrected = bbc.baselines.wmc(errors, n_train=80, n_test=20, random_state=0)
    >>> bool(corrected.apparent < corrected.estimate < corrected.errors.max())
    True
    """

    estimate: float
    apparent: float
    weights: SharePerConfiguration
    errors: PerConfiguration
    winner: Annotated[int, Index("n_configurations")]
    n_iterations: int
    n_configurations: int
    winner_name: str = ""
    method: str = "wmc"
    shrinkage: float = 0.0
    monte_carlo_error: float = 0.0
    n_draws: int = 0
    names: Annotated[tuple[str, ...], PerEntry("n_configurations")] | None = None
    seed: int | None = None
    version: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.winner_name:
            self.__dict__["winner_name"] = name_of(self.names, self.winner)

    def _page(self) -> Page:
        places = decimals([self.monte_carlo_error], None)
        error = f"Monte Carlo error {self.monte_carlo_error:.1g}"
        weight = f"weight {self.weights[self.winner]:.3g}"
        n = counted(self.n_configurations, "configuration")
        facts = [
            ("estimate", f"{shown(self.estimate, places)} ({error})"),
            ("apparent", shown(self.apparent, places)),
            ("winner", f"{self.winner_name} ({weight})"),
            *([("shrinkage", f"{self.shrinkage:.3g}")] if self.method == "wmcs" else []),
            ("data", f"{self.n_iterations} iterations, {n}"),
            ("seed", f"{self.seed} (bbc {self.version})"),
        ]
        return Page(f"error of the best configuration, method {self.method}", facts)

    def _frame(self) -> Any:
        indices = list(range(self.n_configurations))
        return {
            "configuration": indices,
            "name": [name_of(self.names, index) for index in indices],
            "error": self.errors,
            "weight": self.weights,
        }

    def __repr__(self) -> str:
        estimate = shown(self.estimate, decimals([self.monte_carlo_error], None))
        return f"WeightedMeanCorrection({estimate}, method={self.method!r}, winner={self.winner})"
