"""Training: configurations x folds to predictions, in parallel, each stored when finished."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, perf_counter
from typing import Any, TypeAlias

import joblib
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from .. import _validation
from .._bar import Bar, duration
from .._store import FitKey, Store, StoredFit
from .._typing import AnyArray, IndexArray
from .._warn import warn
from ..errors import InvalidValueError
from ._check import Predicted, sample
from ._configurations import Configuration, configuration_digests, seed_estimator
from ._scoring import Responses
from ._splits import Fold

_Fold = tuple[str, int, int]
#: Scores of a fitted model on the rows that it was tested on, by name.
Scored: TypeAlias = Callable[[Predicted, Any, AnyArray, IndexArray], Mapping[str, Any]]


class Progress:
    """Counts finished fits and reports them.

    `owner` is the protocol, and `name` its name. ``root(n_tasks)`` begins scikit-learn's context of
    the whole `fit`, or returns None without callbacks. `refit` announces a final fit.
    """

    def __init__(
        self,
        name: str,
        verbose: int = 0,
        *,
        root: Callable[[int], Any] = lambda n_tasks: None,
        owner: Any = None,
        refit: bool = False,
    ) -> None:
        self._name = name
        self._verbose = verbose
        self._begin = root
        self._root: Any = None
        self._owner = owner
        self._started = monotonic()
        self._bar = Bar(0, "models")
        self._total = self._n_tasks = int(refit)
        self._refit = refit
        self._n_done = 0
        self._n_trained = 0
        self._left: dict[_Fold, int] = {}
        self._contexts: dict[_Fold, Any] = {}
        self._parts: dict[str, list[int]] = {}

    def plan(self, part: str, repeats: Iterable[int], n_models: int) -> None:
        """Announce a part of the run by the repeat of each of its folds, once.

        All parts that are planned before the first fold is expected count as tasks of the run.
        """
        if part in self._parts:
            return
        self._parts[part] = list(repeats)
        self._n_tasks += len(self._parts[part])
        self._total += len(self._parts[part]) * n_models

    def expect(self, folds: Mapping[_Fold, int]) -> None:
        """Announce folds that start, and their numbers of models."""
        if not self._left:
            self._root = self._begin(self._n_tasks)
        for fold, n_models in folds.items():
            self._left[fold] = n_models
            if self._root is not None:
                context = self._root.subcontext(
                    task_name=f"{self._where(fold)}, {n_models} models", max_subtasks=n_models
                )
                self._contexts[fold] = context.call_on_fit_task_begin(estimator=self._owner)

    def finished(self, key: FitKey, *, was_stored: bool) -> None:
        """Count a fit; report the last of its fold."""
        self._n_done += 1
        self._n_trained += not was_stored
        fold = (key.part, key.repeat, key.fold)
        self._left[fold] = self._left.get(fold, 0) - 1
        context = self._contexts.get(fold)
        if context is not None:
            step = context.subcontext(task_name="configuration")
            step.call_on_fit_task_begin(estimator=self._owner)
            step.call_on_fit_task_end(estimator=self._owner)
        if self._left[fold] == 0:
            if context is not None:
                context.call_on_fit_task_end(estimator=self._owner)
            if self._verbose > 0:
                self._say(f"{self._where(fold)}: {self._counts()}")
        if self._verbose <= 0 and self._root is None:  # else others report
            self._bar.update(self._n_done, self._total)

    def clear(self) -> None:
        """Clear the line of the terminal that says how far the run is."""
        self._bar.close()

    def survive(self, n_alive: int, n_configurations: int, n_folds_left: int) -> None:
        """Report how many configurations survive for the remaining folds."""
        self._total = self._n_done + n_folds_left * n_alive + self._refit
        survive = "configuration survives" if n_alive == 1 else "configurations survive"
        if self._verbose > 0:
            self._say(
                f"{n_alive} of {n_configurations} {survive}: "
                f"{self._total - self._n_done} models left{self._time_left()}"
            )

    @contextmanager
    def final_fit(self, winner: str) -> Iterator[None]:
        """Report the winner's training on all rows."""
        context = None
        if self._root is not None:
            context = self._root.subcontext(task_name="winner on all rows")
            context.call_on_fit_task_begin(estimator=self._owner)
        yield
        if context is not None:
            context.call_on_fit_task_end(estimator=self._owner)
        self._n_done += 1
        if self._verbose > 0:
            seconds = duration(monotonic() - self._started)
            self._say(f"winner {winner} on all rows: {self._counts()} in {seconds}")

    def end(self) -> None:
        """Report the end of the run."""
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._owner)

    def _say(self, message: str) -> None:
        print(f"[{self._name}] {message}", flush=True)

    def _where(self, fold: _Fold) -> str:
        part, repeat, number = fold
        repeats = self._parts[part]
        shown = f"fold {number + 1} of {repeats.count(repeat)}"
        if max(repeats) > 0:
            shown = f"repeat {repeat + 1} of {max(repeats) + 1}, {shown}"
        return shown if part == "cv" else f"{part} {shown}"

    def _counts(self) -> str:
        time_left = self._time_left()
        text = f"{self._n_done} of {self._total} models trained"
        return f"{text}{time_left} left" if time_left else text

    def _time_left(self) -> str:
        left = self._total - self._n_done
        if left <= 0 or self._n_trained == 0:
            return ""
        return f", about {duration((monotonic() - self._started) / self._n_trained * left)}"


_MOST_NAMED = 8
_current: ContextVar["Fitting | None"] = ContextVar("fitting", default=None)


class Fitting:
    """A fit in progress: its position in the run, and the warnings of its learner."""

    def __init__(self, configuration: str, key: FitKey | None) -> None:
        self.configuration = configuration
        self.key = key
        self.warnings: list[Warning] = []

    @property
    def rows(self) -> str:
        """The rows that the model is trained on, in words."""
        if self.key is None:
            return "all rows"
        part = "" if self.key.part == "cv" else f"{self.key.part} "
        return f"{part}repeat {self.key.repeat}, fold {self.key.fold}"

    def __str__(self) -> str:
        return f"configuration {self.configuration!r}, {self.rows}"


@contextmanager
def fitting(configuration: str, key: FitKey | None) -> Iterator[Fitting]:
    """Set the current fit; errors get a note that names it."""
    current = Fitting(configuration, key)
    token = _current.set(current)
    try:
        yield current
    except Exception as error:
        error.add_note(f"while {current} was fitted")
        raise
    finally:
        _current.reset(token)


def fits_under_way(fits: Iterable[Fitting]) -> str:
    """Name the fits that have not returned."""
    lines = [str(fit) for fit in fits]
    more = f"; and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
    return "; ".join(lines[:_MOST_NAMED]) + more


def warn_of_fit(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn from within a learner, naming the configuration and the fold.

    The warning reaches the caller of the protocol, whatever process the learner runs in. Outside
    of protocols it is a plain warning.

    Parameters
    ----------
    message : str
        The text.
    category : type of Warning, default=UserWarning
        Its class, made from one text.

    Examples
    --------
    >>> import warnings
    >>> import bbc
    >>> from sklearn.dummy import DummyClassifier
    >>> class Hesitant(DummyClassifier):
    ...     def fit(self, X, y):
    ...         bbc.search.warn_of_fit("few rows")
    ...         return super().fit(X, y)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     search = bbc.CVT({"mean": Hesitant()}, cv=2, random_state=1).fit([[0]] * 4, [0, 1] * 2)
    >>> print(caught[0].message)
    few rows (configuration 'mean', repeat 0, fold 0)
    """
    current = _current.get()
    if current is None:
        warn(message, category)
    else:
        current.warnings.append(category(f"{message} ({current})"))


# How often work lost by a cluster is submitted, the first time included.
_MOST_SUBMISSIONS = 5
_TIMEOUTS = (joblib.parallel.TimeoutError, TimeoutError)


@dataclass(frozen=True)
class Split:
    """A fold and its position, for which one model of each configuration is trained.

    The seed of a fit depends on `luck`: by default on the configuration alone, so that it is the
    same in all splits and in the refit, and the selected model keeps the luck it was selected for.
    """

    repeat: int
    fold: int
    rows: Fold
    luck: str | None = None


@dataclass(kw_only=True)
class Trainer:
    """Trains models and counts them; results do not depend on who trains, where or in what order.

    A fit depends on its configuration, the run's seed and its training rows only. `fit_timeout` is
    the time in seconds in which some fit must end. Where models are `checked`, what some of them
    predicted is in `predicted`. `scored` gives further scores of each model.
    """

    X: Any
    y: AnyArray
    configurations: Sequence[Configuration]
    responses: Responses
    fit_params: Mapping[str, Mapping[str, Any]]
    seed: int
    error_score: Any
    n_jobs: int | None
    pre_dispatch: int | str
    fit_timeout: float | None
    store: Store | None
    progress: Progress
    n_trained: int = 0
    n_loaded: int = 0
    checked: bool = False
    scored: Scored | None = None
    predicted: dict[FitKey, Predicted] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._lucks = configuration_digests(self.configurations)
        self._parallel: dict[str, Any] = {"n_jobs": self.n_jobs, "pre_dispatch": self.pre_dispatch}
        if self.fit_timeout is not None:
            timeout = _validation.positive(self.fit_timeout, "fit_timeout")
            if joblib.effective_n_jobs(self.n_jobs) == 1:
                raise InvalidValueError(
                    "fit_timeout",
                    ": with n_jobs=1 fits run in this process, where nothing can stop "
                    "them; use n_jobs=2 or more",
                )
            # A fit that hangs takes no others of its batch along.
            self._parallel |= {"timeout": timeout, "batch_size": 1}

    def train(
        self, part: str, pairs: Iterable[tuple[Split, int]]
    ) -> Iterator[tuple[FitKey, StoredFit]]:
        """Train (split, configuration) pairs; yield the fits as they finish."""
        stored = set() if self.store is None else set(self.store.fits(part))
        missing: list[tuple[FitKey, Split]] = []
        for split, index in pairs:
            key = FitKey(part, split.repeat, split.fold, index)
            if key not in stored:
                missing.append((key, split))
                continue
            assert self.store is not None
            self.n_loaded += 1
            self.progress.finished(key, was_stored=True)
            is_possible = partial(self.responses.could_give, n_rows=len(split.rows.test))
            yield key, self.store.load(key, is_possible)
        if missing and self.store is not None:
            self.store.check_writable()
        watched: Collection[int] = ()
        if self.checked:
            order = list(dict.fromkeys(key.configuration for key, _ in missing))
            watched = sample(order, self.configurations)
        try:
            for key, fit in self._run(missing, watched):
                self.n_trained += 1
                if self.store is not None:
                    self.store.save(key, fit)
                self.progress.finished(key, was_stored=False)
                yield key, fit
        finally:
            self.progress.clear()

    def seeded(self, configuration: Configuration) -> Any:
        """Return the unfitted estimator of a configuration, with its seeds."""
        return seed_estimator(configuration.build(), self.seed, self._lucks[configuration.index])

    def refit(self, configuration: Configuration) -> tuple[Any, float]:
        """Train a configuration on all rows; return the model and the seconds it took."""
        started = perf_counter()
        model = self.seeded(configuration)
        with fitting(configuration.name, None) as current:
            model.fit(self.X, self.y, **self.fit_params.get(configuration.estimator_name, {}))
        repeat_warnings(current.warnings)
        self.n_trained += 1
        return model, perf_counter() - started

    def _run(
        self, missing: Sequence[tuple[FitKey, Split]], watched: Collection[int]
    ) -> Iterator[tuple[FitKey, StoredFit]]:
        """Train what is missing; submit again what a cluster loses with a worker."""
        left = dict(missing)
        for number in range(1, _MOST_SUBMISSIONS + 1):
            if not left:
                return
            try:
                for key, fit, warnings, predicted in self._submit(left, watched):
                    repeat_warnings(warnings)
                    if predicted is not None:
                        self.predicted[key] = predicted
                    del left[key]
                    yield key, fit
            except _lost_work():
                if number == _MOST_SUBMISSIONS:
                    raise

    def _submit(
        self, missing: Mapping[FitKey, Split], watched: Collection[int]
    ) -> Iterator[tuple[FitKey, StoredFit, list[Warning], Predicted | None]]:
        sent: dict[FitKey, None] = {}

        def tasks() -> Iterator[Any]:
            # Data are separate arguments, which backends send once, not once per task.
            for key, split in list(missing.items()):
                sent[key] = None
                configuration = self.configurations[key.configuration]
                yield delayed(fit_and_predict)(
                    self.X,
                    self.y,
                    configuration,
                    split.rows,
                    fit_params=self.fit_params.get(configuration.estimator_name, {}),
                    responses=self.responses,
                    seed=(self.seed, split.luck or self._lucks[key.configuration]),
                    reraise=self.error_score == "raise",
                    key=key,
                    watched=key.configuration in watched,
                    scored=self.scored,
                )

        folds = list({id(split): split.rows for split in missing.values()}.values())
        with _everywhere(self.X, self.y, *folds) as backend, self._naming(sent):
            # With a generator, each result is stored as soon as it is finished.
            streams = getattr(backend, "supports_return_generator", False)
            results = Parallel(
                **self._parallel, return_as="generator_unordered" if streams else "list"
            )(tasks())
            try:
                for result in results:
                    del sent[result[0]]
                    yield result
            finally:
                if streams:
                    results.close()

    @contextmanager
    def _naming(self, sent: Collection[FitKey]) -> Iterator[None]:
        """Name the fits under way in an error that does not come from a learner."""
        try:
            yield
        except Exception as error:
            if hasattr(error, "__notes__"):
                raise
            lost = [Fitting(self.configurations[key.configuration].name, key) for key in sent]
            kept = "" if self.store is None else "; the store keeps all that came back: call again"
            if self.fit_timeout is None or not isinstance(error, _TIMEOUTS):
                if lost:
                    error.add_note(f"Among the fits under way: {fits_under_way(lost)}{kept}")
                raise
            # Workers take fits in order: later ones have not started.
            hanging = fits_under_way(lost[: joblib.effective_n_jobs(self.n_jobs)])
            raise TimeoutError(
                f"no fit ended within {self.fit_timeout:g} s; under way: {hanging}{kept}"
            ) from error


def repeat_warnings(warnings: Iterable[Warning]) -> None:
    """Issue a learner's warnings in the process of the protocol's caller."""
    for warning in warnings:
        warn(warning)


def _lost_work() -> tuple[type[BaseException], ...]:
    """The errors of a Dask cluster that has lost work with a worker."""
    if not _is_dask(joblib.parallel.get_active_backend()[0]):
        return ()
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    return FutureCancelledError, CommClosedError


def _is_dask(backend: Any) -> bool:
    return type(backend).__name__ == "DaskDistributedBackend"


@contextmanager
def _everywhere(*data: Any) -> Iterator[Any]:
    """Send the data to every worker of a Dask cluster, and yield joblib's active backend.

    joblib by default sends each array to one worker, and it is lost with that worker. Where it is
    told what to send to all, keys are hashes of the data: those of an earlier run, which may be
    released while the data are under way, and then the scheduler waits for them forever.
    """
    backend = joblib.parallel.get_active_backend()[0]
    if not _is_dask(backend):
        yield backend
        return
    timeout = backend.wait_for_workers_timeout
    with joblib.parallel_config(
        "dask",
        client=backend.client,
        wait_for_workers_timeout=timeout,
        **backend.submit_kwargs,
    ):
        backend = joblib.parallel.get_active_backend()[0]
        sent = backend.client.scatter(list(data), broadcast=True, hash=False)
        backend.data_futures = {id(one): future for one, future in zip(data, sent, strict=True)}
        yield backend


def fit_and_predict(
    X: Any,
    y: AnyArray,
    configuration: Configuration,
    rows: Fold,
    *,
    fit_params: Mapping[str, Any],
    responses: Responses,
    seed: tuple[int, str],
    reraise: bool,
    key: FitKey,
    watched: bool = False,
    scored: Scored | None = None,
) -> tuple[FitKey, StoredFit, list[Warning], Predicted | None]:
    """Train one configuration on some rows and predict others; a failure is also a result.

    What a `watched` model predicted is returned as it came, too. Models are `scored` even where
    their predictions cannot be kept.
    """
    started = perf_counter()
    fit_time = predicted = None
    told: Mapping[str, Any] = {}
    try:
        with fitting(configuration.name, key) as current:
            model = seed_estimator(configuration.build(), *seed)
            X_train, y_train = _safe_split(model, X, y, rows.train)
            model.fit(X_train, y_train, **_check_method_params(X, fit_params, indices=rows.train))
            fit_time = perf_counter() - started
            X_test, y_test = _safe_split(model, X, y, rows.test, rows.train)
            if watched or scored is not None:
                model = predicted = Predicted(model, X_test)
            try:
                outputs, method = responses.of(model, X_test)
            finally:
                if scored is not None:
                    told = scored(model, X_test, y_test, rows.test)
    except Exception as error:
        if reraise:
            raise
        reason = f"{type(error).__name__}: {error} ({current.rows})"
        spent = perf_counter() - started
        fit = StoredFit({}, spent if fit_time is None else fit_time, 0.0, "", reason, told)
        predicted = None
    else:
        score_time = perf_counter() - started - fit_time
        fit = StoredFit(outputs, fit_time, score_time, method, "", told)
    return key, fit, current.warnings, predicted.alone() if watched and predicted else None


def warn_of_failures(
    failures: Mapping[int, Sequence[str]], configurations: Sequence[Configuration]
) -> None:
    """Name the configurations that failed; raise if nothing is left."""
    if not failures:
        return
    lines = [
        f"{configurations[index].name!r}: "
        f"{'1 fit, with' if len(reasons) == 1 else f'{len(reasons)} fits, the first with'} "
        f"{reasons[0]}"
        for index, reasons in sorted(failures.items())
    ]
    if len(failures) == len(configurations):
        all_of_them = (
            "The only configuration failed"
            if len(failures) == 1
            else f"All {len(failures)} configurations failed. The first"
        )
        raise ValueError(f"{all_of_them}: {lines[0]}\nerror_score='raise' shows where")
    shown = "\n  ".join(lines[:10]) + (f"\n  and {len(lines) - 10} more" if lines[10:] else "")
    warn(
        f"{len(failures)} of {len(configurations)} configurations failed and "
        f"{'is' if len(failures) == 1 else 'are'} left out:\n"
        f"  {shown}",
        FitFailedWarning,
    )
