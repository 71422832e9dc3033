"""``bbc show``: the contents of a store or a saved result."""

import argparse
from pathlib import Path

from ..api import correct
from ..errors import StoreError
from ..results import PerformanceEstimate
from ._output import refuse_place, remark, say, write


def run_show(arguments: argparse.Namespace) -> None:
    """Show a store or a saved result."""
    path = Path(arguments.file)
    refuse_place(arguments.html)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError(f"{path} is a device or a pipe, not a file")
    if path.suffix.lower() == ".json":
        if arguments.metric is not None:
            raise ValueError("--metric: a saved result has one metric; it is for stores")
        write(_saved(path), arguments)
        return
    from ..search import StoredRun  # with scikit-learn, which a saved result does without

    run = StoredRun(path)
    # With --json standard output is the document and nothing else.
    say(run.summary(), aside=arguments.json)
    try:
        corrected = correct(run, metric=arguments.metric, reselect=arguments.metric is not None)
    except StoreError as error:  # no configuration has finished: the summary is all there is
        remark(str(error))
        return
    if not arguments.json:
        say()
    write(corrected.record, arguments)


def _saved(path: Path) -> PerformanceEstimate:
    try:
        return PerformanceEstimate.from_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
