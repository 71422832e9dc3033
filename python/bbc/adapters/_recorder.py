"""A scorer that writes down the predictions it is asked to score."""

import math
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._typing import AnyArray, CodeArray, IndexArray
from .._warn import warn

RECORD = "bbc_record"
_EXACT_IN_FLOAT64 = 53


class RowArray(np.ndarray):
    """A truth that knows which rows it holds, however a splitter cuts it."""

    rows: IndexArray | None

    @classmethod
    def of(cls, y: Any) -> "RowArray":
        """All rows of a truth."""
        own = np.asarray(y).view(cls)
        own.rows = np.arange(len(own))
        return own

    def __array_finalize__(self, parent: Any) -> None:
        self.rows = None

    def __getitem__(self, key: Any) -> Any:
        taken = super().__getitem__(key)
        first = key[0] if isinstance(key, tuple) else key
        if isinstance(taken, RowArray) and self.rows is not None and np.ndim(first) == 1:
            taken.rows = self.rows[first]
        return taken

    def __reduce__(self) -> Any:
        return _restored, (np.asarray(self), self.rows)


def _restored(values: AnyArray, rows: IndexArray | None) -> RowArray:
    array = values.view(RowArray)
    array.rows = rows
    return array


class Recorder:
    """Scores as the search's own scoring does, and keeps predictions in a folder.

    The record's number travels as one more metric, so that the search itself tells which fold and
    configuration it belongs to, whatever process the fit ran in.
    """

    def __init__(
        self,
        scoring: Any,
        folder: Path,
        classes: AnyArray | None,
        names: Sequence[str],
        error_score: Any,
    ) -> None:
        self.scoring, self.folder, self.classes = scoring, folder, classes
        self.names, self.error_score = tuple(names), error_score

    def __call__(self, estimator: Any, X: Any, y: Any, **params: Any) -> dict[str, float]:
        try:
            scores = self.scoring(estimator, X, y, **params)
        except Exception as error:
            # As in scikit-learn; without it the search would mix numbers and dicts.
            if self.error_score == "raise" or not self.names:
                raise
            warn(f"Scoring failed: {error!r}", UserWarning)
            return dict.fromkeys(self.names, self.error_score) | {RECORD: math.nan}
        named = dict(scores) if isinstance(scores, dict) else {"score": scores}
        number = secrets.randbits(_EXACT_IN_FLOAT64)
        kept: dict[str, Any] = {"rows": y.rows, "method": ""}
        if self.classes is None:
            kept["scores"] = np.asarray(estimator.predict(X), dtype=np.float64)
            kept["method"] = "predict"
        else:
            kept["labels"] = _codes(estimator.predict(X), self.classes)
            by_class = _class_scores(estimator, X, self.classes)
            if by_class is not None:
                kept["scores"], kept["method"] = by_class
        np.savez(self.folder / f"{number}.npz", **kept)
        return named | {RECORD: float(number)}


def _codes(labels: Any, classes: AnyArray) -> CodeArray:
    return np.searchsorted(classes, np.asarray(labels)).astype(np.int32)


def _class_scores(estimator: Any, X: Any, classes: AnyArray) -> tuple[AnyArray, str] | None:
    """Probabilities, or else decision values, of all classes, and the method that gave them."""
    unseen, method = 0.0, "predict_proba"
    if hasattr(estimator, method):
        own = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    elif hasattr(estimator, "decision_function"):
        method = "decision_function"
        own = np.asarray(estimator.decision_function(X), dtype=np.float64)
        unseen = float(np.finfo(np.float64).min)
        if own.ndim == 1:  # one column for two classes: the score of the second
            own = np.stack([-own, own], axis=1)
    else:
        return None
    if own.ndim != 2:  # several outputs
        return None
    filled = np.full((len(own), len(classes)), unseen)
    filled[:, _codes(estimator.classes_, classes)] = own
    return filled, method
