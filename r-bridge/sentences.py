"""Writes bbcr/R/sentences.R from the sentences of the Python package.

Run `python r-bridge/sentences.py` after a change of these.
A test compares the file with what this writes.
"""

import json
from pathlib import Path
from typing import Any

from bbc._sentences import FILE, cases, parsed

TARGET = Path(__file__).resolve().parent / "bbcr" / "R" / "sentences.R"
_WIDTH = 96
_HEAD = """\
# Written by r-bridge/sentences.py from python/bbc/_sentences/sentences.toml: change that file, and
# run `python r-bridge/sentences.py`. wording.R reads it.
"""


def text() -> str:
    """The file."""
    kinds = {
        code: {
            "title": kind["title"],
            "level": kind["level"],
            "why": kind["why"],
            "advice": kind.get("advice_r", kind["advice"]),
            "cases": [_case(*each) for each in cases(kind["cases"])],
        }
        for code, kind in FILE["findings"].items()
    }
    sentences = {
        name: [_case(*each) for each in cases(given)] for name, given in FILE["sentences"].items()
    }
    parts = {
        "given_facts": FILE["given"],
        "finding_kinds": kinds,
        "sentences": sentences,
        "sentence_tables": FILE["tables"],
    }
    return _HEAD + "".join(f"\n{name} <- {_r(value, 0)}\n" for name, value in parts.items())


def _case(when: str, said: str | list[str]) -> dict[str, Any]:
    return {"when": [list(test) for test in parsed(when)], "text": said}


def _r(value: Any, depth: int) -> str:
    """A value as R code: lists, vectors of text, numbers."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return _string(value, depth)
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return _call("c", [_string(one, depth + 2) for one in value], depth)
    if isinstance(value, dict):
        parts = [f"{_name(name)} = {_r(own, depth + 2)}" for name, own in value.items()]
        return _call("list", parts, depth)
    return _call("list", [_r(own, depth + 2) for own in value], depth)


def _name(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"


def _call(function: str, parts: list[str], depth: int) -> str:
    line = f"{function}({', '.join(parts)})"
    if depth + len(line) + 24 <= _WIDTH and "\n" not in line:
        return line
    inner = " " * (depth + 2)
    lines = [inner]
    for place, part in enumerate(parts):
        piece = part + ("," if place < len(parts) - 1 else "")
        first = piece.partition("\n")[0]
        if lines[-1] != inner and (depth == 0 or len(lines[-1]) + 1 + len(first) > _WIDTH):
            lines.append(inner)
        lines[-1] += piece if lines[-1] == inner else f" {piece}"
        *whole, lines[-1] = lines[-1].split("\n")
        lines[-1:] = [*whole, lines[-1]]
    return f"{function}(\n" + "\n".join(lines) + ")"


def _string(value: str, depth: int) -> str:
    """Quoted as ASCII, in lines of moderate length."""
    pieces, room = [], _WIDTH - depth - 4
    rest = value
    while len(rest) > room:
        at = rest.rfind(" ", 0, room) + 1 or room
        pieces.append(rest[:at])
        rest = rest[at:]
    quoted = [json.dumps(piece) for piece in [*pieces, rest]]
    if len(quoted) == 1:
        return quoted[0]
    inner = " " * (depth + 2)
    return f"paste0(\n{inner}" + f",\n{inner}".join(quoted) + ")"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
