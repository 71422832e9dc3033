"""Whether a configuration's fitted models differ by luck, and what a result says of it."""

from dataclasses import dataclass
from typing import Any

SINGLE_HOLD_OUT = "a single hold-out"


@dataclass(frozen=True)
class ModelLuck:
    """Whether the models that folds fitted for a configuration differ by more than their rows do.

    A permutation test of the interaction of configuration and fold in the fold scores: if fitted
    models do not differ, it does not matter which rows of a class are in which fold. A large
    p-value is no proof that they do not.

    Attributes
    ----------
    p_value : float or None
        Of the test; None where it could not be done.
    predicted_bias : float or None
        What luck adds to the estimate of method "bbc", in the metric's units: positive means too
        good.
    luck_variance, row_variance : float or None
        Variance of the score on one fold, by the luck of the fitted model and by the choice of
        the rows, each without what all configurations have in common.
    n_permutations : int
        Permutations drawn. The test stops once a p-value of at most .05 is out of reach.
    untestable : str
        Why the test could not be done; "" if it was.

    References
    ----------
    .. [1] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991).

    Examples
    --------
    Every model guesses right with a probability of its own.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> folds = np.arange(500) % 5
    >>> y = rng.integers(0, 2, 500)
    >>> skill = rng.normal(0.75, 0.05, size=(5, 40))
    >>> wrong = rng.random((500, 40)) > skill[folds]
    >>> predictions = np.where(wrong, 1 - y[:, None], y[:, None])
    >>> e = bbc.correct(y, predictions, metric="accuracy", folds=folds, random_state=0)
    >>> e.model_luck.p_value <= 0.05, e.model_luck.predicted_bias > 0.01
    (True, True)
    """

    p_value: float | None = None
    predicted_bias: float | None = None
    luck_variance: float | None = None
    row_variance: float | None = None
    n_permutations: int = 0
    untestable: str = ""

    def __post_init__(self) -> None:
        own = vars(self)
        for name in ("p_value", "predicted_bias", "luck_variance", "row_variance"):
            if own[name] is not None:
                own[name] = float(own[name])
        own["n_permutations"] = int(own["n_permutations"])
        own["untestable"] = str(own["untestable"])


def model_luck(raw: dict[str, Any] | None) -> ModelLuck | None:
    """The kernel's test as a result; its numbers mean nothing where there was none."""
    if raw is None:
        return None
    return ModelLuck(untestable=raw["untestable"]) if raw["untestable"] else ModelLuck(**raw)
