"""Calls on memory that another process rewrites: whatever comes out, none may crash or hang.

    make fuzz-memory CASES=100000 SEED=1
    make fuzz-memory CASE=4711 SEED=1      one case, a thousand times

Truth, predictions, weights, folds and whatever else is known of rows lie in a file that both
processes map. The other one puts NaN, infinities, huge and tiny numbers and codes of no class
there, and what belongs there back again, until it is told to stop. A case is a function of
(seed, number), but what it meets is chance.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import faulthandler
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bbc
from bbc import _core
from bbc.metrics import Metric
from families import compared_arrays

Array = np.ndarray[Any, Any]

SIZE = 1 << 22  # bytes of what is rewritten, and of what it is mended from
_HEAD = 4096  # bytes in front: whether to stop, and how much is in use
_STOP, _USED = 0, 1
_HANGS = 600  # seconds after which a call will not come back

# Whatever an array is of, 64 bits at a time.
SPOILT = np.concatenate(
    [
        np.array([np.nan, np.inf, -np.inf, 1.7e308, -1e300, 5e-324, -1e-310, 0.5, -3.0, 1e10]).view(
            np.uint64
        ),
        np.array([0, 2, 99, 2**31, 2**32 + 7, 2**63, 2**64 - 1], np.uint64),
        np.array([0x0101010101010101, 0x0000000700000009, 0xFFFFFF00FFFFFFFE], np.uint64),
    ]
)


class Memory:
    """Both halves of the file: what is rewritten, and what belongs there."""

    def __init__(self, path: Path) -> None:
        whole = np.memmap(path, np.uint8, "r+")
        self.head = whole[:_HEAD].view(np.int64)
        self.live, self.right = whole[_HEAD : _HEAD + SIZE], whole[_HEAD + SIZE :]

    @classmethod
    def make(cls, path: Path) -> Memory:
        with path.open("wb") as file:
            file.truncate(_HEAD + 2 * SIZE)
        return cls(path)

    def begin(self) -> None:
        """Forget the arrays so far."""
        self.head[_USED] = 0

    def put(self, array: Any, layout: str = "C") -> Array:
        """The same array in the memory that is rewritten, in rows, in columns or with gaps."""
        given = np.asarray(array)
        gap = 2 if layout == "strided" else 1
        shape = (*given.shape[:-1], given.shape[-1] * gap)
        n_bytes = int(np.prod(shape)) * given.dtype.itemsize
        first = int(self.head[_USED])
        last = first + -(-n_bytes // 8) * 8
        if last > SIZE:
            raise MemoryError(f"{n_bytes} bytes on top of {first}")
        views = []
        for half in (self.right, self.live):
            flat = np.ndarray(shape, given.dtype, half, first, order="F" if layout == "F" else "C")
            views.append(flat[..., ::gap])
            views[-1][...] = given
        self.head[_USED] = last
        return views[-1]


def write(path: Path) -> None:
    """Rewrite the memory until told to stop, or left alone."""
    memory, parent = Memory(path), os.getppid()
    rng = np.random.default_rng()
    live, right = memory.live.view(np.uint64), memory.right.view(np.uint64)
    while not memory.head[_STOP] and os.getppid() == parent:
        n = int(memory.head[_USED]) // 8
        if n == 0:
            continue
        for _ in range(int(rng.integers(1, 20))):
            if rng.random() < 0.1:  # a stretch
                first = int(rng.integers(n))
                live[first : first + int(rng.integers(1, 200))] = rng.choice(SPOILT)
            else:
                places = rng.integers(n, size=int(rng.integers(1, 9)))
                live[places] = rng.choice(SPOILT, len(places))
            live[:n] = right[:n]
        time.sleep(float(rng.random()) * 2e-4)


@contextlib.contextmanager
def rewritten(path: Path) -> Iterator[Memory]:
    """Memory that another process writes to."""
    memory = Memory.make(path)
    command = [sys.executable, "-m", "fuzz.memory", "--write", str(path)]
    writer = subprocess.Popen(command)
    try:
        yield memory
    finally:
        memory.head[_STOP] = 1
        writer.wait()


class Problem:
    """Data of a metric, of which each array lies in the memory."""

    def __init__(
        self, metric: Metric, rng: np.random.Generator, memory: Memory, *, large: bool = False
    ) -> None:
        self.metric, self.rng, self.memory = metric, rng, memory
        self.n_rows = int(rng.choice((24, 60, 300, 1100), p=(0.2, 0.3, 0.4, 0.1)))
        self.n_configurations = int(rng.choice((2, 9, 50), p=(0.3, 0.6, 0.1)))
        if large:
            self.n_rows, self.n_configurations = 3000, 9
        self.n_repeats = int(rng.choice((1, 2), p=(0.75, 0.25)))
        classes = 2 if metric.target == "binary" else int(rng.integers(2, 4))
        self.codes = rng.permutation(np.arange(self.n_rows) % classes)
        self.n_classes = classes
        self.times = np.ceil(8 * (0.1 + rng.random(self.n_rows))) / 2
        self.event = rng.random(self.n_rows) < 0.7
        self.event[:4] = True
        memory.begin()
        self.y = self._truth()
        self.predictions = [self._predicted() for _ in range(self.n_repeats)]

    def put(self, array: Any, *dtypes: str) -> Array:
        """An array of one of these types, in any layout."""
        dtype = self.rng.choice(dtypes) if dtypes else np.asarray(array).dtype
        layout = str(self.rng.choice(("C", "F", "strided"), p=(0.5, 0.3, 0.2)))
        return self.memory.put(np.asarray(array).astype(dtype), layout)

    def _truth(self) -> Array:
        target = self.metric.target
        if target == "survival":
            truth = np.empty(self.n_rows, [("event", bool), ("time", float)])
            truth["event"], truth["time"] = self.event, self.times
            if self.rng.random() < 0.5:
                return self.put(np.column_stack([self.event, self.times]))
            return self.memory.put(truth)
        if target == "real":
            return self.put(0.5 + 4 * self.rng.random(self.n_rows), "f8", "f8", "f4")
        names = self.rng.choice(("codes", "text"), p=(0.85, 0.15))
        if names == "text" and not self.metric.orders_classes and not self._takes_one():
            return self.memory.put(np.array(["ash", "birch", "cedar"])[self.codes])
        return self.put(self.codes, "i8", "i4", "i1", "f8", *(["?"] if self.n_classes == 2 else []))

    def _takes_one(self) -> bool:
        return self.metric.target == "binary"

    def _predicted(self) -> Array:
        rng, shape = self.rng, (self.n_rows, self.n_configurations)
        predicts = self.metric.predicts
        if predicts == "labels":
            wrong = rng.random(shape) < 0.3
            called = np.where(wrong, rng.integers(0, self.n_classes, shape), self.codes[:, None])
            if self.y.dtype.kind == "U":
                return self.memory.put(np.array(["ash", "birch", "cedar"])[called])
            return self.put(called, "i8", "i4", "i2", "i1", "u1", "f8")
        if predicts in ("class_scores", "class_probabilities"):
            raw = rng.integers(1, 9, (*shape, self.n_classes)).astype(float)
            raw += 3 * (self.codes[:, None, None] == np.arange(self.n_classes))
            return self.put(raw / raw.sum(axis=2, keepdims=True))
        if predicts == "survival":
            times = len(self.metric.times)
            falling = np.sort(rng.random((*shape, times)), axis=2)[..., ::-1]
            return self.put(falling if times > 1 else falling[..., 0])
        numbers = rng.random(shape)
        if rng.random() < 0.4:
            numbers = np.round(16 * numbers) / 16
        if predicts == "value":
            return self.put(0.5 + 4 * numbers, "f8", "f8", "f4")
        if predicts == "risk":
            return self.put(numbers - 0.1 * self.times[:, None], "f8", "f8", "f4", "i2")
        signal = 0.25 * (self.codes == self.n_classes - 1)[:, None]
        return self.put(0.7 * numbers + signal, "f8", "f8", "f4")

    @property
    def given(self) -> Any:
        """The predictions as bbc takes them."""
        return self.predictions[0] if self.n_repeats == 1 else self.predictions

    def folds(self) -> Array:
        """Of every repeat; each holds all classes."""
        own = np.empty((self.n_repeats, self.n_rows), int)
        for row in own:
            order = self.rng.permutation(self.n_rows)
            order = order[np.argsort(self.codes[order], kind="stable")]
            row[order] = np.arange(self.n_rows) % 4
        return self.put(own if self.n_repeats > 1 else own[0], "i8", "i4", "f8")

    def groups(self) -> Array:
        """Within classes, so that they may be strata."""
        return self.put(self.n_classes * (np.arange(self.n_rows) // 6) + self.codes, "i8", "i4")

    def weights(self) -> Array:
        """Whole or not."""
        whole = self.rng.random() < 0.3
        weights = 0.1 + self.rng.random(self.n_rows)
        return self.put(np.ceil(3 * weights) if whole else weights, "f8", "f8", "f4")


def _some(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def _draws(problem: Problem) -> dict[str, Any]:
    rng = problem.rng
    return {
        "metric": problem.metric,
        "n_bootstraps": int(rng.choice((5, 20, 70), p=(0.5, 0.4, 0.1))),
        "confidence_level": 0.5,
        "random_state": int(rng.integers(2**31)),
        "n_threads": int(rng.choice((1, 2))),
    }


def _design(problem: Problem, *, groups: bool = True) -> dict[str, Any]:
    rng, design = problem.rng, dict[str, Any]()
    if _some(rng, 0.3):
        design["sample_weight"] = problem.weights()
    if groups and _some(rng, 0.3):
        design["groups"] = problem.groups()
    if groups and problem.metric.has_classes and _some(rng, 0.3):
        design["stratify_bootstrap"] = True
    if _some(rng, 0.4):
        design["folds"] = problem.folds()
        if _some(rng, 0.6):
            design["pooling"] = "fold"
    return design


def _correct(problem: Problem) -> Any:
    rng, design = problem.rng, _design(problem)
    design["method"] = str(
        rng.choice(("bbc", "bbc-two-level", "bbc-f", "tt"), p=(0.6, 0.2, 0.1, 0.1))
    )
    given = problem.given
    if design["method"] != "bbc":
        design.setdefault("folds", problem.folds())
    if design["method"] in ("bbc-f", "tt"):
        for name in ("groups", "stratify_bootstrap", "pooling"):
            design.pop(name, None)
    elif _some(rng, 0.15):
        design["selection"] = bbc.one_standard_error(rng.integers(0, 4, problem.n_configurations))
        design.setdefault("folds", problem.folds())
    elif _some(rng, 0.2):
        design["selection"] = bbc.top_k(2) if _some(rng, 0.5) else bbc.greedy_ensemble(3)
    elif problem.metric.predicts == "labels" and problem.n_classes == 2 and _some(rng, 0.4):
        design["selection"] = bbc.best_threshold()
        scores = rng.random((problem.n_rows, problem.n_configurations)) + problem.codes[:, None]
        given = [problem.put(np.round(16 * scores) / 16) for _ in range(problem.n_repeats)]
    elif _some(rng, 0.1):
        design["selection"] = lambda scores, counts: len(scores) // 2
    plain = set(design) == {"method"} and design["method"] == "bbc"
    draws = _draws(problem)
    if plain and _some(rng, 0.3):
        drawn = rng.integers(0, problem.n_rows, (draws["n_bootstraps"], problem.n_rows))
        drawn[:, 0] = drawn[:, 1]
        design["resamples"] = problem.put(drawn, "i8", "i4")
    elif plain and problem.metric.predicts != "labels" and _some(rng, 0.3):
        return _by_rungs(problem, draws)
    if design["method"] == "bbc" and "selection" not in design and _some(rng, 0.15):
        return _in_blocks(problem, design, draws)
    if design["method"] == "bbc-two-level" and _some(rng, 0.3):
        design["interval"] = "calibrated"
    return bbc.correct(problem.y, given, **design, **draws)


def _by_rungs(problem: Problem, draws: dict[str, Any]) -> Any:
    n_dropped, part = problem.n_configurations // 2, problem.n_rows // 2
    holed = np.array(problem.predictions[0], float)
    holed[part:, :n_dropped] = np.nan
    pairs = problem.metric.kernel in ("roc_auc", "concordance_index")
    of_row = problem.put(np.arange(problem.n_rows) // part, "i8", "i4")
    rungs = bbc.results.Rungs(of_row) if _some(problem.rng, 0.5) else None
    return bbc.correct(
        problem.y,
        problem.put(holed),
        missing="rungs",
        rungs=rungs,
        pooling="rung" if pairs else "pooled",
        **draws,
    )


def _in_blocks(problem: Problem, design: dict[str, Any], draws: dict[str, Any]) -> Any:
    half = max(1, problem.n_configurations // 2)
    blocks = [
        [array[:, :half] for array in problem.predictions],
        [array[:, half:] for array in problem.predictions],
    ]
    return bbc.correct(problem.y, bbc.Blocks(blocks), **design, **draws)


def _apparent(problem: Problem) -> Any:
    """Little beside the reading, in which there is time to be interrupted."""
    draws = _draws(problem) | {"n_bootstraps": 5}
    return bbc.correct(problem.y, problem.given, **draws)


def _dominated(problem: Problem) -> Any:
    draws = _draws(problem)
    draws.pop("confidence_level")
    return bbc.baselines.dominated(problem.y, problem.given, **draws)


def _compare(problem: Problem) -> Any:
    half = max(1, problem.n_configurations // 2)
    arrays = problem.predictions
    families = {"one": [a[:, :half] for a in arrays], "other": [a[:, half:] for a in arrays]}
    return compared_arrays(problem.y, families, **_design(problem), **_draws(problem))


def _winner_interval(problem: Problem) -> Any:
    draws = _draws(problem)
    draws.pop("n_bootstraps")
    return bbc.correct(problem.y, problem.given, **draws).winner_interval()


def _remaining_optimism(problem: Problem) -> Any:
    folds = np.arange(problem.n_rows) % 5
    draws = _draws(problem)
    return bbc.correct(problem.y, problem.given, folds=folds, **draws).remaining_optimism()


def _possible_winners(problem: Problem) -> Any:
    test = str(problem.rng.choice(("mcs", "argmin")))
    return bbc.correct(problem.y, problem.given, **_draws(problem)).possible_winners(test=test)


def _tuning_path(problem: Problem) -> Any:
    return bbc.correct(problem.y, problem.given, **_draws(problem)).tuning_path()


def _subgroups(problem: Problem) -> Any:
    by = problem.put(np.arange(problem.n_rows) % 2, "i8", "?")
    c = bbc.correct(problem.y, problem.given, **_design(problem), **_draws(problem))
    return c.subgroups(by)


def _several(problem: Problem) -> Any:
    """The winners' scores by another metric of the same predictions."""
    alike = [
        name
        for name, info in sorted(bbc.metrics.names().items())
        if (info.target, info.predicts) == (problem.metric.target, problem.metric.predicts)
        and name != problem.metric.name
    ]
    draws = _draws(problem)
    others = problem.rng.choice(alike, 2, replace=False).tolist() if len(alike) > 1 else []
    return bbc.correct(problem.y, problem.given, secondary=others, **_design(problem), **draws)


def _function(problem: Problem) -> Any:
    """A Python function in the metric's place."""
    draws = _draws(problem) | {"n_bootstraps": 5}
    metric = bbc.metrics.from_callable(
        lambda y, prediction: float(np.size(y)) + float(np.size(prediction)), True, name="size"
    )
    return bbc.correct(problem.y, problem.given, **draws | {"metric": metric})


def _clinical(problem: Problem) -> Any:
    questions = "calibration", "decision_curve", "roc_curve", "precision_recall_curve", "clinical"
    question = str(problem.rng.choice(questions))
    c = bbc.correct(problem.y, problem.given, **_design(problem), **_draws(problem))
    return getattr(c, question)()


def _survival(problem: Problem) -> Any:
    (time, *_) = problem.metric.times
    whole = not _some(problem.rng, 0.5)
    c = bbc.correct(problem.y, problem.given, **_draws(problem))
    return c.clinical(times=[time]) if whole else c.survival_calibration(time)


def _intervals(problem: Problem) -> Any:
    rng, intervals = problem.rng, bbc.baselines.intervals
    y, column = problem.y, problem.predictions[0][:, 0]
    other = problem.predictions[0][:, 1]
    if problem.metric.predicts == "labels":
        return (intervals.wilson if _some(rng, 0.5) else intervals.clopper_pearson)(y, column)
    kind = int(rng.integers(5))
    if kind == 0:
        return intervals.delong_test(y, column, other)
    if kind == 1:
        return intervals.hanley_mcneil(y, column)
    if kind == 2:
        return intervals.tilting(y, column, metric="roc_auc", n_bootstraps=200, random_state=1)
    if kind == 3:
        bootstrap = str(rng.choice(("percentile", "bca", "studentized")))
        return intervals.naive_bootstrap(
            y,
            column,
            metric="roc_auc",
            kind=bootstrap,
            n_bootstraps=30,
            confidence_level=0.5,
            random_state=1,
        )
    return intervals.delong(y, column)


def _bound(problem: Problem) -> Any:
    method = str(problem.rng.choice(("mabt", "bt", "nb", "delong", "hanley-mcneil")))
    return bbc.baselines.bound(
        problem.y, problem.given, problem.folds(), method=method, n_bootstraps=200, random_state=1
    )


def _wmc(problem: Problem) -> Any:
    errors = problem.put(problem.rng.random((30, problem.n_configurations)))
    return bbc.baselines.wmc(errors, n_train=90, n_test=30, random_state=1)


def _kernel(problem: Problem) -> Any:
    """The compiled functions themselves, which read whatever they are given."""
    rng, memory = problem.rng, problem.memory
    n_rows, n = problem.n_rows, problem.n_configurations
    kind = int(rng.integers(7))
    if kind == 0:
        predicted = np.ones((n_rows, n), np.uint8)
        predicted[n_rows // 2 :, : n // 2] = 0
        units = memory.put((np.arange(n_rows) % 40).astype(np.int32))
        return _core.find_rungs(memory.put(predicted), None, units, 0.1, [])
    if kind == 1:
        scores, replicates = memory.put(rng.random(n)), memory.put(rng.random((50, n)))
        return _core.model_confidence_set(scores, replicates, True, 0.9, 1)
    if kind == 2:
        curves = rng.random((50, 20))
        curves[:, 3] = np.nan
        return _core.curve_band(memory.put(curves), 0.5)
    if kind == 3:
        replicates = [memory.put(rng.random(200)) for _ in range(3)]
        return _core.differences(
            replicates,
            [3] * 3,
            [None] * 3,
            [(0, 1, 0.0), (1, 2, 0.5)],
            n_drawn=50,
            n_units=50,
            n_repeats=1,
            of_folds=False,
            overlap=0.0,
            greater_is_better=True,
            confidence_level=0.9,
            alternative="two-sided",
            lowest=0.0,
            highest=1.0,
        )
    if kind == 4:
        errors = memory.put(rng.random((20, n)))
        return _core.weighted_mean_correction(errors, 90.0, 30.0, True, 1, 1)
    target = _core.Target.real(memory.put(rng.random(n_rows)))
    options = _core.Options(
        metric=_core.Metric("mean_squared_error"),
        n_bootstraps=40,
        seed=1,
        stream=0,
        redraw=True,
        confidence_level=0.5,
        alternative="two-sided",
    )
    predictions = [memory.put(rng.random((n_rows, n)))]
    if kind == 5:
        return _core.in_bag_scores(target, predictions, options, 1)
    redraws = _core.Redraws(
        target,
        options,
        places=memory.put(rng.permutation(n_rows).astype(np.int32)[np.newaxis]),
        attempts=memory.put(rng.integers(0, 3, 40)),
    )
    winners = memory.put(rng.integers(0, n, 40))
    return _core.winner_scores(target, predictions, options, redraws, winners, 0, 1)


_SURVIVAL = (
    bbc.metrics.uno_concordance(),
    bbc.metrics.cumulative_dynamic_auc(2.0),
    bbc.metrics.survival_brier_score(2.0),
    bbc.metrics.integrated_brier_score([1.5, 2.0, 2.5]),
)
METRICS: tuple[Metric, ...] = (
    *(bbc.metrics.get(name) for name in sorted(bbc.metrics.names())),
    *_SURVIVAL,
)
#: Whose columns are sorted: a number that is none chose a place in memory once.
_SORTED = tuple(
    bbc.metrics.get(name)
    for name in ("roc_auc", "concordance_index", "average_precision", "roc_auc", "roc_auc_ovr")
)
_EVERY = (
    *(_correct,) * 6,
    *(_dominated, _compare, _possible_winners, _tuning_path, _subgroups),
    *(_several, _function),
)
_OF_SCORES = (_clinical, _clinical, _intervals, _intervals, _bound)
_OF_ANY = (_wmc, _kernel, _kernel)


def draw_call(seed: int, number: int, memory: Memory) -> Callable[[], Any]:
    """The call of this number, whose arrays are put into the memory when it is made."""
    rng = np.random.default_rng([seed, number])
    large = number % 2 == 0
    metric = _SORTED[number // 2 % len(_SORTED)] if large else METRICS[number // 2 % len(METRICS)]
    functions = list(_EVERY + _OF_ANY)
    if metric.target == "binary" and metric.predicts in ("score", "probability"):
        functions += _OF_SCORES * 2
    if metric.predicts == "labels":
        functions.append(_intervals)
    if metric.family == "additive":
        functions += [_winner_interval, _remaining_optimism]
    if metric.predicts == "survival":
        functions += [_survival] * 8
    function = _apparent if large else functions[int(rng.integers(len(functions)))]

    def call() -> Any:
        _core.limit_simd(str(rng.choice(("portable", "avx2", "avx512"))))
        return function(Problem(metric, rng, memory, large=large))

    call.__name__ = f"{function.__name__[1:]} of {metric.name}"
    return call


def run(seed: int, numbers: Iterator[int], memory: Memory, *, aloud: bool = False) -> str:
    """Make the calls; how many gave a result, and what was refused."""
    found: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    for number in numbers:
        call = draw_call(seed, number, memory)
        faulthandler.dump_traceback_later(_HANGS, exit=True)
        if aloud:
            print(number, call.__name__, file=sys.stderr, flush=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call()
            found["results"] += 1
        except (bbc.errors.InvalidValueError, bbc.errors.InvalidTypeError):
            found["refusals"] += 1
        except Exception as error:
            found[f"{type(error).__name__} in {call.__name__}: {str(error)[:80]}"] += 1
        if number % 1000 == 999:
            print(f"{number + 1} cases, {time.monotonic() - start:.0f} s", flush=True)
    faulthandler.cancel_dump_traceback_later()
    return ", ".join(f"{n} {what}" for what, n in found.most_common())


def main() -> int:
    """Command line; a crash is the end of this process."""
    parser = argparse.ArgumentParser(prog="fuzz.memory", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--case", type=int, help="only this case, a thousand times")
    parser.add_argument("--aloud", action="store_true", help="name each case")
    parser.add_argument("--write", type=Path, help="be the other process, on this file")
    given = parser.parse_args()
    if given.write is not None:
        write(given.write)
        return 0
    faulthandler.enable()
    numbers = range(given.first, given.first + given.cases)
    with tempfile.TemporaryDirectory() as folder, rewritten(Path(folder) / "memory") as memory:
        again = [given.case] * 1000 if given.case is not None else numbers
        print(run(given.seed, iter(again), memory, aloud=given.aloud))
    return 0


if __name__ == "__main__":
    sys.exit(main())
