"""Digests of data, configurations and folds: what a store compares."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from types import CodeType, FunctionType
from typing import Any

import joblib
import numpy as np
from scipy import sparse

from ..errors import StoreError
from ._configurations import Configuration

# A tenth of a second: all metadata of all packages.
_providers = cache(metadata.packages_distributions)


def digest(value: Any) -> str:
    """Return 16 hexadecimal digits that depend on the content only, not on its layout."""
    hasher = hashlib.blake2b(digest_size=8)
    for piece in _pieces(value):
        hasher.update(len(piece).to_bytes(8, "little"))
        hasher.update(piece)
    return hasher.hexdigest()


def configuration_lines(configurations: Iterable[Configuration]) -> list[str]:
    """Return a name and a digest of the whole estimator for each configuration."""
    return [f"{one.name} [{digest(one.build())}]" for one in configurations]


def package_versions(estimators: Iterable[Any]) -> dict[str, str]:
    """Return the versions of numpy, scikit-learn and the packages of the estimators."""
    providers = _providers()
    modules = {"numpy", "sklearn"}
    for one in estimators:
        nested = [one, *one.get_params(deep=True).values()]
        modules |= {type(part).__module__.split(".")[0] for part in nested}
    found = {name for module in modules for name in providers.get(module, ())[:1]}
    found.discard("bbc-cv")  # its own version is compared by itself
    return {name: metadata.version(name) for name in sorted(found)}


def _pieces(value: Any) -> Iterable[bytes]:
    """The content of a value, each piece with its kind."""
    if isinstance(value, np.ndarray | np.generic):
        yield from _array_pieces(np.asarray(value))
    elif isinstance(value, str | bytes | bool | int | float | complex | None):
        yield f"{type(value).__name__}:{value!r}".encode()
    elif isinstance(value, Mapping):
        yield f"mapping:{len(value)}".encode()
        for key, item in value.items():
            yield from _pieces(key)
            yield from _pieces(item)
    elif isinstance(value, list | tuple):
        yield f"{type(value).__name__}:{len(value)}".encode()
        for item in value:
            yield from _pieces(item)
    elif sparse.issparse(value):
        rows = value.tocoo()
        yield f"sparse:{value.shape}".encode()
        for part in (rows.row, rows.col, rows.data):
            yield from _array_pieces(part)
    elif hasattr(value, "get_params") and not isinstance(value, type):
        yield f"{type(value).__module__}.{type(value).__qualname__}".encode()
        yield from _pieces(dict(sorted(value.get_params(deep=False).items())))
    elif hasattr(value, "columns") and hasattr(value, "__len__"):
        yield f"frame:{len(value)}".encode()
        for name in value.columns:
            yield from _pieces(name if isinstance(name, str) else repr(name))
            yield from _array_pieces(np.asarray(value[name]))
    elif isinstance(value, FunctionType):
        yield f"{value.__module__}.{value.__qualname__}".encode()
        yield from _pieces(_code_parts(value.__code__))
        yield from _pieces([value.__defaults__, value.__kwdefaults__])
        yield from _pieces([cell.cell_contents for cell in value.__closure__ or ()])
    else:
        # Splitters and whatever else a parameter may be: by its pickle, which is written here
        # and never read.
        try:
            yield joblib.hash(value).encode()
        except Exception as error:
            raise StoreError(
                f"a store cannot tell whether {value!r} is the same in the next run, because it "
                f"cannot be pickled: {error}"
            ) from None


def _code_parts(code: CodeType) -> list[Any]:
    """What a function does, whatever file and line it is written in."""
    constants = [_code_parts(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return [code.co_code, constants, code.co_names, code.co_varnames]


def _array_pieces(array: Any) -> Iterable[bytes]:
    yield f"array:{array.dtype.str}:{array.shape}".encode()
    if array.dtype.hasobject:
        for item in array.reshape(-1).tolist():
            yield from _pieces(item)
    else:
        yield np.ascontiguousarray(array).tobytes()
