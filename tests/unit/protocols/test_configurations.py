import numpy as np
import pytest
from scipy.stats import uniform
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from bbc._training._configurations import make_configurations, parameter_columns


def made(estimator, grid=None, n_iter=None, seed=0):
    return make_configurations(estimator, grid, n_iter, seed)


def test_a_grid_has_scikit_learns_order():
    grid = {"C": [1, 10], "kernel": ["rbf", "linear"]}
    assert [one.params for one in made(SVC(), grid)] == list(ParameterGrid(grid))


def test_no_grid_is_one_configuration():
    (only,) = made(SVC(C=3))
    assert only.params == {}
    assert only.name == "SVC"
    assert only.build().C == 3


def test_a_dict_of_estimators_with_a_dict_of_grids():
    configurations = made(
        {"svm": SVC(), "knn": KNeighborsClassifier()}, {"knn": {"n_neighbors": [1, 3]}}
    )
    assert [one.name for one in configurations] == [
        "svm",
        "knn(n_neighbors=1)",
        "knn(n_neighbors=3)",
    ]
    assert configurations[2].build().n_neighbors == 3


def test_a_list_of_single_values_gives_configurations_one_by_one():
    listed = [{"C": 1.0}, {"C": 5.0, "kernel": "linear"}]
    assert [one.params for one in made(SVC(), listed)] == listed


@pytest.mark.parametrize(
    "source",
    [
        ParameterGrid({"C": [1, 2, 3]}),
        ParameterSampler({"C": [1, 2, 3]}, 2, random_state=0),
        [{"C": [1, 2]}, {"kernel": ["linear"]}],
    ],
)
def test_samplers_and_lists_of_grids(source):
    expected = list(ParameterGrid(source)) if isinstance(source, list) else list(source)
    assert [one.params for one in made(SVC(), source)] == expected


def test_n_iter_draws_from_distributions_by_the_seed():
    grid = {"C": uniform(0.1, 10)}
    first = [one.params["C"] for one in made(SVC(), grid, n_iter=4, seed=2**52)]
    assert first == [one.params["C"] for one in made(SVC(), grid, n_iter=4, seed=2**52)]
    assert first != [one.params["C"] for one in made(SVC(), grid, n_iter=4, seed=1)]


def test_a_build_shares_nothing_with_the_next():
    (one,) = made(SVC(), {"C": [np.float64(2.0)]})
    assert one.build() is not one.build()
    assert one.estimator.C == 1.0


@pytest.mark.parametrize(
    ("estimator", "grid", "n_iter", "error", "message"),
    [
        (SVC(), {"C": uniform(0, 1)}, None, ValueError, "'C' is a distribution; pass n_iter"),
        (SVC(), {"gama": [1]}, None, ValueError, "Invalid parameter 'gama'"),
        (SVC, None, None, TypeError, "estimator must be an estimator, not its class SVC"),
        ({}, None, None, ValueError, "the dict of estimators is empty"),
        ({1: SVC()}, None, None, TypeError, "names must be non-empty strings, got 1"),
        ({"a": SVC()}, {"b": {"C": [1]}}, None, ValueError, "'b' is not the name of an estimator"),
        ({"a": SVC()}, [{"C": [1]}], None, TypeError, "give a dict from their names to grids"),
        (SVC(), [3], None, TypeError, "a list must hold dicts"),
    ],
)
def test_what_is_refused(estimator, grid, n_iter, error, message):
    with pytest.raises(error, match=message):
        made(estimator, grid, n_iter)


def test_columns_are_masked_where_a_parameter_is_not_set():
    configurations = made(
        {"lr": LogisticRegression(), "svm": SVC()},
        {"lr": {"C": [1, 2]}, "svm": {"kernel": ["rbf"]}},
    )
    columns = parameter_columns(configurations)
    assert columns["param_C"].dtype.kind == "i"
    assert columns["param_C"].mask.tolist() == [False, False, True]
    assert columns["param_kernel"].compressed().tolist() == ["rbf"]
