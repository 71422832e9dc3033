"""Warnings attributed to the line that called bbc."""

import sys
import warnings

from .errors import BBCWarning

# Packages between the user's line and a warning: decorators, and searches that call ours.
_BETWEEN = {__name__.partition(".")[0], "contextlib", "joblib", "sklearn"}


def warn(message: str | Warning, category: type[Warning] = BBCWarning) -> None:
    """Warn at the user's line: the innermost one outside bbc, scikit-learn and joblib."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
