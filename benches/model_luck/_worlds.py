"""Predictions of fitted models that vary: what a world is, and what one sample of it looks like."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

BASE = 0.75
ROW_SD = float(np.sqrt(BASE * (1 - BASE)))


@dataclass(frozen=True)
class World:
    """A grid of configurations whose fitted models have luck of their own.

    Skills are normal quantiles about .75 with sd `spread`; each fitted model (configuration,
    repeat, fold; and the refit) adds luck of sd `luck`, independently. `rho` correlates the
    rows' noise between configurations, `again` that of one configuration between repeats.
    """

    n_rows: int
    n_folds: int = 5
    luck: float = 0.0
    spread: float = 0.03
    rho: float = 0.3
    n_configurations: int = 100
    n_repeats: int = 1
    again: float = 0.8
    metric: Literal["accuracy", "squared"] = "accuracy"

    def skills(self) -> Floats:
        """Expected performance of every configuration, over the luck of its fit."""
        shares = (np.arange(self.n_configurations) + 0.5) / self.n_configurations
        if self.metric == "squared":
            return np.asarray(BASE + self.spread * norm.ppf(shares))
        unit = norm.pdf(norm.ppf(BASE))
        return np.asarray(norm.cdf(norm.ppf(BASE) + self.spread / unit * norm.ppf(shares)))

    def latent_luck(self) -> float:
        """Luck on the scale on which it is normal: the probit scale for accuracy."""
        return self.luck if self.metric == "squared" else self.luck / norm.pdf(norm.ppf(BASE))

    def centre(self, skills: Floats) -> Floats:
        """Location on that scale of configurations with these skills."""
        if self.metric == "squared":
            return skills
        return np.asarray(norm.ppf(skills) * np.sqrt(1 + self.latent_luck() ** 2))

    def refit_within(self, low: Floats, high: Floats, skills: Floats) -> Floats:
        """Probability, over the luck of the refit, that its performance is in [low, high]."""
        scale = self.latent_luck()
        if scale == 0:
            return ((low <= skills) & (skills <= high)).astype(float)
        if self.metric == "accuracy":
            low, high = (norm.ppf(np.clip(limit, 0, 1)) for limit in (low, high))
        centre = self.centre(skills)
        upper, lower = (norm.cdf((limit - centre) / scale) for limit in (high, low))
        return np.asarray(upper - lower)


@dataclass(frozen=True)
class Sample:
    """Values of every row under every configuration in every repeat (higher is better)."""

    values: Singles
    folds: Ints
    skills: Floats
    luck: Floats
    """Performance of each fitted model less its configuration's skill: repeat, fold, column."""


def partitions(world: World, rng: np.random.Generator) -> Ints:
    """Fold of every row in every repeat."""
    rows = np.arange(world.n_rows) % world.n_folds
    return np.stack([rng.permutation(rows) for _ in range(world.n_repeats)])


def _mixed(shared: Singles, own: Singles, correlation: float) -> Singles:
    """Noise of variance one whose shared part has variance `correlation`."""
    return np.float32(np.sqrt(correlation)) * shared + np.float32(np.sqrt(1 - correlation)) * own


def sample(world: World, folds: Ints, rng: np.random.Generator) -> Sample:
    """Draw the rows, and the luck of the fitted models."""
    shape = (world.n_repeats, world.n_rows, world.n_configurations)
    skills = rng.permutation(world.skills())
    luck = world.latent_luck() * rng.standard_normal(
        (world.n_repeats, world.n_folds, world.n_configurations)
    )
    noise = rng.standard_normal(shape[1:], dtype=np.float32)
    if world.n_repeats > 1:
        fresh = rng.standard_normal(shape, dtype=np.float32)
        noise = (
            np.sqrt(np.float32(world.again)) * noise + np.sqrt(1 - np.float32(world.again)) * fresh
        )
    common = rng.standard_normal((world.n_rows, 1), dtype=np.float32)
    noise = np.sqrt(np.float32(world.rho)) * common + np.sqrt(1 - np.float32(world.rho)) * noise
    noise = np.broadcast_to(noise, shape)
    fitted = world.centre(skills) + luck
    at_row = np.stack([fitted[r, folds[r]] for r in range(world.n_repeats)]).astype(np.float32)
    if world.metric == "squared":
        values = at_row - np.float32(ROW_SD / np.sqrt(2)) * (noise**2 - 1)
        return Sample(values, folds, skills, luck)
    return Sample((noise <= at_row).astype(np.float32), folds, skills, norm.cdf(fitted) - skills)
