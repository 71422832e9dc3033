"""Other tools' predictions enter unchanged: checked against the tools themselves."""

import numpy as np
import optuna
import pandas as pd
import pytest
from optuna_integration import OptunaSearchCV
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier

import bbc


def test_collections_of_labels_scores_and_frames():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    models = {f"k={k}": KNeighborsClassifier(k) for k in (1, 7)}
    probabilities = {
        name: cross_val_predict(model, X, names, cv=5, method="predict_proba")
        for name, model in models.items()
    }
    plain = bbc.Predictions(names, probabilities)
    # AutoGluon gives frames with a column per class, in any order, on the index of the data.
    index = pd.Index(np.arange(150) + 7)
    columns = ["virginica", "setosa", "versicolor"]
    frames = {
        name: pd.DataFrame(own[:, [2, 0, 1]], index=index, columns=columns)
        for name, own in probabilities.items()
    }
    framed = bbc.Predictions(pd.Series(names, index=index), frames)
    np.testing.assert_array_equal(framed.values, plain.values)
    estimates = [bbc.correct(one, metric="roc_auc_ovr", random_state=1) for one in (plain, framed)]
    assert estimates[0] == estimates[1]
    with pytest.raises(ValueError, match=r"predictions\['k=1'\]: the index has other rows"):
        bbc.Predictions(pd.Series(names, index=index + 1), frames)
    with pytest.raises(ValueError, match=r"predictions\['b'\] has shape"):
        bbc.Predictions([0, 1], {"a": [1, 2], "b": [1, 2, 3]})


def fold_scores(search):
    n_splits = search.n_splits_
    return np.array([search.cv_results_[f"split{k}_test_score"] for k in range(n_splits)])


def test_a_fitted_search_is_bbc_f_of_its_predictions():
    X, y = load_breast_cancer(return_X_y=True)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]}, cv=cv)
    kept = bbc.keep_predictions(search).fit(X[:150], y[:150])
    assert bbc.correct(kept.search_, random_state=1).winner == kept.search_.best_index_
    # bbc.correct numbers folds in order of their first row, a search in order of its splits.
    given = dict(kept.search_.cv_results_)
    for repeat, folds in enumerate(kept.oos_predictions_.folds):
        for place, fold in enumerate(dict.fromkeys(folds.tolist())):
            kept.search_.cv_results_[f"split{5 * repeat + place}_test_score"] = given[
                f"split{5 * repeat + fold}_test_score"
            ]
    direct = bbc.correct(kept.search_, random_state=1)
    from_rows = bbc.correct(kept, metric="accuracy", method="bbc-f", random_state=1)
    assert direct.n_repeats == 2
    assert direct.n_folds == 5
    assert direct.names == from_rows.names
    np.testing.assert_array_equal(direct.replicate_winners, from_rows.replicate_winners)
    np.testing.assert_allclose(direct.replicates, from_rows.replicates, rtol=1e-14)
    assert direct.apparent == pytest.approx(kept.search_.best_score_, abs=1e-15)
    assert direct.winner == kept.search_.best_index_
    assert "rows," not in direct.summary()


def test_a_loss_keeps_scikit_learns_sign_and_failed_fits_are_left_out():
    X, y = load_diabetes(return_X_y=True)
    search = GridSearchCV(
        Ridge(), {"alpha": [0.1, -1.0, 10.0]}, cv=6, scoring="neg_mean_squared_error"
    )
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search.fit(X, y)
    e = bbc.correct(search, random_state=1)
    assert e.left_out_configurations.tolist() == [1]
    assert e.winner == search.best_index_
    assert e.estimate < 0
    assert set(e.replicate_winners.tolist()) <= {0, 2}


def test_several_metrics_and_scorers_of_ones_own():
    X, y = load_iris(return_X_y=True)
    grid, cv = {"n_neighbors": [1, 9, 40]}, KFold(6, shuffle=True, random_state=0)
    both = GridSearchCV(
        KNeighborsClassifier(), grid, cv=cv, scoring=["accuracy", "neg_log_loss"], refit="accuracy"
    ).fit(X, y)
    own = GridSearchCV(
        KNeighborsClassifier(), grid, cv=cv, scoring=lambda model, X, y: model.score(X, y)
    ).fit(X, y)
    one, other = (bbc.correct(search, n_bootstraps=50, random_state=1) for search in (both, own))
    assert (one.metric, other.metric) == ("accuracy", "score")
    np.testing.assert_array_equal(one.replicates, other.replicates)
    both.set_params(refit=False)
    with pytest.raises(ValueError, match="metric must name one of the scores of the search"):
        bbc.correct(both)


def test_only_the_last_iteration_of_a_halving_search_counts():
    X, y = load_iris(return_X_y=True)
    search = HalvingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 3, 5, 7, 9, 11]}, cv=4, random_state=0
    ).fit(X, y)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007 dynamic search"):
        e = bbc.correct(search, random_state=1)
    last = np.flatnonzero(search.cv_results_["iter"] == search.cv_results_["iter"].max())
    assert set(e.replicate_winners.tolist()) <= set(last.tolist())
    assert e.apparent == pytest.approx(fold_scores(search)[:, last].mean(axis=0).max())


def test_partitions_given_as_a_list_are_told_apart():
    X, y = load_iris(return_X_y=True)
    grid = {"n_neighbors": [1, 9, 40]}
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    searches = [
        GridSearchCV(KNeighborsClassifier(), grid, cv=own).fit(X, y)
        for own in (cv, list(cv.split(X, y)))
    ]
    one, other = (bbc.correct(search, random_state=1) for search in searches)
    assert one == other
    assert other.n_repeats == 3
    unequal = [*KFold(5).split(X), *KFold(4).split(X)]
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=unequal).fit(X, y)
    with pytest.raises(ValueError, match="has 5 folds, others differ"):
        bbc.correct(search)


def test_leaving_one_group_out_is_a_partition_by_any_name():
    X, y = load_iris(return_X_y=True)
    one, other = (
        GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=cv).fit(
            X, y, groups=np.arange(150) % 6
        )
        for cv in (LeavePGroupsOut(1), LeaveOneGroupOut())
    )
    assert bbc.correct(one, random_state=1) == bbc.correct(other, random_state=1)
    with pytest.raises(ValueError, match="splits of LeavePGroupsOut share rows"):
        bbc.correct(one.set_params(cv=LeavePGroupsOut(2)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cv": ShuffleSplit(5, random_state=0)}, "splits of ShuffleSplit share rows"),
        (
            {"cv": list(ShuffleSplit(5, test_size=0.6).split(np.zeros(150)))},
            "tests of its splits overlap",
        ),
        ({"refit": lambda results: 0}, "selects by a refit that is a function"),
        ({"cv": iter([*KFold(5).split(np.zeros(150))] * 2)}, "its cv was a generator"),
        ({"scoring": lambda model, X, y: np.inf}, "split0_test_score of 'n_neighbors=1' is inf"),
    ],
)
def test_a_search_that_is_no_choice_by_folds_is_refused(options, message):
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9, 40]}, **options)
    with pytest.raises(ValueError, match=message):
        bbc.correct(search.fit(X, y))


@pytest.mark.parametrize(
    ("n_classes", "refit", "lowest"), [(2, True, -1), (3, True, -2), (2, False, -2)]
)
def test_the_open_end_of_a_search_is_the_metrics_own(n_classes, refit, lowest):
    """Brier's score ends at 1 for two classes and at 2 for more; without a model nobody tells."""
    X, y = load_iris(return_X_y=True)
    rows = y < n_classes
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 2]}, refit=refit)
    search.fit(X[rows], y[rows]).scoring = "neg_brier_score"  # not computed again
    for name in search.cv_results_:
        if name.endswith("_test_score") and not name.startswith(("rank", "std")):
            search.cv_results_[name] = search.cv_results_[name] - 1
    e = bbc.correct(search, alternative="less", random_state=1)
    assert e.confidence_interval.low == lowest


def test_correct_search_refuses_what_is_not_fitted():
    with pytest.raises(TypeError, match="fitted search"):
        bbc.correct(GridSearchCV(Ridge(), {"alpha": [1.0]}))


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
def test_an_optuna_search_is_corrected_and_called_dynamic(scoring):
    X, y = load_iris(return_X_y=True)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    search = OptunaSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": optuna.distributions.IntDistribution(5, 60)},
        cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0),
        n_trials=6,
        scoring=scoring,
        random_state=0,
    ).fit(X, y)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC007 dynamic search: an Optuna search of 6"):
        e = bbc.correct(search, random_state=1)
    assert (e.metric, e.n_folds, e.n_repeats) == (scoring or "accuracy", 5, 2)
    assert e.apparent == pytest.approx(search.best_score_)
    assert e.winner_name == f"n_neighbors={search.trials_[e.winner].params['n_neighbors']}"
    # The same scores, kept by a search of scikit-learn's, are corrected to the same bits.
    fixed = GridSearchCV(
        KNeighborsClassifier(),
        [{name: [value] for name, value in trial.params.items()} for trial in search.trials_],
        cv=search.cv,
        scoring=scoring,
    ).fit(X, y)
    assert (bbc.correct(fixed, random_state=1).replicates == e.replicates).all()
