"""What records the splits and predictions of a scikit-learn search."""

import math
import secrets
from collections.abc import Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from .._training._responses import Responses
from .._training._splits import Partition, partitioned
from .._typing import AnyArray, IndexArray
from .._warn import warn

RECORD = "bbc_record"
_EXACT_IN_FLOAT64 = 53


class FixedSplits:
    """A splitter that repeats its first splits, and needs no data to do so."""

    def __init__(self, splitter: Any, n_rows: int) -> None:
        self._splitter, self._n_rows = splitter, n_rows
        self.partitions: tuple[Partition, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # such as what pickle asks of an object without attributes
            raise AttributeError(name)
        return getattr(self._splitter, name)

    def split(self, *data: Any, **params: Any) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield the rows of each fold."""
        if not self.partitions:
            splits = self._splitter.split(*data, **params)
            self.partitions = tuple(partitioned(splits, self._n_rows))
        for partition in self.partitions:
            for fold in partition.folds:
                yield fold.train, fold.test


class Recorder:
    """Scores like the search's scoring, and saves predictions in a folder.

    The record's number is returned as a further metric, so that `cv_results_` tells its fold and
    configuration, whatever process the fit ran in.
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

    def __repr__(self) -> str:
        return repr(self.scoring)

    def __getattr__(self, name: str) -> Any:
        if name != "get_metadata_routing":
            raise AttributeError(name)
        return getattr(self.scoring, name)

    def _accept_sample_weight(self) -> bool:
        """Whether scikit-learn passes weights on to the scoring, without metadata routing."""
        asked = getattr(self.scoring, "_accept_sample_weight", None)
        return bool(asked() if asked else "sample_weight" in signature(self.scoring).parameters)

    def __call__(self, estimator: Any, X: Any, y: Any, **params: Any) -> dict[str, float]:
        try:
            scores = self.scoring(estimator, X, y, **params)
            outputs, method = self._responses(estimator).of(estimator, X)
        except Exception as error:
            # As in scikit-learn; without it the search would mix numbers and dicts.
            if self.error_score == "raise" or not self.names:
                raise
            warn(f"Scoring failed: {error!r}", UserWarning)
            return dict.fromkeys(self.names, self.error_score) | {RECORD: math.nan}
        number = secrets.randbits(_EXACT_IN_FLOAT64)
        weighted = params.get("sample_weight") is not None
        record: dict[str, Any] = {"method": method, "weighted": weighted, **outputs}
        np.savez(self.folder / f"{number}.npz", **record)
        return (dict(scores) if isinstance(scores, dict) else {"score": scores}) | {
            RECORD: float(number)
        }

    def _responses(self, estimator: Any) -> Responses:
        """Labels and, where a model has them, scores of all classes; or else values."""
        if self.classes is None:
            return Responses(False, ("predict",))
        offered = ("predict_proba", "decision_function")
        methods = tuple(method for method in offered if hasattr(estimator, method))
        return Responses(True, methods, self.classes, positive=None)
