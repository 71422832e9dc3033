"""WeightedMeanCorrection: errors weighted by the probability of being the least."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._typing import FloatArray
from . import _text
from ._small_result import SmallResult
from ._text import data_frame


@dataclass(frozen=True, eq=False, repr=False)
class WeightedMeanCorrection(SmallResult):
    """Error of the best configuration, corrected by WMC or WMCS.

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
    >>> corrected = bbc.wmc(errors, n_train=80, n_test=20, random_state=0)
    >>> bool(corrected.apparent < corrected.estimate < corrected.errors.max())
    True
    """

    estimate: float
    apparent: float
    weights: FloatArray
    errors: FloatArray
    winner: int
    n_iterations: int
    n_configurations: int
    winner_name: str = ""
    method: str = "wmc"
    shrinkage: float = 0.0
    monte_carlo_error: float = 0.0
    n_draws: int = 0
    names: tuple[str, ...] | None = None
    seed: int | None = None
    version: str = ""

    _kind: ClassVar[str] = "bbc.WeightedMeanCorrection"
    _arrays: ClassVar[dict[str, Any]] = {"weights": np.float64, "errors": np.float64}

    def summary(self) -> str:
        """Describe the result in at most 80 columns of text.

        Returns
        -------
        str
            Several lines.

        Examples
        --------
        >>> import bbc
        >>> errors = [[0.2, 0.3], [0.3, 0.3], [0.2, 0.4], [0.3, 0.2]]
        >>> corrected = bbc.wmc(errors, n_train=80, n_test=20, random_state=0)
        >>> print(corrected.summary())  # doctest: +ELLIPSIS
        error of the best configuration, method wmc
          estimate       0.26... (Monte Carlo error 0.0001)
          apparent       0.25
          winner         configuration 0 (weight 0.7...)
          data           4 iterations, 2 configurations
          seed           0 (bbc ...)
        """
        rows = [
            ("estimate", f"{self.estimate:.6g} (Monte Carlo error {self.monte_carlo_error:.1g})"),
            ("apparent", _text.number(self.apparent)),
            ("winner", f"{self.winner_name} (weight {self.weights[self.winner]:.3g})"),
        ]
        if self.method == "wmcs":
            rows.append(("shrinkage", f"{self.shrinkage:.3g}"))
        counted = _text.counted(self.n_configurations, "configuration")
        rows.append(("data", f"{self.n_iterations} iterations, {counted}"))
        rows.append(("seed", f"{self.seed} (bbc {self.version})"))
        head = f"error of the best configuration, method {self.method}"
        return _text.lines(head, rows, (), ())

    def to_frame(self) -> Any:
        """Return the result as a pandas frame, one row per configuration.

        Returns
        -------
        pandas.DataFrame
            Columns configuration, name, error and weight.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> import bbc
        >>> errors = [[0.2, 0.3], [0.3, 0.3], [0.2, 0.4], [0.3, 0.2]]
        >>> frame = bbc.wmc(errors, n_train=80, n_test=20, random_state=0).to_frame()
        >>> frame["error"].round(3).tolist()
        [0.25, 0.3]
        """
        indices = list(range(self.n_configurations))
        names = self.names or tuple(f"configuration {index}" for index in indices)
        return data_frame(
            {
                "configuration": indices,
                "name": list(names),
                "error": self.errors,
                "weight": self.weights,
            }
        )

    def __repr__(self) -> str:
        return (
            f"WeightedMeanCorrection({_text.number(self.estimate)}, method={self.method!r}, "
            f"winner={self.winner})"
        )
