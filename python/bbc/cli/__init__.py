"""The command line ``bbc``."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .._validation import truth_called
from ..errors import BBCWarning, MissingExtraError, StoreError
from ._output import remark
from ._parser import make_parser
from ._words import spoken

__all__ = ["main"]

# Errors of data and arguments; any other is a defect and shows its traceback.
_REFUSALS = (ValueError, TypeError, OSError, StoreError, MissingExtraError, MemoryError)
_REFUSED = 1
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``bbc``; those of the process by default.

    Returns
    -------
    int
        Exit code: 0 if all went well, 1 if data or options were refused (the reason is on
        standard error), 130 if it was interrupted. A command line that cannot be understood
        ends the process with code 2.

    Examples
    --------
    >>> from bbc.cli import main
    >>> main(["protocols"])  # doctest: +ELLIPSIS
    protocol ...
    0
    """
    parser = make_parser()
    parsed, unknown = parser.parse_known_args(arguments)
    if unknown:
        # The command's own usage shows its options.
        parsed.subparser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        with truth_called("--truth"), _spoken_warnings():
            parsed.run(parsed)
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; buffered output must not raise at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        remark("interrupted")
        return _INTERRUPTED
    except _REFUSALS as error:
        remark(f"error: {spoken(_text(error))}")
        return _REFUSED
    return 0


@contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Findings go to standard error as one line each, without the place in the code."""
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, BBCWarning):
            remark(f"warning: {spoken(str(message))}")
        else:
            usual(message, category, *place, **more)

    with warnings.catch_warnings():
        warnings.simplefilter("always", BBCWarning)
        warnings.showwarning = show
        yield


def _text(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__
