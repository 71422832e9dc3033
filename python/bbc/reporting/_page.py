"""From a result to a page."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from sklearn.base import is_classifier

from .._names import printable
from .._page import rounded
from .._titles import metric_title
from ..errors import Argument, InvalidTypeError, InvalidValueError, MissingExtraError
from ..plots import ReplicateDisplay, SelectionDisplay
from ..plots._display import RESULT, checked
from ..results import ClinicalPerformance, NegativeControl, PerformanceEstimate, Subgroups
from . import _clinical, _words
from ._picture import Picture, png
from ._template import CLINICAL, TEMPLATE


@dataclass(frozen=True)
class Report:
    """A result as a part of a notebook: what `bbc.report` returns without a path.

    Notebooks show it with all its pictures, in the colors of their theme.

    Attributes
    ----------
    title : str
        What the report is about.
    html : str
        The report as one HTML element, without scripts and external links. Its style rules apply to
        nothing else.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> bbc.report(e)
    Report('Performance of a tuned model: accuracy')
    """

    title: str
    html: str

    def __repr__(self) -> str:
        return f"Report({self.title!r})"

    def _repr_html_(self) -> str:
        return self.html


@overload
def report(
    result: PerformanceEstimate | ClinicalPerformance | Any,
    path: None = None,
    *,
    kind: Literal["clinical"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Report: ...
@overload
def report(
    result: PerformanceEstimate | ClinicalPerformance | Any,
    path: str | PathLike[str],
    *,
    kind: Literal["clinical"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Path: ...
def report(
    result: PerformanceEstimate | ClinicalPerformance | Any,
    path: str | PathLike[str] | None = None,
    *,
    kind: Literal["clinical"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Path | Report:
    """Write a result as a self-contained HTML page, or show it in a notebook.

    The page has the estimate in a sentence, the optimism of the apparent score, findings, plots,
    how the estimate was obtained, a paragraph for the methods section and a checklist. The clinical
    page has discrimination, calibration, net benefit and the curves, all corrected, with the items
    of TRIPOD+AI that it answers and those that it leaves open. Pages contain no scripts and no
    external links.

    Parameters
    ----------
    result : PerformanceEstimate, ClinicalPerformance or fitted protocol
        The result. A fitted protocol gives its `performance_`, or with ``kind="clinical"`` what
        `bbc.clinical_performance` computes from its predictions, on the replicates of its own
        correction. They must be probabilities: tune by a metric of probabilities, such as
        "neg_log_loss".
    path : path, optional
        The file, such as "report.html". Without one the report is returned, and shown where it is
        the last expression of a notebook's cell.
    kind : "clinical", optional
        The clinical page of a fitted protocol.
    subgroups : Subgroups, optional
        What `bbc.subgroups` returns, to be shown on the clinical page.
    negative_control : NegativeControl, optional
        What `bbc.negative_control` returns, to be shown on the clinical page.

    Returns
    -------
    pathlib.Path or Report
        The file that was written, or the report.

    Raises
    ------
    MissingExtraError
        If jinja2 or matplotlib is not installed.
    ValueError, TypeError
        If the result, or its predictions, cannot be shown on that page.

    Examples
    --------
    >>> import os, tempfile
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = bbc.report(e, os.path.join(folder, "report.html"))
    ...     "corrected for this selection by bootstrap bias correction" in written.read_text()
    True
    """
    try:
        from jinja2 import Environment
    except ImportError as error:
        raise MissingExtraError(
            "reports need jinja2: python -m pip install 'bbc-cv[report]'"
        ) from error
    if kind not in (None, "clinical"):
        raise InvalidValueError(Argument("kind", kind), 'must be "clinical" or None')
    if kind == "clinical" and not isinstance(result, ClinicalPerformance):
        result = _clinical.performance_of(result)
    if isinstance(result, ClinicalPerformance):
        template, shown = CLINICAL, _clinical.page(result, subgroups, negative_control)
    elif subgroups is not None or negative_control is not None:
        raise InvalidValueError(
            "negative_control" if subgroups is None else "subgroups",
            "is shown on the clinical page: pass kind='clinical', or what "
            "bbc.clinical_performance returns",
        )
    else:
        template, shown = TEMPLATE, _page(_estimate_of(result), _facts_of_run(result))
    environment = Environment(autoescape=True, trim_blocks=True, finalize=_shown)
    html = environment.from_string(template).render(shown, inline=path is None)
    if path is None:
        return Report(shown["title"], html)
    target = Path(path)
    target.write_text(html, encoding="utf-8")
    return target


def _estimate_of(result: Any) -> PerformanceEstimate:
    if hasattr(result, "cv_results_") and not hasattr(result, "performance_"):
        kept = hasattr(result, "oos_predictions_")
        corrected = "search.correct()" if kept else "bbc.correct_search(search)"
        raise InvalidTypeError(
            "result", f"is a {type(result).__name__}: report its correction, {corrected}"
        )
    return checked(getattr(result, "performance_", result), *RESULT)


def _facts_of_run(result: Any) -> list[tuple[str, str]]:
    """What a fitted protocol knows beside its estimate: learners, and rows of each class."""
    if not hasattr(result, "configurations_"):
        return []
    learners = dict.fromkeys(_learner(each.estimator) for each in result.configurations_)
    facts = [("learners" if len(learners) > 1 else "learner", "; ".join(learners))]
    if is_classifier(result):
        labels, counts = np.unique(result.oos_predictions_.y, return_counts=True)
        pairs = zip(labels.tolist(), counts.tolist(), strict=True)
        facts.append(("classes", ", ".join(f"{label}: {count} rows" for label, count in pairs)))
    return facts


def _learner(estimator: Any) -> str:
    """The class of a learner, of a pipeline those of its steps."""
    steps = getattr(estimator, "steps", None) or [("", estimator)]
    return ", ".join(type(step).__name__ for _, step in steps if not isinstance(step, str))


def _page(e: PerformanceEstimate, facts_of_run: list[tuple[str, str]]) -> dict[str, Any]:
    """What the template shows."""
    return {
        "title": f"Performance of a {_words.model(e)}: {metric_title(e.metric)}",
        "headline": _words.headline(e),
        "uncorrected": _words.uncorrected(e),
        "infeasible": e.infeasible,
        "findings": e.findings,
        "notes": e.notes,
        "pictures": _pictures(e),
        "facts": [*e.facts, *facts_of_run],
        "methods": _words.methods(e),
        "citation": _words.citation(e),
        "checklist": _words.checklist(e),
        "version": e.version,
    }


def _shown(value: Any) -> Any:
    """Text without control characters and lone surrogates."""
    return printable(value) if isinstance(value, str) else value


def _pictures(e: PerformanceEstimate) -> list[Picture]:
    if e.replicates is None:
        return []
    apparent = "" if e.apparent is None else f"; the apparent score is {rounded(e.apparent)}"
    pictures = [
        Picture(
            png(ReplicateDisplay(e)),
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
                png(SelectionDisplay(e)),
                f"Bars of how often each configuration was selected: {often}.",
                f"Stability of the selection: {often}, {e.winner_name}.",
            )
        )
    return pictures
