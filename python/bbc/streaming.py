"""Corrections out of core: blocks of configurations, added and merged in any order."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, fields
from functools import cached_property
from importlib.metadata import version
from typing import Any, Literal
from uuid import uuid4

import numpy as np
from numpy.typing import ArrayLike

from . import _engine, _validation
from ._fingerprints._code import Code
from ._fingerprints._fingerprint import Fingerprint, why
from ._rows import RowNames
from ._typing import Alternative, AnyArray
from .errors import Argument, InvalidTypeError, InvalidValueError
from .findings import Finding
from .metrics import Metric
from .results import PerformanceEstimate
from .results._correction import to_result, winner_findings

__all__ = ["Blocks", "StreamingCorrection", "StreamingState"]


@dataclass(frozen=True)
class Blocks:
    """Predictions that come as blocks of configurations, such as a generator of files.

    Parameters
    ----------
    iterable : iterable of array-like
        Blocks of shape (n_rows, n_configurations_of_the_block[, n_classes]), in order; with
        repeats a list of such arrays. It is consumed once.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 60)
    >>> predictions = rng.integers(0, 2, (60, 30))
    >>> stream = bbc.Blocks(predictions[:, first : first + 10] for first in (0, 10, 20))
    >>> streamed = bbc.correct(y, stream, metric="accuracy", random_state=1)
    >>> streamed == bbc.correct(y, predictions, metric="accuracy", random_state=1)
    True
    """

    iterable: Iterable[Any]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)


@dataclass(frozen=True)
class StreamingState:
    """State of a streaming correction, to be sent to another process; of size O(n_bootstraps).

    Attributes
    ----------
    kernel : bytes
        The best configuration so far of each replicate, its key and its out-of-bag score.
    added : tuple of (int, int)
        Ranges [first, last) of the configurations that were added.
    n_repeats : int
        Number of partitions of each configuration; 0 if nothing was added.
    problem : str
        Fingerprint of truth and options; states of different problems are not merged.
    findings : tuple of Finding
        Findings about the predictions of the best of these configurations.

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> y = np.tile([0, 1], 20)
    >>> correction = bbc.StreamingCorrection(y, metric="accuracy", random_state=1)
    >>> correction.add(np.tile([0, 1], 20)[:, None])
    >>> correction.state.added
    ((0, 1),)
    """

    kernel: bytes
    added: tuple[tuple[int, int], ...]
    n_repeats: int
    problem: str
    findings: tuple[Finding, ...] = ()


class StreamingCorrection:
    """A correction whose predictions are added block by block.

    Blocks of configurations may be added in any order and by several processes: each creates the
    same `StreamingCorrection`, adds its blocks and returns its `state`, and `merge` combines them.
    The result has the same bits as `bbc.correct` on all predictions, except for `model_luck`, a
    test that needs all configurations at once. Several processes must pass the same seed.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth.
    metric, method, folds, groups, stratify_bootstrap, sample_weight, pos_label, labels, pooling, \
n_bootstraps, resamples, confidence_level, alternative, on_undefined, names, dynamic_search, \
size_correction, random_state
        As in `bbc.correct`. The selection rule is always "best".

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 60)
    >>> predictions = rng.integers(0, 2, (60, 30))
    >>> here = bbc.StreamingCorrection(y, metric="accuracy", random_state=1)
    >>> there = bbc.StreamingCorrection(y, metric="accuracy", random_state=1)
    >>> here.add(predictions[:, 20:], first_configuration=20)
    >>> there.add(predictions[:, :20], first_configuration=0)
    >>> here.merge(there.state)
    >>> here.finish() == bbc.correct(y, predictions, metric="accuracy", random_state=1)
    True
    """

    def __init__(
        self,
        y_true: ArrayLike,
        *,
        metric: Any,
        method: Literal["bbc", "bbc-two-level"] = "bbc",
        folds: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        stratify_bootstrap: bool = False,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: ArrayLike | None = None,
        pooling: Literal["pooled", "fold"] = "pooled",
        n_bootstraps: int = 1000,
        resamples: ArrayLike | None = None,
        confidence_level: float = 0.95,
        alternative: Alternative = "two-sided",
        on_undefined: Literal["redraw", "raise"] = "redraw",
        names: Sequence[str] | None = None,
        dynamic_search: bool = False,
        size_correction: bool = True,
        random_state: Any = None,
    ) -> None:
        options = _validation.options(
            metric=metric,
            method=method,
            pooling=pooling,
            selection="best",
            n_bootstraps=n_bootstraps,
            interval="order-statistics",
            confidence_level=confidence_level,
            alternative=alternative,
            on_undefined=on_undefined,
            random_state=random_state,
            stratify_bootstrap=stratify_bootstrap,
            dynamic_search=dynamic_search,
            size_correction=size_correction,
        )
        self._begin(
            options,
            y_true,
            resamples=resamples,
            names=names,
            folds=folds,
            groups=groups,
            sample_weight=sample_weight,
            pos_label=pos_label,
            labels=labels,
        )

    @classmethod
    def _with(
        cls, options: _validation.Options, y_true: Any, **design: Any
    ) -> "StreamingCorrection":
        """From validated options."""
        correction = cls.__new__(cls)
        correction._begin(options, y_true, **design)
        return correction

    def _begin(
        self,
        options: _validation.Options,
        y_true: Any,
        *,
        resamples: Any,
        names: Any,
        **design: Any,
    ) -> None:
        if options.metric.family == "callable":
            raise InvalidValueError(
                "metric",
                f": {options.metric.name!r} is a Python function, which needs all "
                "predictions at once; make it a bbc.metrics.row_loss if it is a mean over rows",
            )
        if options.interval == "calibrated":
            raise InvalidValueError(
                Argument("interval", "calibrated"),
                "needs all predictions at once, not a stream: it estimates "
                "how much fitted models vary",
            )
        if options.selection.rule != "best" or options.method in ("bbc-f", "tt"):
            raise InvalidValueError(
                "predictions",
                ': a stream takes selection="best" and method="bbc" or "bbc-two-level" '
                "only, because no other choice can be made block by block",
            )
        y_true, names, design = deepcopy((y_true, names, design))  # blocks come later
        self._names = names
        self._y_true = y_true
        self._rows = RowNames()
        by_row = {key: design[key] for key in ("folds", "groups", "sample_weight")}
        self._rows.check(y_true=y_true, **by_row)
        self._problem = _validation.without_predictions(
            y_true, options.metric, **options.required_design, **design
        )
        self._options = options.for_problem(self._problem, resamples)
        self._kernel = _engine.streaming_correction(self._problem, self._options)
        self._n_repeats = 0
        self._origin = uuid4().hex  # copies share it
        self._first_two: dict[int, list[AnyArray]] = {}
        self._of_winner: tuple[Finding, ...] = ()

    def add(
        self, block: Any, first_configuration: int | None = None, *, n_threads: int | None = None
    ) -> None:
        """Add a block of configurations; if it raises an error, nothing was added.

        Parameters
        ----------
        block : array-like of shape (n_rows, n_configurations_of_the_block[, n_classes])
            Out-of-sample predictions, or a list with one such array per repeat.
        first_configuration : int, optional
            Index of the block's first configuration; by default the block follows the last one.
        n_threads : int, optional
            Worker threads; all cores by default.

        Raises
        ------
        ValueError
            If predictions are invalid, or a configuration was added before.
        """
        if first_configuration is None:
            first_configuration = max((last for _, last in self._kernel.added()), default=0)
        first = _validation.integer(first_configuration, "first_configuration", lowest=0)
        threads = _validation.n_threads(n_threads)
        rows = copy(self._rows)
        rows.check(predictions=block)
        arrays = _validation.block(
            block,
            self._problem,
            self._options.metric,
            self._y_true,
            listed=self._names is not None,
        )
        self._check_repeats(len(arrays), "predictions")
        values = _engine.kernel_predictions(self._problem, self._options.metric, arrays)
        self._kernel.add(values, first, threads)
        self._n_repeats, self._rows = len(arrays), rows
        self._keep_two(arrays, first)
        winner = self._kernel.winner() - first
        if 0 <= winner < arrays[0].shape[1]:
            shown = self._problem._replace(predictions=tuple(arrays))
            self._of_winner = winner_findings(shown, self._options.metric, winner)

    def merge(self, other: "StreamingCorrection | StreamingState") -> None:
        """Add the configurations of another correction of the same problem.

        Parameters
        ----------
        other : StreamingCorrection or StreamingState
            Made from the same truth and the same options.

        Raises
        ------
        ValueError
            If the problems differ, or both have a configuration.
        """
        state = other.state if isinstance(other, StreamingCorrection) else other
        if not isinstance(state, StreamingState):
            raise InvalidTypeError(
                "other",
                f"must be a StreamingCorrection or the state of one, got {type(other).__name__}",
            )
        if state.problem != self._identity[0]:
            unseen = "; ".join(f"{what} {reason}" for what, reason in self._identity[1].items())
            raise InvalidValueError(
                "other",
                ": another truth, other options, another seed or another function as metric",
                hint=f"the function cannot be compared ({unseen}), so both must be copies of one "
                "StreamingCorrection"
                if unseen
                else "",
            )
        if not state.added:
            return
        self._check_repeats(state.n_repeats, "other")
        self._kernel.merge(state.kernel)
        self._n_repeats = state.n_repeats
        winner = self._kernel.winner()
        if any(first <= winner < last for first, last in state.added):
            self._of_winner = state.findings

    def finish(self) -> PerformanceEstimate:
        """Return the result for all configurations added.

        Returns
        -------
        PerformanceEstimate
            Equal to that of `bbc.correct` on all predictions, except for `model_luck`.

        Raises
        ------
        ValueError
            If nothing was added, or there are gaps between the configurations.
        """
        raw = _engine.finish(self._kernel, self._problem, self._options)
        n_configurations = self._kernel.added()[0][1]
        if len(self._first_two) == n_configurations == 2 and self._names is None:
            repeats = zip(self._first_two[0], self._first_two[1], strict=True)
            _validation.refuse_complements([np.column_stack(pair) for pair in repeats])
        problem = self._problem._replace(
            names=_validation.names(self._names, n_configurations),
            n_configurations_given=n_configurations,
            n_repeats=self._n_repeats,
        )
        return to_result(raw, problem, self._options, of_winner=self._of_winner)

    @property
    def state(self) -> StreamingState:
        """The state so far, to be merged elsewhere."""
        return StreamingState(
            self._kernel.state(),
            self._kernel.added(),
            self._n_repeats,
            self._identity[0],
            self._of_winner,
        )

    @cached_property
    def _identity(self) -> tuple[str, dict[str, str]]:
        """Digest of all that determines replicates and scores; what of the metric it lacks.

        A metric's function counts by its code, as for a store. Where that cannot be followed, only
        copies of this correction have the same digest.
        """
        problem, options = self._problem, self._options
        facts = {item.name: getattr(options.metric, item.name) for item in fields(Metric)}
        functions = Fingerprint()
        unseen: dict[str, str] = {}
        try:
            functions.digest(facts.pop("function"))
        except Exception as error:
            unseen["it"] = why(error)
        code = Code(functions.met.values())
        unseen |= code.unseen
        versions = [(name, version(name)) for name in sorted(code.packages)]
        found = [
            facts,
            problem.truth._asdict(),
            problem._replace(truth=None)._asdict(),  # type: ignore[arg-type]
            # A stream selects the best.
            options._replace(metric=None, selection=None)._asdict(),  # type: ignore[arg-type]
            [sorted((name, *sorted(of)) for name, of in code.facts.items())],
            [sorted((name, *sorted(of)) for name, of in code.values.items())],
            versions,
            _engine.kernel_version(),
            self._origin if unseen else "",
        ]
        return Fingerprint().text(found), unseen

    def _keep_two(self, arrays: Sequence[AnyArray], first: int) -> None:
        """Keep the first two configurations while there are no others, to compare them."""
        last = first + arrays[0].shape[1]
        if last > 2 or arrays[0].ndim > 2:
            self._first_two.clear()
            return
        for index in range(first, last):
            self._first_two[index] = [array[:, index - first].copy() for array in arrays]

    def _check_repeats(self, n_repeats: int, name: str) -> None:
        if self._n_repeats not in (0, n_repeats):
            raise ValueError(f"{name}: {n_repeats} repeats, earlier blocks have {self._n_repeats}")

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name != "_kernel"}
        return kept | {"_state": self._kernel.state()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        state = kept.pop("_state")
        vars(self).update(kept)
        self._kernel = _engine.streaming_correction(self._problem, self._options)
        self._kernel.merge(state)
