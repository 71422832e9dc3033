"""Progress of a run: a line per fold, and scikit-learn's callbacks where they exist."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Any

from .._store import FitKey

_Fold = tuple[str, int, int]


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
            self._say(f"{self._where(fold)}: {self._counts()}")

    def survive(self, n_alive: int, n_configurations: int, n_folds_left: int) -> None:
        """Report how many configurations survive for the remaining folds."""
        self._total = self._n_done + n_folds_left * n_alive + self._refit
        survive = "configuration survives" if n_alive == 1 else "configurations survive"
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
        seconds = _duration(monotonic() - self._started)
        self._say(f"winner {winner} on all rows: {self._counts()} in {seconds}")

    def end(self) -> None:
        """Report the end of the run."""
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._owner)

    def _say(self, message: str) -> None:
        if self._verbose > 0:
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
        return f", about {_duration((monotonic() - self._started) / self._n_trained * left)}"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
