"""The path of a search: the correction of its first t configurations, for every t in one pass."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import _engine, _validation
from .._blocks_of_rows import in_blocks
from .._finished._roads import by_folds
from .._typing import FloatArray
from .._validation import Options, Problem
from .._winners import Winners, named_metrics
from ..errors import InvalidValueError
from ..metrics import Metric
from ..results import Difference, TuningPath, TuningPaths
from ..results._correction import interval
from ._compare import Replicates, differences, drawn_units

__all__ = ["tuning_path"]

PathMethod = Literal["auto", "bbc", "bbc-two-level"]
_FEWEST_FOLDS = 4

# Where winners vary between replicates, standard errors are up to 2.5 times too large: intervals of
# this nominal level exclude zero in less than 5 % of simulated flat and rising paths.
_LEVEL_OF_FALLS = 0.9


@overload
def tuning_path(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: list[Any] | tuple[Any, ...] | Mapping[str, Any],
    decided_by: str | None = None,
    method: PathMethod = "auto",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    **options: Unpack[_validation.SharedArguments],
) -> TuningPaths: ...


@overload
def tuning_path(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    method: PathMethod = "auto",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    **options: Unpack[_validation.SharedArguments],
) -> TuningPath: ...


@_validation.analysis
@by_folds
def tuning_path(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: Any,
    decided_by: str | None = None,
    method: PathMethod = "auto",
    block_length: int | Literal["auto"] | None = None,
    labels: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    **options: Unpack[_validation.SharedArguments],
) -> Any:
    """Correct the best of the first t configurations for t = 1, 2, 4, ... and all.

    Shows when tuning stopped paying: the apparent curve can only rise, the corrected one need not.
    Configurations are taken in the order of the columns, that of the search. All t share their
    draws and one pass over the predictions.

    Parameters
    ----------
    predictions : array-like, list, frame, OutOfSamplePredictions or fitted search
        As in `bbc.correct`, configurations in the order in which they were tried; or a search that
        keeps its predictions, or its scores by fold (`y_true` may then be None).
    metric : str, Metric or scorer, or a list or dict of these
        What is estimated, as in `bbc.correct`. Of several metrics one selects the best of each t,
        which all score; not for searches that kept scores only. The one that selects is no
        function of all rows.
    decided_by : str, optional
        Name of the selection metric among several; the first by default.
    method : {"auto", "bbc", "bbc-two-level"}, default="auto"
        What a replicate draws, as in `bbc.compare`. Where fitted models vary, the curve of "bbc"
        rises although nothing improves.

    Returns
    -------
    TuningPath or TuningPaths
        Both curves, and the difference of each t from the last on the same draws; finding BBC019
        where the corrected curve falls while the apparent one rises. For several metrics a mapping
        by name; a replicate in which one is undefined for the winner of some t is left out of its
        path.

    Warns
    -----
    BBCWarning
        Of findings that call for another analysis.

    Raises
    ------
    ValueError, TypeError
        If an argument is wrong; the message names it, the problem and the place.
    UndefinedMetricError
        If the data leave the metric undefined, so that no replicate could be scored.

    Notes
    -----
    A fall is the paired difference between the best of the first t and the best of all, with the
    standard error of `bbc.compare`. BBC019 needs a one-sided interval above zero for the fall from
    the best point of the corrected curve. Winners vary between the replicates, which makes the
    standard error too large: intervals of a nominal 90 % keep BBC019 below 5 % where the curve is
    flat. Only a search that was much too long is likely to have it.

    References
    ----------
    .. [1] I. Tsamardinos, E. Greasidou, G. Borboudakis, "Bootstrapping the out-of-sample
       predictions for efficient and accurate cross-validation", Machine Learning 107 (2018),
       Algorithm 5.
    .. [2] G. C. Cawley, N. L. C. Talbot, "On over-fitting in model selection and subsequent
       selection bias in performance evaluation", Journal of Machine Learning Research 11 (2010).

    Examples
    --------
    Guesses: the apparent accuracy rises with the length of the search, the corrected one does not.

    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, size=100)
    >>> path = bbc.tuning_path(y, rng.integers(0, 2, (100, 64)), metric="accuracy", random_state=1)
    >>> path.n_configurations.tolist()
    [1, 2, 4, 8, 16, 32, 64]
    >>> bool(path.apparent[-1] > 0.6), bool(abs(path.estimates[-1] - 0.5) < 0.05)
    (True, True)
    """
    predictions = _validation.predictions_of(predictions, y_true)
    named, decides, several = named_metrics(metric, decided_by)
    own = {
        "metric": named[decides],
        "method": "bbc" if _checked(method) == "auto" else method,
        "labels": labels,
        "names": names,
    }
    if block_length is not None:
        deciding = _validation.options(metric=named[decides]).metric
        own = in_blocks(y_true, predictions, deciding, own | options, block_length)
    asked = _validation.asked(y_true, predictions, options | own, named=named)
    settings, resamples = asked.options, asked.resamples
    if settings.metric.family == "callable":
        raise InvalidValueError(
            "metric",
            f": {settings.metric.name!r} is a Python function of all rows, which has no path",
            hint="make it a bbc.metrics.row_loss if it is a mean over rows",
        )
    problem = asked.problem()
    if method == "auto" and resamples is None and problem.folds is not None:
        folds_drawn = problem.fewest_folds >= _FEWEST_FOLDS
        settings = settings._replace(method="bbc-two-level" if folds_drawn else "bbc")
    asked = asked._replace(options=settings)
    points, found = _corrected(problem, settings.for_problem(problem, resamples), asked.n_threads)
    corrections = [Winners(asked, known=(problem, raw)) for raw in found]
    paths = {
        name: _path(points, corrections, None if name == decides else each)
        for name, each in named.items()
    }
    return TuningPaths(paths) if several else paths[decides]


def _checked(method: Any) -> str:
    return _validation.choice(method, "method", ("auto", "bbc", "bbc-two-level"))


def _corrected(
    problem: Problem, settings: Options, n_threads: int
) -> tuple[list[int], list[dict[str, Any]]]:
    """The kernel's result for the first 1, 2, 4, ... and all configurations.

    Blocks are added in order, and the state after each is the correction of all before.
    """
    count = problem.n_configurations
    points = [2**power for power in range(count.bit_length()) if 2**power < count] + [count]
    correction = _engine.streaming_correction(problem, settings)
    arrays = _engine.kernel_predictions(problem, settings.metric)
    found = []
    for first, last in zip([0, *points], points, strict=False):
        correction.add([array[:, first:last] for array in arrays], first, n_threads)
        found.append(_engine.finish(correction, problem, settings))
    return points, found


def _path(
    points: Sequence[int], corrections: Sequence[Winners], metric: Metric | None
) -> TuningPath:
    """The curves by the metric that selected, None, or by another, in the caller's numbering."""
    last = corrections[-1]
    if metric is None:
        options, problem = last.options, last.problem(last.options.metric)
        found = [each.raw for each in corrections]
        estimate = last.estimate
    else:
        options, problem = last.read_by(metric)
        scored = [each.scored_on(options, problem) for each in corrections]
        among = np.all([each.scores.defined for each in scored], axis=0)
        found = [
            correction.numbers(each, among)
            for correction, each in zip(corrections, scored, strict=True)
        ]
        estimate = last.performance(scored[-1], among)
    ends = [
        (math.nan, math.nan)
        if raw["infeasible"]
        else tuple(interval(raw, options, problem.truth.n_classes))
        for raw in found
    ]
    kept = problem.kept_configurations
    winners = np.array([raw["winner"] for raw in found])
    given = points if kept is None else [*(int(kept[t - 1]) + 1 for t in points[:-1]), None]
    return TuningPath(
        n_configurations=np.array(
            [problem.n_configurations_given if t is None else t for t in given]
        ),
        estimates=np.array([raw["estimate"] for raw in found]),
        apparent=np.array([raw["apparent"] for raw in found]),
        lows=np.array([low for low, _ in ends]),
        highs=np.array([high for _, high in ends]),
        winners=winners if kept is None else kept[winners],
        estimate=estimate,
        falls=_falls(points, [raw["replicates"] for raw in found], problem, options),
    )


def _falls(
    points: Sequence[int], found: Sequence[FloatArray], problem: Problem, settings: Options
) -> tuple[Difference, ...]:
    """How much worse the best of all is than the best of the first t, for each t."""
    families = [
        Replicates(f"first {t}", replicates)
        for t, replicates in zip(points[:-1], found, strict=False)
    ]
    last = f"all {points[-1]}"
    # The winners of both are often the same, so only the replicates tell; models are as they are.
    draws = drawn_units(problem, settings)._replace(overlap=0.0)
    return differences(
        [*families, Replicates(last, found[-1])],
        [(family.name, last) for family in families],
        draws,
        settings.metric,
        confidence_level=_LEVEL_OF_FALLS,
        alternative="greater",
    )
