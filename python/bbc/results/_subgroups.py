"""Subgroups of rows: the winner's performance in each, and differences between them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

from .._frozen import made_anew
from . import _subgroups_text
from ._comparison import _REALS, Difference
from ._documents import Document, estimate_of, fields_of, part_of
from ._estimate import PerformanceEstimate
from ._text import data_frame


@dataclass(frozen=True)
class Subgroup:
    """Rows that share a label, and the winner's performance on them.

    Attributes
    ----------
    name : str
        The label.
    n_rows : int
        Its rows with predictions.
    counts : mapping of str to int
        Rows of each class; for survival metrics "events" and "censored"; empty for a real truth.
    estimate : PerformanceEstimate or None
        The corrected performance on these rows; its `n_undefined` counts replicates without a
        score. None if the subgroup is too small for the metric.
    too_small : str or None
        Why there is no estimate.

    Examples
    --------
    >>> from bbc.results import Subgroup
    >>> Subgroup("women", 3, {"0": 3}, too_small="no row of class 1").estimate is None
    True
    """

    name: str
    n_rows: int
    counts: Mapping[str, int]
    estimate: PerformanceEstimate | None = None
    too_small: str | None = None

    def __post_init__(self) -> None:
        self.__dict__["counts"] = MappingProxyType(dict(self.counts))

    def __reduce__(self) -> tuple[Any, ...]:
        return made_anew(self)


@dataclass(frozen=True, eq=False)
class Subgroups(Document):
    """The winner's performance in subgroups of rows: what `bbc.subgroups` returns.

    Attributes
    ----------
    overall : PerformanceEstimate
        The performance on all rows: what `bbc.correct` gives.
    groups : tuple of Subgroup
        In the order of their labels.
    differences : tuple of Difference
        One per pair of subgroups that have estimates; with a reference only pairs against it.
        Positive values mean that the performance is better in the first.
    reference : str
        The subgroup that the others are compared to; "" if all pairs are compared.
    notes : tuple of str
        What the analysis assumes.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
    >>> found = bbc.subgroups(
    ...     s.y, s.predictions, by=np.arange(120) % 2, metric="accuracy", random_state=1)
    >>> [(each.name, each.n_rows) for each in found.groups], len(found.differences)
    ([('0', 60), ('1', 60)], 1)

    Written as JSON, it is restored with every bit; other text is refused:

    >>> bbc.Subgroups.from_json(found.to_json()) == found
    True
    >>> bbc.Subgroups.from_json("{}")
    Traceback (most recent call last):
    ...
    ValueError: text is not a Subgroups written by to_json
    """

    overall: PerformanceEstimate
    groups: tuple[Subgroup, ...]
    differences: tuple[Difference, ...] = ()
    reference: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        values = self.__dict__
        for name in ("groups", "differences", "notes"):
            values[name] = tuple(values[name])

    def __getitem__(self, name: str) -> Subgroup:
        """Return the subgroup of that label."""
        for each in self.groups:
            if each.name == str(name):
                return each
        known = ", ".join(repr(each.name) for each in self.groups)
        raise KeyError(f"no subgroup {name!r}, only {known}")

    @property
    def estimates(self) -> dict[str, PerformanceEstimate]:
        """The estimates of the subgroups that have one, by name."""
        return {each.name: each.estimate for each in self.groups if each.estimate is not None}

    def difference(self, first: str, second: str) -> Difference:
        """Return the difference between two subgroups, in either order.

        Parameters
        ----------
        first, second : str
            Names of the subgroups.

        Returns
        -------
        Difference
            Positive values mean that the performance is better in `first`.

        Raises
        ------
        ValueError
            If the two were not compared.

        Examples
        --------
        >>> import numpy as np
        >>> import bbc
        >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
        >>> found = bbc.subgroups(
        ...     s.y, s.predictions, by=np.arange(120) % 2, metric="accuracy", random_state=1)
        >>> found.difference("1", "0").estimate == -found.difference("0", "1").estimate
        True
        """
        for each in self.differences:
            if (each.first, each.second) == (first, second):
                return each
            if (each.first, each.second) == (second, first):
                return each.reversed()
        raise ValueError(f"{first!r} and {second!r} were not compared")

    def summary(self) -> str:
        """Describe the subgroups in at most 80 columns of text.

        Returns
        -------
        str
            A line for all rows, one per subgroup and one per difference, then what has no number.

        Examples
        --------
        >>> import numpy as np
        >>> import bbc
        >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
        >>> found = bbc.subgroups(
        ...     s.y, s.predictions, by=np.arange(120) % 2, metric="accuracy", random_state=1)
        >>> found.summary().split("\\n")[0]
        'accuracy of one winner in 2 subgroups (higher is better), method bbc, pooled'
        """
        return _subgroups_text.summary(self)

    def to_frame(self) -> Any:
        """Return the subgroups as a pandas frame, a row each.

        Returns
        -------
        pandas.DataFrame
            Counts, estimate, interval and apparent score; NaN and a reason where there are none.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.

        Examples
        --------
        >>> import numpy as np
        >>> import bbc
        >>> s = bbc.simulate.accuracy(120, 20, random_state=0)
        >>> found = bbc.subgroups(
        ...     s.y, s.predictions, by=np.arange(120) % 2, metric="accuracy", random_state=1)
        >>> found.to_frame()["n_rows"].tolist()
        [60, 60]
        """
        return data_frame(_subgroups_text.rows(self))

    def _written(self) -> dict[str, Any]:
        groups = [
            {item.name: getattr(each, item.name) for item in fields(each)}
            | {
                "counts": dict(each.counts),
                "estimate": None if each.estimate is None else fields_of(each.estimate),
            }
            for each in self.groups
        ]
        return self._values() | {"overall": fields_of(self.overall), "groups": groups}

    @classmethod
    def _read(cls, values: dict[str, Any]) -> "Subgroups":
        overall = estimate_of(values.pop("overall"))
        groups = tuple(_subgroup(each) for each in values.pop("groups"))
        pairs = tuple(part_of(Difference, one, _REALS) for one in values.pop("differences"))
        result = cls(overall, groups, pairs, **values)
        for pair in result.differences:
            if not {pair.first, pair.second} <= set(result.estimates):
                raise ValueError(f"{pair.first!r} and {pair.second!r} have no estimates")
        return result

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.groups)
        return f"Subgroups({self.overall.metric}, groups=[{names}], method={self.overall.method!r})"

    def _repr_html_(self) -> str:
        return _subgroups_text.html_table(self)


def _subgroup(values: Any) -> Subgroup:
    values = dict(values)
    if set(values) != {item.name for item in fields(Subgroup)}:
        raise TypeError("a Subgroup has other fields")
    estimate = values["estimate"]
    if (estimate is None) != isinstance(values["too_small"], str):
        raise ValueError(f"subgroup {values['name']!r} has neither an estimate nor a reason")
    return Subgroup(**values | {"estimate": None if estimate is None else estimate_of(estimate)})
