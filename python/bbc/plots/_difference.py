"""The difference between winner and runner-up."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation, metrics
from .._docstrings import described
from .._titles import metric_title
from .._validation import ANALYSIS, Options, Problem
from ..api import compare
from ..errors import BBCWarning, InvalidValueError, UndefinedMetricError
from ..metrics import Metric
from ..results import Comparison
from ..sources import Predictions
from ._display import APPARENT, AXES, CORRECTED, Display, drawn, generator, histogram, legend_above


class DifferenceDisplay(Display):
    """Difference between the winner's and the runner-up's score, with its interval.

    The winner was selected by its score on these rows, so the difference is biased in its favour.
    An interval that excludes zero does not prove the winner better; one that includes zero shows
    that the data do not separate the two.

    `difference` takes the standard error from the rows of both configurations and allows for
    training rows that folds share, as `bbc.compare` does; the histogram shows what drawing rows
    alone makes of the difference, which is less.

    Parameters
    ----------
    differences : array-like of shape (n_bootstraps,)
        Score of the winner minus that of the runner-up in each replicate, signed so that the
        winner is better where positive.
    difference : float
        The same on all rows.
    winner, runner_up : int
        Indices of the two configurations.
    metric : str
        Name of the metric.
    confidence_level : float, default=0.95
        Level of the interval.
    interval : tuple of float, optional
        Limits of the difference; by default percentiles of `differences`.

    Attributes
    ----------
    interval_ : tuple of float
        Limits of the difference.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> display = bbc.plots.difference(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display.difference >= 0
    True
    """

    def __init__(
        self,
        differences: ArrayLike,
        difference: float,
        *,
        winner: int,
        runner_up: int,
        metric: str,
        confidence_level: float = 0.95,
        interval: tuple[float, float] | None = None,
    ) -> None:
        self.differences = np.array(differences, float)
        self.difference = difference
        self.winner = winner
        self.runner_up = runner_up
        self.metric = metric
        self.confidence_level = confidence_level
        tail = (1 - confidence_level) / 2
        low, high = interval or np.quantile(self.differences, [tail, 1 - tail])
        self.interval_ = float(low), float(high)

    def _draw(self, ax: Any) -> None:
        low, high = self.interval_
        histogram(ax, self.differences)
        level = f"{100 * self.confidence_level:g} %"
        label = f"{level} interval [{low:.3g}, {high:.3g}]"
        ax.axvspan(low, high, color=CORRECTED, alpha=0.15, label=label)
        ax.axvline(
            self.difference, color=CORRECTED, linewidth=2.0, label=f"all rows {self.difference:.3g}"
        )
        ax.axvline(0, color=APPARENT, linewidth=1.5, linestyle="--", label="no difference")
        worse = 100 * float(np.mean(self.differences <= 0))
        ax.set_xlabel(f"{drawn(metric_title(self.metric))}: winner ({self.winner}) better by")
        ax.set_title(f"runner-up ({self.runner_up}) as good or better in {worse:.3g} %")
        legend_above(ax)


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
) -> DifferenceDisplay:
    """Draw how much better the winner scores than the runner-up, with an interval.

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
    DifferenceDisplay
        The display.

    Raises
    ------
    ValueError
        If there is only one configuration, or the metric is undefined in a replicate.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(60, 20, random_state=0)
    >>> display = bbc.plots.difference(s.y, s.predictions, metric="accuracy", random_state=1)
    >>> display.winner != display.runner_up
    True
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
    return DifferenceDisplay(
        sign * (best["replicates"] - second["replicates"]),
        lead,
        winner=pair[0],
        runner_up=pair[1],
        metric=spec.name,
        confidence_level=confidence_level,
        interval=None if reach is None else (lead - reach[0], lead + reach[1]),
    ).plot(ax=ax)


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
    column = problem._replace(predictions=(problem.predictions[0][:, [place]],))
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
