"""Errors and findings in the words of the command line, and long work by blocks."""

import argparse
import shlex
from collections.abc import Iterator

import numpy as np

from .._bar import Bar
from .._sentences import FILE
from .._typing import AnyArray
from ..errors import Argument, ArgumentError, BBCWarning, worded
from ..findings import Finding

# What the command line calls otherwise.
_OPTIONS = {"source": "truth", "y": "truth", "y_true": "truth", "random_state": "seed"}
_COMMANDS = {
    "bbc.correct": "`bbc correct`",
    "bbc.correct(table)": "`bbc correct-search`",
    "bbc.FoldScores": "`bbc correct-search --long`, with a line per configuration and fold",
    "bbc.metrics.names()": "`bbc metrics`",
    "bbc.Predictions.from_long": "--long",
}
_ADVICE = {
    code: kind["advice_command"]
    for code, kind in FILE["findings"].items()
    if "advice_command" in kind
}


def error_text(error: BaseException, arguments: argparse.Namespace) -> str:
    """An error, with the command's options in the place of arguments."""

    def option(argument: Argument) -> str:
        name = _OPTIONS.get(argument.name, argument.name)
        if name not in vars(arguments):
            return _COMMANDS.get(name, "")
        value = argument.value
        if value is False:
            return f"--no-{name.replace('_', '-')}"
        flag, values = f"--{name.replace('_', '-')}", value if isinstance(value, list) else [value]
        shown = [str(one) for one in values if not (one is None or one is True or one is ...)]
        if value == []:
            shown = [""]
        # What takes several values is given once for each.
        several = [part for one in shown for part in (flag, one)]
        return shlex.join(several or [flag])

    if isinstance(error, ArgumentError):
        return worded(error, option)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def warning_text(warning: BBCWarning) -> str:
    """A warning, with options in the advice of a finding."""
    found = warning.args[0]
    if isinstance(found, Finding) and found.code in _ADVICE:
        return f"{found.code} {found.kind.title}: {found.detail}; {_ADVICE[found.code]}"
    return str(warning)


_CELLS_PER_STEP = 2e9


def blocks(values: AnyArray, n_bootstraps: int, bar: Bar) -> Iterator[list[AnyArray]]:
    """Blocks of configurations of about a second each, with a progress bar."""
    cells = max(1, values.shape[0] * values.shape[1] * n_bootstraps)
    step = max(1, int(_CELLS_PER_STEP / cells))
    try:
        for first in range(0, values.shape[2], step):
            bar.update(first)
            yield list(np.asarray(values[:, :, first : first + step]))
    finally:
        bar.close()
