"""``bbc completion``: a script for the shell, made by shtab."""

import argparse
from typing import Any

from .. import metrics
from ..errors import MissingExtraError


def run_completion(arguments: argparse.Namespace) -> None:
    """Print the script."""
    try:
        import shtab
    except ImportError as error:
        raise MissingExtraError(
            "completion needs shtab: python -m pip install 'bbc-cv[completion]'"
        ) from error
    parser: argparse.ArgumentParser = arguments.parser
    commands: Any = next(action for action in parser._actions if action.dest == "command")
    for command in commands.choices.values():
        for action in command._actions:
            if action.dest == "metric":
                action.choices = list(metrics.names())
            elif action.metavar == "FILE":
                action.complete = shtab.FILE
    print(shtab.complete(parser, arguments.shell))
