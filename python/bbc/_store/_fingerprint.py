"""Digests of data, configurations and folds: equal if and only if a learner gets the same.

A digest depends on content, never on addresses, memory layout or the order of a set. Functions and
classes in a value are noted, and `_code` follows them.
"""

import copyreg
import hashlib
import sys
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from .._names import DIGEST
from ..errors import StoreError
from ._bytecode import steps
from ._homes import compiled_home, name_in_a_package

_PLAIN = {type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented)}
_REQUESTS = ("_metadata_request", "_sklearn_output_config")
_CLONE = BaseEstimator.__sklearn_clone__


@dataclass(frozen=True)
class Cloned:
    """A value as a configuration holds it: the models are clones of it."""

    value: Any


class Fingerprint:
    """Digests of any values; `met` are the functions, classes and modules in them, by identity."""

    def __init__(self) -> None:
        self.met: dict[int, Any] = {}
        self._above: dict[int, int] = {}

    def of(self, value: Any, what: str) -> str:
        """Return the digest of an argument; refuse what has none."""
        try:
            return self.text(value)
        except Exception as error:
            raise StoreError(
                f"a store cannot tell whether {what} is the same in the next run: {why(error)}"
            ) from error

    def text(self, value: Any) -> str:
        """Return the digest as text."""
        return DIGEST + self.digest(value).hex()

    def digest(self, value: Any) -> bytes:
        """Return 16 bytes that depend on the content."""
        kind = type(value)
        if kind in _PLAIN:
            return _hashed(kind.__name__, _plain(value))
        depth = self._above.get(id(value))
        if depth is not None:  # contains itself
            return _hashed("above", len(self._above) - depth)
        self._above[id(value)] = len(self._above)
        try:
            return self._compound(value, kind)
        finally:
            del self._above[id(value)]

    def _all(self, *parts: Any) -> bytes:
        return _hashed(*map(self.digest, parts))

    def _compound(self, value: Any, kind: type) -> bytes:
        if isinstance(value, np.ndarray | np.generic):
            return self._array(value)
        if kind is list or kind is tuple:
            return _hashed(kind.__name__, *map(self.digest, value))
        if kind is dict or kind is MappingProxyType:
            return self._all("dict", *(part for item in value.items() for part in item))
        if isinstance(value, set | frozenset):  # unordered: the order differs between processes
            return _hashed("set", self.digest(kind), *sorted(map(self.digest, value)))
        if isinstance(value, CodeType):
            return _digest_of_code(value)
        if isinstance(value, FunctionType | type | ModuleType):
            self.met[id(value)] = value
            return self._code(value)
        if isinstance(value, Cloned):
            return self._cloned(value.value)
        name = name_in_a_package(value)
        if name:  # its state, such as that of the global generator, belongs to the process
            return _hashed("of a package", name)
        return self._object(value, kind)

    def _array(self, value: Any) -> bytes:
        kind = "" if type(value) in (np.ndarray, np.memmap) else self.digest(type(value))
        if isinstance(value, np.ma.MaskedArray):
            data, mask = np.asarray(value.data), np.ma.getmaskarray(value)
            return self._all(kind, data, mask, value.fill_value)
        array = np.asarray(value)
        dtype, head = array.dtype, _hashed("array", kind, array.dtype.str, str(array.shape))
        if dtype.names is not None:  # padding is no content
            return self._all(head, *(part for name in dtype.names for part in (name, array[name])))
        if dtype.hasobject:
            return _hashed(head, *map(self.digest, array.reshape(-1).tolist()))
        if dtype.char in "gG":  # nor in numbers of extended precision
            with np.errstate(over="ignore", invalid="ignore"):
                double = array.astype({"g": "d", "G": "D"}[dtype.char])
                return self._all(head, double, (array - double).astype(double.dtype))
        return _hashed(head, np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)

    def _code(self, value: Any) -> bytes:
        """Code by itself; `_code` follows what it refers to by name."""
        if isinstance(value, ModuleType):
            return _hashed("module", value.__name__)
        place = _hashed(type(value).__name__, str(value.__module__), value.__qualname__)
        if isinstance(value, FunctionType):
            parts = value.__code__, value.__defaults__, value.__kwdefaults__
            return self._all(place, *parts, *map(content, value.__closure__ or ()))
        if "<locals>" not in value.__qualname__:
            return place
        # Classes that are made by a function share a name.
        members = sorted(vars(value).items())
        functions = [item for item in members if isinstance(item[1], FunctionType)]
        return self._all(place, functions)

    def _cloned(self, value: Any) -> bytes:
        """The parts that `sklearn.base.clone` copies: parameters and requests of an estimator."""
        kind = type(value)
        if kind in (list, tuple):
            return _hashed(kind.__name__, *(self.digest(Cloned(each)) for each in value))
        clone = getattr(kind, "__sklearn_clone__", _CLONE)
        if clone is not _CLONE or not hasattr(value, "get_params") or isinstance(value, type):
            return self.digest(value)
        params = sorted(value.get_params(deep=False).items())
        requests = [getattr(value, "__dict__", {}).get(name) for name in _REQUESTS]
        return self._all(kind, requests, [(name, Cloned(param)) for name, param in params])

    def _object(self, value: Any, kind: type) -> bytes:
        """The state that an object's class gives for copies and pickles; nothing is unpickled."""
        parts = parts_of_frame(value)
        if parts is not None:
            return self._all(kind, *parts)
        if sparse.issparse(value):
            entries = value.tocoo()
            places = [place.astype(np.int64) for place in (entries.row, entries.col)]
            return self._all(kind, value.shape, places, entries.data)
        if isinstance(value, Enum):  # some versions of Python pickle a member by its name alone
            return self._all(kind, value.name, value.value)
        compiled = compiled_home(value)
        if compiled is not None:
            self.met[id(compiled)] = compiled
        wrapped = getattr(value, "__dict__", {}).get("__wrapped__")
        if isinstance(wrapped, FunctionType) and callable(value):  # by a cache, or a compiler
            return self._all(kind, wrapped)
        reducer = copyreg.dispatch_table.get(kind)
        made = value.__reduce_ex__(4) if reducer is None else reducer(value)
        if isinstance(made, str):
            return self._all(kind, made)
        return self._all(kind, *made[:3], *map(list, (part or () for part in made[3:5])))


@lru_cache(maxsize=10_000)
def _digest_of_code(code: CodeType) -> bytes:
    return Fingerprint()._all("code", *steps(code))


def content(cell: Any) -> Any:
    """The content of a closure's cell, or ... if it is empty."""
    try:
        return cell.cell_contents
    except ValueError:
        return ...


def why(error: Exception) -> str:
    """Why something has no digest."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return " ".join(str(error).split()) or type(error).__name__


def _plain(value: Any) -> bytes | memoryview:
    if isinstance(value, bytes | memoryview):
        return value
    if isinstance(value, int):  # decimal digits of long integers are limited
        return b"%x" % value
    return (value if isinstance(value, str) else repr(value)).encode("utf-8", "surrogatepass")


def _hashed(*parts: str | bytes | memoryview | int) -> bytes:
    hasher = hashlib.blake2b(digest_size=16)
    for part in parts:
        piece = _plain(part)
        hasher.update(b"%x." % len(piece))
        hasher.update(piece)
    return hasher.digest()


def parts_of_frame(value: Any) -> list[Any] | None:
    """Return the content of a frame, column or index in plain parts; None for anything else."""
    package = type(value).__module__.partition(".")[0]
    if package == "pandas":
        return _of_pandas(value)
    if package == "polars":
        return _of_polars(value)
    if package == "pyarrow":
        return _of_pyarrow(value)
    return None


def _of_pandas(value: Any) -> list[Any] | None:
    pd = sys.modules["pandas"]
    if isinstance(value, pd.DataFrame):
        columns = [_of_array(value.iloc[:, place].array) for place in range(value.shape[1])]
        return [value.columns, value.index, value.attrs, columns]
    if isinstance(value, pd.Series):
        return [value.name, value.index, value.attrs, _of_array(value.array)]
    if isinstance(value, pd.MultiIndex):
        levels = [value.get_level_values(place).array for place in range(value.nlevels)]
        return [list(value.names), [_of_array(level) for level in levels]]
    if isinstance(value, pd.Index):
        return [value.name, _of_array(value.array)]
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return _of_array(value)
    return None


def _of_array(array: Any) -> list[Any]:
    """Values without what missing ones hide."""
    dtype = array.dtype
    if hasattr(dtype, "categories"):
        return ["category", dtype.categories, bool(dtype.ordered), np.asarray(array.codes)]
    if isinstance(dtype, np.dtype):
        return [np.asarray(array)]
    if hasattr(array, "asi8"):  # times, with their zone or their period in the type
        return [str(dtype), array.asi8]
    mask = np.asarray(array.isna())
    numbers = getattr(dtype, "numpy_dtype", np.dtype(object))
    if numbers.kind in "biuf":
        return [str(dtype), mask, array.to_numpy(dtype=numbers, na_value=numbers.type(0))]
    return [str(dtype), mask, np.where(mask, None, array.astype(object))]


def _of_polars(value: Any) -> list[Any] | None:
    pl = sys.modules["polars"]
    if isinstance(value, pl.DataFrame):
        return [value.columns, value.get_columns()]
    if not isinstance(value, pl.Series):
        return None
    dtype = value.dtype
    categories = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else None
    numbers = dtype.is_numeric() and value.null_count() == 0
    return [value.name, str(dtype), categories, value.to_numpy() if numbers else value.to_list()]


def _of_pyarrow(value: Any) -> list[Any] | None:
    pa = sys.modules["pyarrow"]
    if isinstance(value, pa.Table):
        return [value.column_names, value.columns]
    if not isinstance(value, pa.ChunkedArray | pa.Array):
        return None
    chunks = value.chunks if isinstance(value, pa.ChunkedArray) else [value]
    categories = [chunk.dictionary for chunk in chunks if isinstance(chunk, pa.DictionaryArray)]
    numbers = pa.types.is_primitive(value.type) and value.null_count == 0
    return [
        str(value.type),
        categories,
        value.to_numpy() if numbers and isinstance(value, pa.ChunkedArray) else value.to_pylist(),
    ]
