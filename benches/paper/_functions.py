"""The four test functions of paper 003, section 6, to be minimised, and their regions."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class TestFunction(NamedTuple):
    """A function of rows of inputs, and its region: the same in all inputs after the given ones."""

    __test__ = False

    value: Callable[[np.ndarray], np.ndarray]
    first: tuple[tuple[float, float], ...] = ()
    others: tuple[float, float] = (-2.0, 2.0)

    def from_unit_cube(self, u: np.ndarray) -> np.ndarray:
        """Points of the region from points of the unit cube."""
        limits = np.array([*self.first, *[self.others] * (u.shape[1] - len(self.first))])
        return np.asarray(limits[:, 0] + u * (limits[:, 1] - limits[:, 0]))


def ackley(x: np.ndarray) -> np.ndarray:
    root = np.sqrt((x**2).mean(axis=1))
    waves = np.cos(2 * np.pi * x).mean(axis=1)
    return np.asarray(20 + np.e - 20 * np.exp(-0.2 * root) - np.exp(waves))


def rosenbrock(x: np.ndarray) -> np.ndarray:
    steps = 100 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1 - x[:, :-1]) ** 2
    return np.asarray(steps.sum(axis=1))


def kotanchek(x: np.ndarray) -> np.ndarray:
    """As printed, and minimised so: only two inputs matter, and the minimum is in a corner."""
    return np.asarray(np.exp(-((x[:, 1] - 1.2) ** 2)) / (1 + (x[:, 0] - 2.5) ** 2))


def rastrigin(x: np.ndarray) -> np.ndarray:
    return np.asarray(10 * x.shape[1] + (x**2 - 10 * np.cos(2 * np.pi * x)).sum(axis=1))


FUNCTIONS = {
    "Ackley": TestFunction(ackley),
    "Rosenbrock": TestFunction(rosenbrock),
    # The region of the inputs that do not matter is any; ours is that of the others.
    "Kotanchek": TestFunction(kotanchek, ((1.5, 3.5), (0.0, 2.0))),
    "Rastrigin": TestFunction(rastrigin),
}
