"""Digests of data, configurations, folds and code: equal if and only if a learner gets the same.

A digest depends on content, never on addresses, memory layout or the order of a set. Functions and
classes are compared by what they do, independent of their file and lines, and what they refer to by
name is followed in turn through the user's project: other functions and classes, members of
modules, values. Packages are compared by version.
"""

import copyreg
import dis
import hashlib
import importlib
import json
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property, lru_cache, singledispatchmethod
from importlib import metadata, util
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import resolve_name
from itertools import chain, zip_longest
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from .._names import DIGEST
from ..errors import StoreError

# Their versions are always compared, however they are installed.
_OURS = {"bbc", "bbc_r"}
_SITES = {"site-packages", "dist-packages"}
_STANDARD = Path(sysconfig.get_paths()["stdlib"])

# A tenth of a second: all metadata of all packages.
_distributions = cache(metadata.packages_distributions)


@cache
def packages_of(module: str) -> tuple[str, ...] | None:
    """Return the distributions that a module comes from, or None if its code must be followed.

    Code outside packages is followed, and so is a package installed from a folder, whose files
    change while its version does not. A package may lie in any folder, as ``pip install --target``
    puts it. The standard library has Python's version.
    """
    top = module.partition(".")[0]
    if top in _OURS:
        return ()
    if top == "__main__":
        return None
    place = _place(top)
    if place is None:
        return () if top in sys.stdlib_module_names else None
    in_site = bool(_SITES & set(place.parts))
    if not in_site and top in sys.stdlib_module_names and _STANDARD in place.parents:
        return ()
    found = tuple(sorted(set(_distributions().get(top, ()))))
    if not in_site and not any(_is_beside_record(place, distribution) for distribution in found):
        return None
    from_a_folder = any("dir_info" in _origin(distribution) for distribution in found)
    return None if from_a_folder or not found else found


def version(distribution: str) -> str:
    """Return a version, with the commit or the hash of what was installed from elsewhere."""
    origin = _origin(distribution)
    notes = origin.get("vcs_info", {}) | origin.get("archive_info", {})
    source = notes.get("commit_id") or notes.get("hash") or notes.get("hashes")
    return metadata.version(distribution) + (f" ({source})" if source else "")


def name_in_a_package(value: Any) -> str:
    """Return the name of an object in a package's module; empty if it has none."""
    owner = getattr(value, "__self__", value)  # of a bound function
    for home in (getattr(value, "__module__", None), type(owner).__module__):
        if isinstance(home, str) and packages_of(home) is not None:
            for name, member in getattr(sys.modules.get(home), "__dict__", {}).items():
                if member is value:
                    return f"{home}.{name}"
    return ""


def compiled_home(function: Any) -> ModuleType | None:
    """Return the module of a function that is no Python code."""
    home = getattr(function, "__module__", None) if hasattr(function, "__name__") else None
    return sys.modules.get(home) if isinstance(home, str) and is_compiled(home) else None


def is_compiled(module: str) -> bool:
    """True if a module is no Python code."""
    file = str(getattr(sys.modules.get(module), "__file__", None))
    return file.endswith(tuple(EXTENSION_SUFFIXES))


def _place(module: str) -> Path | None:
    """The file of a top-level module or, without one, its folder; None if there is neither."""
    known = sys.modules.get(module)
    try:
        spec = known.__spec__ if known is not None else util.find_spec(module)
    except (AttributeError, ImportError, ValueError):
        return None
    if spec is None:  # a script or a notebook
        return None
    folders = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec.has_location else None
    found = origin or (folders[0] if folders else None)
    return None if found is None else Path(found)


def _is_beside_record(place: Path, distribution: str) -> bool:
    """True if an installer put a module where it put the record of what it installed."""
    found = metadata.distribution(distribution)
    return (
        Path(str(found.locate_file(""))) in place.parents and found.read_text("RECORD") is not None
    )


@cache
def _origin(distribution: str) -> dict[str, Any]:
    """The recorded origin of a package that is not from an index; conda's records are ignored."""
    found = metadata.distribution(distribution)
    note = found.read_text("direct_url.json")
    if note is None or (found.read_text("INSTALLER") or "").strip() == "conda":
        return {}
    return dict(json.loads(note))


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
    """The reason why something has no digest."""
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


# What these run cannot be known beforehand; what these fetch may be any member of a module.
_RUN_TEXT = {"__import__", "eval", "exec", "globals"}
_IMPORT = {"import_module", "run_module", "run_path"}
_FETCH = {"getattr", "vars"}
# Members of abstract classes and of enumerations that fill up as they are used.
_CACHES = {"_abc_impl", "_value2member_map_"}
VALUE = "the value of "


class Code:
    """All code that can be reached from the functions, classes and modules in `roots`.

    `facts` are digests of functions and classes by name, `values` digests of the values that they
    refer to, `packages` the distributions to be compared by version; `unseen` says what cannot be
    followed, and why.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self.facts: dict[str, set[str]] = {}
        self.values: dict[str, set[str]] = {}
        self.packages: set[str] = set()
        self.unseen: dict[str, str] = {}
        self._fingerprint = Fingerprint()
        met = self._fingerprint.met
        met.update({id(root): root for root in roots})
        n_followed = 0
        while n_followed < len(met):
            found = list(met.values())[n_followed:]
            n_followed += len(found)
            for code in found:
                self._follow(code)

    def _follow(self, code: Any) -> None:
        if isinstance(code, ModuleType):
            self._module(code, None, set())
        elif isinstance(code, FunctionType):
            module = str(code.__globals__.get("__name__"))
            if self._is_project(module):
                self._function(code, f"{module}.{code.__qualname__}")
            else:  # may wrap functions of the project, or a dict of such
                held = [content(cell) for cell in code.__closure__ or ()]
                self._meet(
                    chain(held, *(list(some.values()) for some in held if type(some) is dict))
                )
        elif self._is_project(str(code.__module__)):
            self._class(code, f"{code.__module__}.{code.__qualname__}")

    def _is_project(self, module: str) -> bool:
        """True if a module's code is followed; if not, notes where it comes from."""
        packages = packages_of(module)
        if packages is not None:
            self.packages.update(packages)
        elif is_compiled(module):
            self.unseen[module] = "is compiled"
        else:
            return True
        return False

    def _meet(self, candidates: Iterable[Any]) -> None:
        for code in candidates:
            if isinstance(code, FunctionType | type):
                self._fingerprint.met[id(code)] = code

    def _function(self, function: FunctionType, place: str) -> None:
        names, visited = names_in(function.__code__), set[str]()
        known = function.__globals__
        references: list[Any] = []
        for name in sorted(names.of_globals):
            if name in known:
                label = f"{known.get('__name__')}.{name}"
                references.append((name, self._reference(known[name], label, names, visited)))
            elif name in _RUN_TEXT:
                self.unseen[place] = f"calls {name}"
        for name in sorted(names.all & _IMPORT):
            self.unseen[place] = f"calls {name}"
        references += self._imported(names, known.get("__package__"), place, visited)
        self._note(self.facts, f"the code of {place}", [function.__code__, references])
        held = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        values = {name: content(cell) for name, cell in held} | vars(function)
        if function.__defaults__ or function.__kwdefaults__:
            values["default arguments"] = function.__defaults__, function.__kwdefaults__
        for name, value in values.items():
            self._value(value, f"{name} in {place}")

    def _class(self, cls: type, place: str) -> None:
        members: list[Any] = [self._name(base) for base in (type(cls), *cls.__bases__)]
        for name, member in sorted(vars(cls).items()):
            functions = _functions_of(member)
            is_slot = hasattr(member, "__objclass__")  # or a member of a compiled class
            if functions or not (_is_machinery(name) or is_slot):
                members.append((name, type(member).__name__, *map(self._name, functions)))
                if not functions:
                    self._value(member, f"{place}.{name}")
        self._note(self.facts, f"the class {place}", members)

    def _name(self, code: Any) -> Any:
        """A function or class by its name, and by content where several may share it."""
        self._meet([code])
        body = code.__code__ if isinstance(code, FunctionType) else code
        return str(code.__module__), code.__qualname__, "<" in code.__qualname__ and body

    def _reference(self, target: Any, label: str, names: Names | None, visited: set[str]) -> Any:
        """The object that a name in code refers to, without its content."""
        if isinstance(target, ModuleType):
            return self._module(target, names, visited)
        if isinstance(target, FunctionType | type):
            return self._name(target)
        self._value(target, label)
        return "a value"

    def _module(self, module: ModuleType, names: Names | None, visited: set[str]) -> Any:
        """The members of a module that code names or may fetch; without names, all."""
        name = module.__name__
        if name in visited or not self._is_project(name):
            return name
        visited.add(name)
        fetched = names is None or bool(names.of_globals & _FETCH)
        return [
            (key, self._reference(member, f"{name}.{key}", names, visited))
            for key, member in sorted(vars(module).items())
            if not _is_machinery(key) and (names is None or fetched or key in names.all)
        ]

    def _imported(
        self, names: Names, package: str | None, place: str, visited: set[str]
    ) -> list[Any]:
        """Modules and members that code imports when it runs."""
        found: list[Any] = []
        for name, level, members in names.imported:
            try:
                module = resolve_name("." * level + name, package)
                if not self._is_project(module):
                    continue
                inner = vars(importlib.import_module(module))
                below = [f"{module}.{member}" for member in members if member not in inner]
                for path in (module, *below):
                    found.append(self._module(importlib.import_module(path), names, visited))
            except Exception as error:
                self.unseen[f"{name} in {place}"] = why(error)
        return found

    def _value(self, value: Any, label: str) -> None:
        self._note(self.values, VALUE + label, value, label)

    def _note(self, facts: dict[str, set[str]], name: str, value: Any, label: str = "") -> None:
        try:
            if callable(value):
                self._is_project(str(getattr(value, "__module__", None)))
            facts.setdefault(name, set()).add(self._fingerprint.text(value))
        except Exception as error:
            facts.pop(name, None)
            self.unseen[label or name] = why(error)


def _functions_of(member: Any) -> list[FunctionType]:
    """The functions that a member of a class holds."""
    held: list[Any]
    if isinstance(member, staticmethod | classmethod):
        held = [member.__func__]
    elif isinstance(member, singledispatchmethod):
        held = list(member.dispatcher.registry.values())
    elif isinstance(member, property):
        held = [member.fget, member.fset, member.fdel]
    else:
        held = [member.func if isinstance(member, cached_property) else member]
    return [each for each in held if isinstance(each, FunctionType)]


def _is_machinery(name: str) -> bool:
    """True if Python itself keeps a member of that name in classes and modules."""
    return (name.startswith("__") and name.endswith("__")) or name in _CACHES
