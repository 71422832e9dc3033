"""What a run shows of itself: a line per fold, and scikit-learn's callbacks where they exist."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Any

from ..store import FitKey

_Fold = tuple[str, int, int]


class Progress:
    """Counts finished fits and tells about them."""

    def __init__(
        self, name: str, verbose: int, total: int, root: Any = None, owner: Any = None
    ) -> None:
        self._name = name
        self._verbose = verbose
        self._total = total
        self._root = root
        self._owner = owner
        self._started = monotonic()
        self._n_done = 0
        self._n_trained = 0
        self._left: dict[_Fold, int] = {}
        self._contexts: dict[_Fold, Any] = {}
        self._n_repeats = 1
        self._n_folds: Counter[tuple[str, int]] = Counter()
        self._planned: set[_Fold] = set()

    def set_total(self, n_models: int) -> None:
        """Say how many models the run will take."""
        self._total = n_models

    def plan(self, folds: Iterable[_Fold]) -> None:
        """Say which folds there will be."""
        new = set(folds) - self._planned
        self._planned |= new
        self._n_repeats = max([self._n_repeats, *(repeat + 1 for _, repeat, _ in new)])
        self._n_folds.update((part, repeat) for part, repeat, _ in new)

    def expect(self, folds: Mapping[_Fold, int]) -> None:
        """Begin with folds, and say how many models each will take."""
        self.plan(folds)
        for fold, n_models in folds.items():
            self._left[fold] = n_models
            if self._root is not None:
                context = self._root.subcontext(
                    task_name=f"{self._where(fold)}, {n_models} models", max_subtasks=n_models
                )
                self._contexts[fold] = context.call_on_fit_task_begin(estimator=self._owner)

    def finished(self, key: FitKey, *, was_stored: bool) -> None:
        """Count a fit; tell when it was the last one of its fold."""
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
            self.say(lambda: f"{self._where(fold)}: {self._counts()}")

    def end(self) -> None:
        """Tell that the run has ended."""
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._owner)

    def say(self, message: Callable[[], str]) -> None:
        """Print a line if the run is verbose."""
        if self._verbose > 0:
            print(f"[{self._name}] {message()}", flush=True)

    def _where(self, fold: _Fold) -> str:
        part, repeat, number = fold
        shown = f"fold {number + 1} of {self._n_folds[part, repeat]}"
        if self._n_repeats > 1:
            shown = f"repeat {repeat + 1} of {self._n_repeats}, {shown}"
        return shown if part == "cv" else f"{part} {shown}"

    def _counts(self) -> str:
        left = self._total - self._n_done
        text = f"{self._n_done} of {self._total} models trained"
        if left > 0 and self._n_trained > 0:
            seconds = (monotonic() - self._started) / self._n_trained * left
            text += f", about {_duration(seconds)} left"
        return text


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
