"""Two families of configurations whose expected performance is known."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Floats = NDArray[np.float64]
BASE = 0.75
AGAIN = 0.8  # correlation of a row's noise between repeats
_SLOPE = np.exp(-(ndtri(BASE) ** 2) / 2) / np.sqrt(2 * np.pi)
_PILOTS = 4000


@dataclass(frozen=True)
class World:
    """Families of `sizes` configurations; the first is better by `advantage`.

    Skills are normal quantiles about .75 with sd `spread`; where that is positive, a second family
    of one configuration has the skill that the best of the first is expected to have. Every
    fitted model (configuration, repeat, fold) adds luck of sd `luck`, and `rho` correlates the
    rows' noise between all configurations.
    """

    n_rows: int
    sizes: tuple[int, int] = (1, 1)
    luck: float = 0.0
    spread: float = 0.0
    advantage: float = 0.0
    rho: float = 0.8
    n_folds: int = 5
    n_repeats: int = 1
    metric: Literal["accuracy", "roc_auc"] = "accuracy"

    def skills(self, gain: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Expected performance of every configuration of both families."""
        families = []
        for size, shift in zip(self.sizes, (self.advantage, gain), strict=True):
            quantiles = ndtri((np.arange(size) + 0.5) / size)
            latent = ndtri(BASE + shift) + self.spread / _SLOPE * quantiles
            families.append(ndtr(rng.permutation(latent)))
        return families[0], families[1]

    def draw(self, gain: float, rng: np.random.Generator) -> tuple[Any, Any, Any, list[Floats]]:
        """Truth, predictions (repeat, row, configuration), folds and skills."""
        n, size = self.n_rows, sum(self.sizes)
        skills = self.skills(gain, rng)
        y = rng.permutation(np.arange(n) % 2)
        folds = np.stack([rng.permutation(np.arange(n) % self.n_folds) for _ in self.repeats])
        latent = self.luck / _SLOPE
        centre = ndtri(np.concatenate(skills)) * np.sqrt(1 + latent**2)
        fitted = centre + latent * rng.standard_normal((self.n_repeats, self.n_folds, size))
        noise = rng.standard_normal((n, size))
        common = rng.standard_normal((n, 1))
        values = []
        for own, at in zip(folds, fitted, strict=True):
            mixed = noise
            if self.n_repeats > 1:
                fresh = rng.standard_normal((n, size))
                mixed = np.sqrt(AGAIN) * noise + np.sqrt(1 - AGAIN) * fresh
            mixed = np.sqrt(self.rho) * common + np.sqrt(1 - self.rho) * mixed
            if self.metric == "accuracy":
                values.append(np.where(mixed <= at[own], y[:, None], 1 - y[:, None]))
            else:  # AUC = Phi(distance of the classes / sqrt(2))
                values.append(mixed + (2 * y[:, None] - 1) * at[own] / np.sqrt(2))
        return y, np.stack(values), folds, list(skills)

    @property
    def repeats(self) -> range:
        """Numbers of the repeats."""
        return range(self.n_repeats)

    def gain(self) -> float:
        """What the selected configuration of the first family is expected to be above the mean.

        By simulated accuracies of all rows; 0 where all configurations are equal.
        """
        if self.spread == 0:
            return 0.0
        rng = np.random.default_rng(1)
        total = 0.0
        for _ in range(_PILOTS):
            y, predictions, _, (skills, _) = self.draw(0.0, rng)
            right = (predictions == y[:, None]).mean(axis=(0, 1))
            total += float(skills[np.argmax(right[: self.sizes[0]])])
        return total / _PILOTS - BASE
