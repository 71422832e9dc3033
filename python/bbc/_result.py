"""Result: what all results have in common, driven by their annotations."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, get_origin

import numpy as np

from ._codec import KEEPERS, check_marks, document, equal, keepers, layout, parsed, read
from ._page import Page, number
from .errors import MissingExtraError
from .findings import Finding


class Result:
    """What an analysis found: frozen, compared by value, shown as text and HTML, written as JSON.

    Results are frozen dataclasses. The annotations of their fields say how values are converted,
    compared, pickled, written as JSON, and which documents are refused.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> isinstance(e, bbc.results.Result)
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
        ...     apparent=0.85, winner=3, n_rows=100, n_configurations=20).summary())
        accuracy of the winner (higher is better), method cvt, pooled
          estimate       0.8
          apparent       0.85 (optimism 0.05)
          winner         configuration 3
          data           100 rows, 20 configurations
          BBC001         apparent score not corrected for selection: the best of 20
                         configurations; report a corrected estimate: bbc.BBC in the
                         protocol's place, or bbc.correct
        """
        return self._page().text()

    def to_frame(self) -> Any:
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
    def _upgraded(cls, values: dict[str, Any]) -> dict[str, Any]:
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
