"""Everything that users can write: the public names and signatures, one a line.

``PYTHONPATH=tests python -m signatures`` records them anew in ``tests/golden/api.txt``.
"""

import argparse
import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bbc
from bbc._validation._arguments import Choice, Draws, Rows
from bbc.cli._parser import make_parser

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "golden" / "api.txt"


def lines() -> list[str]:
    """The whole public interface, as it is now."""
    return [
        "# Python",
        *_module("bbc", bbc),
        *_module("bbc.search", bbc.search, {"warn_of_fit"}),
        "# Command line",
        *_command(make_parser()),
        "# R",
        *_usages(ROOT / "r-bridge" / "bbcr"),
        "# C",
        *_declarations(ROOT / "cpp" / "include" / "bbc" / "c.h"),
    ]


def public_objects() -> dict[str, object]:
    """Functions and classes that users reach without an underscore, by their shortest name."""
    found: dict[str, object] = {}
    modules = [(bbc.__name__, bbc)]
    while modules:
        path, module = modules.pop()
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, types.ModuleType):
                modules.append((f"{path}.{name}", value))
            elif not any(value is other for other in found.values()) and (
                inspect.isclass(value) or inspect.isfunction(value)
            ):
                found[f"{path}.{name}"] = value
    return found


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    """The parameters of a function by name, those of a table of ``**rows`` among them.

    Types are those of the tables: signatures show none.
    """
    types = {key: hint for table in (Choice, Draws) for key, hint in _hints(table).items()}
    found: dict[str, inspect.Parameter] = {}
    for name, one in inspect.signature(function).parameters.items():
        one = one.replace(annotation=types.get(name, one.empty))
        kind = inspect.Parameter.KEYWORD_ONLY
        found |= {
            key: inspect.Parameter(key, kind, default=None, annotation=hint)
            for key, hint in _table(one).items()
        } or {name: one}
    return found


def _module(path: str, module: types.ModuleType, only: set[str] | None = None) -> Iterator[str]:
    for name in sorted(module.__all__):
        value = getattr(module, name)
        where = f"{path}.{name}"
        if name == "__version__" or (only is not None and name not in only):
            continue
        if isinstance(value, types.ModuleType):
            yield from _module(where, value)
        elif inspect.isclass(value):
            yield from _class(where, value)
        elif callable(value):
            yield where + _signature(value)
        else:
            yield f"{where}: {type(value).__name__}"


def _class(path: str, cls: type) -> Iterator[str]:
    bases = ", ".join(base.__name__ for base in cls.__bases__ if base is not object)
    shown = "(" + bases + ")" if issubclass(cls, Exception) else _signature(cls)
    yield f"class {path}{shown}"
    if issubclass(cls, Exception):
        return
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.split(".")[0] == "bbc":
            members |= vars(base)
    # The parameters of estimators are in the signature.
    is_data = dataclasses.is_dataclass(cls) and not hasattr(cls, "get_params")
    fields = {field.name for field in dataclasses.fields(cls)} if is_data else set()
    for name in sorted(members.keys() | fields):
        if name.startswith("_"):
            continue
        value = inspect.getattr_static(cls, name, None)
        if isinstance(value, staticmethod | classmethod):
            value = value.__func__
        value = getattr(value, "method", value)  # of the winner
        if callable(value):
            yield f"{path}.{name}{_signature(value)}"
        else:
            yield f"{path}.{name}"


def _signature(function: Any) -> str:
    """Names, kinds and defaults; types may become more exact without anybody noticing."""
    own = inspect.signature(function).parameters.values()
    kept = [one.replace(annotation=one.empty) for one in own if one.name != "self"]
    shown = re.sub(r"<(\w+)[^>]*>", r"<\1>", str(inspect.Signature(kept)))
    return "; ".join(
        [shown, *(f"{one.name}: {', '.join(_table(one))}" for one in own if _table(one))]
    )


def _table(parameter: inspect.Parameter) -> dict[str, Any]:
    """The types of ``**rows`` by name; of any other parameter nothing."""
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD or parameter.name != "rows":
        return {}
    return _hints(Rows)


def _hints(table: type) -> dict[str, Any]:
    return typing.get_type_hints(table)


def _command(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield one.prog
                yield from _command(one)
        elif not isinstance(action, argparse._HelpAction):
            name = ", ".join(action.option_strings) or str(action.metavar or action.dest).upper()
            choices = f" {{{','.join(map(str, action.choices))}}}" if action.choices else ""
            unset = (None, False, argparse.SUPPRESS)
            quiet = any(action.default is value for value in unset) or action.default == []
            default = "" if quiet else f" = {action.default}"
            needed = " (required)" if action.required and action.option_strings else ""
            yield f"{parser.prog} {name}{choices}{default}{needed}"


def _usages(package: Path) -> Iterator[str]:
    """What the manual says how to call; R CMD check compares it with the code."""
    for page in sorted((package / "man").glob("*.Rd")):
        text = page.read_text(encoding="utf-8")
        found = re.search(r"^\\usage\{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
        for usage in re.split(r"\n\s*\n", found[1].strip()) if found else ():
            yield " ".join(usage.split())
    namespace = (package / "NAMESPACE").read_text(encoding="utf-8")
    for line in sorted(namespace.splitlines()):
        if line.startswith(("export(", "S3method(")):
            yield line


def _declarations(header: Path) -> Iterator[str]:
    text = header.read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r'^(#.*|extern "C" \{|\})$', "", text, flags=re.MULTILINE)
    for one in re.findall(r"[^;{}]+(?:\{[^}]*\})?[^;{}]*;", text):
        yield " ".join(one.split())


if __name__ == "__main__":
    RECORD.write_text("\n".join(lines()) + "\n", encoding="utf-8")
