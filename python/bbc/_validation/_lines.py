"""Long tables, with a line per prediction, in the place of wide ones."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from .._typing import AnyArray, IndexArray
from ..errors import Argument, InvalidValueError

#: A table with so many lines for each value of a column may have a line per prediction.
LINES_PER_ROW = 1.25
#: So large a part of its lines are pairs that no other line repeats: some may stand twice.
PAIRS = 0.9
_READ_LONG = Argument("bbc.Predictions.from_long")
_INSIST = ("if its lines are rows, list the configurations, {}", Argument("names", ...))


def refuse_lines(
    source: str,
    y: AnyArray,
    scores: Mapping[str, AnyArray],
    others: Sequence[str],
    column_of: Callable[[str], AnyArray],
) -> None:
    """Refuse a table with a line per prediction, which has one column of scores, or of classes.

    Two of the `others` cross: the truth is the same wherever the first has a value, and each of
    their pairs occurs once, but for a few lines that stand twice.
    """
    of_classes = len(scores) > 1 and np.allclose(sum(scores.values()), 1.0, atol=1e-6)
    if len(scores) != 1 and not of_classes:
        return
    n_lines, truth = len(y), _codes(y)
    keys = {name: _codes(column_of(name)) for name in others}
    keys = {name: codes for name, codes in keys.items() if codes.max() > 0}
    n_values = {name: int(codes.max()) + 1 for name, codes in keys.items()}
    for row, codes in keys.items():
        has_rows = n_lines > LINES_PER_ROW * n_values[row]
        if not has_rows or _n_pairs(codes, truth) > n_values[row]:
            continue
        for other, configurations in keys.items():
            if n_values[row] * n_values[other] < PAIRS * n_lines:
                continue
            is_key = n_values[other] < n_values[row] or (
                _n_pairs(configurations, truth) > n_values[other]
            )
            if other != row and is_key and _n_pairs(codes, configurations) >= PAIRS * n_lines:
                columns = [f"CLASS={name}" if of_classes else name for name in scores]
                raise InvalidValueError(
                    source,
                    ": it has a line per prediction, of each {!r} by each {!r}: read it by {}, "
                    "with " + " ".join(["{}"] * (2 + len(columns))),
                    row,
                    other,
                    _READ_LONG,
                    Argument("row", row),
                    Argument("configuration", other),
                    *(Argument("prediction", column) for column in columns),
                    hint=_INSIST,
                )
    for name, codes in keys.items():
        sizes = np.bincount(codes)
        in_blocks = 1 < len(sizes) <= n_lines / 2 and sizes.min() == sizes.max()
        if not (in_blocks and _is_text(column_of(name))):
            continue
        blocks = truth[np.argsort(codes, kind="stable")].reshape(len(sizes), -1)
        if (blocks == blocks[0]).all() and sizes[0] > 1:
            raise InvalidValueError(
                source,
                ": it has a line per prediction of {} configurations ({!r}), and no column says of "
                "which row: add one, and read it by {}",
                len(sizes),
                name,
                _READ_LONG,
                hint=_INSIST,
            )


def _codes(values: AnyArray) -> IndexArray:
    """Which values are equal."""
    if values.dtype.hasobject:  # numpy's own strings would all take as much memory as the longest
        place_of: dict[str, int] = {}
        return np.array([place_of.setdefault(str(each), len(place_of)) for each in values.tolist()])
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def _n_pairs(one: IndexArray, other: IndexArray) -> int:
    """The number of different pairs of codes."""
    return len(np.unique(one * (int(other.max()) + 1) + other))


def _is_text(column: AnyArray) -> bool:
    """Whether there are cells that are no numbers."""
    if column.dtype.kind not in "OU":
        return False
    try:
        column.astype(np.float64)
    except (TypeError, ValueError):
        return True
    return False
