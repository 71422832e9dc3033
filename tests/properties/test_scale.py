"""Numbers near the ends of float64 give the right value or a clear error, never another number."""

import numpy as np
import pytest

import bbc


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    predictions = rng.random((40, 5))
    return predictions[:, 0] + 0.3 * rng.random(40), predictions


def of(y, predictions, metric, **options):
    return bbc.correct(y, predictions, metric=metric, n_bootstraps=100, random_state=0, **options)


@pytest.mark.parametrize("metric", ["r2", "explained_variance", "squared_pearson", "spearman"])
@pytest.mark.parametrize("exponent", [-960, -300, 300, 1000])
def test_scale_free_metrics_keep_every_bit_under_powers_of_two(data, metric, exponent):
    y, predictions = data
    scale = 2.0**exponent
    plain, scaled = of(y, predictions, metric), of(y * scale, predictions * scale, metric)
    assert np.array_equal(plain.replicates, scaled.replicates)
    assert np.array_equal(plain.replicate_winners, scaled.replicate_winners)


@pytest.mark.parametrize("metric", ["mean_squared_error", "mean_absolute_error", "r2"])
def test_overflow_is_an_error_that_names_the_configuration(data, metric):
    y, predictions = data
    too_large = predictions.copy()
    too_large[:, 3] = 1e300
    with pytest.raises(ValueError, match=r"predictions: .*configuration 3"):
        of(y, too_large, metric)
