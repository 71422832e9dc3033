"""The stub of the compiled module, from the signatures that pybind11 writes into its docstrings.

python tools/stub.py MODULE STUB: the build runs it, without numpy, so the module may not need any.
"""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_HEAD = '''"""What the compiled module offers `bbc._engine`, as tools/stub.py reads it."""

import collections.abc
import typing

import numpy
import numpy.typing
'''
# What pybind11 accepts by conversion, and types without their parameters.
_WRITTEN = {
    r"typing\.SupportsInt( \| typing\.SupportsIndex)?": "int",
    r"typing\.SupportsFloat( \| typing\.SupportsIndex)?": "float",
    r"\bbbc\._core\.": "",
    r"\b(self): \w+": r"\1",
    r"\bdict\b(?!\[)": "dict[str, typing.Any]",
    r"\blist\b(?!\[)": "list[typing.Any]",
    r"\btuple\b(?!\[)": "tuple[typing.Any, ...]",
    r"\bCallable\b(?!\[)": "Callable[..., typing.Any]",
    r"\bndarray\b(?!\[)": "ndarray[typing.Any, typing.Any]",
}
_SIGNATURE = re.compile(r"^(?:\d+\. )?(\w+\(.*\) -> .+)$", re.MULTILINE)


def stub_of(module):
    """Everything that the module defines, in its order."""
    lines = [_HEAD]
    for name, value in vars(module).items():
        if isinstance(value, type):
            members = [line for member in vars(value).items() for line in _member(*member)]
            lines += [f"class {name}:", *(f"    {line}" for line in members or ["..."])]
        elif name == "__version__" or not name.startswith("__"):
            lines += _functions(value) if callable(value) else [f"{name}: {type(value).__name__}"]
    return "\n".join(lines) + "\n"


def _member(name, value):
    if isinstance(value, property):
        result = _typed(value.fget.__doc__.partition(" -> ")[2].strip())
        if value.fset is not None:
            return [f"{name}: {result}"]
        return ["@property", f"def {name}(self) -> {result}: ..."]
    if isinstance(value, staticmethod):
        return ["@staticmethod", *_functions(value.__func__)]
    if name.startswith("_") and name != "__init__":
        return []
    return _functions(value)


def _functions(function):
    """Its definition, or those of its overloads."""
    found = _SIGNATURE.findall(function.__doc__ or "")
    found = [f"def {_typed(one)}: ..." for one in found if "(*args, **kwargs)" not in one]
    return [line for one in found for line in (["@typing.overload"] * (len(found) > 1) + [one])]


def _typed(signature):
    if "::" in signature:
        sys.exit(f"{signature}: register its classes before it, so that it names those of Python")
    for written, meant in _WRITTEN.items():
        signature = re.sub(written, meant, signature)
    return signature


def main(path, stub):
    spec = spec_from_file_location("bbc._core", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    Path(stub).write_text(stub_of(module), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
