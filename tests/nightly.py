"""Tests of which `make test` runs a sample, and `make nightly` the others."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest


def nightly(*cases: Any) -> list[Any]:
    """Parameters that are tried every night."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
        for case in cases
    ]


def covering(
    cases: Sequence[tuple[Any, ...]], every: int, part: Callable[[Any], Any] = lambda one: one
) -> list[Any]:
    """A product of which one case in so many runs now, and the others every night.

    Along each axis they take turns: with two axes no value is left out, and with three no pair, as
    long as the axes have `every` values. `part` says which parts of cases are the same value.
    """
    named = [tuple(map(part, case)) for case in cases]
    axes = [list(dict.fromkeys(values)) for values in zip(*named, strict=True)]
    turns = [sum(map(list.index, axes, case)) % every for case in named]
    chosen = zip(cases, turns, strict=True)
    return [case if turn == 0 else nightly(case)[0] for case, turn in chosen]
