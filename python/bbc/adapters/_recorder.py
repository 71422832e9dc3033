"""What records the splits and predictions of a scikit-learn search."""

import math
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from .. import _engine, _validation
from .._store import FitKey, StoredFit
from .._training._check import Checks, agrees, defined
from .._training._collected import Collected
from .._training._scoring import Responses
from .._training._splits import Fold, Partition, partitioned
from .._typing import AnyArray, IndexArray
from .._warn import warn
from ..metrics import Metric

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


class OtherScoreError(BaseException):
    """A score that bbc computes otherwise: no failed fit, which a search would go on after."""


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
        checks: Checks,
        times: tuple[float, ...] = (),
    ) -> None:
        self.scoring, self.folder, self.classes = scoring, folder, classes
        self.names, self.error_score = tuple(names), error_score
        self.checks, self.times = checks, times

    def __repr__(self) -> str:
        return repr(self.scoring)

    def __getattr__(self, name: str) -> Any:
        if name != "get_metadata_routing":
            raise AttributeError(name)
        return getattr(self.scoring, name)

    def _accept_sample_weight(self) -> bool:
        """True if scikit-learn passes weights on to the scoring, without metadata routing."""
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
        found = dict(scores) if isinstance(scores, dict) else {"score": scores}
        weight = params.get("sample_weight")
        others = self._compare(estimator, X, y, found, outputs, method, weight)
        number = secrets.randbits(_EXACT_IN_FLOAT64)
        record: dict[str, Any] = {"method": method, "weighted": weight is not None, **outputs}
        record["others"] = np.array(others, dtype=np.str_)
        np.savez(self.folder / f"{number}.npz", **record)
        return found | {RECORD: float(number)}

    def _compare(
        self,
        estimator: Any,
        X: Any,
        y: Any,
        scores: Mapping[str, Any],
        outputs: Mapping[str, AnyArray],
        method: str,
        weight: Any,
    ) -> list[str]:
        """Compare the search's scores with ours; return the metrics that read another method."""
        others: list[str] = []
        for name, metric in self.checks.metrics.items():
            if name not in scores:
                continue
            theirs = float(scores[name])
            try:
                ours = self._score(outputs, method, y, metric, weight)
            except (TypeError, ValueError):
                continue  # it cannot be computed from predictions, as `correct` will say
            if agrees(metric, theirs, ours):
                if "decisions" in outputs and metric.reads_decisions(by_fold=True):
                    pooled = self._score(outputs, method, y, metric, weight, by_fold=False)
                    others += [] if agrees(metric, theirs, pooled) else [name]
                continue
            if "scores" in outputs and _is_single(getattr(estimator, method)(X)):
                others.append("")  # rounded, and clipped, at another place
                if metric.kernel == "log_loss" or agrees(metric, theirs, ours, is_single=True):
                    continue
            if self.checks.on_difference != "raise":
                continue
            try:
                self.checks.check(name, f"a model, {estimator!r},", theirs, ours)
            except ValueError as error:
                raise OtherScoreError(str(error)) from error
        return others

    def _score(
        self,
        outputs: Mapping[str, AnyArray],
        method: str,
        y: Any,
        metric: Metric,
        weight: Any,
        *,
        by_fold: bool = True,
    ) -> float:
        """Our score of one model's outputs, read as from all that is kept."""
        y, rows = np.asarray(y), np.arange(len(y))
        methods = (method,) if "scores" in outputs else ()
        decisions = "decisions" in outputs
        responses = Responses(
            "labels" in outputs,
            methods,
            self.classes,
            positive=None,
            times=self.times,
            decisions=decisions,
        )
        made = Collected(responses, (Partition((Fold(rows, rows),)),), len(y), 1)
        made.add(FitKey("cv", 0, 0, 0), StoredFit(outputs, method=method))
        weights = None if weight is None else np.asarray(weight, float)
        kept = made.predictions(y, np.arange(1), ["model"], "", sample_weight=weights)

        def value() -> float:
            problem = _validation.problem(
                _validation.Data(y, replace(kept, folds=None)),
                metric,
                _validation.Needs(by_fold=by_fold),
            )
            return float(_engine.score(problem, metric, folds=None, n_threads=1)[0][0])

        return defined(value)

    def _responses(self, estimator: Any) -> Responses:
        """Labels and, where a model has them, scores of all classes; or else values and survival.

        Decision values beside probabilities are for metrics of the search that read them.
        """
        if self.classes is None:
            return Responses(False, ("predict",), times=self.times)
        offered = ("predict_proba", "decision_function")
        methods = tuple(method for method in offered if hasattr(estimator, method))
        decisions = len(methods) == 2 and any(
            metric.reads_decisions(by_fold=True) for metric in self.checks.metrics.values()
        )
        return Responses(True, methods, self.classes, positive=None, decisions=decisions)


def _is_single(array: Any) -> bool:
    return getattr(array, "dtype", None) == np.float32
