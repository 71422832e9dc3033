"""Design: how the data behind a result were used, as far as it is known."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

#: Who saw the training: bbc itself, a tool whose record was read, or nobody that bbc knows.
Training: TypeAlias = Literal["observed", "reported", "unknown"]


@dataclass(frozen=True)
class Design:
    """How the data behind a result were split, chosen from and drawn.

    Summaries, reports and methods paragraphs say of an analysis what is written here and in the
    result, and nothing else. None, "" and "unknown" mean that bbc was not told.

    Attributes
    ----------
    training : {"observed", "reported", "unknown"}
        "observed" if bbc trained the models, or recorded them as they were trained; "reported" if
        another tool's record was read, such as ``cv_results_``; "unknown" for arrays and tables.
    splitter : str
        Class of the splitter.
    stratified, grouped, time_ordered : bool or None
        Whether its folds hold equal shares of the classes, keep groups together, and are predicted
        by models of earlier rows only.
    dynamic_search : bool or None
        Whether configurations were chosen by the scores of earlier ones.
    n_failed : int or None
        Configurations left out because one of their fits failed.
    dropped_after : tuple of int or None
        For each configuration that was dropped early, the number of folds that it was trained in.
    n_rows_scored : int or None
        Rows with predictions and truth, of which the estimate is made.
    n_groups, n_groups_with_event : int or None
        Groups of these rows, and those with an event in one of them; None without groups.
    n_events : int or None
        Scored rows of the positive class of two, or with an observed event.
    class_counts : tuple of (label, int)
        Scored rows of each class, in the order of the classes.
    stratified_draws : bool
        Whether replicates draw within the classes.
    weighted : bool
        Whether rows have weights that differ.
    block_draws : bool
        Whether the groups drawn are blocks of consecutive rows.
    selection : str
        The selection rule.
    interval : str
        Kind of interval: "order-statistics" or "calibrated"; "" without one.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> e = bbc.correct(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> e.design.n_rows_scored, e.design.training
    (60, 'unknown')
    """

    training: Training = "unknown"
    splitter: str = ""
    stratified: bool | None = None
    grouped: bool | None = None
    time_ordered: bool | None = None
    dynamic_search: bool | None = None
    n_failed: int | None = None
    dropped_after: tuple[int, ...] | None = None
    n_rows_scored: int | None = None
    n_groups: int | None = None
    n_groups_with_event: int | None = None
    n_events: int | None = None
    class_counts: tuple[tuple[Any, int], ...] = ()
    stratified_draws: bool = False
    weighted: bool = False
    block_draws: bool = False
    selection: str = ""
    interval: str = ""

    def __repr__(self) -> str:
        known = ((item.name, getattr(self, item.name), item.default) for item in fields(self))
        shown = (f"{name}={value!r}" for name, value, default in known if value != default)
        return f"Design({', '.join(shown)})"

    @classmethod
    def from_document(cls, values: Any) -> "Design":
        """Restore a design from the fields of a JSON document; older ones lack some.

        Parameters
        ----------
        values : dict
            The fields.

        Returns
        -------
        Design
            The design.

        Raises
        ------
        TypeError
            If a field is unknown, or of another type.

        Examples
        --------
        >>> import bbc
        >>> bbc.Design.from_document({"n_rows_scored": 60}).n_rows_scored
        60
        """
        if not isinstance(values, dict):
            raise TypeError(f"design is {values!r}")
        unknown = sorted(set(values) - {item.name for item in fields(cls)})
        if unknown:
            raise TypeError(f"design has the field {unknown[0]!r}")
        for name, value in values.items():
            if not _CHECKS[name](value):
                raise TypeError(f"design has {name} = {value!r}")
        values = dict(values)
        if values.get("dropped_after") is not None:
            values["dropped_after"] = tuple(values["dropped_after"])
        values["class_counts"] = tuple(map(tuple, values.get("class_counts", ())))
        return cls(**values)

    def as_document(self) -> dict[str, Any]:
        """Return the fields in terms of JSON.

        Returns
        -------
        dict
            The fields.

        Examples
        --------
        >>> import bbc
        >>> bbc.Design(class_counts=((0, 5), (1, 7))).as_document()["class_counts"]
        [[0, 5], [1, 7]]
        """
        found = asdict(self)
        found["class_counts"] = [list(pair) for pair in self.class_counts]
        if self.dropped_after is not None:
            found["dropped_after"] = list(self.dropped_after)
        return found


#: Nothing is known.
UNKNOWN = Design()


def plain_label(label: Any) -> Any:
    """A label that JSON can hold."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, bytes):
        return label.decode(errors="backslashreplace")
    return label if label is None or isinstance(label, str | int | float) else str(label)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_count_or_none(value: Any) -> bool:
    return value is None or _is_count(value)


def _is_flag_or_none(value: Any) -> bool:
    return value is None or type(value) is bool


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _are_counts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(map(_is_count, value)))


def _are_class_counts(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list)
        and len(pair) == 2
        and type(pair[0]) in (str, int, float, bool)
        and _is_count(pair[1])
        for pair in value
    )


_CHECKS = {
    "training": lambda value: value in get_args(Training),
    **dict.fromkeys(("splitter", "selection", "interval"), _is_text),
    **dict.fromkeys(("stratified", "grouped", "time_ordered", "dynamic_search"), _is_flag_or_none),
    **dict.fromkeys(("stratified_draws", "weighted", "block_draws"), _is_flag),
    **dict.fromkeys(("n_failed", "n_rows_scored", "n_events"), _is_count_or_none),
    **dict.fromkeys(("n_groups", "n_groups_with_event"), _is_count_or_none),
    "dropped_after": _are_counts,
    "class_counts": _are_class_counts,
}
