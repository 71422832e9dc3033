"""Every name, scorer and function becomes the right specification, or one clear error."""

import functools
import inspect
import pickle

import numpy as np
import pytest
from sklearn import metrics as sk

import bbc
from bbc.metrics import Metric, from_callable, from_scorer, get, names, row_loss
from bbc.metrics._resolve import _other_names

ALL = [get(name) for name in names()]
SCORERS = [name for name in sk.get_scorer_names() if not name.endswith("_samples")]


def brier_of_first(y, prediction):
    return float(np.mean((y - prediction) ** 2))


def share_wrong_loss(y, prediction):
    return float(np.mean(y != prediction))


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_named_metrics_are_consistent(metric):
    assert metric.lowest < metric.highest
    assert metric.limits(2) == (metric.lowest, metric.highest)
    assert not str(metric.limits()[1]).startswith("-0")
    assert (metric.sign == -1) == metric.name.startswith("neg_")
    assert metric.function is None
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert hash(metric) == hash(get(metric.name))
    bounded_by_zero = metric.highest == 0.0 or metric.lowest == 0.0
    assert bounded_by_zero or metric.greater_is_better, "losses start at 0"


def test_the_names_of_the_contract_are_there():
    promised = (
        "zero_one_loss mean_squared_error root_mean_squared_error mean_absolute_error log_loss "
        "brier_score poisson_deviance binomial_deviance squared_pearson spearman sensitivity "
        "specificity mcc kappa roc_auc_ovo_pairs concordance_index"
    )
    assert set(promised.split()) <= set(names())


@pytest.mark.parametrize("name", SCORERS)
def test_every_scorer_name_is_taken_with_its_sign(name):
    metric = get(name)
    assert metric.name == name
    assert metric.greater_is_better
    assert metric.sign == sk.get_scorer(name)._sign
    assert (metric.family == "callable") == (name not in names())


@pytest.mark.parametrize("name", [name for name in SCORERS if name in names()])
def test_a_scorer_object_is_the_metric_of_its_name(name):
    assert get(sk.get_scorer(name)).kernel == get(name).kernel
    assert get(sk.get_scorer(name)).sign == get(name).sign
    assert dict(get(sk.get_scorer(name)).parameters) == dict(get(name).parameters)


@pytest.mark.parametrize(
    ("scorer", "kernel", "parameters"),
    [
        (sk.make_scorer(sk.fbeta_score, beta=2), "f_beta", {"beta": 2.0, "average": "binary"}),
        (
            sk.make_scorer(sk.fbeta_score, beta=0.5, average="macro"),
            "f_beta",
            {"beta": 0.5, "average": "macro"},
        ),
        (
            sk.make_scorer(sk.mean_pinball_loss, greater_is_better=False, alpha=0.9),
            "pinball_loss",
            {"alpha": 0.9},
        ),
        (sk.make_scorer(sk.cohen_kappa_score), "kappa", {}),
        (sk.make_scorer(sk.cohen_kappa_score, weights="linear"), "linear_weighted_kappa", {}),
        (sk.make_scorer(sk.cohen_kappa_score, weights="quadratic"), "quadratic_weighted_kappa", {}),
        (
            sk.make_scorer(functools.partial(sk.fbeta_score, beta=3)),
            "f_beta",
            {"beta": 3.0, "average": "binary"},
        ),
    ],
)
def test_made_scorers_of_known_functions_are_fast(scorer, kernel, parameters):
    metric = from_scorer(scorer)
    assert metric.kernel == kernel
    assert dict(metric.parameters) == parameters
    assert metric.greater_is_better


def test_made_scorers_of_other_functions_keep_function_sign_and_arguments():
    metric = get(sk.make_scorer(sk.d2_pinball_score, alpha=0.3))
    y, prediction = np.array([1.0, 2.0, 4.0]), np.array([1.5, 2.0, 3.0])
    assert metric.family == "callable"
    assert metric.function(y, prediction) == sk.d2_pinball_score(y, prediction, alpha=0.3)
    loss = get(sk.make_scorer(brier_of_first, greater_is_better=False))
    assert (loss.sign, loss.greater_is_better, loss.name) == (-1, True, "neg_brier_of_first")
    assert get(sk.make_scorer(sk.median_absolute_error, greater_is_better=False)).highest == 0.0


def test_options_that_the_fast_metric_lacks_go_the_slow_way():
    metric = get(sk.make_scorer(sk.cohen_kappa_score, weights="quadratic", labels=[0, 1]))
    assert metric.family == "callable"


def test_a_loss_scored_as_if_more_were_better_keeps_that_direction():
    metric = get(sk.make_scorer(sk.mean_squared_error))
    assert (metric.family, metric.sign, metric.greater_is_better) == ("callable", 1, True)


def test_response_methods_of_scorers():
    for roc_auc in ("roc_auc", sk.get_scorer("roc_auc")):
        assert get(roc_auc).response_method == ("decision_function", "predict_proba")
    assert get("roc_auc_ovr").response_method == ("predict_proba", "decision_function")
    assert get(sk.get_scorer("roc_auc_ovr")).response_method == ("predict_proba",)
    by_label = sk.make_scorer(sk.roc_auc_score, response_method="predict")
    assert get(by_label).response_method == ("predict",)
    assert get(by_label).kernel == "roc_auc"


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (sk.accuracy_score, "accuracy"),
        (sk.mean_squared_error, "mean_squared_error"),
        (sk.roc_auc_score, "roc_auc"),
        (sk.f1_score, "f1"),
        (sk.log_loss, "log_loss"),
    ],
)
def test_functions_of_sklearn_keep_their_own_direction(function, name):
    assert get(function) == get(name)


def test_a_callable_is_a_score_unless_its_name_says_otherwise():
    metric = get(brier_of_first)
    assert (metric.family, metric.greater_is_better) == ("callable", True)
    with pytest.raises(ValueError, match=r"share_wrong_loss.*greater_is_better"):
        get(share_wrong_loss)
    assert not from_callable(share_wrong_loss, greater_is_better=False).greater_is_better


def test_row_loss():
    metric = row_loss(lambda y, p: np.abs(y - p), lowest=0.0)
    assert (metric.kernel, metric.family, metric.greater_is_better) == (
        "row_loss",
        "additive",
        False,
    )
    assert metric.limits() == (0.0, np.inf)
    assert row_loss(lambda y, p: y == p, greater_is_better=True).kernel == "row_score"


def test_limits_that_depend_on_the_classes():
    assert get("brier_score").limits(3) == (0.0, 2.0)
    assert get("neg_brier_score").limits(3) == (-2.0, 0.0)
    assert get("ordinal_mean_absolute_error").limits(5) == (0.0, 4.0)


@pytest.mark.parametrize("name", ["brier_score", "neg_brier_score", "ordinal_mean_absolute_error"])
def test_own_metrics_keep_their_limits_whatever_their_names(name):
    limits = {"lowest": -3.0, "highest": 0.5}
    own = bbc.metrics.from_callable(lambda y, prediction: 0.0, name=name, **limits)
    assert own.limits(3) == (-3.0, 0.5)
    own = bbc.metrics.row_loss(lambda y, prediction: 0.0 * y, name=name)
    assert own.limits(3) == (own.lowest, own.highest)


def test_parameters():
    assert dict(get("f_beta", beta=2.0).parameters)["beta"] == 2.0
    with pytest.raises(ValueError, match=r"'accuracy' has no parameter 'beta'"):
        get("accuracy", beta=2.0)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("acuracy", ValueError, "acuracy.*accuracy"),
        ("auc", ValueError, "did you mean 'roc_auc'[?]"),
        ("mse", ValueError, "did you mean 'mean_squared_error'[?]"),
        ("RMSE", ValueError, "'RMSE'; did you mean 'root_mean_squared_error'[?]"),
        ("Accuracy", ValueError, "did you mean 'accuracy'[?]"),
        ("rsq", ValueError, "did you mean 'r2' or 'squared_pearson'[?]"),
        ("banana", ValueError, "unknown name 'banana' [(]"),
        ("cohen_kappa_score", ValueError, "did you mean 'kappa'[?]"),
        ("C-index", ValueError, "did you mean 'concordance_index'[?]"),
        (3, TypeError, "metric must be"),
        (None, TypeError, "metric is missing"),
        (lambda estimator, X, y: 0.0, TypeError, r"\(estimator, X, y\)"),
    ],
)
def test_what_is_no_metric(given, error, message):
    with pytest.raises(error, match=message):
        get(given)


def test_other_names_stand_for_metrics():
    assert {name for meant in _other_names().values() for name in meant} <= set(names())
    assert not set(_other_names()) & {*names(), *SCORERS}


def test_from_scorer_refuses_functions():
    with pytest.raises(TypeError, match="scorer"):
        from_scorer(brier_of_first)
    with pytest.raises(TypeError, match="callable"):
        row_loss(3)


@pytest.mark.parametrize("name", names())
def test_more_classes_are_offered_where_two_are_needed(name):
    metric = get(name)
    if metric.target == "binary":
        assert all(get(offer).target == "classes" for offer in metric.multiclass_names)


def test_needs_classes():
    needs = {metric.name: metric.needs_classes for metric in ALL}
    assert needs["roc_auc"] == "all"
    assert needs["sensitivity"] == needs["recall"] == "positive"
    assert needs["recall_macro"] == needs["accuracy"] == ""
    assert needs["mcc"] == "two"


def test_metric_is_frozen():
    assert "frozen" in str(inspect.getattr_static(Metric, "__dataclass_params__"))
    with pytest.raises(AttributeError):
        bbc.metrics.get("accuracy").name = "other"


def test_a_function_of_labels_needs_no_classes():
    y, labels = np.arange(30) % 3, np.arange(60).reshape(30, 2) % 3
    for target in ("any", "real", "classes"):
        metric = from_callable(lambda a, b: np.mean(a == b), target=target, predicts="labels")
        options = {"n_bootstraps": 40, "size_correction": False, "random_state": 1}
        estimate = bbc.correct(y, labels, metric=metric, **options)
        named = bbc.correct(y, labels, metric="accuracy", **options)
        np.testing.assert_allclose(estimate.replicates, named.replicates)
    with pytest.raises(ValueError, match="target must be 'binary' or"):
        from_callable(np.mean, target="multiclass")
    with pytest.raises(ValueError, match="predicts must be "):
        from_callable(np.mean, predicts="label")


def test_numbers_of_numpy_are_plain_in_names():
    pinball, f_beta = (bbc.metrics.get(name) for name in ("pinball_loss", "f_beta"))
    assert pinball.with_parameters(alpha=np.float64(0.9)) == pinball.with_parameters(alpha=0.9)
    assert f_beta.with_parameters(beta=np.int64(2)).name == "f_beta(beta=2)"
