"""What holds for the protocols whatever they estimate: models, leaks, failures, threads."""

import re

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold

import bbc
from bbc.cli import _lists
from instrumented import Witness, numbered_data
from kinds import draws, of_folds

SHIFTS = {"shift": [0.0, 0.3, 0.6, 0.9]}
K, C = 5, len(SHIFTS["shift"])
X, Y = numbered_data()

COUNTS = [
    (bbc.CVT, {}, K * C + 1),
    (bbc.CVT, {"refit": False}, K * C),
    (bbc.CVT, {"n_repeats": 3}, 3 * K * C + 1),
    (bbc.BBC, {}, K * C + 1),
    (bbc.BBC, {"n_repeats": 2}, 2 * K * C + 1),
    (of_folds, {"n_repeats": 2}, 2 * K * C + 1),
    (bbc.TT, {}, K * C + 1),
    (bbc.baselines.CVMCV, {}, K * C + K + 1),
    (bbc.baselines.CVMCV, {"n_repeats": 2}, 2 * (K * C + K) + 1),
    (bbc.NCV, {}, K * (K - 1) // 2 * C + K * C + 1),
    (bbc.NCV, {"share_fits": False}, K * K * C + K + 1),
    (bbc.NCV, {"inner_cv": 3}, 3 * K * C + K * C + 1),
    (bbc.NCV, {"n_repeats": 2}, 2 * (K * (K - 1) // 2 * C + K * C) + 1),
]
PROTOCOLS = [bbc.BBC, bbc.BBCD, of_folds, bbc.baselines.CVMCV, bbc.CVT, bbc.NCV, bbc.TT]


def protocol(kind, **options):
    options = {"cv": K, "random_state": 7} | options
    if draws(kind):
        options = {"n_bootstraps": 50} | options
    estimator = options.pop("estimator", Witness())
    return kind(estimator, options.pop("param_grid", SHIFTS), **options)


@pytest.mark.parametrize(("kind", "options", "expected"), COUNTS)
def test_models_are_counted_and_no_row_leaks(kind, options, expected):
    fitted, fits, leaks = Witness.count(lambda: protocol(kind, **options).fit(X, Y))
    assert fits == fitted.n_models_trained_ == expected
    assert leaks == 0


@pytest.mark.parametrize(
    ("kind", "options", "expected"), [one for one in COUNTS if set(one[1]) <= {"n_repeats"}]
)
def test_the_command_line_tells_these_counts(kind, options, expected):
    models = next(one.models for one in _lists.PROTOCOLS if one.name == kind.__name__)
    formula = re.sub(r"(?<=[\w)]) (?=[A-Z(])", " * ", models)
    assert eval(formula, {"R": options.get("n_repeats", 1), "K": K, "C": C}) == expected


def test_no_model_is_left_over_from_an_earlier_fit():
    search = protocol(bbc.CVT).fit(X, Y)
    assert hasattr(search, "best_estimator_")
    search.set_params(refit=np.False_).fit(X, Y)
    assert not {"best_estimator_", "refit_time_"} & set(vars(search))
    assert search.n_models_trained_ == K * C
    with pytest.raises(AttributeError, match="refit=False"):
        search.predict(X)


def test_nested_cross_validation_reports_both_counts():
    for share in (True, False):
        fitted = protocol(bbc.NCV, share_fits=share).fit(X, Y)
        assert fitted.n_models_unshared_ == K * K * C + K + 1


@pytest.mark.parametrize(
    ("kind", "options"), [(kind, {}) for kind in PROTOCOLS] + [(bbc.NCV, {"inner_cv": 3})]
)
@pytest.mark.parametrize("cv", [4, GroupKFold(4, shuffle=True, random_state=0)])
def test_no_group_leaks(kind, options, cv):
    groups = np.arange(len(X)) // 3
    search = protocol(kind, cv=cv, estimator=Witness(groups=groups.tolist()), **options)
    _, _, leaks = Witness.count(lambda: search.fit(X, Y, groups=groups))
    assert leaks == 0


def test_groups_are_the_units_of_the_bootstrap():
    groups = np.arange(len(X)) // 3
    fitted = protocol(bbc.BBC).fit(X, Y, groups=groups)
    assert fitted.performance_.unit == "group"


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_a_failing_configuration_is_named_and_left_out(kind):
    search = protocol(kind, estimator=Witness(fail_on=0.3))
    with pytest.warns(FitFailedWarning, match=r"1 of 4 .*\n.*'shift=0.3'.*told to fail"):
        search.fit(X, Y)
    performance = search.performance_
    assert performance.left_out_configurations.tolist() == [1]
    assert search.best_index_ != 1
    assert performance.n_configurations == 4
    assert search.oos_predictions_.names == ("shift=0", "shift=0.6", "shift=0.9")
    assert np.isnan(search.cv_results_["mean_test_score"][1])
    assert search.cv_results_["rank_test_score"][1] == 4


# BBCD does not train a configuration any further that has failed.
@pytest.mark.parametrize("kind", [kind for kind in PROTOCOLS if kind is not bbc.BBCD])
def test_a_number_as_error_score_shows_in_the_results_only(kind):
    search = protocol(kind, estimator=Witness(fail_on=0.3), error_score=9.0)
    with pytest.warns(FitFailedWarning):
        search.fit(X, Y)
    assert search.cv_results_["mean_test_score"][1] == 9.0
    assert search.best_index_ != 1


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_all_failing_is_an_error(kind):
    grid = {"shift": [0.3], "fail_on": [0.3]}
    with pytest.raises(ValueError, match=r"The only configuration failed: .*told to fail"):
        protocol(kind, param_grid=grid).fit(X, Y)


# BBCD gives a configuration up after its first failure.
@pytest.mark.parametrize(
    ("kind", "fits"), [(bbc.BBCD, "1 fit, with"), (bbc.CVT, "fits, the first")]
)
def test_failures_are_counted_in_the_singular_and_the_plural(kind, fits):
    grid = [{"shift": [bad], "fail_on": [bad]} for bad in (0.3, 0.6)]
    said = rf"All 2 configurations failed\. The first: '.*': .*{fits}"
    with pytest.raises(ValueError, match=said):
        protocol(kind, param_grid=grid).fit(X, Y)
    with pytest.warns(FitFailedWarning, match="1 of 4 configurations failed and is left out"):
        protocol(kind, estimator=Witness(fail_on=0.3)).fit(X, Y)


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_error_score_raise_names_the_configuration(kind):
    search = protocol(kind, estimator=Witness(fail_on=0.6), error_score="raise")
    with pytest.raises(RuntimeError, match="told to fail") as caught:
        search.fit(X, Y)
    assert any("shift=0.6" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_jobs_change_nothing(kind, backend):
    import joblib

    alone = protocol(kind, n_repeats=2).fit(X, Y)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        together = protocol(kind, n_repeats=2).fit(X, Y)
    assert alone.performance_ == together.performance_
    assert alone.oos_predictions_.labels.tobytes() == together.oos_predictions_.labels.tobytes()


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_splitters_pass_through(kind):
    cv = StratifiedKFold(4, shuffle=True, random_state=3)
    fitted = protocol(kind, cv=cv).fit(X, Y)
    folds = fitted.oos_predictions_.folds[0]
    for number, (_, test) in enumerate(cv.split(X, Y)):
        assert np.flatnonzero(folds == number).tolist() == test.tolist()


@pytest.mark.parametrize("kind", [bbc.CVT, bbc.BBC])
def test_incomplete_cross_validation_leaves_rows_out(kind):
    folds = list(KFold(6, shuffle=True, random_state=0).split(X))[:4]
    fitted = protocol(kind, cv=folds).fit(X, Y)
    left_out = np.sort(
        np.concatenate([test for _, test in KFold(6, shuffle=True, random_state=0).split(X)][4:])
    )
    assert fitted.performance_.left_out_rows.tolist() == left_out.tolist()


def test_a_new_partition_needs_a_splitter_that_shuffles():
    with pytest.raises(ValueError, match="gives the same folds each time, but 2 partitions"):
        protocol(bbc.baselines.CVMCV, cv=KFold(4)).fit(X, Y)
