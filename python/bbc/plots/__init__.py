"""Plots of results: displays in the style of scikit-learn.

``result.plot()`` makes that of a single result, and the functions here the others.
"""

from .._docstrings import show_names
from ._course import dropping
from ._difference import difference
from ._display import Display
from ._forest import forest
from ._optimism import optimism
from ._selection import selection

__all__ = ["Display", "difference", "dropping", "forest", "optimism", "selection"]
show_names(vars())
