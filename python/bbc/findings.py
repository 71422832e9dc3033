"""Findings: what limits the validity of a result, each with a code, a reason and advice.

Results list them (`PerformanceEstimate.findings`), and so do summaries and reports. Kinds,
conditions and texts are those of `_sentences/sentences.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import _sentences
from ._docstrings import show_names
from .errors import InvalidValueError

__all__ = ["FINDINGS", "Finding", "Kind", "finding"]


@dataclass(frozen=True)
class Kind:
    """A kind of finding.

    Attributes
    ----------
    code : str
        Such as "BBC003"; the meaning of a code never changes.
    title : str
        A few words.
    why : str
        Why it matters.
    advice : str
        What to do about it.
    level : {"note", "warning", "record"}
        "warning" for what calls for another analysis: it is issued as a warning as well. "record"
        for what limits nothing: it is among the findings, but not in summaries and pages.

    Examples
    --------
    >>> from bbc.findings import FINDINGS
    >>> FINDINGS["BBC003"].title
    'winner unstable'
    """

    code: str
    title: str
    why: str
    advice: str
    level: Literal["note", "warning", "record"] = "note"


@dataclass(frozen=True)
class Finding:
    """A finding about a result.

    Attributes
    ----------
    kind : Kind
        Its kind.
    detail : str
        What was found in this result.

    Examples
    --------
    >>> from bbc.findings import FINDINGS, Finding
    >>> Finding(FINDINGS["BBC003"], "chosen in 17 % of the replicates").code
    'BBC003'
    """

    kind: Kind
    detail: str

    @property
    def code(self) -> str:
        """The code of its kind."""
        return self.kind.code

    @property
    def _is_told(self) -> bool:
        """Whether summaries and pages have it."""
        return self.kind.level != "record"

    def __str__(self) -> str:
        return f"{self.code} {self.kind.title}: {self.detail}; {self.kind.advice}"


#: Every kind of finding, by its code.
FINDINGS: dict[str, Kind] = {
    code: Kind(code, **{name: kind[name] for name in ("title", "why", "advice", "level")})
    for code, kind in _sentences.FILE["findings"].items()
}


def finding(code: str, detail: str) -> Finding:
    """Return a finding by its code.

    Parameters
    ----------
    code : str
        The code of its kind.
    detail : str
        What was found.

    Returns
    -------
    Finding
        The finding; as text with its title and advice.

    Examples
    --------
    >>> from bbc.findings import finding
    >>> finding("BBC007", "a halving search").kind.title
    'dynamic search'
    """
    if code not in FINDINGS:
        raise InvalidValueError("code", f"must be one of {', '.join(FINDINGS)}, got {code!r}")
    return Finding(FINDINGS[code], detail)


def found(of: str, facts: Mapping[str, Any]) -> tuple[Finding, ...]:
    """Findings that these facts show, in the order of their codes.

    `of` names the list of [given] in `sentences.toml` whose facts these are, neither more nor less.
    """
    given, relevant = _sentences.GIVEN[of]
    if facts.keys() != given:
        raise TypeError(f"facts of {of}: {sorted(facts.keys() ^ given)} are lacking or too many")
    return tuple(
        Finding(FINDINGS[code], text) for code, text in _sentences.holding(relevant, facts)
    )


show_names(vars())
