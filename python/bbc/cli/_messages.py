"""Errors and findings in the words of the command line."""

import argparse
import shlex

from .._sentences import FILE
from ..errors import Argument, ArgumentError, BBCWarning, worded
from ..findings import Finding

# What the command line calls otherwise.
_OPTIONS = {"y_true": "truth", "random_state": "seed"}
_COMMANDS = {"bbc.correct": "`bbc correct`", "bbc.metrics.names()": "`bbc metrics`"}
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
        values = value if isinstance(value, list) else [value]
        shown = [str(one) for one in values if not (one is None or one is True or one is ...)]
        return shlex.join([f"--{name.replace('_', '-')}", *shown])

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
