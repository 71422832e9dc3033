"""Results: what annotations of their fields say of values, in memory and in JSON."""

import collections.abc
import json
import math
import operator
import reprlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import partial
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from ._digits import number
from ._frozen import frozen_copy, read_only
from ._page import Page
from ._typing import DataFrame, FloatArray
from .errors import MissingExtraError
from .findings import FINDINGS, Finding, finding

_SPECIAL = {"Infinity": math.inf, "-Infinity": -math.inf, "NaN": math.nan}
_LARGEST = 2**53
#: No analysis has more; larger counts would only ask for memory.
_MOST = {"n_configurations": 10**8, "n_rows": 2**31 - 1}
_LABELS = (str, int, float, bool, type(None))


# Annotations are no tuples: equal ones share an entry in the cache of `typing`, up to Python 3.11.3
# even if their types differ.
@dataclass(frozen=True)
class PerEntry:
    """An annotation: one value for each of a count, or for each entry of another field."""

    of: str


@dataclass(frozen=True)
class Index:
    """An annotation: indices below a count; one of 0 is not known."""

    of: str


@dataclass(frozen=True)
class Within:
    """An annotation: numbers of a closed range."""

    low: float
    high: float


#: Numbers above 0, and any number but NaN.
POSITIVE = Within(math.nextafter(0, 1), math.inf)
ANY = Within(-math.inf, math.inf)
Number: TypeAlias = Annotated[float, ANY]
#: Shares, which sums of weights may pass by rounding; values, and shares, of configurations.
SHARE = Within(0, 1 + 1e-9)
PerConfiguration: TypeAlias = Annotated[FloatArray, PerEntry("n_configurations")]
SharePerConfiguration: TypeAlias = Annotated[PerConfiguration, SHARE]
Share: TypeAlias = Annotated[float, SHARE]
Level: TypeAlias = Annotated[float, Within(math.nextafter(0, 1), math.nextafter(1, 0))]


class Codec(NamedTuple):
    """The functions that keep values of an annotation in a result, write them, and read them."""

    keep: Callable[[Any], Any] | None
    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    exact: type | None = None  # values of this type are kept as they are


class Field(NamedTuple):
    """A field of a class of results that its documents have."""

    name: str
    codec: Codec
    kind: Any  # its annotation without None and marks
    optional: bool
    compared: bool
    default: Any
    marks: tuple[Any, ...]


#: How a field's values are converted: its name, its default and the type that are kept as they
#: are, and the function.
Keeper: TypeAlias = tuple[str, Any, type | None, Callable[[Any], Any]]
_LAYOUTS: dict[type[Any], tuple[Field, ...]] = {}
KEEPERS: dict[type[Any], tuple[Keeper, ...]] = {}


def layout(kind: type[Any]) -> tuple[Field, ...]:
    """The fields of a class that its documents have; functions are no data."""
    if kind not in _LAYOUTS:
        _LAYOUTS[kind] = tuple(_fields_of(kind))
    return _LAYOUTS[kind]


def keepers(kind: type[Any]) -> tuple[Keeper, ...]:
    """The converters of a class's fields, made once and kept in `KEEPERS`."""
    KEEPERS[kind] = tuple(
        (field.name, field.default, field.codec.exact, field.codec.keep)
        for field in layout(kind)
        if field.codec.keep is not None
    )
    return KEEPERS[kind]


def _fields_of(kind: type[Any]) -> Iterator[Field]:
    hints = get_type_hints(kind, include_extras=True)
    for item in fields(kind):
        bare, optional, marks = _bare(hints[item.name])
        if get_origin(bare) is not collections.abc.Callable:
            make = item.default_factory
            default = item.default if make is MISSING else make()
            codec = _codec(bare, _MOST.get(item.name, _LARGEST))
            yield Field(item.name, codec, bare, optional, item.compare, default, marks)


def _bare(kind: Any, marks: tuple[Any, ...] = ()) -> tuple[Any, bool, tuple[Any, ...]]:
    """An annotation without its marks and None, and both.

    ``X | Any`` is ``X | None`` to us: `Any` lets type checkers take what X has unasked.
    """
    origin = get_origin(kind)
    if hasattr(origin, "__value__"):  # an alias: what numpy's NDArray is from 2.5 on
        return _bare(origin.__value__[get_args(kind)], marks)
    if origin is Annotated:
        inner, *outer = get_args(kind)
        return _bare(inner, (*outer, *marks))
    if origin in (Union, types.UnionType):
        (inner,) = (one for one in get_args(kind) if one not in (Any, types.NoneType))
        bare, _, inner_marks = _bare(inner, marks)
        return bare, True, inner_marks
    return kind, kind is Any, marks


def _codec(kind: Any, most: int = _LARGEST) -> Codec:
    """The codec of an annotation without None; `most` is the largest whole number."""
    origin, args = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind is int:
        return Codec(int, _same, lambda value, path: _whole(value, path, most), int)
    if origin is Literal:
        return Codec(None, _same, lambda value, path: _one_of(value, path, args))
    if origin is np.ndarray:
        dtype = np.dtype(get_args(args[1])[0])
        listed: Any = _floats_written if dtype.kind == "f" else np.ndarray.tolist
        keep = partial(frozen_copy, dtype=dtype)
        return Codec(keep, listed, lambda value, path: _array(value, path, dtype))
    if origin is tuple and args[-1] is ...:
        return _of_all(_element(args[0]))
    if origin is tuple:
        return _of_each([_element(one) for one in args])
    if origin is collections.abc.Mapping:
        return _of_mapping(_element(args[1]))
    if is_dataclass(kind):
        return _of_result(kind)
    raise TypeError(f"no codec for {kind}")


def _element(kind: Any) -> Codec:
    bare, optional, marks = _bare(kind)
    if (optional and bare is not Any) or marks:
        raise TypeError(f"no codec for elements {kind}")
    return _codec(bare)


def _of_result(kind: Any) -> Codec:
    write = document if kind._named else written
    return Codec(None, write, lambda value, path: read(kind, value, path))


def _of_all(one: Codec) -> Codec:
    """Of a tuple of any length."""
    change = one.keep

    def keep(values: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(values) if change is None else tuple(map(change, values))

    def read(value: Any, path: str) -> tuple[Any, ...]:
        _expect(isinstance(value, list), value, path)
        return tuple(one.read(each, f"{path}[{place}]") for place, each in enumerate(value))

    exact = tuple if change is None else None
    return Codec(keep, lambda values: list(map(one.write, values)), read, exact)


def _of_each(codecs: list[Codec]) -> Codec:
    """Of a tuple of some length."""
    keeps = [one.keep or _same for one in codecs]
    exact = [_LABELS if one is _PLAIN[Any] else (one.exact,) for one in codecs]

    def keep(values: Iterable[Any]) -> tuple[Any, ...]:
        fits = type(values) is tuple and len(values) == len(exact)
        if fits and all(map(operator.contains, exact, map(type, values))):
            return tuple(values)
        return tuple(keep(value) for keep, value in zip(keeps, values, strict=True))

    def read(value: Any, path: str) -> tuple[Any, ...]:
        _expect(isinstance(value, list) and len(value) == len(codecs), value, path)
        return tuple(one.read(each, path) for one, each in zip(codecs, value, strict=True))

    def write(values: tuple[Any, ...]) -> list[Any]:
        return [one.write(each) for one, each in zip(codecs, values, strict=True)]

    return Codec(keep, write, read)


def _of_mapping(one: Codec) -> Codec:
    """Of a mapping from texts."""

    def keep(values: Mapping[str, Any]) -> Mapping[str, Any]:
        return types.MappingProxyType(dict(values))

    def read(value: Any, path: str) -> dict[str, Any]:
        _expect(isinstance(value, dict), value, path)
        return {key: one.read(each, f"{path}[{key!r}]") for key, each in value.items()}

    return Codec(keep, lambda v: {key: one.write(each) for key, each in v.items()}, read)


def plain_label(label: Any) -> Any:
    """A label that JSON can hold."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, bytes):
        return label.decode(errors="backslashreplace")
    return label if type(label) in _LABELS else str(label)


def _same(value: Any) -> Any:
    return value


def _float_written(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _floats_written(array: FloatArray) -> list[Any]:
    values: list[Any] = array.tolist()
    return values if np.isfinite(array).all() else list(map(_float_written, values))


def _finding_read(value: Any, path: str) -> Finding:
    known = isinstance(value, dict) and value.keys() == {"code", "detail"}
    _expect(known and type(value["detail"]) is str and value["code"] in FINDINGS, value, path)
    return finding(value["code"], value["detail"])


def _expect(true: bool, value: Any, path: str) -> None:
    if not true:
        raise TypeError(f"{path} is {reprlib.repr(value)}")


def _whole(value: Any, path: str, most: int) -> int:
    _expect(type(value) is int, value, path)
    if not 0 <= value <= most:
        raise ValueError(f"{path} is {reprlib.repr(value)}")
    return int(value)


def _real(value: Any, path: str) -> float:
    if type(value) is str and value in _SPECIAL:
        return _SPECIAL[value]
    _expect(type(value) in (float, int), value, path)
    return float(value)


def _plain_read(kind: type) -> Callable[[Any, str], Any]:
    def read(value: Any, path: str) -> Any:
        _expect(type(value) is kind, value, path)
        return value

    return read


def _one_of(value: Any, path: str, known: tuple[Any, ...]) -> Any:
    _expect(type(value) is str and value in known, value, path)
    return value


def _label_read(value: Any, path: str) -> Any:
    _expect(type(value) in _LABELS, value, path)
    return value


def _array(value: Any, path: str, dtype: np.dtype[Any]) -> Any:
    """The numbers of a list, which are checked all at once: there may be many."""
    _expect(isinstance(value, list), value, path)
    types_found = set(map(type, value))
    if dtype.kind == "f":
        if str in types_found:
            value = [_SPECIAL.get(one, one) if type(one) is str else one for one in value]
            types_found = set(map(type, value))
        allowed = {float, int}
    else:
        allowed = {bool} if dtype.kind == "b" else {int}
    if not types_found <= allowed:
        wrong = next(one for one in value if type(one) not in allowed)
        raise TypeError(f"{path} has {reprlib.repr(wrong)}")
    array = np.array(value, dtype=dtype)
    if dtype.kind == "i" and (array < 0).any():
        raise ValueError(f"{path} has {array.min()}")
    return read_only(array)


#: Codecs of annotations that need nothing else; a label of a class is `Any`.
_PLAIN: dict[Any, Codec] = {
    float: Codec(float, _float_written, _real, float),
    str: Codec(str, _same, _plain_read(str), str),
    bool: Codec(bool, _same, _plain_read(bool), bool),
    Any: Codec(
        plain_label,
        lambda value: _float_written(value) if type(value) is float else value,
        _label_read,
        str,
    ),
    Finding: Codec(
        None, lambda value: {"code": value.code, "detail": value.detail}, _finding_read, Finding
    ),
}


def document(result: Any) -> dict[str, Any]:
    """The fields of a result in terms of JSON, below its type."""
    kind = type(result)
    return {"type": f"bbc.{kind.__name__}", "schema": kind._schema} | written(result)


def written(result: Any) -> dict[str, Any]:
    """The fields in terms of JSON."""
    values = result.__dict__
    return {
        field.name: None if values[field.name] is None else field.codec.write(values[field.name])
        for field in layout(type(result))
    }


def read(kind: Any, given: Any, path: str) -> Any:
    """A result from the fields of a document, each of which has the type of its annotation."""
    _expect(isinstance(given, dict), given, path)
    values = dict(given)
    named, schema = values.pop("type", f"bbc.{kind.__name__}"), values.pop("schema", kind._schema)
    _expect(named == f"bbc.{kind.__name__}", named, f"{path} type")
    if type(schema) is not int or not 1 <= schema <= kind._schema:
        raise ValueError(
            f"it has schema {reprlib.repr(schema)}, this version of bbc reads {kind._schema}"
        )
    if schema < kind._schema:
        values = kind._upgraded(values, schema)
    known = {field.name: field for field in layout(kind)}
    for name, value in values.items():
        if name not in known:
            raise TypeError(
                f"this version of bbc has no field {'.'.join(filter(None, (path, name)))!r}"
            )
        place = f"{path}.{name}" if path else name
        if value is None:
            _expect(known[name].optional, value, place)
        else:
            values[name] = known[name].codec.read(value, place)
    result = kind(**values)
    result._check()
    return result


def equal(ours: Any, theirs: Any) -> bool:
    """True if two values are the same, NaN equal to NaN and mappings in their order."""
    if isinstance(ours, np.ndarray) or isinstance(theirs, np.ndarray):
        both = isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray)
        return both and np.array_equal(ours, theirs, equal_nan=ours.dtype.kind == "f")
    if isinstance(ours, types.MappingProxyType):
        return isinstance(theirs, Mapping) and list(ours.items()) == list(theirs.items())
    return bool(ours == theirs) or (ours != ours and theirs != theirs)


def check_marks(result: Any) -> None:
    """Refuse fields that are not what the marks of their annotations say."""
    for field in layout(type(result)):
        value = getattr(result, field.name)
        for mark in () if value is None else field.marks:
            if isinstance(mark, Within):
                _check_range(field.name, value, mark)
            else:
                _check_places(field.name, value, mark, getattr(result, mark.of))


def _check_range(name: str, value: Any, mark: Within) -> None:
    values = np.asarray(value, dtype=np.float64)
    inside = (values >= mark.low) & (values <= mark.high)  # which NaN never is
    if not inside.all():
        wrong = values[~inside][0]
        raise ValueError(f"{name} has {wrong:g}, which is not within [{mark.low:g}, {mark.high:g}]")


def _check_places(name: str, value: Any, mark: PerEntry | Index, of: Any) -> None:
    """Refuse another number of values, or an index beyond it; `of` is the field that gives it."""
    if of is None:
        return
    n = of if isinstance(of, int) else len(of)
    if isinstance(mark, PerEntry):
        if getattr(value, "ndim", 1) != 1 or len(value) != n:
            raise ValueError(f"{len(value)} {name} for {n} {mark.of.removeprefix('n_')}")
    elif n and np.size(value) and np.max(value) >= n:
        raise ValueError(f"{name} has {np.max(value)}, there are {n} {mark.of.removeprefix('n_')}")


class _NotJsonError(ValueError):
    """JSON that only Python takes."""


def parsed(text: str) -> Any:
    """Parse JSON text; constants that JSON lacks and duplicate fields are refused."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except _NotJsonError:
        raise
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise ValueError(f"text is not JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise _NotJsonError(f"text has the field {name!r} twice")
        values[name] = value
    return values


def _no_constant(name: str) -> None:
    raise _NotJsonError(f"text is not JSON: {name} is not a number there")


class Result:
    """What an analysis found: frozen, compared by value, shown as text and HTML, written as JSON.

    Results are frozen dataclasses. The annotations of their fields say how values are converted,
    compared, pickled, written as JSON, and which documents are refused.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> isinstance(e.record, bbc.results.Result)
    True
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    _schema: ClassVar[int] = 1
    #: Whether documents of results that hold it say its type, too, so that it can be read alone.
    _named: ClassVar[bool] = False
    #: Properties that a row of `to_frame` has beside the fields.
    _derived: ClassVar[tuple[str, ...]] = ()
    #: Whether a row of the result that has it as a field shows its fields instead.
    _spread: ClassVar[bool] = False

    def __post_init__(self) -> None:
        # The dictionary is faster than object.__setattr__: a small correction takes 60 us.
        values = self.__dict__
        for name, default, exact, keep in KEEPERS.get(type(self)) or keepers(type(self)):
            value = values[name]
            if not (value is default or value is None or type(value) is exact):
                values[name] = keep(value)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits its validity, each with a code, a reason and advice; in order of codes."""
        found = dict.fromkeys(getattr(self, "data_findings", ()))
        for value in self.__dict__.values():
            for part in _results_in(value):
                found |= dict.fromkeys(part.findings)
        return tuple(sorted(found, key=lambda each: each.code))

    def summary(self) -> str:
        """Describe the result in at most 80 columns of text.

        Returns
        -------
        str
            A head, a line for each fact, tables, then findings and notes.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> print(PerformanceEstimate(
        ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
        ...     apparent=0.8, winner=3, n_rows=100, n_configurations=20).summary())
        accuracy of the winner (higher is better), method cvt, pooled
          estimate       0.8
          apparent       0.8 (not corrected)
          winner         configuration 3
          data           100 rows, 20 configurations
          BBC001         apparent score not corrected for selection: the best of 20
                         configurations; report a corrected estimate: bbc.correct of the
                         fitted protocol, or bbc.BBC in its place
        """
        return self._page().text()

    def to_frame(self) -> DataFrame:
        """Return the result's numbers as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            One row, or a row for each configuration, pair, subgroup, quantity or point of what the
            result lists.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> frame = PerformanceEstimate(
        ...     estimate=0.80, metric="accuracy", method="cvt", greater_is_better=True,
        ...     n_rows=100, n_configurations=20).to_frame()
        >>> float(frame.loc[0, "estimate"])
        0.8
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("to_frame needs pandas: pip install 'bbc-cv[tables]'") from None
        return pd.DataFrame(self._frame())

    def to_json(self, *, indent: int | None = None) -> str:
        """Write the result as valid JSON from which `from_json` restores every bit.

        Infinities are written as the strings "Infinity" and "-Infinity".

        Parameters
        ----------
        indent : int, optional
            As in `json.dumps`.

        Returns
        -------
        str
            The document.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> result = PerformanceEstimate(
        ...     estimate=0.1 + 0.2, metric="accuracy", method="cvt", greater_is_better=True,
        ...     n_rows=100, n_configurations=20)
        >>> PerformanceEstimate.from_json(result.to_json()) == result
        True
        """
        return json.dumps(document(self), indent=indent, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Restore a result that `to_json` wrote.

        What a document of an earlier version lacks has its default, mostly None: unknown.

        Parameters
        ----------
        text : str
            The document.

        Returns
        -------
        result
            Equal to the one that was written.

        Raises
        ------
        ValueError
            If the text is not such a document.

        Examples
        --------
        >>> from bbc import PerformanceEstimate
        >>> PerformanceEstimate.from_json("{}")
        Traceback (most recent call last):
        ...
        ValueError: text is not a PerformanceEstimate written by to_json
        """
        given = parsed(text)
        if not isinstance(given, dict) or given.get("type") != f"bbc.{cls.__name__}":
            raise ValueError(f"text is not a {cls.__name__} written by to_json")
        try:
            found: Self = read(cls, given, "")
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"text is not a complete {cls.__name__}: {error}") from None
        return found

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        ours, theirs = self.__dict__, other.__dict__
        return all(
            equal(ours[field.name], theirs[field.name])
            for field in layout(type(self))
            if field.compared
        )

    def __hash__(self) -> int:
        """Of the values; those with arrays or mappings have none."""
        values = self.__dict__
        return hash(tuple(values[field.name] for field in layout(type(self)) if field.compared))

    def __reduce__(self) -> tuple[Any, ...]:
        """The constructor and document for `pickle` and `copy`."""
        values = {field.name: getattr(self, field.name) for field in layout(type(self))}
        for name, value in values.items():
            if type(value) is MappingProxyType:
                values[name] = dict(value)
        return _made, (type(self), values)

    def _repr_html_(self) -> str:
        return self._page().html()

    def _page(self) -> Page:
        """The page of `summary`, notebooks and reports: all fields that differ from defaults."""
        shown = ((field, getattr(self, field.name)) for field in layout(type(self)))
        facts = [
            (field.name.replace("_", " "), _told(value))
            for field, value in shown
            if value is not None and not equal(value, field.default)
        ]
        return Page(type(self).__name__, facts)

    def _frame(self) -> Any:
        """Columns, or a list of rows, of `to_frame`: by default one row of all single values."""
        return [self._row()]

    def _row(self) -> dict[str, Any]:
        """Fields that are one number or text each, by name."""
        row: dict[str, Any] = {}
        for field in layout(type(self)):
            value = getattr(self, field.name)
            if isinstance(field.kind, type) and issubclass(field.kind, Result):
                if field.kind._spread:
                    names = [one.name for one in layout(field.kind)]
                    row |= {name: getattr(value, name, None) for name in names}
            elif field.kind in (float, int, bool, str, Any) or get_origin(field.kind) is Literal:
                row[field.name] = value
        return row | {name: getattr(self, name) for name in self._derived}

    @classmethod
    def _upgraded(cls, values: dict[str, Any], schema: int) -> dict[str, Any]:
        """The fields of a document of an earlier schema in terms of this one."""
        return values

    def _check(self) -> None:
        """Refuse values that no analysis gives; called for all that is read."""
        check_marks(self)


def _results_in(value: Any) -> Iterable[Result]:
    """The results that a field holds."""
    if isinstance(value, Result):
        return (value,)
    if isinstance(value, MappingProxyType):
        value = tuple(value.values())
    parts = value if isinstance(value, tuple) else ()
    return (each for each in parts if isinstance(each, Result))


def _made(kind: type[Result], values: dict[str, Any]) -> Result:
    return kind(**values)


def _told(value: Any) -> str:
    """A value in a line of the default page."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, np.ndarray):
        return f"{value.size} values"
    if isinstance(value, tuple):
        return ", ".join(map(_told, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_told(each)}" for key, each in value.items())
    return str(value)
