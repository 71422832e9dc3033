"""Confidence intervals of a configuration that was fixed in advance, or of a fixed learner.

They do not correct for selection, except `tilting` of several configurations: for the winner of a
search use `bbc.correct` or `bbc.baselines.bound`.

Examples
--------
>>> import bbc
>>> bbc.baselines.intervals.wilson([0, 1, 1], [0, 1, 1]).method
'wilson'
"""

from ..._docstrings import show_names
from ._auc import DelongTest, delong, delong_test, hanley_mcneil
from ._bootstrap import naive_bootstrap
from ._learner import conservative_z, corrected_resampled_t, nested_cv, wald
from ._proportion import clopper_pearson, wilson
from ._tilting import tilting

__all__ = [
    "DelongTest",
    "clopper_pearson",
    "conservative_z",
    "corrected_resampled_t",
    "delong",
    "delong_test",
    "hanley_mcneil",
    "naive_bootstrap",
    "nested_cv",
    "tilting",
    "wald",
    "wilson",
]
show_names(vars())
