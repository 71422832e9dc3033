"""Messages of learners name the configuration and the fold that were fitted."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

import bbc

X, y = np.zeros((6, 1)), np.arange(6.0)


class Troubled(DummyRegressor):
    def fit(self, X, y, sample_weight=None):
        bbc.search.warn_of_fit("few rows", RuntimeWarning)
        if len(y) < 6 and self.constant == 1:
            raise ValueError("no luck")
        return super().fit(X, y)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_warnings_reach_the_caller_from_every_process(n_jobs):
    search = bbc.CVT({"mean": Troubled()}, cv=2, scoring="r2", n_jobs=n_jobs, random_state=1)
    with pytest.warns(RuntimeWarning) as caught:
        search.fit(X, y)
    assert sorted(str(one.message) for one in caught) == [
        "few rows (configuration 'mean', all rows)",
        "few rows (configuration 'mean', repeat 0, fold 0)",
        "few rows (configuration 'mean', repeat 0, fold 1)",
    ]


def test_errors_and_failures_say_where():
    grid = {"strategy": ["mean"], "constant": [0, 1]}
    search = bbc.CVT(Troubled(), grid, cv=2, scoring="r2", random_state=1)
    with pytest.warns(match=r"ValueError: no luck \(repeat 0, fold 0\)"):
        search.fit(X, y)
    with pytest.warns(match="few rows"), pytest.raises(ValueError, match="no luck") as error:
        search.set_params(error_score="raise").fit(X, y)
    place = f"configuration {search.configurations_[1].name!r}, repeat 0, fold 0"
    assert error.value.__notes__ == [f"while {place} was fitted"]


def test_outside_of_protocols_it_is_a_plain_warning():
    with pytest.warns(RuntimeWarning, match=r"^few rows$"):
        Troubled().fit(X, y)
