"""Whether rows that stand side by side err alike, though nobody said that they have an order."""

import numpy as np

from .._typing import AnyArray, FloatArray
from .._validation import Problem

_FEWEST_ROWS = 100
_MOST_ROWS = 2000
_DEGREE = 5
# In standard errors of a correlation of independent rows: one table in millions by chance.
_CERTAIN = 5.0


def neighbours_remark(problem: Problem, winner: int) -> tuple[str, ...]:
    """A remark if the winner's errors are correlated between neighbours in the table."""
    correlation = correlation_of_neighbours(problem, winner)
    if correlation is None:
        return ()
    return (
        f"neighbouring rows err alike (correlation {correlation:.2f}), as they do where a table is "
        "sorted by time, place or person: give groups or block_length, or intervals are too short",
    )


def correlation_of_neighbours(problem: Problem, winner: int) -> float | None:
    """The correlation of the errors of neighbours; None if chance may have made it.

    Of tables sorted by class, or by the truth, neighbours have like truths, and like errors for
    this reason alone: what counts is what classes, or a polynomial in the rank of the truth, leave
    of the errors. Of tables sorted by an input it is the reverse, so that real errors must be
    correlated as they are, too. Ranks are taken, since few large errors decide nothing.
    """
    truth, column = problem.truth, problem.predictions[0][:_MOST_ROWS, winner]
    n_rows = len(column)
    if n_rows < _FEWEST_ROWS or problem.seen is not None or truth.event is not None:
        return None
    if truth.codes is not None:
        codes = truth.codes[:n_rows]
        if column.ndim == 2:
            if column.shape[1] <= int(codes.max()):
                return None
            column = column[np.arange(n_rows), codes]
        elif int(codes.max()) > 1:  # of two classes errors have a direction, which labels show
            column = column == (
                codes if problem.label_values is None else problem.label_values[codes]
            )
        raw = left = _centred(_ranks(column.astype(np.float64)), codes)
    elif truth.values.dtype.kind in "iuf" and column.dtype.kind in "iuf" and column.ndim == 1:
        values = truth.values[:n_rows].astype(np.float64)
        raw = _ranks(column - values)
        left = _without_trend(raw, values)
    else:
        return None
    raw = raw - raw.mean()
    square = float(raw @ raw)
    if not square > 0:
        return None
    correlation = min(float(raw[1:] @ raw[:-1]), float(left[1:] @ left[:-1])) / square
    return correlation if correlation * np.sqrt(n_rows) > _CERTAIN else None


def _centred(values: FloatArray, codes: AnyArray) -> FloatArray:
    """Values less the mean of their class."""
    counts = np.bincount(codes)
    centred: FloatArray = values - (np.bincount(codes, values) / np.maximum(counts, 1))[codes]
    return centred


def _without_trend(errors: FloatArray, values: FloatArray) -> FloatArray:
    """What the truth, and a polynomial in its rank, do not explain of the errors."""
    place = 2 * _ranks(values) / len(values) - 1
    spread = float(np.abs(values).max()) or 1.0
    columns = np.column_stack([np.vander(place, _DEGREE + 1), values / spread])
    left: FloatArray = errors - columns @ np.linalg.lstsq(columns, errors, rcond=None)[0]
    return left


def _ranks(values: FloatArray) -> FloatArray:
    """Mean ranks, from 0."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: FloatArray = (ends - (counts + 1) / 2)[inverse]
    return ranks
