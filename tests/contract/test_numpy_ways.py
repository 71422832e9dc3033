"""What benches compare the kernel with computes the same metrics, under the same plans."""

import numpy as np
import pytest
from benches.kernel import _numpy_ways, every_metric

import bbc

N_ROWS = 60
METRICS = {
    name: metric
    for name, (metric, _) in every_metric._distinct().items()
    if name in _numpy_ways.WAYS
}
PLANS = every_metric._plans(N_ROWS)


def test_every_metric_of_one_time_has_a_way():
    rest = {"uno_concordance", *every_metric._extra_metrics()}
    assert METRICS.keys() | rest == every_metric._distinct().keys()


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_apparent_scores_agree(metric, plan):
    options = dict(PLANS[plan])
    if "folds" in options:  # of which each has all classes, or some are always left out of bag
        options["folds"] = np.arange(N_ROWS) % (3 if "pooling" in options else 10)
    if metric.name == "r2":
        options.pop("sample_weight", None)
    y, predictions = every_metric._problem(metric, N_ROWS, 4)
    repeats = [np.roll(predictions, i, axis=1) for i in range(3 if plan == "repeats" else 1)]
    run, of_all_rows = _numpy_ways.job(metric.name, metric.greater_is_better, y, repeats, **options)
    scores = of_all_rows()
    estimate = bbc.correct(y, repeats, metric=metric, n_bootstraps=200, random_state=1, **options)
    best = scores.max() if metric.greater_is_better else scores.min()
    assert best == pytest.approx(estimate.apparent, rel=1e-4)
    # Means of 200 replicates of other draws.
    error = np.std(estimate.replicates) * np.sqrt(2 / 200)
    assert run(200) == pytest.approx(estimate.estimate + (estimate.size_bias or 0.0), abs=5 * error)
