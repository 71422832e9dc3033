"""Cut-offs and ensembles through every door: results, protocols, refusals."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, Ridge

import bbc
from bbc.selection import Selection

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, 60)
SCORES = np.round(0.3 * Y[:, None] + 0.7 * RNG.random((60, 6)), 2)
GRID = {"C": [0.01, 0.1, 1.0]}


def corrected(metric, rule, scores=SCORES, y=Y, **options):
    options = {"random_state": 1, "n_bootstraps": 200} | options
    return bbc.correct(y, scores, metric=metric, selection=rule, **options)


RULES = {
    "threshold": ("f1", bbc.best_threshold()),
    "greedy": ("brier_score", bbc.greedy_ensemble(8)),
    "top": ("roc_auc", bbc.top_k(3)),
}


@pytest.fixture(params=RULES)
def estimate(request):
    return corrected(*RULES[request.param])


def test_results_survive_json(estimate):
    assert bbc.PerformanceEstimate.from_json(estimate.to_json()) == estimate


def test_results_are_the_same_with_any_number_of_threads(estimate):
    metric, rule = next(each for each in RULES.values() if each[0] == estimate.metric)
    assert corrected(metric, rule, n_threads=1) == corrected(metric, rule, n_threads=3) == estimate


def test_infinite_cut_offs_survive_json():
    e = corrected("recall", bbc.best_threshold())
    assert (e.threshold, e.apparent) == (-np.inf, 1.0) or np.isfinite(e.threshold)
    always = corrected("recall", bbc.best_threshold(), scores=np.where(Y == 1, 0.2, 0.8)[:, None])
    assert always.threshold == -np.inf
    assert bbc.PerformanceEstimate.from_json(always.to_json()) == always


@pytest.mark.parametrize(
    ("field", "value"),
    [("weights", "[2.0]"), ("membership_frequency", "[0.5]"), ("weights", '["a"]')],
)
def test_damaged_results_are_refused(field, value):
    text = corrected(*RULES["top"]).to_json()
    start = text.index(f'"{field}": ') + len(field) + 4
    damaged = text[:start] + value + text[text.index("]", start) + 1 :]
    with pytest.raises(ValueError, match="text is not a complete PerformanceEstimate"):
        bbc.PerformanceEstimate.from_json(damaged)


def test_summaries_say_what_was_chosen():
    text = corrected(*RULES["greedy"]).summary()
    assert "brier_score of the ensemble" in text
    assert "of 6 configurations" in text
    e = corrected(*RULES["threshold"])
    assert f"threshold      {e.threshold:.6g} (90 % of the replicates" in e.summary()
    assert "threshold" in e._repr_html_()
    assert float(e.to_frame().loc[0, "threshold"]) == e.threshold
    assert all(len(line) <= 80 for line in [*text.splitlines(), *e.summary().splitlines()])


@pytest.mark.filterwarnings("ignore:.*BBC01[67]")
def test_ensembles_have_no_findings_of_a_single_winner():
    """A column of labels is no column of the ensemble, and an unstable winner no defect."""
    scores = SCORES.copy()
    scores[:, 0] = Y
    single = corrected("roc_auc", "best", scores=scores)
    assert {"BBC016", "BBC017"} <= {each.code for each in single.findings}
    codes = {each.code for each in corrected("roc_auc", bbc.top_k(2), scores=scores).findings}
    assert not codes & {"BBC003", "BBC013", "BBC016", "BBC017"}


def test_weights_of_dropped_configurations_are_zero():
    scores = SCORES.copy()
    scores[3, 2] = np.nan
    e = corrected("roc_auc", bbc.top_k(5), scores=scores, missing="drop-configurations")
    np.testing.assert_array_equal(e.weights, [0.2, 0.2, 0.0, 0.2, 0.2, 0.2])
    assert e.selection_frequency[2] == 0.0
    with pytest.raises(ValueError, match="top_k averages 6 of 5 configurations"):
        corrected("roc_auc", bbc.top_k(6), scores=scores, missing="drop-configurations")


def test_model_luck_is_not_tested():
    e = corrected("roc_auc", bbc.top_k(2), folds=np.arange(60) % 5)
    assert e.model_luck.untestable == "predictions that a cut-off or an ensemble derives"


def test_one_round_is_the_best_configuration():
    best = corrected("roc_auc", "best")
    for rule in (bbc.greedy_ensemble(1), bbc.top_k(1)):
        e = corrected("roc_auc", rule)
        np.testing.assert_array_equal(e.replicates, best.replicates)
        np.testing.assert_array_equal(e.selection_frequency, best.selection_frequency)


def test_the_positive_class_may_be_the_smaller():
    """Scores of the other class, cut likewise."""
    e = corrected("f1", bbc.best_threshold())
    turned = corrected("f1", bbc.best_threshold(), y=1 - Y, pos_label=0)
    assert (turned.estimate, turned.threshold) == (e.estimate, e.threshold)
    named = corrected("f1", bbc.best_threshold(), y=np.array(["no", "yes"])[Y], pos_label="yes")
    assert (named.estimate, named.threshold) == (e.estimate, e.threshold)
    both = np.stack([1 - SCORES, SCORES], axis=2)
    assert corrected("f1", bbc.best_threshold(), scores=both).threshold == e.threshold


REFUSED = {
    "labels": (
        {"metric": "f1", "rule": bbc.best_threshold(), "scores": (SCORES > 0.5).astype(int)},
        "predictions are labels, but best_threshold",
    ),
    "a metric of scores": (
        {"metric": "roc_auc", "rule": bbc.best_threshold()},
        "best_threshold.. makes labels of scores, but metric 'roc_auc' takes score",
    ),
    "steps between classes": (
        {"metric": "ordinal_mean_absolute_error", "rule": bbc.best_threshold()},
        "takes labels",
    ),
    "three classes": (
        {"metric": "accuracy", "rule": bbc.best_threshold(), "y": np.arange(60) % 3},
        "source has 3 classes .* needs two; a threshold makes two classes",
    ),
    "more than there are": (
        {"metric": "roc_auc", "rule": bbc.top_k(7)},
        "top_k averages 7 of 6 configurations",
    ),
    "folds": (
        {"metric": "roc_auc", "rule": bbc.top_k(2), "method": "bbc-f", "folds": np.arange(60) % 5},
        "top_k.2. needs predictions of rows",
    ),
    "a function": (
        {"metric": lambda y, p: float(np.mean(y == (p > 0.5))), "rule": bbc.top_k(2)},
        "takes metrics by name, not the Python function",
    ),
    "losses": (
        {"metric": bbc.metrics.row_loss(lambda y, p: (y - p) ** 2), "rule": bbc.top_k(2)},
        "takes metrics by name, not the Python function",
    ),
    "several metrics": (
        {"metric": "roc_auc", "secondary": ["brier_score"], "rule": bbc.top_k(2)},
        "secondary is not for selection=top_k.2., which takes one metric",
    ),
    "a calibrated interval": (
        {"metric": "roc_auc", "rule": bbc.top_k(2), "interval": "calibrated"}
        | {"method": "bbc-two-level", "folds": np.arange(60) % 5},
        "calibrated.* is for the selection of one configuration",
    ),
    "a stream": (
        {"metric": "roc_auc", "rule": bbc.top_k(2), "scores": bbc.Blocks([SCORES])},
        'a stream takes selection="best"',
    ),
    "averages that overflow": (
        {"metric": "roc_auc", "rule": bbc.top_k(2), "scores": np.full((60, 3), 1e308)},
        "overflows",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(case):
    arguments, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        corrected(**arguments)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: bbc.greedy_ensemble(0), ValueError, "n_rounds must be at least 1, got 0"),
        (lambda: bbc.greedy_ensemble(2.5), TypeError, "n_rounds must be an integer, got float 2.5"),
        (lambda: bbc.top_k(True), TypeError, "k must be an integer, got bool True"),
        (lambda: bbc.top_k(-1), ValueError, "k must be at least 1, got -1"),
        (lambda: corrected("f1", bbc.best_threshold), TypeError, "call bbc.best_threshold()"),
        (lambda: corrected("f1", bbc.top_k), TypeError, "call bbc.top_k with the number"),
    ],
)
def test_rules_that_are_made_wrongly(make, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(").replace(")", r"\)")):
        make()


def test_rules_as_text():
    assert [str(rule) for _, rule in RULES.values()] == [
        "best_threshold()",
        "greedy_ensemble(n_rounds=8)",
        "top_k(3)",
    ]
    assert not Selection("best").derives


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return X[:150], y[:150]


@pytest.mark.parametrize("method", ["bbc", "bbc-two-level"])
@pytest.mark.parametrize("pos_label", [None, 0])
def test_protocol_with_a_cut_off(cancer, method, pos_label):
    """The same as `bbc.correct` on its predictions; the final model applies the cut-off."""
    X, y = cancer
    options = {"selection": bbc.best_threshold(), "method": method, "n_bootstraps": 100}
    search = bbc.BBC(
        LogisticRegression(), GRID, cv=5, scoring="f1", pos_label=pos_label, random_state=2
    ).set_params(**options)
    search.fit(X, y)
    again = bbc.correct(
        y, search.oos_predictions_, metric="f1", pos_label=pos_label, random_state=2, **options
    )
    assert search.performance_ == again
    positive = 1 if pos_label is None else 0
    scores = search.predict_proba(X)[:, positive]
    called = search.predict(X) == positive
    np.testing.assert_array_equal(called, scores > search.performance_.threshold)
    assert search.cv_results_["mean_test_score"].shape == (3,)
    assert 0.8 < search.score(X, y) <= 1.0


@pytest.mark.parametrize("threshold", [-np.inf, np.inf, 0.5])
def test_final_model_with_any_cut_off(cancer, threshold, monkeypatch):
    X, y = cancer
    search = bbc.BBC(LogisticRegression(), GRID, cv=5, scoring="f1", selection=bbc.best_threshold())
    own = type(search)._performance

    def performance(self, trained):
        found = own(self, trained)
        return found._retold(replace(found.record, threshold=threshold))

    monkeypatch.setattr(type(search), "_performance", performance)
    search.fit(X, y)
    scores = search.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(search.predict(X) == 1, scores > threshold)


def test_protocol_with_an_ensemble(cancer):
    X, y = cancer
    search = bbc.BBC(
        LogisticRegression(),
        GRID,
        cv=5,
        scoring="neg_brier_score",
        selection=bbc.greedy_ensemble(5),
        refit=False,
        n_bootstraps=100,
        random_state=2,
    ).fit(X, y)
    again = bbc.correct(
        y,
        search.oos_predictions_,
        metric="neg_brier_score",
        selection=bbc.greedy_ensemble(5),
        n_bootstraps=100,
        random_state=2,
    )
    assert search.performance_ == again
    assert search.best_index_ == np.argmax(search.performance_.weights)


PROTOCOLS = {
    "no final model": (bbc.BBC, {"selection": bbc.top_k(2), "scoring": "roc_auc"}, "refit=False"),
    "too many": (
        bbc.BBC,
        {"selection": bbc.top_k(4), "scoring": "roc_auc", "refit": False},
        "top_k averages 4 of 3",
    ),
    "another metric": (
        bbc.BBC,
        {"selection": bbc.best_threshold(), "scoring": "roc_auc"},
        "makes labels of scores",
    ),
    "two metrics": (
        bbc.BBC,
        {"selection": bbc.top_k(2), "scoring": ["f1", "accuracy"], "refit": False},
        "takes one metric",
    ),
    "a function of what nobody says": (
        bbc.BBC,
        {
            "selection": bbc.best_threshold(),
            "scoring": ["f1", bbc.metrics.from_callable(lambda y, p: 0.5, name="own")],
            "refit": "f1",
        },
        "'own' is a plain function, and the metrics read several outputs",
    ),
    "a function of labels": (
        bbc.BBC,
        {
            "selection": bbc.best_threshold(),
            "scoring": [
                "f1",
                bbc.metrics.from_callable(lambda y, p: 0.5, name="own", response="labels"),
            ],
            "refit": "f1",
        },
        "scoring: best_threshold.. makes labels of scores for metrics by name; .* 'own'",
    ),
    "a net benefit decides": (
        bbc.BBC,
        {"selection": bbc.best_threshold(), "scoring": bbc.metrics.net_benefit(0.1)},
        "net_benefit.threshold=0.1.' only describes them",
    ),
} | {
    protocol.__name__: (
        protocol,
        {"selection": bbc.best_threshold(), "scoring": "f1"},
        f"best_threshold.. is for bbc.BBC, not for bbc.{protocol.__name__}",
    )
    for protocol in (bbc.CVT, bbc.baselines.CVMCV, bbc.NCV, bbc.BBCD)
}


@pytest.mark.parametrize("case", PROTOCOLS)
def test_protocols_refuse_before_training(cancer, case):
    protocol, options, message = PROTOCOLS[case]
    search = protocol(_NeverFitted(), GRID, cv=5, **options)
    with pytest.raises(ValueError, match=message):
        search.fit(*cancer)


class _NeverFitted(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("trained before it was refused")


def test_regressors_have_no_cut_off(cancer):
    search = bbc.BBC(Ridge(), {"alpha": [1.0]}, scoring="f1", selection=bbc.best_threshold())
    with pytest.raises(ValueError, match="is for classifiers of two classes"):
        search.fit(cancer[0], cancer[1].astype(float))


def test_a_search_describes_its_cut_off_by_several_metrics(cancer):
    """What its predictions give: labels at the cut-offs that won, and the winners' scores."""
    X, y = cancer
    scoring = {
        "f1": "f1",
        "recall": "recall",
        "benefit": bbc.metrics.net_benefit(0.3),
        "auc": "roc_auc",
        "own": bbc.metrics.row_loss(lambda y, p: (y - p) ** 2, response="probabilities"),
    }
    search = bbc.BBC(
        LogisticRegression(), {"C": [0.01, 1.0, 100.0]}, cv=4, scoring=scoring, refit="f1",
        selection=bbc.best_threshold(), random_state=2,
    ).fit(X, y)  # fmt: skip
    alone = bbc.BBC(
        LogisticRegression(), {"C": [0.01, 1.0, 100.0]}, cv=4, scoring="f1",
        selection=bbc.best_threshold(), random_state=2,
    ).fit(X, y)  # fmt: skip
    np.testing.assert_array_equal(search.performance_.replicates, alone.performance_.replicates)
    again = bbc.correct(
        y, search.oos_predictions_, metric="f1", secondary=scoring,
        selection=bbc.best_threshold(), random_state=2,
    )  # fmt: skip
    assert len(again.secondary) > 1
    for name, estimate in {"f1": search.performance_, **search.performance_.secondary}.items():
        drawn = again if name == "f1" else again.secondary[name]
        np.testing.assert_array_equal(estimate.replicates, drawn.replicates)
        at_cut_off = name in ("f1", "recall", "benefit")
        assert estimate.threshold == (search.performance_.threshold if at_cut_off else None)
        assert bbc.PerformanceEstimate.from_json(estimate.to_json()) == estimate


def test_threads_change_no_bit_of_what_describes_a_cut_off():
    one, two = (
        bbc.correct(
            Y, SCORES, metric="f1", secondary=["specificity", "roc_auc"],
            selection=bbc.best_threshold(), random_state=1, n_threads=n,
        )
        for n in (1, 2)
    )  # fmt: skip
    assert len(one.secondary) == 2
    assert one == two
