"""How many rows an interval of a given width needs."""

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _validation, metrics
from .._validation import Options, Problem
from .._winners import run
from ..errors import InvalidTypeError, InvalidValueError
from ..metrics import Metric
from ..predictions import OutOfSamplePredictions
from ..results import RowsPlan
from ..simulate import Simulation

__all__ = ["plan_rows"]

_STEPS = (0.5, 0.71, 1.0, 1.41, 2.0)  # around the square-root law's guess
_FEWEST, _MOST = 20, 200_000
_FIRST = 200  # rows of the first guess, if there is no pilot

#: A validated data set of about so many rows.
Draw = Callable[[int, np.random.Generator], Problem]
#: Mean width at a size, and its standard error.
Width = tuple[float, float]


def plan_rows(
    source: Any,
    *,
    width: float,
    metric: Any = None,
    n_rows: Sequence[int] | None = None,
    groups: ArrayLike | None = None,
    n_simulations: int = 20,
    n_bootstraps: int = 400,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> RowsPlan:
    """Find the number of rows at which the corrected estimate's interval has a given width.

    Data sets of several sizes are drawn, from a pilot's predictions or from assumptions, and each
    is corrected as `bbc.correct` does. The mean width of the intervals shows what a size gives,
    selection among the configurations included.

    Parameters
    ----------
    source : (y_true, predictions), OutOfSamplePredictions, fitted search or callable
        A pilot: out-of-sample predictions of all configurations, of which rows are drawn within
        classes, so that their shares remain. Or assumptions: a function
        ``f(n_rows, random_state)`` that returns a `bbc.simulate.Simulation`, or truth and
        predictions.
    width : float
        The wanted width, from the lower to the upper limit.
    metric : str, Metric or callable, optional
        What is estimated; by default that of the simulation, or of the fitted search.
    n_rows : sequence of int, optional
        Sizes to try, at least two; by default five around a first guess.
    groups : array-like of shape (n_rows,), optional
        Of a pilot: groups are drawn whole, and are the units of the correction.
    n_simulations : int, default=20
        Data sets per size, at least 2.
    n_bootstraps : int, default=400
        Replicates of each correction.
    confidence_level : float, default=0.95
        Level of the two-sided intervals, in (0, 1).
    pos_label : label, optional
        The positive class of a binary metric, by default as in `bbc.correct`.
    random_state : int, Generator or None, default=None
        Seed of all that is drawn.
    n_threads : int, optional
        Worker threads; all cores by default. The result does not depend on it.

    Returns
    -------
    RowsPlan
        Mean width at each size with its simulation error, and the smallest size that reaches the
        wanted width.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it and the problem.
    UndefinedMetricError
        If a size is too small for the metric.

    Notes
    -----
    Between two sizes the logarithm of the width is interpolated linearly in the logarithm of the
    rows; its standard error is propagated to the number of rows. It is the error of the simulation
    alone: another pilot would give another number.

    Sizes up to the pilot's are drawn from its rows without replacement. Beyond it the width falls
    with the root of the rows: rows drawn with replacement would repeat, which turns the luck of the
    best configuration into skill, and intervals become too narrow.
    Models trained on more rows are usually better, which neither source knows.

    References
    ----------
    .. [1] R. D. Riley et al., "Minimum sample size for external validation of a clinical prediction
       model with a binary outcome", Statistics in Medicine 40 (2021): target interval widths.
    .. [2] K. I. E. Snell et al., "External validation of clinical prediction models:
       simulation-based sample size calculations were more reliable than rules-of-thumb", Journal of
       Clinical Epidemiology 135 (2021).

    Examples
    --------
    Fifty configurations with a true AUC of .8, one row in four positive:

    >>> import numpy as np
    >>> import bbc
    >>> def assumed(n_rows, random_state):
    ...     return bbc.simulate.auc(
    ...         n_rows, 50, true_performance=np.full(50, 0.8), minority=0.25, correlation=0.8,
    ...         random_state=random_state)
    >>> plan = bbc.plan_rows(assumed, width=0.15, n_simulations=4, random_state=0)
    >>> 100 < plan.n_needed < 400
    True
    """
    target = _validation.positive(width, "width")
    count = _validation.integer(n_simulations, "n_simulations", lowest=2)
    seed = _validation.seed(random_state)
    chosen, pilot, draw = _source(source, metric, groups, pos_label)
    options = _validation.options(
        metric=chosen, n_bootstraps=n_bootstraps, confidence_level=confidence_level
    )
    _validation.enough_replicates(options.confidence_level, "two-sided", options.n_bootstraps)
    threads = _validation.n_threads(n_threads)

    def drawn_widths(size: int, own: Draw) -> Width:
        # A size's data do not depend on which others are tried.
        rng = np.random.default_rng([seed, size])
        found = [_width(own(size, rng), options, rng, threads) for _ in range(count)]
        return float(np.mean(found)), float(np.std(found, ddof=1)) / math.sqrt(count)

    at: Callable[[int], Width] = partial(drawn_widths, own=draw)
    if pilot is not None:
        at = _of_pilot(pilot, drawn_widths)
    first = _FIRST if pilot is None else pilot.n_rows
    least = _two_groups(pilot)
    if n_rows is not None:
        sizes = _given(n_rows, least)
    else:
        sizes = _around(first, target, max(_FEWEST, least), at)
    widths, errors = zip(*map(at, sizes), strict=True)
    return RowsPlan(
        width=target,
        n_rows=np.array(sizes),
        widths=np.array(widths),
        standard_errors=np.array(errors),
        metric=chosen.name,
        confidence_level=options.confidence_level,
        n_simulations=count,
        seed=seed,
    )


def _given(n_rows: Any, least: int) -> list[int]:
    """The sizes to try, in order."""
    if isinstance(n_rows, str) or not hasattr(n_rows, "__iter__"):
        raise InvalidTypeError("n_rows", f"must be a list of sizes, got {type(n_rows).__name__}")
    sizes = sorted({_validation.integer(size, "n_rows", lowest=2) for size in n_rows})
    if len(sizes) < 2:
        raise InvalidValueError("n_rows", "must hold at least two different sizes")
    if sizes[0] < least:
        raise InvalidValueError(
            "n_rows",
            f"must be at least {least}, the rows of two groups of the pilot, got {sizes[0]}",
        )
    return sizes


def _of_pilot(pilot: Problem, widths: Callable[[int, Draw], Width]) -> Callable[[int], Width]:
    """Widths at any size from a pilot: by drawing its rows, beyond its size by the root law."""
    whole = cache(lambda: widths(pilot.n_rows, partial(_drawn, pilot)))

    def at(size: int) -> Width:
        if size < pilot.n_rows:
            return widths(size, partial(_drawn, pilot))
        mean, error = whole()
        root = math.sqrt(pilot.n_rows / size)
        return mean * root, error * root

    return at


def _around(first: int, target: float, fewest: int, width_at: Callable[[int], Width]) -> list[int]:
    """Sizes around the one that the square-root law expects to have the width."""
    guess = first * (width_at(first)[0] / target) ** 2
    if guess > _MOST:
        raise InvalidValueError(
            "width",
            f"needs about {guess:.2g} rows",
            hint="choose a wider one, or pass n_rows if so many are meant",
        )
    sizes = sorted({max(fewest, round(step * guess)) for step in _STEPS})
    return sizes if len(sizes) > 1 else [fewest, 2 * fewest]


def _two_groups(pilot: Problem | None) -> int:
    """Rows of two average groups of a pilot, the least that can be drawn of it; else 1."""
    if pilot is None or pilot.groups is None:
        return 1
    return math.ceil(2 * pilot.n_rows / (int(pilot.groups.max()) + 1))


def _width(problem: Problem, options: Options, rng: np.random.Generator, n_threads: int) -> float:
    """The width of one data set's interval."""
    seeded = options._replace(seed=int(rng.integers(2**53)))
    raw = run(problem, seeded, n_threads=n_threads)
    return float(raw["high"] - raw["low"])


def _source(
    source: Any, metric: Any, groups: Any, pos_label: Any
) -> tuple[Metric, Problem | None, Draw]:
    """The metric, the pilot if there is one, or how to draw a data set."""
    if callable(source) and not hasattr(source, "fit"):
        if groups is not None:
            raise InvalidValueError("groups", "is for a pilot, not for assumptions")
        chosen = _metric(metric, getattr(source(_FIRST, 0), "metric", None))

        def assumed(size: int, rng: np.random.Generator) -> Problem:
            y, predictions = _returned(source(size, int(rng.integers(2**53))))
            found = _validation.problem(
                _validation.Data(y, predictions, pos_label=pos_label), chosen
            )
            if found.n_rows_given != size:
                raise InvalidValueError(
                    "source", f"must return {size} rows for n_rows={size}, got {found.n_rows_given}"
                )
            return found

        return chosen, None, assumed
    y, predictions, own = _pilot(source)
    chosen = _metric(metric, own)
    data = _validation.Data(y, predictions, groups=groups, pos_label=pos_label)
    pilot = _validation.problem(data, chosen)
    pilot = pilot._replace(folds=None, fold_labels=None)  # which draws of its rows would not have
    return chosen, pilot, partial(_drawn, pilot)


def _metric(metric: Any, own: Any) -> Metric:
    if metric is None and own is None:
        raise InvalidValueError("metric", "is needed: the source names none")
    return metrics.get(own if metric is None else metric)


def _returned(found: Any) -> tuple[Any, Any]:
    """Truth and predictions that a function returned."""
    if isinstance(found, Simulation):
        return found.y, found.predictions
    if not isinstance(found, tuple) or len(found) != 2:
        raise InvalidTypeError(
            "source",
            f"must return a Simulation, or truth and predictions, got {type(found).__name__}",
        )
    return found


def _pilot(source: Any) -> tuple[Any, Any, Metric | None]:
    """Truth, predictions and, of a protocol, the metric."""
    if hasattr(source, "oos_predictions_"):
        scoring = getattr(source, "_scoring", None)
        own = None if scoring is None else scoring.metric
        return source.oos_predictions_.y, source.oos_predictions_, own
    if isinstance(source, OutOfSamplePredictions):
        return source.y, source, None
    if isinstance(source, tuple | list) and len(source) == 2:
        return source[0], source[1], None
    raise InvalidTypeError(
        "source",
        "must be (y_true, predictions), OutOfSamplePredictions, a fitted search that keeps "
        f"predictions or a function of n_rows and random_state, got {type(source).__name__}",
    )


def _drawn(pilot: Problem, n_rows: int, rng: np.random.Generator) -> Problem:
    """About `n_rows` rows of a pilot: whole groups, or of each class as many as its share says."""
    if pilot.groups is not None:
        count = max(2, round(n_rows * pilot.n_units / pilot.n_rows))
        chosen = rng.permutation(pilot.n_units)[:count]
        return pilot.of_rows(np.flatnonzero(np.isin(pilot.groups, chosen)))
    codes = pilot.truth.codes
    classes = np.zeros(pilot.n_rows, np.int32) if codes is None else codes
    ends = np.round(np.cumsum(np.bincount(classes)) * n_rows / pilot.n_rows).astype(np.int64)
    sizes = np.diff(ends, prepend=0)
    rows = [rng.permutation(np.flatnonzero(classes == code))[:n] for code, n in enumerate(sizes)]
    return pilot.of_rows(np.sort(np.concatenate(rows)))
