"""From results to a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from sklearn.base import is_classifier

from .._finished import keeps_fold_scores
from .._result import Result
from ..api import correct
from ..correction import record_of
from ..errors import (
    Argument,
    ArgumentError,
    InvalidTypeError,
    InvalidValueError,
    arguments_called,
)
from ..plots._display import RESULT, checked
from ..results import Comparison, NegativeControl, PerformanceEstimate, Subgroups
from ..results._estimate import too_short
from . import _card, _clinical, _sections, _words
from ._configurations import configurations, facts_beside
from ._sections import rendered

_KINDS = (None, "clinical", "model-card")


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
    result: Any,
    path: None = None,
    *,
    kind: Literal["clinical", "model-card"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Report: ...
@overload
def report(
    result: Any,
    path: str | PathLike[str],
    *,
    kind: Literal["clinical", "model-card"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Path: ...
def report(
    result: Any,
    path: str | PathLike[str] | None = None,
    *,
    kind: Literal["clinical", "model-card"] | None = None,
    subgroups: Subgroups | None = None,
    negative_control: NegativeControl | None = None,
) -> Path | Report:
    """Write results as a self-contained HTML page or a model card, or show them in a notebook.

    The page has the estimate in a sentence, the optimism of the apparent score, findings, plots,
    how the estimate was obtained, a paragraph for the methods section and a checklist; of a search
    with several metrics, all of them for its one winner. The clinical page has discrimination,
    calibration, net benefit and the curves, or for survival calibration at each time, all
    corrected, with the items of TRIPOD+AI that it answers and those that it leaves open. A model
    card has what bbc knows of the model, and names what its authors have to add. Pages contain no
    scripts and no external links.

    Parameters
    ----------
    result : result, fitted protocol, or list or dict of these
        A fitted protocol gives its `performance_`, with a row for each further metric, or with
        ``kind="clinical"`` what `Correction.clinical` computes from its predictions, at all times
        of its metrics, on the replicates of its own correction. They must be probabilities, or
        survival: tune by a metric of these, such as "neg_log_loss". Other results, such as a
        `Comparison`, `Subgroups` or a `TuningPath`, and each of a list or dict of results, have a
        section of their own. A finished search is corrected first: with its predictions, if
        `bbc.keep_predictions` kept them, else as by `bbc.correct`.
    path : path, optional
        The file, such as "report.html"; "card.md" is a model card in Markdown. Without one the
        report is returned, and shown where it is the last expression of a notebook's cell.
    kind : {"clinical", "model-card"}, optional
        The clinical page of a fitted protocol, or a model card.
    subgroups : Subgroups, optional
        What `Correction.subgroups` returns, to be shown as well.
    negative_control : NegativeControl, optional
        What `bbc.negative_control` returns, to be shown as well.

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

    A model card in Markdown:

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = bbc.report(e, os.path.join(folder, "card.md"))
    ...     print(written.read_text().splitlines()[0])
    # Model card
    """
    if kind not in _KINDS:
        raise InvalidValueError(Argument("kind", kind), 'must be "clinical", "model-card" or None')
    for name, given, wanted, asked in (
        ("subgroups", subgroups, Subgroups, "Correction.subgroups"),
        ("negative_control", negative_control, NegativeControl, "bbc.negative_control"),
    ):
        if given is not None and not isinstance(given, wanted):
            raise InvalidTypeError(name, f"must be what {asked} returns, got {given!r:.60}")
    if path is not None and not isinstance(path, str | PathLike):
        raise InvalidTypeError("path", f"must be text or a path, got {type(path).__name__}")
    if kind != "clinical":
        result = _records(_corrected(result))
    target = None if path is None else Path(path)
    if target is not None and target.is_dir():
        raise InvalidValueError("path", f"is the folder {str(target)!r}: name a file")
    markdown = target is not None and target.suffix.lower() == ".md"
    if markdown and kind == "clinical":
        raise InvalidValueError(
            "path", "is Markdown, for model cards: write clinical pages as .html"
        )
    if kind == "model-card" or markdown:
        card = _card.card(
            *_estimates_of(result), _facts_of_run(result), subgroups, negative_control
        )
        if target is not None and markdown:
            target.write_text(_card.as_markdown(card), encoding="utf-8")
            return target
        shown = _card.page(card)
    else:
        shown = _page(result, kind, subgroups, negative_control)
    html = rendered(shown, inline=target is None)
    if target is None:
        return Report(shown["title"], html)
    target.write_text(html, encoding="utf-8")
    return target


def _records(result: Any) -> Any:
    """Corrections as their records, also in a list or dict."""
    if isinstance(result, list | tuple):
        return [record_of(each) for each in result]
    if isinstance(result, dict):
        return {name: record_of(each) for name, each in result.items()}
    return record_of(result)


def _corrected(result: Any) -> Any:
    """The correction of a finished search; anything else as it is."""
    keeps_predictions = hasattr(result, "_correct")
    if not keeps_predictions and (isinstance(result, Result) or not keeps_fold_scores(result)):
        return result
    try:
        with arguments_called(search="result"):
            return correct(result)
    except ArgumentError as error:
        if error.argument != "metric":
            raise
        hint = "report bbc.correct(search, metric=...)"
        raise InvalidValueError("result", f": {error}", hint=hint) from error


def _page(
    result: Any,
    kind: str | None,
    subgroups: Subgroups | None,
    control: NegativeControl | None,
) -> dict[str, Any]:
    """The variables of the template."""
    if kind == "clinical" and not isinstance(result, _sections.PERFORMANCES):
        result = _clinical.performance_of(result)
    if isinstance(result, _sections.PERFORMANCES):
        return _clinical.page(result, subgroups, control)
    more = [_sections.section(each) for each in (subgroups, control) if each is not None]
    if isinstance(result, Comparison):
        return _sections.page_of_comparison(result, more)
    if _sections.is_collection(result):
        return _sections.page(result, more)
    return _of_estimates(*_estimates_of(result), _facts_of_run(result), more)


def _estimates_of(result: Any) -> tuple[PerformanceEstimate, Sequence[PerformanceEstimate]]:
    """The estimate that selected, and all."""
    if isinstance(result, _sections.PERFORMANCES):
        every = [_words.as_loss(each) for each in result.performances]
    else:
        result = record_of(getattr(result, "performance_", result))
        with arguments_called(estimate="result"):
            every = _sections.of_metrics(checked(result, *RESULT))
    return every[0], every


def _facts_of_run(result: Any) -> list[tuple[str, str]]:
    """Learners and rows of each class, which a fitted protocol knows beside its estimate."""
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


def _of_estimates(
    e: PerformanceEstimate,
    every: Sequence[PerformanceEstimate],
    facts_of_run: list[tuple[str, str]],
    more: list[Any],
) -> dict[str, Any]:
    """The page of one winner, by one metric or several."""
    facts = _words.facts_of(e)
    parts = _sections.pictures_part(e)
    several = len(every) > 1
    lead = [too_short(e), _words.uncorrected(e), _words.say("no_interval", facts)]
    return {
        "title": _words.say("report_title", facts),
        "headline": _words.headline(e),
        "lead": list(filter(None, lead)),
        "findings": _sections.findings_of(every),
        "notes": e.notes,
        "rows": _sections.rows(every) if several else [],
        "level": _sections.level(e),
        "undefined": [_words.say("several_metrics", facts)] if several else [],
        "parts": [*parts, *configurations(e), *more],
        "facts": [*facts_beside(e), *facts_of_run],
        "methods": _words.methods(e),
        "citation": _words.citation(e),
        "checks_title": "Checklist (TRIPOD+AI, REFORMS)",
        "checks": _words.checklist(e),
        "version": e.version,
    }
