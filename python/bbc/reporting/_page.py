"""From a result to a file."""

import base64
import io
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .._names import printable
from ..errors import MissingExtraError
from ..plots import ReplicateDisplay, SelectionDisplay
from ..plots._display import checked
from ..results import PerformanceEstimate
from ..results._text import rounded
from . import _words
from ._template import TEMPLATE

_DPI = 144


class Picture(NamedTuple):
    """A picture and what it says to those who cannot see it."""

    data: str
    alt: str
    caption: str


def report(estimate: PerformanceEstimate, path: str | PathLike[str]) -> Path:
    """Write a result as one self-contained page.

    The page has the number to publish in one sentence, what the uncorrected number would have
    claimed, findings, pictures, how the number was obtained, a paragraph for a paper, and a
    checklist. It needs nothing else to be shown: no script and no link to anything outside.

    Parameters
    ----------
    estimate : PerformanceEstimate
        The result.
    path : path
        The file, such as "report.html".

    Returns
    -------
    pathlib.Path
        The file that was written.

    Raises
    ------
    MissingExtraError
        If jinja2 or matplotlib is not installed.

    Examples
    --------
    >>> import os, tempfile
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = bbc.report(e, os.path.join(folder, "report.html"))
    ...     "corrected for this selection by BBC" in written.read_text()
    True
    """
    try:
        from jinja2 import Environment
    except ImportError as error:
        raise MissingExtraError(
            "reports need jinja2: python -m pip install 'bbc-cv[report]'"
        ) from error
    e = checked(estimate)
    document = (
        Environment(autoescape=True, trim_blocks=True, finalize=_shown)
        .from_string(TEMPLATE)
        .render(
            title=f"Performance of a {_words.model(e)}: {e.metric}",
            headline=_words.headline(e),
            uncorrected=_words.uncorrected(e),
            infeasible=e.infeasible,
            findings=e.findings,
            notes=e.notes,
            pictures=_pictures(e),
            facts=e.facts,
            methods=_words.methods(e),
            citation=_words.citation(e),
            checklist=_words.checklist(e),
            version=e.version,
        )
    )
    target = Path(path)
    target.write_text(document, encoding="utf-8")
    return target


def _shown(value: Any) -> Any:
    """What a page can hold: no control characters, no half of a surrogate pair."""
    return printable(value) if isinstance(value, str) else value


def _pictures(e: PerformanceEstimate) -> list[Picture]:
    if e.replicates is None:
        return []
    apparent = "" if e.apparent is None else f"; the apparent score is {rounded(e.apparent)}"
    pictures = [
        Picture(
            _png(ReplicateDisplay(e)),
            f"Histogram of {e.n_bootstraps} replicates around {rounded(e.estimate)}{apparent}.",
            "Each replicate repeats the choice and scores the chosen configuration on what it "
            "left out.",
        )
    ]
    shares = e.selection_frequency
    if shares is not None and e.n_configurations > 1:
        often = f"{100 * shares[e.winner]:.3g} % of the replicates chose the winner"
        pictures.append(
            Picture(
                _png(SelectionDisplay(e)),
                f"Bars of how often each configuration was chosen: {often}.",
                f"How stable the choice is: {often}, {e.winner_name}.",
            )
        )
    return pictures


def _png(display: Any) -> str:
    """Drawn on a figure of its own that pyplot does not know, so that nothing stays open."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "reports need matplotlib: python -m pip install 'bbc-cv[report]'"
        ) from error
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    display.plot(ax=figure.subplots())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    return base64.b64encode(buffer.getvalue()).decode("ascii")
