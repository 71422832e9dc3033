"""From a result to a page."""

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
    """A picture with its description."""

    data: str
    alt: str
    caption: str


def report(estimate: PerformanceEstimate, path: str | PathLike[str]) -> Path:
    """Write a result as a self-contained HTML page.

    The page has the estimate in a sentence, the optimism of the apparent score, findings, plots,
    how the estimate was obtained, a paragraph for the methods section and a checklist. It contains
    no scripts and no external links.

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
    """Text without control characters and lone surrogates."""
    return printable(value) if isinstance(value, str) else value


def _pictures(e: PerformanceEstimate) -> list[Picture]:
    if e.replicates is None:
        return []
    apparent = "" if e.apparent is None else f"; the apparent score is {rounded(e.apparent)}"
    pictures = [
        Picture(
            _png(ReplicateDisplay(e)),
            f"Histogram of {e.n_bootstraps} replicates around {rounded(e.estimate)}{apparent}.",
            "Each replicate repeats the selection and scores the selected "
            f"{_words.choice(e)} out of bag.",
        )
    ]
    shares = e.selection_frequency
    if shares is not None and e.n_configurations > 1:
        often = f"{100 * shares[e.winner]:.3g} % of the replicates selected the winner"
        if e.weights is not None:
            often = (
                f"the member with the largest weight is in {100 * shares[e.winner]:.3g} % of them"
            )
        pictures.append(
            Picture(
                _png(SelectionDisplay(e)),
                f"Bars of how often each configuration was selected: {often}.",
                f"Stability of the selection: {often}, {e.winner_name}.",
            )
        )
    return pictures


def _png(display: Any) -> str:
    """A PNG, drawn without pyplot so that no figure stays open."""
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
