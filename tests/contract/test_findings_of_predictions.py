"""Findings about predictions: what one call finds, streams, protocols and searches find."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bbc
from bbc.errors import BBCWarning
from instrumented import numbered_data
from streams import in_order, stream


def codes(estimate):
    return [one.code for one in estimate.findings]


def losses(n_rows, largest):
    """A truth of zeros, and predictions of which one row has this share of the squared errors."""
    others = np.sqrt((1 - largest) / (n_rows - 1))
    y, errors = np.zeros(n_rows), np.full(n_rows, others)
    errors[n_rows // 2] = np.sqrt(largest)
    return y, np.column_stack([2 * errors, errors, 3 * errors])


@pytest.mark.parametrize(
    ("n_rows", "largest", "found"),
    [(200, 0.11, True), (200, 0.09, False), (50, 0.22, True), (50, 0.18, False)],
)
@pytest.mark.parametrize("metric", ["mean_squared_error", "neg_root_mean_squared_error"])
def test_one_row_dominates_the_loss(metric, n_rows, largest, found):
    """A tenth of the loss, and ten times the average row's: fewer rows weigh more each."""
    y, predictions = losses(n_rows, largest)
    e = bbc.correct(y, predictions, metric=metric, random_state=1)
    assert ("BBC013" in codes(e)) == found
    assert (f"{100 * largest:.3g} % of the winner's loss" in e.summary()) == found


def test_which_losses_one_row_can_dominate():
    y, predictions = losses(200, 0.3)
    options = {"random_state": 1, "n_bootstraps": 100}
    y = np.arange(200.0)
    shifted = y[:, None] + predictions

    def found(metric, **more):
        e = bbc.correct(y, shifted, metric=metric, **options, **more)
        return any("is that of one row" in one.detail for one in e.findings)

    assert found("r2")
    assert found("explained_variance")
    assert found(bbc.metrics.row_loss(lambda truth, p: (truth - p) ** 2))
    assert not found("mean_absolute_error"), "the root of the share"
    assert not found("spearman")
    weight = np.ones(200)
    weight[100] = 0.1
    assert not found("mean_squared_error", sample_weight=weight)
    classes = np.arange(200) % 2
    sure = np.clip(classes + 0.001 * (1 - 2 * classes), 0, 1)
    sure[7] = 1 - sure[7]
    for metric, expected in (("log_loss", True), ("brier_score", False)):
        e = bbc.correct(classes, sure[:, None], metric=metric, **options)
        assert ("BBC013" in codes(e)) == expected


@pytest.mark.parametrize(
    ("metric", "labels", "kind", "found"),
    [
        ("roc_auc", (0, 1), float, True),
        ("roc_auc", (0, 1), bool, True),
        ("average_precision", (1, 2), int, True),
        ("roc_auc", (0, 1), "two values", False),
        ("roc_auc", (0, 1), "scores", False),
        ("roc_auc", (0, 1), "constant", False),
        ("accuracy", (0, 1), int, False),
    ],
)
def test_labels_where_scores_are_ranked(metric, labels, kind, found):
    rng = np.random.default_rng(1)
    codes_of_y = np.arange(80) % 2
    y = np.asarray(labels)[codes_of_y]
    scores = codes_of_y[:, None] + rng.normal(size=(80, 3))
    predictions = np.asarray(labels)[(scores > 0.5).astype(int)]
    if kind == "two values":
        predictions = np.where(scores > 0.5, 0.7, 0.3)
    elif kind == "scores":
        predictions = scores
    elif kind == "constant":
        predictions = np.ones((80, 3))
    elif kind is not int:
        predictions = predictions.astype(kind)
    options = {"metric": metric, "random_state": 1}
    e = bbc.correct(y, predictions, **options)
    assert ("BBC016" in codes(e)) == found
    if found:
        with pytest.warns(BBCWarning, match="BBC016 labels ranked as scores"):
            bbc.correct(y, predictions, **options)
    one_hot = np.stack([1.0 - (scores > 0.5), 1.0 * (scores > 0.5)], axis=2)
    assert "BBC016" in codes(bbc.correct(y, one_hot, metric="roc_auc", random_state=1))


def test_pure_leaves_have_labels_to_give():
    """The winner counts: a fully grown tree that loses does no harm."""
    X, y = numbered_data(120)
    search = bbc.BBC(
        DecisionTreeClassifier(random_state=0), {"max_depth": [2, None]}, scoring="roc_auc",
        cv=3, random_state=1,
    ).fit(X[:, 1:], y)  # fmt: skip
    assert search.best_params_ == {"max_depth": 2}
    assert "BBC016" not in codes(search.performance_)
    search.set_params(param_grid={"max_depth": [None]}).fit(X[:, 1:], y)
    assert "BBC016" in codes(search.performance_)


TRUTHS = {
    "accuracy": np.arange(60) % 3,
    "roc_auc": np.arange(60) % 2 + 1,
    "log_loss": np.arange(60) % 2,
    "mean_squared_error": np.linspace(0, 1, 60),
    "spearman": np.linspace(0, 1, 60),
    "neg_median_absolute_error": np.linspace(0, 1, 60),
}


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("metric", TRUTHS)
def test_winner_equals_the_truth(metric):
    y = TRUTHS[metric]
    leaked = np.column_stack([np.roll(y, 1), y, np.roll(y, 7)])
    options = {"metric": metric, "random_state": 1, "n_bootstraps": 100}
    assert "BBC017" in codes(bbc.correct(y, leaked, **options))
    assert "BBC017" not in codes(bbc.correct(y, leaked[:, [0, 2]], **options))
    twice = [leaked, leaked[:, [1, 1, 1]]]
    assert "BBC017" in codes(bbc.correct(y, twice, **options))
    once = [leaked, leaked[:, [0, 0, 2]]]
    assert "BBC017" not in codes(bbc.correct(y, once, **options))


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_separable_data_are_a_finding_and_no_error():
    X = np.repeat([0.0, 9.0], 40)[:, None] + np.linspace(0, 1, 80)[:, None]
    classes, values = (X[:, 0] > 5).astype(int), np.repeat([1.0, 5.0], 40)
    shuffled = np.random.default_rng(0).permutation(80)
    for tree, y, scoring in (
        (DecisionTreeClassifier(random_state=0), classes, "accuracy"),
        (DecisionTreeRegressor(random_state=0), values, "neg_mean_squared_error"),
    ):
        search = bbc.BBC(tree, {"max_depth": [1, 2]}, scoring=scoring, cv=4, random_state=1)
        search.fit(X[shuffled], y[shuffled])
        assert search.performance_.apparent in (0.0, 1.0)
        assert "BBC017" in codes(search.performance_)


@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
@pytest.mark.parametrize("metric", ["roc_auc", "mean_squared_error"])
def test_streams_find_what_one_call_finds(metric):
    """Whatever the order of the blocks, the findings are those of the winner."""
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    columns = 0.3 * y[:, None] + rng.normal(size=(60, 6))
    columns[:, 4] = y  # labels, and the truth itself
    if metric == "mean_squared_error":
        columns[:, 4] = y + 0.01
        columns[7, 4] += 3
    options = {"metric": metric, "random_state": 1, "n_bootstraps": 100}
    whole = bbc.correct(y, columns, **options)
    assert set(codes(whole)) & {"BBC013", "BBC016", "BBC017"} == (
        {"BBC013"} if metric == "mean_squared_error" else {"BBC016", "BBC017"}
    )
    for order in ([0, 2, 4], [4, 2, 0], [2, 4, 0]):
        parts = stream(y, **options)
        for first in order:
            part = stream(y, **options)
            part.add(columns[:, first : first + 2], first, n_threads=1)
            parts.merge(part.state)
        blocks = [(first, columns[:, first : first + 2]) for first in order]
        assert in_order(y, blocks, **options) == whole
        assert parts.finish() == whole


def test_time_ordered_splitter():
    X = np.random.default_rng(1).normal(size=(90, 2))
    y = X[:, 0] + np.random.default_rng(2).normal(size=90)
    tree = DecisionTreeRegressor(random_state=0)
    grid = {"max_depth": [1, 2]}
    splits = [(np.arange(30 * k), np.arange(30 * k, 30 * k + 30)) for k in (1, 2)]
    backwards = [(np.arange(30 * k, 90), np.arange(30 * k - 30, 30 * k)) for k in (1, 2)]
    hold_out = splits[1:]
    for cv, found in (
        (TimeSeriesSplit(4), True),
        (splits, True),
        (backwards, False),
        (hold_out, False),
        (5, False),
    ):
        for kind in (bbc.BBC, bbc.CVT, bbc.BBCD):
            search = kind(tree, grid, cv=cv, scoring="neg_mean_absolute_error", random_state=1)
            assert ("BBC018" in codes(search.fit(X, y).performance_)) == found
        grid_search = GridSearchCV(tree, grid, cv=cv, scoring="neg_mean_absolute_error")
        kept = bbc.keep_predictions(grid_search).fit(X, y)
        assert kept.oos_predictions_.time_ordered == found
        assert ("BBC018" in codes(bbc.correct(kept, metric="neg_mean_absolute_error"))) == found
        if cv is not hold_out:
            e = bbc.correct(grid_search.fit(X, y), random_state=1)
            assert ("BBC018" in codes(e)) == found
