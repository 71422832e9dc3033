"""BBC016: the AUC of labels instead of scores.

Scores of twenty equally good configurations of AUC .8 are normal; labels say which class is more
likely. Both are corrected; the truth is the AUC of the scores, which is that of the models.
"""

from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

import bbc

from ._study import Line, Study, covers, has, mean_and_error, share

N_ROWS, N_CONFIGURATIONS, AUC = 300, 20, 0.8
APART = float(np.sqrt(2) * norm.ppf(AUC))


def simulate(form: str, prevalence: float, rng: np.random.Generator) -> bbc.PerformanceEstimate:
    """A correction of scores or of labels."""
    y = (np.arange(N_ROWS) < prevalence * N_ROWS).astype(int)
    scores = APART * y[:, None] + rng.normal(size=(N_ROWS, N_CONFIGURATIONS))
    cut = APART / 2 + np.log(1 / prevalence - 1) / APART
    return bbc.correct(
        y,
        scores if form == "scores" else (scores > cut).astype(int),
        metric="roc_auc",
        n_bootstraps=500,
        random_state=rng,
        n_threads=1,
    )


def run(n_repetitions: int) -> Iterator[Line]:
    for prevalence in (0.5, 0.2, 0.1):
        for place, form in enumerate(("scores", "labels")):
            rng = np.random.default_rng([16, round(100 * prevalence), place])
            found = [simulate(form, prevalence, rng) for _ in range(n_repetitions)]
            bias, error = mean_and_error(e.estimate - AUC for e in found)
            yield {
                "prevalence": prevalence,
                "predictions": form,
                "finding": share(has(e, "BBC016") for e in found),
                "bias": bias,
                "standard error": error,
                "coverage": share(covers(e, AUC) for e in found),
                "repetitions": n_repetitions,
            }


STUDY = Study("BBC016", run)
