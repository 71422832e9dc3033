"""Simulated predictions of known true performance; public as `bbc.simulate`.

Each generator draws the true performance of every configuration from a Beta distribution, or takes
it as an argument, and then draws predictions with exactly that expected performance. They show the
bias of an estimate and the coverage of an interval for your sample size, number of configurations
and class balance.

Examples
--------
>>> import bbc
>>> simulation = bbc.simulate.accuracy(100, 200, random_state=1)
>>> e = bbc.correct(simulation.y, simulation.predictions, metric="accuracy", random_state=0)
>>> bool(e.apparent > simulation.true_performance[e.winner])
True
"""

from .._docstrings import show_names
from ._classes import accuracy, auc, multiclass, regression
from ._simulation import Simulation
from ._times import survival

__all__ = [
    "Simulation",
    "accuracy",
    "auc",
    "multiclass",
    "regression",
    "survival",
]
show_names(vars())
