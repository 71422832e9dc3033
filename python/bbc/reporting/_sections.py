"""Results of any kind as sections of one page."""

import base64
import html
import io
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, NamedTuple

from .._drawable import Drawable
from .._names import printable
from .._sentences import say
from .._titles import readers_title
from ..correction import record_of
from ..errors import InvalidTypeError, MissingExtraError
from ..findings import Finding
from ..plots._kinds import display_of
from ..plots._selection import display_of_selection
from ..results import (
    Bound,
    BoundComparison,
    ClinicalPerformance,
    Comparison,
    DecisionCurve,
    PerformanceCurve,
    PerformanceEstimate,
    Result,
    RowsPlan,
    Subgroups,
    SurvivalCalibration,
    SurvivalPerformance,
)
from ..results._estimate import by_metric, cells, own_findings, share_of_winner, text_of
from . import _families, _words

_DPI = 144
_LOWEST = 2.4  # inches: an axis with its labels


class Picture(NamedTuple):
    """A picture with its description."""

    data: str
    alt: str
    caption: str


class Part(NamedTuple):
    """A section of a page: its heading, paragraphs, pictures, and HTML of a result's own."""

    title: str
    texts: list[str]
    pictures: list[Picture]
    table: str = ""
    findings: tuple[Finding, ...] = ()


def png(display: Any) -> str:
    """A PNG, drawn without pyplot so that no figure stays open."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "reports need matplotlib: python -m pip install 'bbc-cv[report]'"
        ) from error
    figure = Figure(figsize=(6.4, max(_LOWEST, display._height)), layout="constrained")
    display.plot(ax=figure.subplots())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def rendered(shown: dict[str, Any], *, inline: bool) -> str:
    """A page as HTML, or as an element of a notebook."""
    try:
        from jinja2 import Environment, FunctionLoader
    except ImportError as error:
        raise MissingExtraError(
            "reports need jinja2: python -m pip install 'bbc-cv[report]'"
        ) from error
    loader = FunctionLoader(_file)
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, finalize=_shown)
    environment.filters["may_break"] = _may_break
    return environment.get_template("report.html").render(shown, inline=inline)


def _file(name: str) -> str:
    """A file beside this one; bbcr reads the same rules of style."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _shown(value: Any) -> Any:
    """Text without control characters and lone surrogates, whose level stays in one line."""
    made = hasattr(value, "__html__")  # by the template, of what was shown before
    if not isinstance(value, str) or made:
        return value
    return printable(value).replace(" % CI", "\u00a0%\u00a0CI")


def _may_break(text: str) -> Any:
    """A name that lines may break after the signs in it, and not within its words."""
    from markupsafe import Markup, escape  # of jinja2

    shown = str(escape(_shown(text)))
    return Markup(re.sub(r"(__|=)(?=\w)", r"\1<wbr>", shown))


#: What a clinical page is made of.
PERFORMANCES = ClinicalPerformance | SurvivalPerformance
#: What is called otherwise on a page than its class.
_TITLES: dict[type, str] = {
    SurvivalCalibration: "Calibration of survival",
    DecisionCurve: "Net benefit",
    PerformanceCurve: "Curve",
    RowsPlan: "Sample size",
    Bound: "Lower bound",
    BoundComparison: "Lower bounds",
}


def is_collection(result: Any) -> bool:
    """True if a page has a section for each result, or for one that is no estimate."""
    if isinstance(result, PerformanceEstimate | PERFORMANCES):
        return False
    return isinstance(result, Mapping | list | tuple | Result)


def page(result: Any, more: Sequence[Part]) -> dict[str, Any]:
    """The page of results of any kind."""
    if isinstance(result, Mapping):
        parts = [section(each)._replace(title=str(name)) for name, each in result.items()]
    else:
        every = result if isinstance(result, list | tuple) else [result]
        parts = [section(each) for each in every]
    if not parts:
        raise InvalidTypeError("result", "holds no result")
    parts = [*parts, *more]
    single = len(parts) == 1
    return {
        "title": parts[0].title if single else f"{len(parts)} results",
        "lead": [] if single else [say("several_results", {})],
        "parts": parts,
        "version": _version(),
    }


def section(result: Any) -> Part:
    """One result as a section."""
    result = record_of(getattr(result, "performance_", result))
    if isinstance(result, PERFORMANCES):
        result = result.performance
    if isinstance(result, PerformanceEstimate):
        return _of_estimate(result)
    if isinstance(result, Comparison):
        return _of_comparison(result)
    if not isinstance(result, Result):
        raise InvalidTypeError(
            "result", f"holds a {type(result).__name__}, which is no result of this package"
        )
    texts = [_words.subgroups(result)] if isinstance(result, Subgroups) else []
    called = re.sub(r"(?<!^)[A-Z]", lambda letter: " " + letter[0].lower(), type(result).__name__)
    title = _TITLES.get(type(result), called)
    alt = f"{title}: the table above as a picture."
    pictures = [Picture(png(display_of(result)), alt, "")] if isinstance(result, Drawable) else []
    return Part(title, texts, pictures, result._page().html())


def _of_estimate(e: PerformanceEstimate) -> Part:
    e, every = _words.as_loss(e), of_metrics(e)
    facts = _words.facts_of(e)
    cited = say("citation", facts)
    texts = [
        say("headline", facts),
        say("uncorrected", facts),
        say("no_interval", facts),
        f"{say('methods', facts)}{f' [1] {cited}.' if cited else ''}",
    ]
    pictures = [picture for part in pictures_part(e) for picture in part.pictures]
    head = ("", "corrected", f"{level(e)} interval", "apparent")
    shown = table([head, *rows(every)]) if e.secondary else ""
    title = say("report_title", facts)
    return Part(title, list(filter(None, texts)), pictures, shown, findings=findings_of(every))


def _of_comparison(c: Comparison) -> Part:
    """All of a comparison's page as one section."""
    c = _families.as_losses(c)
    facts = _families.facts_of(c)
    cited = say("citation", facts)
    methods = f"{say('comparison_methods', facts)}{f' [1] {cited}.' if cited else ''}"
    rows = (_families.winners(c), _families.performances(c, facts), _families.differences(c, facts))
    return Part(
        say("comparison_title", facts),
        [*_families.conclusions(c), methods],
        [_picture_of_families(c, facts)],
        "".join(map(table, rows)),
        _families.findings(c),
    )


def _picture_of_families(c: Comparison, facts: dict[str, Any]) -> Picture:
    shown = png(display_of(c))
    return Picture(shown, say("comparison_alt", facts), say("comparison_caption", facts))


def page_of_comparison(c: Comparison, more: Sequence[Part]) -> dict[str, Any]:
    """The page of families: the conclusion, what was selected, a picture, and tables."""
    c = _families.as_losses(c)
    facts = _families.facts_of(c)
    first, *others = _families.conclusions(c)
    picture = _picture_of_families(c, facts)
    return {
        "title": say("comparison_title", facts),
        "headline": first,
        "lead": others,
        "findings": _families.findings(c),
        "notes": [f"{note[:1].upper()}{note[1:]}." for note in c.notes],
        "parts": [
            Part(
                "What was selected",
                [say("compared_families", facts)],
                [],
                table(_families.winners(c)),
            ),
            Part("Families and their differences", [], [picture]),
            Part("Performance", [], [], table(_families.performances(c, facts))),
            Part(
                "Differences", [say("p_values", facts)], [], table(_families.differences(c, facts))
            ),
            *more,
        ],
        "methods": say("comparison_methods", facts),
        "citation": say("citation", facts),
        "version": facts["version"],
    }


def of_metrics(e: PerformanceEstimate) -> list[PerformanceEstimate]:
    """The estimates by all metrics, as losses where these are negated scores."""
    return [_words.as_loss(each) for _, each in by_metric(e)]


def table(cells: Sequence[Sequence[str]]) -> str:
    """Rows of text as a table, the first as its head; empty without rows."""
    if not cells:
        return ""

    def row(texts: Sequence[str], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(printable(text))}</{tag}>" for text in texts)
        return f"<tr>{inner}</tr>"

    body = "".join(row(each, "td") for each in cells[1:])
    return f"<table><thead>{row(cells[0], 'th')}</thead><tbody>{body}</tbody></table>"


def in_groups(found: Subgroups) -> list[tuple[str, ...]]:
    """The performance in each subgroup."""
    title = readers_title(found.overall.metric)
    cells: list[tuple[str, ...]] = [("subgroup", "rows", title, "interval")]
    for each in found.groups:
        shown = ("", "-", "-") if each.estimate is None else rows([each.estimate])[0]
        cells.append((str(each.name), str(each.n_rows), *shown[1:3]))
    return cells


def findings_of(every: Sequence[PerformanceEstimate]) -> tuple[Finding, ...]:
    """The findings of several estimates that pages show, each once."""
    found = dict.fromkeys(one for e in every for one in own_findings(e))
    return tuple(one for one in found if one._is_told)


def rows(every: Sequence[PerformanceEstimate]) -> list[tuple[str, str, str, str]]:
    """Metric, estimate, interval and apparent score of each."""
    found = []
    for e in every:
        e = _words.as_loss(e)
        found.append((readers_title(e.metric), *cells(e)))
    return found


def level(e: PerformanceEstimate) -> str:
    """The level of the interval, as a column's heading."""
    interval = e.confidence_interval
    return "" if interval is None else f"{100 * interval.confidence_level:g} %"


def pictures_part(e: PerformanceEstimate) -> list[Part]:
    """The pictures of an estimate, as a section; none without replicates."""
    if e.replicates is None:
        return []
    text = text_of(e)
    apparent = "" if e.apparent is None else f"; the apparent score is {text(e.apparent)}"
    pictures = [
        Picture(
            png(display_of(e)),
            f"Histogram of {e.n_bootstraps} replicates around {text(e.estimate)}{apparent}.",
            say("replicates_caption", _words.facts_of(e)),
        )
    ]
    of_winner = share_of_winner(e)
    if of_winner is not None and e.n_configurations > 1:
        share = f"{100 * of_winner:.3g} %"
        often = f"{share} of the replicates selected the winner"
        if e.weights is not None:
            often = f"the member with the largest weight is in {share} of them"
        pictures.append(
            Picture(
                png(display_of_selection(e)),
                f"Bars of how often each configuration was selected: {often}.",
                f"Stability of the selection: {often}, {e.winner_name}.",
            )
        )
    return [Part("Pictures", [], pictures)]


def _version() -> str:
    from .._engine import kernel_version

    return kernel_version()
