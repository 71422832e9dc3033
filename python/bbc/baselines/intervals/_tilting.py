"""Bootstrap tilting of a fixed configuration, and of the best of several."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ... import _engine, _validation, metrics
from ..._docstrings import described
from ..._typing import Alternative
from ..._validation import ANALYSIS
from ...errors import InvalidValueError
from ...results import PerformanceEstimate
from ._common import columns, correct_labels, make_confidence, of_problem, positives


@described(ANALYSIS)
def tilting(
    y_true: ArrayLike,
    predictions: ArrayLike,
    *,
    selected: int | None = None,
    metric: Literal["roc_auc", "accuracy"] = "roc_auc",
    variant: Literal["standard", "published"] = "standard",
    n_bootstraps: int | None = None,
    resamples: ArrayLike | None = None,
    confidence_level: float = 0.95,
    alternative: Alternative = "greater",
    pos_label: Any = None,
    random_state: Any = None,
    n_threads: int | None = None,
) -> PerformanceEstimate:
    """Bootstrap tilting bound of a fixed configuration, or of the best of several.

    The sample is tilted exponentially along the influence values of the statistic until a replicate
    of the tilted sample is as good as the observed score with probability alpha; the bound is the
    statistic of the tilted sample. Replicates are drawn once and reweighted by importance.

    For several configurations tilting is adjusted for multiplicity (MABT): the p-value is that of
    the largest score among all configurations, so that the lower bound holds although the
    configuration was selected on the same rows.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The truth; two classes for "roc_auc".
    predictions : array-like of shape (n_rows,) or (n_rows, n_configurations)
        Out-of-sample scores ("roc_auc") or labels ("accuracy") of a configuration that was fixed
        in advance ("bt"), or of all configurations of the search ("mabt").
    selected : int, optional
        The configuration to bound; by default the best on these rows.
    metric : {"roc_auc", "accuracy"}, default="roc_auc"
        The statistic. Replicates of the AUC are drawn within classes.
    variant : {"standard", "published"}, default="standard"
        "published" is as in the code of published tables: influence values of the AUC fitted by
        regression, and row weights normalised over the whole sample.
    n_bootstraps : int, optional
        Number of replicates; by default 2000 for the AUC and 10000 for the accuracy.
    resamples : array-like of int of shape (n_bootstraps, n_rows), optional
        Explicit draws of rows instead of random ones, to reproduce an analysis. For the AUC each
        replicate has the class counts of the truth.
    confidence_level : float, default=0.95
        Level of the bound, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="greater"
        "greater" gives a lower bound only, "less" an upper bound only. Several configurations
        have a lower bound only.

    Returns
    -------
    PerformanceEstimate
        The score with its bound and the effective sample size of the importance weights;
        `infeasible` gives the reason if no tilt reaches alpha, as for a perfect score.

    References
    ----------
    .. [1] B. Efron, "Nonparametric standard errors and confidence intervals", Canadian Journal of
       Statistics 9 (1981).
    .. [2] P. Rink, W. Brannath, "Post-selection confidence bounds for prediction performance"
       (2022).

    Examples
    --------
    >>> import numpy as np
    >>> import bbc
    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(100) % 2
    >>> scores = y[:, None] + rng.normal(size=(100, 5))
    >>> fixed = bbc.baselines.intervals.tilting(y, scores[:, 0], random_state=1)
    >>> best = bbc.baselines.intervals.tilting(y, scores, random_state=1)
    >>> fixed.method, fixed.confidence_interval.low < fixed.estimate
    ('bt', True)
    >>> best.method, best.confidence_interval.low < best.estimate
    ('mabt', True)
    """
    confidence = make_confidence(confidence_level, alternative)
    spec = metrics.get(_validation.choice(metric, "metric", ("roc_auc", "accuracy")))
    _validation.choice(variant, "variant", ("standard", "published"))
    threads = _validation.n_threads(n_threads)
    of_auc = spec.name == "roc_auc"
    problem = columns(y_true, predictions, spec, pos_label=pos_label if of_auc else None)
    several = problem.n_configurations > 1
    if several and confidence.alternative != "greater":
        raise InvalidValueError(
            "alternative",
            'must be "greater" for several configurations: only lower bounds are '
            f"adjusted for the selection, got {alternative!r}",
        )
    drawn = None
    if resamples is not None:
        drawn = _validation.resamples(resamples, problem.n_rows, "row", out_of_bag=False)
        n_bootstraps = len(drawn)
    if n_bootstraps is not None:
        n_bootstraps = _validation.integer(n_bootstraps, "n_bootstraps", lowest=1)
        _validation.enough_replicates(*confidence, n_bootstraps)
    seed = _validation.seed(random_state)
    if selected is None and several:
        _, selected = _engine.score(problem, spec, folds=None, n_threads=threads)
    winner = _validation.integer(selected or 0, "selected", lowest=0)
    if winner >= problem.n_configurations:
        raise InvalidValueError(
            "selected", f"must be below n_configurations = {problem.n_configurations}, got {winner}"
        )
    by_row = problem.predictions[0] if of_auc else correct_labels(problem)
    raw = (_engine.kernel.mabt if several else _engine.kernel.tilting)(
        positives(problem) if of_auc else np.empty(0, np.uint8),
        np.ascontiguousarray(by_row.T, dtype=np.float64),
        winner,
        variant == "published",
        n_bootstraps or 0,
        seed,
        drawn,
        *confidence,
        threads,
    )
    return of_problem(
        raw,
        "mabt" if several else "bt",
        confidence,
        problem,
        spec,
        {
            "winner": winner,
            "seed": seed,
            "effective_sample_size": raw["effective_sample_size"] if raw["feasible"] else None,
        },
    )
