"""The command line ``bbc``."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import BBCWarning, MissingExtraError, StoreError
from ._output import remark, say
from ._parser import WELCOME, make_parser

__all__ = ["main"]

# Errors of data and arguments; any other is a defect and shows its traceback.
_REFUSALS = (ValueError, TypeError, OSError, StoreError, MissingExtraError, MemoryError)
_REFUSED = 1
_INTERRUPTED = 130
_WRONG_USAGE = 2


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
        ends the process with code 2; without any word, three examples are shown, and the code is
        2 as well.

    Examples
    --------
    >>> from bbc.cli import main
    >>> main(["protocols"])  # doctest: +ELLIPSIS
    protocol ...
    0
    """
    words = sys.argv[1:] if arguments is None else arguments
    if not words:
        say(WELCOME, aside=True)
        return _WRONG_USAGE
    parser = make_parser()
    parsed, unknown = parser.parse_known_args(words)
    if unknown:
        # The command's own usage shows its options.
        parsed.subparser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        with _warnings_as_remarks():
            parsed.run(parsed)
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe; buffered output must not raise at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        remark("interrupted")
        return _INTERRUPTED
    except _REFUSALS as error:
        from ._messages import error_text

        remark(f"error: {error_text(error, parsed)}")
        return _REFUSED
    return 0


@contextmanager
def _warnings_as_remarks() -> Iterator[None]:
    """Findings go to standard error as one line each, without the place in the code."""
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *place: Any) -> None:
        if issubclass(category, BBCWarning):
            from ._messages import warning_text

            remark(f"warning: {warning_text(message)}")
        else:
            usual(message, category, *place)

    with warnings.catch_warnings():
        warnings.simplefilter("always", BBCWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield
