"""A model card (Mitchell et al., Model cards for model reporting, FAT* 2019)."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from .._names import printable
from .._sentences import say
from ..findings import Finding
from ..results import NegativeControl, PerformanceEstimate, Subgroups
from . import _sections, _words
from ._sections import Part

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|])")


class Card(NamedTuple):
    """A model card; its sections are a heading, paragraphs and the rows of a table."""

    title: str
    sections: list[tuple[str, list[str], list[tuple[str, ...]]]]
    findings: tuple[Finding, ...]
    version: str


def card(
    e: PerformanceEstimate,
    every: Sequence[PerformanceEstimate],
    facts_of_run: list[tuple[str, str]],
    subgroups: Subgroups | None,
    control: NegativeControl | None,
) -> Card:
    """The card of a winner, by all its metrics."""
    run = dict(facts_of_run)
    facts = {
        **_words.facts_of(e),
        "learner": run.get("learner", run.get("learners")),
    }
    found = _sections.findings_of(every)
    interval = f"{_sections.level(e)} interval".strip()
    head = ("metric", "corrected", interval, "apparent")
    numbers: list[tuple[str, ...]] = [head, *_sections.rows(every)]
    quantities = [_words.headline(e), _words.uncorrected(e), say("no_interval", facts)]
    sections: list[tuple[str, list[str], list[tuple[str, ...]]]] = [
        ("Model details", [f"{say('card_details', facts)}."], []),
        ("Intended use", [say("card_use", facts)], []),
        ("Factors", [say("card_factors", facts)], []),
        ("Data", [f"{say('card_data', facts)}."], []),
        ("Performance", [text for text in quantities if text], numbers),
    ]
    if subgroups is not None:
        sections.append(
            ("Subgroups", [_words.subgroups(subgroups)], _sections.in_groups(subgroups))
        )
    if control is not None:
        sections.append(("Negative control", [_words.negative_control(control)], []))
    cited = _words.citation(e)
    sections += [
        (
            "How it was evaluated",
            [_words.methods(e), *([f"[1] {cited}."] if cited else [])],
            [],
        ),
        ("Ethical considerations", [say("card_ethics", facts)], []),
        ("Caveats", [*([] if found else [say("card_caveats", facts)]), *e.notes], []),
    ]
    return Card(say("card_title", facts), sections, found, e.version)


def as_markdown(shown: Card) -> str:
    """The card in Markdown."""
    lines = [f"# {shown.title}", ""]
    for heading, texts, table in shown.sections:
        lines += [f"## {heading}", ""]
        for text in texts:
            lines += [_escaped(text), ""]
        if table:
            head, *body = [f"| {' | '.join(map(_escaped, row))} |" for row in table]
            lines += [head, "|---" * len(table[0]) + "|", *body, ""]
        if heading == "Caveats":
            for each in shown.findings:
                lines.append(
                    f"- **{each.code} {_escaped(each.kind.title)}**: {_escaped(each.detail)}. "
                    f"{_escaped(each.kind.why)} What to do: {_escaped(each.kind.advice)}."
                )
            if shown.findings:
                lines.append("")
    return "\n".join([*lines, f"Made by bbc {shown.version}.", ""])


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", printable(" ".join(text.split())))


def page(shown: Card) -> dict[str, Any]:
    """The card for the template of pages."""
    return {
        "title": shown.title,
        "parts": [
            Part(
                heading,
                texts,
                [],
                _sections.table(rows),
                shown.findings if heading == "Caveats" else (),
            )
            for heading, texts, rows in shown.sections
        ],
        "version": shown.version,
    }
