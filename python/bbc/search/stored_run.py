"""The content of a store, without the data and the models: list it, summarize it, correct it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from os import PathLike
from typing import Any, Literal

import numpy as np

from .._design import Design
from .._page import Page
from .._store import FitKey, Store, StoredFit
from .._training._collected import Collected
from .._training._scoring import Responses
from .._training._splits import Fold, Partition
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from ..errors import StoreError
from ..predictions import OutOfSamplePredictions
from ..sources import Predictions, Source
from ._cross_validation import Poolings
from ._run import DESCRIPTIONS, LATEST_OR_EARLIER, versions_of

_PART = "cv"
_MOST_FITS = 2**28  # a forged number must not exhaust the memory


@dataclass(frozen=True, eq=False, init=False)
class StoredRun:
    """The cross-validation that a store holds, finished or not.

    Nothing is trained, and no code that came with the file is run. The content is read into memory,
    and the file is closed. `bbc.correct` takes it as it is.

    Parameters
    ----------
    path : str or path-like
        The file that a protocol got as `store`, and has written or is part-way through.

    Attributes
    ----------
    path : str
        The file.
    protocol : str
        The protocol that wrote it last.
    metrics : tuple of str
        Names of its metrics; the first decides.
    seed : int
        Seed of the run.
    versions : dict of str to str
        Versions that the fits were made with.
    names : tuple of str
        Names of the configurations.
    n_fits : int
        Finished fits, including those of inner loops.
    saved : datetime.datetime
        When the last of them, or of what belongs to the run, was saved, in UTC.
    done : ndarray of bool of shape (n_splits, n_configurations)
        Which configurations were fitted in which folds; the folds of all repeats in order.
    fit_times : ndarray of shape (n_splits, n_configurations)
        Seconds; NaN where there is no fit.
    failures : dict of str to str
        Why configurations failed, by name.
    y : ndarray
        The truth.
    pooling : {"auto", "pooled", "fold"}
        The run's own parameter; "pooled" for protocols that have none.

    Raises
    ------
    StoreError
        If the file is not a store or is damaged. Of a run that is writing to it, the fits so far
        are read.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> import bbc
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.bbc")
    ...     search = bbc.CVT(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=5, store=path)
    ...     _ = search.fit(X, y)
    ...     run = bbc.StoredRun(path)
    >>> run.names, run.is_complete
    (('n_neighbors=1', 'n_neighbors=9'), True)
    >>> bbc.StoredRun("missing.bbc")
    Traceback (most recent call last):
    ...
    bbc.errors.StoreError: store 'missing.bbc': there is no such file
    """

    path: str
    protocol: str
    metrics: tuple[str, ...]
    seed: int
    versions: dict[str, str]
    names: tuple[str, ...]
    n_fits: int
    saved: datetime
    done: BoolArray
    fit_times: FloatArray
    failures: dict[str, str]
    y: AnyArray
    pooling: str
    _responses: Responses
    _partitions: tuple[Partition, ...]
    _fits: tuple[tuple[FitKey, StoredFit], ...]
    _design: dict[str, Any]

    def __init__(self, path: str | PathLike[str]) -> None:
        with Store(path, read_only=True) as store:
            if store.is_new:
                raise StoreError(f"store {store.path!r} is empty: no run was started in it")
            try:
                vars(self).update(_read(store))
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise store.damaged(error) from error

    @property
    def is_complete(self) -> bool:
        """True if every configuration was fitted in every fold."""
        return bool(self.done.all())

    def oos_predictions(
        self, reads: Literal["labels", "scores", ""] = ""
    ) -> OutOfSamplePredictions:
        """Return the predictions of the configurations that finished all folds without failing.

        Parameters
        ----------
        reads : {"labels", "scores"}, optional
            Which predictions `values` gives; scores by default, where there are any.

        Returns
        -------
        OutOfSamplePredictions
            The predictions.
        """
        failed = {key.configuration for key, fit in self._fits if fit.error}
        done = np.flatnonzero(self.done.all(axis=0)).tolist()
        chosen = [index for index in done if index not in failed]
        places = {index: place for place, index in enumerate(chosen)}
        if not places:
            raise StoreError(f"store {self.path!r}: no configuration has finished all folds yet")
        collected = Collected(self._responses, self._partitions, len(self.y), len(places))
        for key, fit in self._fits:
            if key.configuration in places:
                collected.add(key._replace(configuration=places[key.configuration]), fit)
        names = [self.names[index] for index in places]
        design = self._design
        if len(names) < len(self.names):
            design = design | {"tried": self.names, "places": np.array(chosen)}
        return collected.predictions(self.y, np.arange(len(places)), names, reads, **design)

    @property
    def predictions(self) -> Predictions:
        """The predictions of `oos_predictions`, with the metric, seed and pooling of the run."""
        kept = self.oos_predictions()
        pooling_of = Poolings(self.pooling)
        source = Source("run", self.metrics[0], {"random_state": self.seed}, pooling_of)
        return Predictions._of(kept, source)

    def summary(self) -> str:
        """Describe the run in a few lines of text.

        Returns
        -------
        str
            Several lines.
        """
        return self._page().text()

    def _repr_html_(self) -> str:
        return self._page().html()

    def _page(self) -> Page:
        n_splits, n_configurations = self.done.shape
        state = "complete" if self.is_complete else f"{100 * self.done.mean():.0f} % complete"
        grid = f"{n_configurations} configurations x {n_splits} folds"
        # A copy that was made while the run went on lacks what came later.
        until = ("saved until", f"{self.saved:%Y-%m-%d %H:%M:%S} UTC")
        n_done = f"{int(self.done.sum())} of {n_splits * n_configurations}"
        return Page(
            f"{self.protocol} on {len(self.y)} rows, {state}",
            [
                ("fits", f"{n_done} ({grid}), {self.n_fits} in all"),
                *([] if self.is_complete else [until]),
                ("metrics", ", ".join(self.metrics)),
                ("seed", str(self.seed)),
                ("training time", f"{np.nansum(self.fit_times):.6g} s"),
            ],
            remarks=[
                ("versions", ", ".join(f"{k} {v}" for k, v in self.versions.items())),
                *(("failed", f"{name}: {why}") for name, why in self.failures.items()),
            ],
        )

    def __repr__(self) -> str:
        return (
            f"StoredRun({self.path!r}, {self.protocol}, {int(self.done.sum())} of "
            f"{self.done.size} fits)"
        )


def _responses_of(run: Mapping[str, Any], latest: Mapping[str, Any]) -> Responses:
    """The responses of the models of a run; earlier versions stored less."""
    return Responses(
        run["labels"],
        tuple(run["methods"]),
        run["classes"],
        run["positive"],
        run["probabilities"],
        tuple(run.get("times", ())),
        said=latest.get("pos_label given", False),
        decisions=run.get("decisions", False),
    )


def _read(store: Store) -> dict[str, Any]:
    """The attributes of the run that a store holds."""
    identity = store.record("identity")
    run, latest = store.record("run", DESCRIPTIONS), store.record("latest", LATEST_OR_EARLIER)
    assert identity is not None
    assert run is not None
    assert latest is not None
    assert store.saved is not None
    y, responses = run["y"], _responses_of(run, latest)
    partitions = _partitions(run["test rows"], run["test sizes"], len(y))
    by_row = {name: latest[name] for name in ("groups", "sample_weight")}
    by_row["stratified_by"] = run.get("stratified by")
    _check(responses, y, by_row)
    first_split = np.cumsum([0, *(len(partition.folds) for partition in partitions)])
    shape = int(first_split[-1]), len(store.names)
    if latest["pooling"] not in ("auto", "fold", "pooled"):
        raise ValueError("no pooling")
    if not (latest["metrics"] and 0 < shape[0] * shape[1] < _MOST_FITS and run["seed"] >= 0):
        raise ValueError("no run")
    done, times = np.zeros(shape, dtype=bool), np.full(shape, np.nan)
    failures: dict[str, str] = {}
    fits = []
    for key in store.fits(_PART):
        if min(key[1:]) < 0:
            raise IndexError(key)
        test = partitions[key.repeat].folds[key.fold].test
        fit = store.load(key, partial(responses.could_give, n_rows=len(test)))
        place = first_split[key.repeat] + key.fold, key.configuration
        done[place], times[place] = True, fit.fit_time
        fits.append((key, fit))
        if fit.error:
            failures.setdefault(store.names[key.configuration], fit.error)
    return {
        "path": store.path,
        "protocol": latest["protocol"],
        "metrics": tuple(latest["metrics"]),
        "seed": run["seed"],
        "versions": versions_of(identity["code"]),
        "names": store.names,
        "n_fits": store.n_fits,
        "saved": datetime.fromtimestamp(store.saved, UTC),
        "done": done,
        "fit_times": times,
        "failures": failures,
        "y": y,
        "pooling": latest["pooling"],
        "_responses": responses,
        "_partitions": partitions,
        "_fits": tuple(fits),
        "_design": by_row
        | {
            "dynamic_search": latest["dynamic search"],
            "time_ordered": run["time ordered"],
            "time_indexed": run.get("time indexed", False),
            "design": Design(training="observed"),
        },
    }


def _partitions(rows: IndexArray, sizes: IndexArray, n_rows: int) -> tuple[Partition, ...]:
    """The folds of each repeat with their test rows, in the order of the predictions."""
    tests: dict[int, list[Fold]] = {}
    end = 0
    for repeat, size in sizes.tolist():
        test = rows[end : end + size]
        end += size
        if size < 1 or len(test) != size or test.min() < 0 or test.max() >= n_rows:
            raise ValueError("a fold has rows out of range")
        tests.setdefault(repeat, []).append(Fold(test[:0], test))
    if end != len(rows) or list(tests) != list(range(len(tests))):
        raise ValueError("folds are missing")
    return tuple(Partition(tuple(folds)) for folds in tests.values())


def _check(responses: Responses, y: AnyArray, by_row: dict[str, AnyArray | None]) -> None:
    """Refuse what no run can have stored."""
    lengths = {len(values) for values in by_row.values() if values is not None}
    weight, classes = by_row["sample_weight"], responses.classes
    numbers = [array for array in (y, weight) if array is not None and array.dtype.kind == "f"]
    sound = lengths <= {len(y)} and all(np.isfinite(array).all() for array in numbers)
    if classes is None:
        sound = sound and not responses.labels and bool(responses.methods or responses.times)
    else:
        sound = sound and set(classes.tolist()) == set(y.tolist()) and len(classes) > 1
        sound = sound and responses.positive in (None, *range(len(classes)))
    if not sound:
        raise ValueError("no truth with its classes and weights")
