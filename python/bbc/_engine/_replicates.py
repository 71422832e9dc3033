"""What the kernel is told of replicates, and what it tells of their scores alone."""

import math
from typing import Any

from .. import _core
from .._typing import FloatArray, IndexArray
from .._validation import Options, Problem


def replicate_options(options: Options, metric: _core.Metric, **design: Any) -> _core.Options:
    """The kernel's options, with the arrays that define draws and scores."""
    return _core.Options(
        metric=metric,
        n_bootstraps=options.n_bootstraps,
        seed=options.seed or 0,
        stream=options.stream,
        resamples=options.resamples,
        redraw=options.on_undefined == "redraw",
        confidence_level=options.confidence_level,
        alternative=options.alternative,
        size_correction=options.size_correction,
        fixed_class_counts=options.class_counts == "fixed",
        **design,
    )


def moments(
    replicates: FloatArray,
    winners: IndexArray,
    apparent: float,
    options: Options,
    n_configurations: int,
) -> dict[str, Any]:
    """Estimate and standard deviation from replicates, by the rule of the kernel."""
    choice = options.selection.rule if options.selection.derives else ""
    settings = replicate_options(options, options.metric._compiled, choice=choice)
    estimate, sd, error = _core.replicate_moments(replicates, apparent, n_configurations, settings)
    return {
        "apparent": apparent,
        "estimate": estimate,
        "replicate_sd": sd,
        "monte_carlo_error": (error, math.nan, math.nan),
        "replicates": replicates,
        "replicate_winners": winners,
    }


def limits(
    replicates: FloatArray,
    estimate: float,
    options: Options,
    problem: Problem | None,
    *,
    rates: FloatArray,
) -> dict[str, Any]:
    """The limits of a corrected performance, or why there are none.

    `rates` are those of the winner, which the score interval rests on; none for other metrics.
    """
    metric = options.metric
    n_classes = math.inf if problem is None else problem.truth.n_classes
    return _core.corrected_limits(
        replicates,
        estimate,
        rates,
        options.confidence_level,
        options.alternative,
        *metric.limits(n_classes),
    )
