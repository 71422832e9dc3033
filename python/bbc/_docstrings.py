"""Shared entries of docstrings: filled in from base classes or tables where they are missing."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

_TITLE = re.compile(r"^(\S.*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
_MOST_PARAMETERS = 30  # that anybody reads
_Function = TypeVar("_Function", bound=Callable[..., Any])


def described(*tables: str, section: str = "Parameters") -> Callable[[_Function], _Function]:
    """Fill in the parameters, or attributes set by them, that a docstring leaves to tables."""
    known: dict[str, str] = {}
    for table in tables:
        known |= _entries(table.strip("\n"))

    def complete(function: _Function) -> _Function:
        if function.__doc__ is not None:  # python -OO
            text, sections = _sections(function.__doc__)
            parameters = inspect.signature(function).parameters
            filled = _filled(_entries(sections.pop(section, "")), parameters, known)
            function.__doc__ = _written(text, {section: "".join(filled)} | sections)
        return function

    return complete


def show_names(module: Mapping[str, Any]) -> None:
    """Let `help` show the signatures of a module's public names as `as_shown` does."""
    for name in module["__all__"]:
        as_shown(module[name])


def as_shown(value: Any) -> Any:
    """A public function or class, whose signatures `help` shows by names and defaults.

    Types are in docstrings; unions of them, spelt out, take thousands of characters. A class that
    nobody makes by hand, with more fields than can be read, shows none of them.
    """
    own = vars(value).items() if inspect.isclass(value) else [("", value)]
    for name, function in own:
        if inspect.isfunction(function) and (name == "__init__" or not name.startswith("_")):
            function.__signature__ = _bare(function)  # type: ignore[attr-defined]
    return value


def _bare(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    kept = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    bare = inspect.Signature(kept)
    if len(kept) <= _MOST_PARAMETERS:
        return bare
    rest = inspect.Parameter("fields", inspect.Parameter.VAR_KEYWORD)
    return bare.replace(parameters=[kept[0], rest])


def inherit_docstring(cls: type, table: str = "") -> None:
    """Add to a class's docstring what its bases or a table describe.

    Parameters are in the order of the signature, attributes and references in that of the bases.
    Entries of the class itself take precedence.
    """
    if cls.__doc__ is None:  # python -OO
        return
    text, sections = _sections(cls.__doc__)
    known: dict[str, dict[str, str]] = {
        "Parameters": _entries(table),
        "Attributes": {},
        "References": {},
    }
    for base in reversed(cls.__mro__[1:]):
        if base.__module__.startswith(f"{__package__}.") and base.__doc__:
            inherited = _sections(base.__doc__)[1]
            for title, entries in known.items():
                entries |= _entries(inherited.get(title, ""))
    parameters = _filled(
        _entries(sections.pop("Parameters", "")),
        inspect.signature(cls).parameters,
        known["Parameters"],
    )
    merged = {"Parameters": "".join(parameters)}
    for title in ("Attributes", "References"):
        entries = known[title] | _entries(sections.pop(title, ""))
        merged[title] = "".join(entries.values())
    cls.__doc__ = _written(text, merged | sections)


def _filled(
    entries: Mapping[str, str], parameters: Iterable[str], known: Mapping[str, str]
) -> list[str]:
    """Entries in the order of the signature; an entry may describe several parameters."""
    described = {**known, **entries}
    title_of = {name.strip(" *"): title for title in described for name in title.split(",")}
    filled = {title_of[name]: described[title_of[name]] for name in parameters if name in title_of}
    return list((filled | dict(entries)).values())


def _written(text: str, sections: Mapping[str, str]) -> str:
    written = [text.rstrip() + "\n\n"]
    for title, body in sections.items():
        if body:
            written.append(f"{title}\n{'-' * len(title)}\n{body.rstrip()}\n\n")
    return "".join(written)


def _sections(docstring: str) -> tuple[str, dict[str, str]]:
    """The text before the first section, and the sections by title."""
    text, *parts = _TITLE.split(inspect.cleandoc(docstring) + "\n")
    return text, dict(zip(parts[::2], parts[1::2], strict=True))


def _entries(section: str) -> dict[str, str]:
    """Entries by name, each with its description."""
    parts = (part.rstrip() + "\n" for part in _ENTRY.split(section) if part.strip())
    return {part.partition("\n")[0].partition(" : ")[0]: part for part in parts}
