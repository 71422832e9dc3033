"""The difference between winner and runner-up."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._docstrings import described
from .._titles import metric_title
from .._typing import FloatArray
from .._validation import ANALYSIS, Options, Problem
from ..api import compare
from ..errors import BBCWarning, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..results import Comparison
from ..sources import Predictions
from ._display import APPARENT, AXES, CORRECTED, Display, drawn, generator, histogram, legend_above


@described(ANALYSIS, AXES)
def difference(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    metric: Any,
    pos_label: Any = None,
    groups: ArrayLike | None = None,
    stratify_bootstrap: bool = False,
    n_bootstraps: int | None = None,
    confidence_level: float = 0.95,
    random_state: Any = None,
    ax: Any | None = None,
) -> Display:
    """Draw how much better the winner scores than the runner-up, with an interval.

    The winner was selected by its score on these rows, so the difference is biased in its favour.
    An interval that excludes zero does not prove the winner better; one that includes zero shows
    that the data do not separate the two.

    The standard error is taken from the rows of both configurations and allows for training rows
    that folds share, as by `bbc.compare`; the histogram shows what drawing rows alone makes of the
    difference, which is less.

    Parameters
    ----------
    predictions : array-like of shape (n_rows, n_configurations[, n_classes])
        Out-of-sample predictions.
    metric : str, Metric or scorer
        As in `bbc.correct`, but no Python function of all rows.
    random_state : int, Generator or None, default=None
        Seed of the replicates.

    Returns
    -------
    Display
        Its `shown` has the `differences` of the replicates, signed so that the winner is better
        where positive, the `difference` on all rows, the `interval` around it, and the indices
        `winner` and `runner_up`.

    Raises
    ------
    ValueError
        If there is only one configuration, or the metric is undefined in a replicate.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> display = bbc.plots.difference(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display.shown.winner != display.shown.runner_up, display.shown.difference >= 0
    (True, True)
    """
    values = _validation.plain_array(predictions, "predictions")
    if values.ndim < 2 or values.shape[1] < 2:
        raise InvalidValueError("predictions", "needs at least two configurations to compare")
    spec = metrics.get(metric)
    if spec.family == "callable":
        raise InvalidValueError(
            "metric",
            f": {spec.name!r} is a Python function of all rows; the difference is drawn of "
            "named metrics and bbc.metrics.row_loss",
        )
    table = predictions if hasattr(predictions, "columns") else values
    # The same seed draws the same rows for both: the replicates are paired.
    seed = int(generator(random_state).integers(2**53))
    options = _validation.options(
        metric=spec,
        stratify_bootstrap=stratify_bootstrap,
        n_bootstraps=n_bootstraps,
        confidence_level=confidence_level,
        random_state=seed,
    )
    data = _validation.Data(y_true, table, groups=groups, pos_label=pos_label)
    problem = _validation.problem(data, spec, options.needs)
    pair = _best_two(problem, spec)
    best, second = (_naive_bootstrap(problem, place, options) for place in pair)
    sign = 1.0 if spec.greater_is_better else -1.0
    lead = sign * (best["estimate"] - second["estimate"])
    compared: partial[Comparison] = partial(
        compare,
        {
            name: Predictions(y_true, values[:, [place]], groups=groups, pos_label=pos_label)
            for name, place in zip(("winner", "runner-up"), pair, strict=True)
        },
        metric=spec,
        stratify_bootstrap=stratify_bootstrap,
        n_bootstraps=n_bootstraps,
        confidence_level=confidence_level,
        random_state=seed,
    )
    reach = _reach(compared)
    differences = sign * (best["replicates"] - second["replicates"])
    if reach is None:
        tail = (1 - confidence_level) / 2
        low, high = np.quantile(differences, [tail, 1 - tail])
    else:
        low, high = lead - reach[0], lead + reach[1]
    interval = float(low), float(high)
    shown = Difference(differences, lead, interval, *pair, spec.name, confidence_level)
    return Display(draw_difference, shown).plot(ax=ax)


class Difference(NamedTuple):
    """Score of the winner minus that of the runner-up, in each replicate and on all rows."""

    differences: FloatArray
    difference: float
    interval: tuple[float, float]
    winner: int
    runner_up: int
    metric: str
    confidence_level: float = 0.95


def draw_difference(ax: Any, d: Difference) -> None:
    """A histogram of the differences, with their interval."""
    low, high = d.interval
    histogram(ax, d.differences)
    label = f"{100 * d.confidence_level:g} % interval [{low:.3g}, {high:.3g}]"
    ax.axvspan(low, high, color=CORRECTED, alpha=0.15, label=label)
    ax.axvline(d.difference, color=CORRECTED, linewidth=2.0, label=f"all rows {d.difference:.3g}")
    ax.axvline(0, color=APPARENT, linewidth=1.5, linestyle="--", label="no difference")
    worse = 100 * float(np.mean(d.differences <= 0))
    ax.set_xlabel(f"{drawn(metric_title(d.metric))}: winner ({d.winner}) better by")
    ax.set_title(f"runner-up ({d.runner_up}) as good or better in {worse:.3g} %")
    legend_above(ax)


def _reach(compared: Callable[[], Comparison]) -> tuple[float, float] | None:
    """Reach of the interval of `bbc.compare` below and above the difference; or None."""
    with warnings.catch_warnings():  # findings are those of the search
        warnings.simplefilter("ignore", BBCWarning)
        (found,) = compared().differences
    if found.confidence_interval is None:
        return None
    low, high = found.confidence_interval
    return found.estimate - low, high - found.estimate


def _best_two(problem: Problem, metric: Metric) -> tuple[int, int]:
    """The winner and the runner-up on all rows."""
    threads = _validation.n_threads(None)
    _, winner = _engine.score(problem, metric, folds=None, n_threads=threads)
    others = np.delete(np.arange(problem.n_configurations), winner)
    rest = problem._replace(predictions=(problem.predictions[0][:, others],))
    _, second = _engine.score(rest, metric, folds=None, n_threads=threads)
    return winner, int(others[second])


def _naive_bootstrap(problem: Problem, place: int, options: Options) -> dict[str, Any]:
    """Score and replicates of one configuration, as if it had not been selected."""
    column = problem.alone(place)
    drawn = options.for_problem(column, None, out_of_bag=False)
    found = _engine.naive_bootstrap(
        column, drawn, "percentile", n_threads=_validation.n_threads(None)
    )
    if found["n_redrawn"]:
        raise UndefinedMetricError(
            "metric",
            f": {options.metric.name!r} is undefined in {found['n_redrawn']} draws of "
            f"{drawn.n_bootstraps} replicates",
        )
    return found
