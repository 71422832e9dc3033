"""The texts of `sentences.toml`: which of them hold for the facts of a result, and in which words.

The file explains its form. Python, R (`r-bridge/bbcr/R/wording.R`) and the browser page
(`docs/try/wording.js`) read it alike.
"""

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import Any, NamedTuple

from .._digits import shown

Facts = Mapping[str, Any]
Test = tuple[str, str, Any]
_Text = Callable[[Facts], str]

#: The whole file.
FILE: dict[str, Any] = tomllib.loads(
    resources.files(__name__).joinpath("sentences.toml").read_text(encoding="utf-8")
)
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^}]*))?\}")
_COMPARISON = re.compile(r"(\w+) (<=|>=|==|<|>|in) (.*)")


class _Case(NamedTuple):
    tests: list[Test]
    text: _Text
    needs: frozenset[str]


def counted(count: int, word: str) -> str:
    """A number and its noun."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def say(name: str, facts: Facts) -> str:
    """A sentence of the file; empty where none of its conditions holds."""
    return next((text for _, text in holding([(name, _SENTENCES[name])], facts)), "")


def table(name: str, facts: Facts) -> list[tuple[str, str]]:
    """A table of the file: pairs of what is asked and the answer."""
    return [(label, text(facts)) for label, text in _TABLES[name]]


def _value(name: str, facts: Facts) -> Any:
    """A fact, or a sentence; None of what is not known."""
    if name in facts:
        return facts[name]
    return say(name, facts) if name in _SENTENCES else None


def parsed(condition: str) -> list[Test]:
    """A condition as (name, sign, operand): for the page, which reads no grammar.

    The sign of a test without an operand is "is", "not", "known" or "unknown". An operand is a
    number, a word, a list of words, or ``{"fact": name}``.
    """
    return [_parsed_test(part) for part in condition.split(" and ")] if condition else []


def _parsed_test(text: str) -> Test:
    match = _COMPARISON.fullmatch(text)
    if match is None:
        word, _, name = text.rpartition(" ")
        return (name, word or "is", None)
    name, sign, said = match.groups()
    if sign == "in":
        return (name, sign, said.strip("'").split())
    if said[0] == "'":
        return (name, sign, said.strip("'"))
    return (name, sign, {"fact": said} if said[0].isalpha() else float(said))


#: Whether tests without an operand hold of what is true; "known" holds of anything else, too.
_HOLDS_OF_TRUE = {"is": True, "not": False, "known": True, "unknown": None}
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "in": lambda word, words: word in words,
}


def holding(lists: Iterable[tuple[str, list[_Case]]], facts: Facts) -> list[tuple[str, str]]:
    """The first case that holds of each list, by the name of the list: its text.

    What is not known is neither less nor more. Loops and no functions of functions, because a
    small correction decides two dozen.
    """
    found = []
    for of, cases in lists:
        for case in cases:
            for name, sign, operand in case.tests:
                own = facts[name] if name in facts else _value(name, facts)
                if own is None:
                    if sign not in ("not", "unknown"):
                        break
                elif operand is None:
                    if _HOLDS_OF_TRUE[sign] is not bool(own) and sign != "known":
                        break
                else:
                    other = _value(operand["fact"], facts) if type(operand) is dict else operand
                    if other is None or not _COMPARED[sign](own, other):
                        break
            else:
                found.append((of, case.text(facts)))
                break
    return found


def _text(given: str | list[str]) -> _Text:
    if isinstance(given, list):
        between, *parts = given
        texts = [_text(part) for part in parts]
        return lambda facts: between.join(filter(None, (text(facts) for text in texts)))
    plain = _PLACEHOLDER.split(given)  # text, name, format, text, name, format, ..., text
    if len(plain) == 1:
        return lambda _: given
    places = list(zip(plain[0::3], [*plain[1::3], ""], [*plain[2::3], ""], strict=True))

    def text(facts: Facts) -> str:
        return "".join(
            before + (_in_form(_value(name, facts), form, facts) if name else "")
            for before, name, form in places
        )

    return text


def _in_form(value: Any, form: str | None, facts: Facts) -> str:
    """A fact in its format."""
    if form is None:
        return str(value)
    if value is None:
        return "unknown"
    if form.endswith("decimals"):
        return shown(value, facts[form])
    if form == "percent":
        return f"{100 * value:.3g} %"
    if form == "capital":
        return f"{value[:1].upper()}{value[1:]}"
    kind, _, word = form.partition(" ")
    if kind == "count":
        return counted(int(value), word)
    return format(value, form)


def needs(condition: str) -> frozenset[str]:
    """The facts that a condition names."""
    tests = parsed(condition)
    others = [operand["fact"] for _, _, operand in tests if isinstance(operand, dict)]
    return frozenset([*(name for name, _, _ in tests), *others])


def cases(given: str | list[Any]) -> list[tuple[str, str | list[str]]]:
    """A sentence as pairs of condition and text."""
    return [("", given)] if isinstance(given, str) else [(when, text) for when, text in given]


def _compiled(given: str | list[Any]) -> list[_Case]:
    return [_Case(parsed(when), _text(text), needs(when)) for when, text in cases(given)]


_SENTENCES = {name: _compiled(given) for name, given in FILE["sentences"].items()}
_TABLES = {
    name: [(label, _text(text)) for label, text in pairs] for name, pairs in FILE["tables"].items()
}
_FINDINGS = {code: _compiled(kind["cases"]) for code, kind in FILE["findings"].items()}
#: The facts of each list, and the findings that they can show.
GIVEN: dict[str, tuple[frozenset[str], list[tuple[str, list[_Case]]]]] = {
    of: (
        frozenset(names),
        [
            (code, kept)
            for code, cases in _FINDINGS.items()
            if (kept := [case for case in cases if case.needs <= set(names)])
        ],
    )
    for of, names in FILE["given"].items()
}
