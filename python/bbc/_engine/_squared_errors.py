"""R2 from scores of folds, through their squared errors."""

from typing import Any

import numpy as np

from .. import _core
from .._typing import FloatArray
from .._validation import Options
from ._functions import limits, moments
from ._scores import correct_fold_scores, fold_counts, fold_scorer


def correct_r2_of_folds(
    scores: FloatArray,
    variances: FloatArray,
    variance: float,
    options: Options,
    *,
    n_threads: int,
) -> dict[str, Any]:
    """BBC-F of R2 on all rows; keys as PerformanceEstimate's fields.

    A fold's R2 compares it with its own mean; (1 - R2) times the variance of its truth, of shape
    (n_repeats, n_folds), is its mean squared error. The mean of R2 over folds chooses, as it does
    in the search, and the mean squared error of the folds out of bag, over the variance of all
    rows, is told.
    """
    raw = correct_fold_scores(scores, options, n_threads=n_threads)
    errors = (1.0 - scores) * variances[:, :, np.newaxis]
    winners, winner = raw["replicate_winners"], raw["winner"]
    chosen, places = np.unique([*winners, winner], return_inverse=True)
    places = places.reshape(-1).astype(np.int64)
    of_chosen = np.ascontiguousarray(errors[:, :, chosen])
    scorer = fold_scorer(of_chosen, options, n_threads, decides=False)
    replicates = np.empty(len(winners))
    for first, counts in fold_counts(scores.shape[1], options, n_threads):
        part = slice(first, first + len(counts))
        out_of_bag, _ = scorer.out_of_bag(first, counts, places[part], n_threads)
        replicates[part] = 1.0 - out_of_bag / variance
    replicates.flags.writeable = False
    own = 1.0 - errors[:, :, winner] / variance
    apparent = float(own.mean())
    found = moments(replicates, winners, apparent, options, scores.shape[2])
    rates = _core.few_folds_terms(np.ascontiguousarray(own))
    ends = limits(replicates, found["estimate"], options, None, rates=rates)
    told = {"optimism": apparent - found["estimate"], "rates": rates}
    return raw | found | told | ends | {"by_truth": True}
