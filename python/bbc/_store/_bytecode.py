"""What code does, independent of its file and lines, and the names that it uses."""

import dis
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from types import CodeType
from typing import Any, NamedTuple

_BY_VALUE = {*dis.hasconst, *dis.hasname, *dis.haslocal, *dis.hasfree, *dis.hasjabs, *dis.hasjrel}
_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}
# Since Python 3.13: a flag, and members of classes that describe the source.
_HAS_DOCSTRING = 0x4000000
_OF_A_CLASS = ("__firstlineno__", "__static_attributes__")


def steps(code: CodeType) -> Iterator[Any]:
    """Yield the instructions of code with their constants and names, without docstrings."""
    yield code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    yield code.co_flags & ~_HAS_DOCSTRING
    yield code.co_varnames
    yield code.co_freevars
    yield code.co_exceptiontable
    # Indices into tables of names and constants depend on other entries, such as a docstring.
    instructions = list(dis.get_instructions(code))
    for step, after in zip_longest(instructions, instructions[1:]):
        describes = after is not None and after.argval in _OF_A_CLASS
        if step.opname != "EXTENDED_ARG" and not describes:
            yield step.opname
            yield step.argval if step.opcode in _BY_VALUE else step.arg


class Names(NamedTuple):
    """Names in a piece of code, nested code included.

    `imported` are the (name, level, names) of imports when it runs: ``from ..name import names``.
    """

    of_globals: set[str]  # and of builtins
    all: set[str]  # and of attributes
    imported: list[tuple[str, int, tuple[str, ...]]]


@lru_cache(maxsize=10_000)
def names_in(code: CodeType) -> Names:
    """Return the names in a piece of code."""
    found = Names(set(), set(code.co_names), [])
    before: list[Any] = [0, ()]
    for step in dis.get_instructions(code):
        if step.opname in _GLOBAL:
            found.of_globals.add(step.argval)
        elif step.opname == "IMPORT_NAME":
            found.imported.append((step.argval, before[-2], before[-1] or ()))
        before.append(step.argval)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            below = names_in(inner)
            found.of_globals.update(below.of_globals)
            found.all.update(below.all)
            found.imported.extend(below.imported)
    return found
