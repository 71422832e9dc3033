"""What a store holds, without the data and the models: list it, sum it up, correct it."""

from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np

from .. import metrics
from .._frozen import read_only
from .._setup import automatic_pooling
from .._typing import AnyArray, BoolArray, FloatArray, IndexArray
from .._validation import truth_called
from ..correction import correct
from ..errors import StoreError
from ..predictions import OutOfSamplePredictions
from ..results import PerformanceEstimate
from ..store import FitKey, Store, StoredFit

_PART = "cv"


@dataclass(frozen=True, eq=False)
class StoredRun:
    """The cross-validation that a store holds, finished or not.

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
        Finished fits, those of inner loops included.
    done : ndarray of bool of shape (n_cells, n_configurations)
        Which configurations were fitted in which folds; the folds of all repeats in order.
    fit_times : ndarray of shape (n_cells, n_configurations)
        Seconds; NaN where there is no fit.
    failures : dict of str to str
        Why configurations failed, by name.
    y : ndarray
        The truth.
    pooling : {"auto", "pooled", "fold"}
        The run's own parameter; "pooled" for protocols that have none.

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
    ...     run = bbc.open(path)
    >>> run.names, run.is_complete
    (('n_neighbors=1', 'n_neighbors=9'), True)
    """

    path: str
    protocol: str
    metrics: tuple[str, ...]
    seed: int
    versions: dict[str, str]
    names: tuple[str, ...]
    n_fits: int
    done: BoolArray
    fit_times: FloatArray
    failures: dict[str, str]
    y: AnyArray
    pooling: str
    _arrays: dict[str, Any]

    @property
    def is_complete(self) -> bool:
        """Whether every configuration was fitted in every fold."""
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
        chosen = np.flatnonzero(self.done.all(axis=0) & ~self._arrays["failed"])
        if not chosen.size:
            raise StoreError(f"store {self.path!r}: no configuration has finished all folds yet")
        own = self._arrays
        return OutOfSamplePredictions(
            y=self.y,
            labels=None if own["labels"] is None else read_only(own["labels"][:, :, chosen]),
            scores=None if own["scores"] is None else read_only(own["scores"][:, :, chosen]),
            reads=reads,
            folds=own["folds"].astype(np.int32),
            mask=read_only(own["there"][:, :, chosen]),
            names=tuple(self.names[index] for index in chosen),
            classes=own["classes"],
            groups=own["groups"],
            sample_weight=own["sample_weight"],
            pos_label=own["pos_label"],
            response=tuple(own["response"][index] for index in chosen),
            dynamic_search=own["dynamic_search"],
            time_ordered=own["time_ordered"],
        )

    @truth_called("y")
    def correct(self, metric: Any = None, **options: Any) -> PerformanceEstimate:
        """Correct the winner's performance; no model is trained.

        Parameters
        ----------
        metric : str, metric, scorer or callable, optional
            What is estimated; by default the metric that decided.
        **options : dict
            As in ``bbc.correct``. By default `random_state` is the run's seed, and `pooling` that
            of the run, which may be "auto".

        Returns
        -------
        PerformanceEstimate
            The corrected estimate over the configurations of `oos_predictions`.
        """
        predictions = self.oos_predictions()
        metric = metrics.get(self.metrics[0] if metric is None else metric)
        options = {"random_state": self.seed, "pooling": self.pooling, **options}
        if options["pooling"] == "auto":
            pos_label = options.get("pos_label")
            options["pooling"] = automatic_pooling(predictions, metric, pos_label)
        return correct(self.y, predictions, metric=metric, **options)

    def summary(self) -> str:
        """Describe the run in a few lines of text.

        Returns
        -------
        str
            Several lines.
        """
        n_cells, n_configurations = self.done.shape
        state = "complete" if self.is_complete else f"{100 * self.done.mean():.0f} % complete"
        lines = [
            f"{self.protocol} on {len(self.y)} rows, {state}",
            f"  fits           {int(self.done.sum())} of {n_cells * n_configurations} "
            f"({n_configurations} configurations x {n_cells} folds), {self.n_fits} in all",
            f"  metrics        {', '.join(self.metrics)}",
            f"  seed           {self.seed}",
            f"  training time  {np.nansum(self.fit_times):.6g} s",
            f"  versions       {', '.join(f'{k} {v}' for k, v in self.versions.items())}",
        ]
        lines += [f"  failed         {name}: {why}" for name, why in self.failures.items()]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"StoredRun({self.path!r}, {self.protocol}, {int(self.done.sum())} of "
            f"{self.done.size} fits)"
        )


def open(path: str | PathLike[str]) -> StoredRun:  # noqa: A001
    """Open a store that a protocol has written or is part-way through.

    Nothing is trained, and no code that came with the file is run.

    Parameters
    ----------
    path : str or path-like
        The file that the protocol got as `store`.

    Returns
    -------
    StoredRun
        Its content, read into memory; the file is closed again.

    Raises
    ------
    StoreError
        If the file is no store, is damaged, or is in use.

    Examples
    --------
    >>> import bbc
    >>> bbc.open("missing.bbc")
    Traceback (most recent call last):
    ...
    bbc.errors.StoreError: store 'missing.bbc': there is no such file
    """
    with Store(path, read_only=True) as store:
        if store.is_new:
            raise StoreError(f"store {store.path!r} is empty: no run was started in it")
        try:
            return _read(store)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise StoreError(f"store {store.path!r}: the file is damaged ({error})") from error


def _read(store: Store) -> StoredRun:
    # All of them, so that one that lost its name is noticed.
    arrays = {name: store.array(name) for name in store.arrays}
    names = tuple(str(name) for name in store.fact("names"))
    y, folds = _truth(store), store.array("folds")
    tests = _test_rows(store)
    n_rows, n_cells = len(y), sum(len(one) for one in tests)
    classes = arrays.get("classes")
    first_cell = np.cumsum([0, *(len(one) for one in tests)])
    done = np.zeros((n_cells, len(names)), dtype=bool)
    times = np.full(done.shape, np.nan)
    shape = (len(tests), n_rows, len(names))
    there = np.zeros(shape, dtype=bool)
    filled: dict[str, AnyArray] = {}
    failures: dict[str, str] = {}
    failed = np.zeros(len(names), dtype=bool)  # by place: two names may be the same
    response = [""] * len(names)
    for key in store.fits(_PART):
        if min(key[1:]) < 0:
            raise IndexError(f"{key}")
        rows = tests[key.repeat][key.fold]
        fit = store.load(key, len(rows))
        cell = first_cell[key.repeat] + key.fold
        done[cell, key.configuration] = True
        times[cell, key.configuration] = fit.fit_time
        if fit.error:
            failures.setdefault(names[key.configuration], fit.error)
            failed[key.configuration] = True
            continue
        there[key.repeat, rows, key.configuration] = True
        response[key.configuration] = fit.method
        _fill(filled, key, fit, rows, shape)
    labels = filled.get("labels")
    return StoredRun(
        path=store.path,
        protocol=str(store.fact("protocol")),
        metrics=tuple(store.fact("metrics")),
        seed=int(store.fact("seed")),
        versions=_versions(store),
        names=names,
        n_fits=store.n_fits,
        done=done,
        fit_times=times,
        failures=failures,
        y=y,
        # A store that an earlier version began knows none of this.
        pooling=str(store.fact("pooling") or "pooled"),
        _arrays={
            "labels": None if labels is None or classes is None else classes[labels],
            "scores": filled.get("scores"),
            "there": there,
            "failed": failed,
            "folds": folds,
            "classes": classes,
            "groups": arrays.get("groups"),
            "sample_weight": arrays.get("sample_weight"),
            "pos_label": _pos_label(store, classes),
            "response": response,
            "dynamic_search": bool(store.fact("dynamic search")),
            "time_ordered": bool(store.fact("time ordered")),
        },
    )


def _pos_label(store: Store, classes: AnyArray | None) -> Any:
    """Of two classes the one whose scores are kept; first stores tell it by its name only."""
    if classes is None or len(classes) != 2:
        return None
    place = store.fact("positive")
    if place is None:
        told = store.fact("identity")["what is predicted"]
        place = [told.endswith(f", class {label!s}") for label in classes].index(True)
    return classes[place]


def _versions(store: Store) -> dict[str, str]:
    return {
        name.removeprefix("the version of "): value
        for name, value in store.fact("identity").items()
        if "version" in name
    }


def _fill(
    filled: dict[str, AnyArray],
    key: FitKey,
    fit: StoredFit,
    rows: IndexArray,
    shape: tuple[int, int, int],
) -> None:
    for name, values in fit.outputs.items():
        if name not in filled:
            empty: Any = np.nan if values.dtype.kind == "f" else -1
            filled[name] = np.full((*shape, *values.shape[1:]), empty, dtype=values.dtype)
        filled[name][key.repeat, rows, key.configuration] = values


def _truth(store: Store) -> AnyArray:
    fields = store.fact("fields of y")
    if not fields:
        return store.array("y")
    columns = {name: store.array(f"y.{name}") for name in fields}
    y = np.empty(len(columns[fields[0]]), dtype=[(name, columns[name].dtype) for name in fields])
    for name, values in columns.items():
        y[name] = values
    return y


def _test_rows(store: Store) -> list[list[IndexArray]]:
    """The rows of each fold in the order in which they were predicted, by repeat."""
    rows, sizes = store.array("test rows"), store.array("test sizes")
    ends = np.cumsum(sizes[:, 1])
    tests: list[list[IndexArray]] = [[] for _ in range(int(sizes[:, 0].max()) + 1)]
    for (repeat, size), end in zip(sizes.tolist(), ends.tolist(), strict=True):
        tests[repeat].append(rows[end - size : end])
    return tests
