"""Reads the tables of this directory."""

import csv
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from .generate import HERE


def lines(name: str) -> list[dict[str, str]]:
    """One dict per line."""
    with (HERE / name).open() as file:
        return list(csv.DictReader(file))


def columns(name: str) -> dict[str, np.ndarray]:
    """One array per column: hexadecimal floats, or integers."""
    rows = lines(name)
    found = {}
    for column in rows[0]:
        texts = [row[column] for row in rows]
        real = any("x" in text for text in texts)
        found[column] = np.array([float.fromhex(t) if real else int(t) for t in texts])
    return found


def case_of(kind: Callable[..., Any], line: dict[str, str]) -> Any:
    """The case of a line, a dataclass whose fields are columns."""
    types = {field.name: field.type for field in fields(kind)}
    return kind(**{name: convert(line[name]) for name, convert in types.items()})
