"""Resampling plans: what a replicate draws, and from which random stream."""

from typing import Literal

from ._frozen import frozen
from ._typing import CodeArray


@frozen(eq=False)
class Resampling:
    """What is drawn, how often, and from which stream of random numbers.

    Attributes
    ----------
    unit : {"row", "group", "fold"}
        What a replicate draws, with replacement, as many as there are.
    n_bootstraps : int
        Number of replicates; that of `resamples` if those are given.
    seed : int or None
        Seed of all draws; None if `resamples` are given.
    stream : int
        Stream of the seed: 0 for a correction, t for the t-th dropping test.
    stratified : bool
        Whether units are drawn within classes, so that class counts are kept.
    on_undefined : {"redraw", "raise"}
        What to do with a draw that leaves the metric undefined.
    resamples : ndarray of int32 of shape (n_bootstraps, n_units), or None
        Given draws, which are never redrawn.

    Examples
    --------
    >>> from bbc.resampling import Resampling
    >>> Resampling(unit="fold", n_bootstraps=1000, seed=0).stratified
    False
    """

    unit: Literal["row", "group", "fold"]
    n_bootstraps: int
    seed: int | None
    stream: int = 0
    stratified: bool = False
    on_undefined: Literal["redraw", "raise"] = "redraw"
    resamples: CodeArray | None = None

    def __post_init__(self) -> None:
        if self.resamples is None and self.seed is None:
            raise ValueError("Resampling needs a seed or resamples")
        if self.resamples is not None:
            object.__setattr__(self, "n_bootstraps", len(self.resamples))
            object.__setattr__(self, "seed", None)
            if self.stratified:
                raise ValueError("resamples are given: stratify_bootstrap=True has no effect")
        if self.stratified and self.unit == "fold":
            raise ValueError("stratify_bootstrap=True draws rows or groups, not folds")
