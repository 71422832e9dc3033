"""Design: how the data behind a result were used, as far as it is known."""

from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple, TypeAlias

from ._result import Result

#: Who saw the training: bbc itself, a tool whose record was read, or nobody that bbc knows.
Training: TypeAlias = Literal["observed", "reported", "unknown"]


class Lost(NamedTuple):
    """A fit or a score that a tool lost: where, as far as it is known, and why in its own words."""

    kind: Literal["fit", "score"]
    split: int | None
    configuration: int | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Design(Result):
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
        The selection rule; "means" if a search's own means over folds select a winner that is
        scored on all rows together.
    interval : str
        Kind of interval: "order-statistics" or "calibrated"; "" without one.
    block_length : int or None
        Rows of such a block, if they were asked for by `block_length`.

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
    block_length: int | None = None

    def __repr__(self) -> str:
        known = ((item.name, getattr(self, item.name), item.default) for item in fields(self))
        shown = (f"{name}={value!r}" for name, value, default in known if value != default)
        return f"Design({', '.join(shown)})"


#: Nothing is known.
UNKNOWN = Design()
