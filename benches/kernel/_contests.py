"""The problems, who takes part in each, and the speed to reach."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib.util import find_spec
from shutil import which
from typing import Any

import numpy as np

import bbc
from bbc import _core

from . import _peers
from ._fenwick import fenwick_tree
from ._papers_matrices import CELLS, by_bbc, by_numpy
from ._problems import problem

N_BOOTSTRAPS = 1000
_LEVELS = ("avx512", "avx2", "portable")
#: The BLAS of numpy's wheels may not know a new CPU; this is how to tell it of AVX-512.
AVX512_BLAS = {"OPENBLAS_CORETYPE": "SkylakeX"}

Run = Callable[[], float]


@dataclass(frozen=True)
class Goal:
    """How many times faster than the contestant bbc must be on one thread, and would be at best.

    `own` marks a contestant that is bbc itself: there the goal is the contestant's own speed, its
    time divided by one thread's, and smaller is better.
    """

    must: float
    excellent: float
    own: bool = False

    def reached(self, times_faster: float) -> str:
        """Which goal is reached."""
        for name, goal in (("excellent", self.excellent), ("must", self.must)):
            if times_faster <= goal if self.own else times_faster >= goal:
                return name
        return "missed"


@dataclass(frozen=True)
class Contestant:
    """Something that does the whole job; `share` of the replicates is timed and scaled up."""

    name: str
    function: Callable[..., float]
    goal: Goal | None = None
    share: float = 1.0
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Contest:
    """One problem and its contestants; the first is bbc on one thread."""

    name: str
    metric: str
    cells: float  # replicates x rows x configurations
    data: Callable[[], tuple[Any, Any]]
    contestants: tuple[Contestant, ...]

    def run(self, contestant: Contestant) -> Run:
        """The contestant's work, its data ready."""
        y, predictions = self.data()
        n_bootstraps = max(1, round(contestant.share * N_BOOTSTRAPS))
        return partial(contestant.function, y, predictions, self.metric, n_bootstraps)


def _contest(metric: str, n_rows: int, n_configurations: int, *contestants: Contestant) -> Contest:
    """A contest on one random problem."""
    return Contest(
        f"{metric} {n_rows} x {n_configurations}",
        metric,
        float(N_BOOTSTRAPS) * n_rows * n_configurations,
        partial(problem, metric, n_rows, n_configurations),
        contestants,
    )


def by_kernel(
    y: Any,
    predictions: Any,
    metric: str,
    n_bootstraps: int,
    n_threads: int = 1,
    **options: Any,
) -> float:
    """bbc, end to end from Python."""
    return bbc.correct(
        y,
        predictions,
        metric=metric,
        n_bootstraps=n_bootstraps,
        random_state=1,
        n_threads=n_threads,
        **options,
    ).estimate


def by_level(
    y: Any, predictions: Any, metric: str, n_bootstraps: int, level: str = _LEVELS[0]
) -> float:
    """The same with an older instruction set, in the same process."""
    _core.limit_simd(level)
    try:
        return by_kernel(y, predictions, metric, n_bootstraps)
    finally:
        _core.limit_simd(_LEVELS[0])


def by_folds(y: Any, predictions: Any, metric: str, n_bootstraps: int) -> float:
    """Folds first, then rows."""
    folds = np.arange(len(y)) % 10
    return by_kernel(y, predictions, metric, n_bootstraps, method="bbc-two-level", folds=folds)


@cache
def _labels_as(n_rows: int, n_configurations: int, dtype: str, order: Any) -> tuple[Any, Any]:
    y, predictions = problem("accuracy", n_rows, n_configurations)
    return y, predictions.astype(dtype, order=order)


def by_labels(
    y: Any, predictions: Any, metric: str, n_bootstraps: int, dtype: str, order: str
) -> float:
    """Labels of another type or in another order; converted before they are timed."""
    return by_kernel(*_labels_as(len(y), predictions.shape[1], dtype, order), metric, n_bootstraps)


def _ours(slower_avx2: Goal | None, big: bool) -> tuple[Contestant, ...]:
    """bbc on one thread, on two, and on one with each instruction set.

    Two threads are asked to pay where the work is `big`: 2 ms or more on one.
    """
    two = partial(by_kernel, n_threads=2)
    return (
        Contestant("bbc", by_kernel),
        Contestant("bbc, 2 threads", two, Goal(1 / 1.5, 1 / 1.85, own=True) if big else None),
        Contestant("bbc, AVX-512", partial(by_level, level="avx512")),
        Contestant("bbc, AVX2", partial(by_level, level="avx2"), slower_avx2),
        Contestant("bbc, portable", partial(by_level, level="portable")),
    )


def _labels(n_rows: int, n_configurations: int, *peers: Contestant, big: bool = True) -> Contest:
    ours = _ours(Goal(4, 3, own=True), big)
    sklearn = Contestant("scikit-learn loop", _peers.sklearn_loop, share=2 / N_BOOTSTRAPS)
    scipy = Contestant("scipy.stats.bootstrap", _peers.scipy_bootstrap)
    return _contest("accuracy", n_rows, n_configurations, *ours, *peers, scipy, sklearn)


def _product(must: float, excellent: float) -> Contestant:
    return Contestant("numpy product", _peers.numpy_product, Goal(must, excellent))


def _product_512(must: float, excellent: float) -> Contestant:
    return Contestant(
        "numpy product, told of AVX-512",
        _peers.numpy_product,
        Goal(must, excellent),
        environment=AVX512_BLAS,
    )


def _numba(must: float, excellent: float) -> tuple[Contestant, ...]:
    """The compiled walk, where numba is installed."""
    if find_spec("numba") is None:
        return ()
    from ._numba_walk import numba_walk

    return (Contestant("numba presorted walk", numba_walk, Goal(must, excellent)),)


def _auc(n_rows: int, n_configurations: int, *peers: Contestant, big: bool = True) -> Contest:
    ours = _ours(Goal(2, 1.6, own=True), big)
    return _contest("roc_auc", n_rows, n_configurations, *ours, *peers)


def _confusion(metric: str) -> Contest:
    peer = Contestant("numpy products, by class", _peers.numpy_by_class, Goal(6, 10))
    return _contest(metric, 500, 500, *_ours(None, big=False), peer)


def _of_labels(n_rows: int, n_configurations: int) -> Contest:
    """Labels as people have them: the first is what the others should come near."""
    goal = Goal(1.3, 1.1, own=True)
    kinds = [("int64", "C"), ("int8", "C"), ("int64", "F"), ("float64", "C"), ("float64", "F")]
    own = [
        Contestant(
            f"bbc, {dtype} in {order} order",
            partial(by_labels, dtype=dtype, order=order),
            goal if i else None,
        )
        for i, (dtype, order) in enumerate(kinds)
    ]
    name = f"accuracy {n_rows} x {n_configurations}, labels"
    return replace(_contest("accuracy", n_rows, n_configurations, *own), name=name)


def _two_level(metric: str) -> Contest:
    bbc_first = Contestant("bbc", by_kernel)
    folds = Contestant("bbc-two-level, 10 folds", by_folds, Goal(1.3, 1.1, own=True))
    return replace(_contest(metric, 500, 500, bbc_first, folds), name=f"{metric} 500 x 500, folds")


def contests() -> list[Contest]:
    """All contests, in the order of the table."""
    loop = _peers.sklearn_loop
    papers = Contest(
        "196 of the papers' matrices, made and corrected",
        "accuracy",
        N_BOOTSTRAPS * CELLS,
        lambda: (None, None),
        (
            Contestant("bbc", by_bbc),
            Contestant("bbc, 2 threads", partial(by_bbc, n_threads=2)),
            Contestant("numpy product", by_numpy, Goal(6, 11)),
        ),
    )
    squared = _contest(
        "mean_squared_error",
        *(1000, 2000),
        *_ours(None, big=True),
        _product(2.5, 3.8),
        _product_512(1.4, 2.1),
        Contestant("scipy.stats.bootstrap", _peers.scipy_bootstrap),
        Contestant("scikit-learn loop", loop, share=1 / N_BOOTSTRAPS),
    )
    fenwick = Contestant("scalar Fenwick tree, C++", fenwick_tree, Goal(100, 220), share=0.1)
    concordance = _contest(
        "concordance_index",
        *(500, 500),
        *_ours(None, big=True),
        *((fenwick,) if which("c++") else ()),
    )
    return [
        _labels(1000, 2000, _product(12, 20), _product_512(8, 13)),
        _labels(500, 500, _product(9, 16), big=False),
        _labels(100, 200, _product(4.5, 8), big=False),
        _labels(20, 50, Contestant("numpy product", _peers.numpy_product), big=False),
        squared,
        _auc(
            *(500, 500),
            Contestant("numpy presort + cumsum", _peers.numpy_cumulated, Goal(250, 400)),
            *_numba(80, 160),
            Contestant("scikit-learn loop", loop, Goal(75e3, 150e3), share=2 / N_BOOTSTRAPS),
        ),
        _auc(50, 100, *_numba(50, 90), big=False),
        _auc(100_000, 100, *_numba(150, 280)),
        *(_confusion(metric) for metric in ("f1", "balanced_accuracy", "mcc")),
        _of_labels(1000, 2000),
        *(_two_level(metric) for metric in ("accuracy", "roc_auc")),
        concordance,
        papers,
    ]


def missing_peers() -> list[str]:
    """What is not installed, as lines to print."""
    lines = []
    if find_spec("numba") is None:
        lines.append("numba is not installed, its lines are left out: pip install bbc-cv[bench]")
    if not which("c++"):
        lines.append("no C++ compiler, the Fenwick tree is left out")
    return lines
