"""Advice: what the papers say for each case, and that it runs."""

import itertools

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import bbc

CASES = [
    # Tsamardinos et al. (2018), section 6: BBC for small samples, BBCD for larger ones.
    ((99, True, "high", False, False), "BBC", "10-fold cross-validation", 10),
    ((99, True, "high", True, False), "BBC", "10-fold cross-validation", 3),
    ((100, True, "low", False, False), "BBCD", "10-fold cross-validation", 3),
    ((100, True, "low", True, False), "BBCD", "10-fold cross-validation", 1),
    # Bischl et al. (2012), Figure 3: leave-one-out for fast tuning, .632+ for small samples, models
    # of low complexity and no tuning; subsampling or repeated cross-validation otherwise.
    ((60, True, "low", False, True), "BBC", "leave-one-out", 1),
    ((60, False, "low", False, False), "resampling_error", ".632+ bootstrap", 200),
    ((60, False, "high", False, False), "resampling_error", "subsampling of 9/10", 100),
    ((600, False, "low", False, False), "resampling_error", "subsampling of 9/10", 100),
    ((60, False, "high", True, False), "resampling_error", "10-fold cross-validation", 3),
    ((600, False, "high", True, False), "resampling_error", "10-fold cross-validation", 1),
    ((8, True, "high", True, False), "BBC", "4-fold cross-validation", 3),
]


def advice(n_rows, tuning, complexity, expensive, fast_loo):
    return bbc.baselines.recommend(
        n_rows,
        tuning=tuning,
        model_complexity=complexity,
        expensive=expensive,
        fast_loo=fast_loo,
    )


@pytest.mark.parametrize(("case", "protocol", "resampling", "n_repeats"), CASES)
def test_the_papers_advice(case, protocol, resampling, n_repeats):
    found = advice(*case)
    assert (found.protocol, found.resampling) == (protocol, resampling)
    assert found.n_repeats == n_repeats


@pytest.mark.parametrize(
    "case",
    list(
        itertools.product(
            [10, 60, 900], [True, False], ["low", "high"], [True, False], [True, False]
        )
    ),
)
def test_every_piece_of_advice_fits_gives_reasons_and_says_how(case):
    found = advice(*case)
    text = found.summary()
    assert all(len(line) <= 80 for line in text.splitlines())
    assert len(found.reasons) >= 2
    assert all(" 20" in reason and reason.endswith(").") for reason in found.reasons)
    where = bbc if hasattr(bbc, found.protocol) else bbc.baselines
    called = f"{where.__name__}.{found.protocol}("
    assert found.call.startswith(called)
    assert found.call in found._repr_html_().replace("&quot;", '"')
    # What is written between the parentheses are arguments that the protocol has.
    for argument in found.call[found.call.index("(") + 1 : -1].split(", "):
        name = argument.partition("=")[0]
        assert f"{name} : " in getattr(where, found.protocol).__doc__


@pytest.mark.parametrize("expensive", [True, False])
@pytest.mark.parametrize("n_rows", [40, 120])
def test_advice_for_one_learner_runs(n_rows, expensive):
    X = np.random.default_rng(0).normal(size=(n_rows, 2))
    y = X[:, 0] + X[:, 1] ** 2
    call = advice(n_rows, False, "low", expensive, False).call
    options = dict(pair.split("=") for pair in call[:-1].split(", ")[3:])
    options = {name: value.strip('"') for name, value in options.items()}
    options = {k: float(v) if v[0].isdigit() and "+" not in v else v for k, v in options.items()}
    for name in ("n_resamples", "n_folds", "n_repeats"):
        if name in options:
            options[name] = min(int(options[name]), 10)
    found = bbc.baselines.resampling_error(
        Ridge(), X, y, metric="mean_squared_error", random_state=0, **options
    )
    assert found.estimate > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_rows": 2, "tuning": True}, "n_rows must be at least 4"),
        ({"n_rows": 50, "tuning": "yes"}, "tuning must be"),
        ({"n_rows": 50, "tuning": True, "model_complexity": "some"}, "model_complexity must be"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises((TypeError, ValueError), match=message):
        bbc.baselines.recommend(**arguments)
