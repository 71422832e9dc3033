"""Optimism of the apparent score against the sizes of sample and search."""

import warnings
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import resample

from .. import _validation, metrics
from .._docstrings import described
from .._titles import metric_title
from .._typing import FloatArray
from .._validation import ANALYSIS
from ..api import correct
from ..errors import BBCWarning, InvalidTypeError, InvalidValueError
from ._display import AXES, DARK, Display, drawn, generator

_COLOURS = ("#1b5e8a", "#4f9bc7", "#c2491d", "#e39a6f", "#3c464d", "#9aa5ad")


class Optimism(NamedTuple):
    """Mean optimism by number of rows and of configurations, with these numbers."""

    optimism: FloatArray
    n_rows: tuple[int, ...]
    n_configurations: tuple[int, ...]
    metric: str


@described(ANALYSIS, AXES)
def optimism(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    metric: Any,
    n_rows: Sequence[int] | None = None,
    n_configurations: Sequence[int] | None = None,
    n_samples: int = 20,
    n_bootstraps: int = 200,
    random_state: Any = None,
    ax: Any | None = None,
    **options: Any,
) -> Display:
    """Correct random subsamples of rows and configurations, and draw their mean optimism.

    Parameters
    ----------
    predictions : array-like of shape (n_rows, n_configurations[, n_classes])
        Out-of-sample predictions.
    metric : str, Metric or scorer
        As in `bbc.correct`.
    n_rows : sequence of int, optional
        Numbers of rows; by default a quarter, half and all rows.
    n_configurations : sequence of int, optional
        Numbers of configurations; by default the powers of 2, and all configurations.
    n_samples : int, default=20
        Random subsamples of each size.
    n_bootstraps : int, default=200
        Number of replicates of each subsample.
    random_state : int, Generator or None, default=None
        Seed of subsamples and replicates.
    **options
        Further arguments of `bbc.correct` that are not arrays over rows, such as
        `pos_label`.

    Returns
    -------
    Display
        Its `shown` has the mean `optimism` of each size, which is positive where the apparent
        score is too good, and the sizes, `n_rows` and `n_configurations`.

    Raises
    ------
    ValueError
        If a number of rows or configurations is not between 1 and all of them.

    Examples
    --------
    >>> import bbc
    >>> s = bbc.simulate.accuracy(200, 64, random_state=0)
    >>> display = bbc.plots.optimism(s.y, s.predictions, metric="accuracy", n_samples=5,
    ...                              n_configurations=[1, 64], random_state=1)
    >>> display.shown.n_rows, display.shown.optimism.shape
    ((50, 100, 200), (3, 2))
    >>> bool(display.shown.optimism[0, -1] > display.shown.optimism[2, -1])
    True
    """
    spec = metrics.get(metric)
    given = options | {"metric": spec}
    asked = _validation.asked(y_true, predictions, given, function="bbc.plots.optimism")
    asked.problem()  # names rows of the whole
    truth, values = np.asarray(y_true), np.asarray(predictions)
    n_samples = _validation.integer(n_samples, "n_samples", lowest=1)
    rows = _sizes("n_rows", n_rows, len(values), [len(values) // 4, len(values) // 2])
    powers = [2**power for power in range(values.shape[1].bit_length())]
    columns = _sizes("n_configurations", n_configurations, values.shape[1], powers)
    rng = generator(random_state)
    strata = truth if spec.has_classes else None
    problems = []
    for some_rows, some_columns, _ in product(rows, columns, range(n_samples)):
        taken = _rows(len(values), some_rows, strata, rng)
        chosen = np.sort(rng.permutation(values.shape[1])[:some_columns])
        names = [str(index) for index in chosen]
        subsample = {"source": truth[taken], "predictions": values[taken][:, chosen]}
        problems.append(subsample | {"names": names})
    with warnings.catch_warnings():
        # Subsamples are small on purpose.
        warnings.simplefilter("ignore", BBCWarning)
        seed = int(rng.integers(2**53))
        drawn = options | {"metric": spec, "n_bootstraps": n_bootstraps, "random_state": seed}
        estimates = [correct(**problem, **drawn) for problem in problems]
    found = np.array([estimate.optimism for estimate in estimates])
    means = found.reshape(len(rows), len(columns), n_samples).mean(axis=2)
    shown = Optimism(means, tuple(rows), tuple(columns), estimates[0].metric)
    return Display(draw_optimism, shown).plot(ax=ax)


def draw_optimism(ax: Any, shown: Optimism) -> None:
    """A line per number of rows."""
    for line, (n_rows, optimism) in enumerate(zip(shown.n_rows, shown.optimism, strict=True)):
        colour = _COLOURS[line % len(_COLOURS)]
        ax.plot(shown.n_configurations, optimism, "o-", color=colour, label=f"{n_rows} rows")
    ax.axhline(0, color=DARK, linewidth=0.8)
    ax.set_xscale("log", base=2)
    ax.set_xticks(shown.n_configurations, [str(n) for n in shown.n_configurations])
    ax.minorticks_off()
    ax.set_xlabel("configurations compared")
    ax.set_ylabel(f"{drawn(metric_title(shown.metric))}: apparent is too good by")
    ax.legend(frameon=False)


def _sizes(name: str, sizes: Sequence[int] | None, most: int, default: list[int]) -> list[int]:
    """Sizes of subsamples, validated."""
    chosen = [size for size in (*default, most) if size > 0] if sizes is None else sizes
    if not isinstance(chosen, Iterable):
        raise InvalidTypeError(name, f"must be a sequence of integers, got {chosen!r}")
    found = sorted({_validation.integer(size, name, lowest=1) for size in chosen})
    if not found or found[-1] > most:
        raise InvalidValueError(name, f"must lie in 1 to {most}, got {sizes!r}")
    return found


def _rows(n_rows: int, n_taken: int, strata: Any, rng: np.random.Generator) -> Any:
    """A subsample of rows, stratified by class."""
    rows = np.arange(n_rows)
    if n_taken == n_rows:
        return rows
    seed = int(rng.integers(2**32))
    return resample(rows, replace=False, n_samples=n_taken, stratify=strata, random_state=seed)
