"""Docstrings that inherit: a class describes what it adds, its bases describe the rest."""

import inspect
import re

_TITLE = re.compile(r"^(\S.*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)


def complete_docstring(cls: type) -> None:
    """Add to a class's docstring the parameters and attributes that its bases describe.

    Parameters come in the order of the signature, attributes in that of the bases; the class has
    the last word on what it describes itself.
    """
    if cls.__doc__ is None:  # python -OO
        return
    text, own = _sections(cls.__doc__)
    inherited = [
        _sections(base.__doc__)[1]
        for base in reversed(cls.__mro__[1:])
        if base.__module__.startswith(__package__) and base.__doc__
    ]
    merged: dict[str, dict[str, str]] = {"Parameters": {}, "Attributes": {}}
    for sections in (*inherited, own):
        for title, entries in merged.items():
            entries |= _entries(sections.get(title, ""))
    taken = [name for name in inspect.signature(cls).parameters if name in merged["Parameters"]]
    merged["Parameters"] = {name: merged["Parameters"][name] for name in taken}
    own = {title: "".join(entries.values()) for title, entries in merged.items()} | {
        title: body for title, body in own.items() if title not in merged
    }
    cls.__doc__ = text + "".join(
        f"{title}\n{'-' * len(title)}\n{body.rstrip()}\n\n" for title, body in own.items()
    )


def _sections(docstring: str) -> tuple[str, dict[str, str]]:
    """What comes before the first section, and the sections by title."""
    text, *parts = _TITLE.split(inspect.cleandoc(docstring) + "\n")
    return text, dict(zip(parts[::2], parts[1::2], strict=True))


def _entries(section: str) -> dict[str, str]:
    """Entries by name, each with its description."""
    parts = (part.rstrip() + "\n" for part in _ENTRY.split(section) if part.strip())
    return {part.partition("\n")[0].partition(" : ")[0]: part for part in parts}
