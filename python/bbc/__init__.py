"""Honest performance of tuned models: bootstrap bias correction of cross-validation."""

import re as _re
from importlib import import_module as _import_module
from importlib.metadata import version as _version
from pathlib import Path as _Path
from typing import Any as _Any

from ._docstrings import as_shown as _as_shown

__version__ = _version("bbc-cv")

# Modules are imported when something of them is used: scikit-learn and the plots take seconds. The
# stub says where it is, to type checkers and here.
_STUB = _Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_WHERE = {name: module for module, name in _re.findall(r"from \.(\S*) import (\w+) as", _STUB)}
__all__ = sorted([*_WHERE, "__version__"])


def __getattr__(name: str) -> _Any:
    if module := _WHERE.get(name):
        value = _as_shown(getattr(_import_module(f".{module}", __name__), name))
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        try:
            value = _import_module(f".{name}", __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
