"""The class that a metric calls positive: scikit-learn's, or the one that is named."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_predict

import bbc
from bbc.errors import BBCWarning, InvalidTypeError, InvalidValueError
from nightly import covering

N = 90
RNG = np.random.default_rng(3)
CODES = RNG.integers(0, 2, N)
X = RNG.normal(size=(N, 3)) + 0.8 * CODES[:, None]
GRID = {"C": [0.01, 1.0]}
LABELS = {
    "0 1": [0, 1],
    "-1 1": [-1, 1],
    "1 2": [1, 2],
    "2 4": [2, 4],
    "bool": [False, True],
    "text": ["case", "control"],
    "digits": ["0", "1"],
}
METRICS = (
    *("f1", "precision", "recall", "jaccard", "average_precision"),
    *("roc_auc", "accuracy", "balanced_accuracy", "matthews_corrcoef", "neg_log_loss"),
)


def grid_search(y, scoring):
    """What GridSearchCV reports; None where scikit-learn refuses the labels."""
    try:
        get_scorer(scoring)(LogisticRegression().fit(X, y), X, y)
    except ValueError:
        return None
    return GridSearchCV(LogisticRegression(), GRID, cv=4, scoring=scoring).fit(X, y).best_score_


@pytest.mark.parametrize(
    ("labels", "metric"), covering(list(itertools.product(LABELS, METRICS)), every=2)
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_it_is_that_of_scikit_learns_scorer(labels, metric):
    y = np.array(LABELS[labels])[CODES]
    expected = grid_search(y, metric)
    search = bbc.CVT(LogisticRegression(), GRID, cv=4, scoring=metric, pooling="fold")
    if expected is None:
        with pytest.raises(InvalidValueError, match="pos_label must name the positive class"):
            search.fit(X, y)
        return
    search.fit(X, y)
    assert search.performance_.estimate == pytest.approx(expected, abs=1e-12)
    own = search.oos_predictions_
    again = bbc.correct(y, own, metric=metric, pooling="fold", n_bootstraps=50, random_state=0)
    assert again.apparent == pytest.approx(expected, abs=1e-12)
    assert again.pos_label == search.performance_.pos_label
    one = metric in METRICS[:5]
    if one or metric == "roc_auc":
        wanted = 1 if one else max(LABELS[labels])
        assert again.pos_label == wanted
        assert f"positive class {again.pos_label!r}" in " ".join(again.summary().split())


@pytest.mark.parametrize("labels", ["1 2", "text", "2 4"])
def test_kept_predictions_and_searches_agree(labels):
    y = np.array(LABELS[labels])[CODES]
    scorer = make_scorer(f1_score, pos_label=LABELS[labels][0])
    search = GridSearchCV(LogisticRegression(), GRID, cv=4, scoring=scorer)
    kept = bbc.keep_predictions(search).fit(X, y)
    for name, pos_label in (("f1", LABELS[labels][0]), ("roc_auc", None)):
        options = {"pooling": "fold", "n_bootstraps": 50, "random_state": 0}
        reselect = name != "f1"
        e = bbc.correct(kept, metric=name, pos_label=pos_label, reselect=reselect, **options)
        if name == "f1":
            assert e.apparent == pytest.approx(kept.best_score_, abs=1e-12)
    # Its name is that of the search's score, of the class that its scorer takes.
    assert bbc.correct(kept, metric="f1", **options).apparent == pytest.approx(kept.best_score_)
    if labels != "1 2":
        with pytest.raises(InvalidValueError, match="pos_label must name the positive class"):
            bbc.correct(kept, metric="f1", reselect=True, **options)


def test_text_is_refused_with_both_classes_and_their_rows():
    y, labels = np.array(["case", "control"])[CODES], np.array(["case", "control"])
    predicted = labels[RNG.integers(0, 2, (N, 3))]
    with pytest.raises(InvalidValueError) as refused:
        bbc.correct(y, predicted, metric="f1")
    said = str(refused.value)
    assert f"{(CODES == 0).sum()} rows of class 'case' and {CODES.sum()} of class 'cont" in said
    assert 'pos_label="case" or pos_label="control"' in said
    for metric in ("accuracy", "mcc", "kappa", "balanced_accuracy", "f1_macro"):
        assert bbc.correct(y, predicted, metric=metric, random_state=0).pos_label is None
    scores = RNG.random((N, 3))
    for metric in ("roc_auc", "log_loss", "brier_score", "binomial_deviance"):
        with pytest.raises(InvalidValueError, match="do not say of which class they are"):
            bbc.correct(y, scores, metric=metric)
        named = bbc.correct(y, 1 - scores, metric=metric, pos_label="case", random_state=0)
        by_class = np.stack([1 - scores, scores], axis=2)
        both = bbc.correct(y, by_class, metric=metric, random_state=0)
        assert named.apparent == pytest.approx(both.apparent, abs=1e-12)
        own = bbc.results.OutOfSamplePredictions(y, scores=scores[None], scored_class="control")
        assert bbc.correct(y, own, metric=metric, random_state=0).apparent == both.apparent
        stream = bbc.Blocks([scores])
        with pytest.raises(InvalidValueError, match="do not say of which class they are"):
            bbc.correct(y, stream, metric=metric)


def test_scores_of_one_class_are_not_read_as_those_of_the_other():
    y, scores = CODES + 1, RNG.random((N, 3))
    own = bbc.results.OutOfSamplePredictions(y, scores=scores[None], scored_class=2)
    assert bbc.correct(y, own, metric="roc_auc", random_state=0).pos_label == 2
    with pytest.raises(InvalidValueError, match="scores of class 2, metric 'average_precision' ta"):
        bbc.correct(y, own, metric="average_precision")
    with pytest.raises(InvalidValueError, match="must say of which class the scores are"):
        bbc.correct(y, scores, metric="roc_auc", secondary=["average_precision"])
    both = bbc.correct(
        y, scores, metric="roc_auc", secondary=["average_precision"], pos_label=2, random_state=0
    )
    assert both.pos_label == both.secondary["average_precision"].pos_label == 2


def test_a_class_that_was_named_in_a_run_stays_named(tmp_path):
    y = np.array(["case", "control"])[CODES]
    search = bbc.CVT(
        LogisticRegression(), GRID, cv=4, scoring="f1", pos_label="case", store=tmp_path / "a.bbc"
    ).fit(X, y)
    expected = search.performance_.estimate
    for own in (search.oos_predictions_, bbc.StoredRun(tmp_path / "a.bbc").oos_predictions()):
        e = bbc.correct(y, own, metric="f1", n_bootstraps=50, random_state=0)
        assert (e.apparent, e.pos_label) == (expected, "case")
    other = bbc.CVT(LogisticRegression(), GRID, cv=4, scoring="accuracy", store=tmp_path / "b.bbc")
    other.fit(X, y)
    for own in (other.oos_predictions_, bbc.StoredRun(tmp_path / "b.bbc").oos_predictions()):
        with pytest.raises(InvalidValueError, match="pos_label must name the positive class"):
            bbc.correct(y, own, metric="f1")


LEVELS = ["low", "mid", "high"]
THREE = RNG.integers(0, 3, N)


def perfect(order):
    """Class scores that are right in every row, with the classes in this order."""
    of_rows = np.array(LEVELS)[THREE]
    columns = [0.9 * (of_rows == label) + 0.05 * (of_rows != label) for label in order]
    return np.stack(columns, axis=1)[:, None]


@pytest.mark.parametrize("order", list(itertools.permutations(LEVELS)))
@pytest.mark.parametrize("metric", ["roc_auc_ovr", "roc_auc_ovo", "log_loss", "neg_brier_score"])
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_class_scores_are_read_in_the_order_of_labels(order, metric):
    y = np.array(LEVELS)[THREE]
    scores, ordered = perfect(order), perfect(sorted(LEVELS))
    expected = bbc.correct(y, ordered, metric=metric, random_state=0).apparent
    options = {"metric": metric, "random_state": 0}
    categories = pd.Series(pd.Categorical(y, list(order), ordered=True))
    own = bbc.results.OutOfSamplePredictions(y, scores=scores[None], classes=list(order))
    by_order = {
        "labels": bbc.correct(y, scores, labels=list(order), **options),
        "categories": bbc.correct(categories, scores, **options),
        "names": bbc.correct(y, own, **options),
        "both": bbc.correct(categories, scores, labels=list(order), **options),
        "codes": bbc.correct(categories.cat.as_unordered(), ordered, **options),
    }
    for name, e in by_order.items():
        assert e.apparent == pytest.approx(expected, abs=1e-12), name
        assert any("order of the truth's categ" in note for note in e.notes) == (
            name == "categories"
        )
    for wrong in itertools.permutations(LEVELS):
        if wrong != order:
            for given, predictions in ((categories, scores), (y, own)):
                with pytest.raises(InvalidValueError, match="labels has the order"):
                    bbc.correct(given, predictions, labels=list(wrong), **options)


def test_two_classes_are_read_in_the_order_of_labels():
    y = np.array(["case", "control"])[CODES]
    scores = RNG.random((N, 3))
    sorted_, turned = np.stack([1 - scores, scores], 2), np.stack([scores, 1 - scores], 2)
    for metric in ("roc_auc", "log_loss", "binomial_deviance"):
        first = bbc.correct(y, sorted_, metric=metric, random_state=0)
        other = bbc.correct(y, turned, metric=metric, labels=["control", "case"], random_state=0)
        assert first.apparent == pytest.approx(other.apparent, abs=1e-12)
        assert first.pos_label == other.pos_label


def test_steps_between_classes_follow_the_order_that_is_said():
    y, scores = np.array(LEVELS)[THREE], perfect(LEVELS)
    coded = bbc.correct(THREE, scores, metric="ranked_probability_score", random_state=0)
    options = {"metric": "ranked_probability_score", "random_state": 0}
    for e in (
        bbc.correct(y, scores, labels=LEVELS, **options),
        bbc.correct(pd.Categorical(y, LEVELS, ordered=True), scores, **options),
    ):
        assert e.apparent == pytest.approx(coded.apparent, abs=1e-12)
    # The names of predictions are sorted: they say which column is which, not which is the lowest.
    own = bbc.results.OutOfSamplePredictions(
        y, scores=perfect(sorted(LEVELS))[None], classes=sorted(LEVELS)
    )
    with pytest.raises(InvalidTypeError, match="whose order metric"):
        bbc.correct(y, own, **options)
    e = bbc.correct(pd.Categorical(y, LEVELS, ordered=True), own, **options)
    assert e.apparent == pytest.approx(coded.apparent, abs=1e-12)
    with pytest.raises(InvalidValueError, match="counts steps between numbers in their own order"):
        bbc.correct(THREE, scores, labels=[2, 0, 1], **options)
    with pytest.raises(InvalidValueError, match="labels has 'low' twice"):
        bbc.correct(y, scores, labels=["low", "low", "mid", "high"], **options)


def worse_than_chance(y, scores, folds):
    """The mean statistic of rank sums within folds: pairs are counted one by one."""
    excess = variance = 0.0
    n_folds = len(np.unique(folds))
    for fold in np.unique(folds):
        positive = scores[(folds == fold) & (y == 1)]
        negative = scores[(folds == fold) & (y == 0)]
        rightly = (positive[:, None] > negative).sum() + 0.5 * (positive[:, None] == negative).sum()
        pairs = len(positive) * len(negative)
        excess += rightly - 0.5 * pairs
        variance += pairs * (len(positive) + len(negative) + 1) / 12
    if n_folds > 1:  # their models share training rows
        variance *= 1 + n_folds / (n_folds - 1)
    return variance > 0 and excess / np.sqrt(variance) < -3.090232306167813


@pytest.mark.parametrize("effect", [0.0, 0.45, 0.6, 0.8, 1.2])
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
@pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
def test_a_winner_that_ranks_worse_than_chance_is_found(metric, effect):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        y = rng.permutation(np.arange(N) % 2)
        scores = np.round(rng.normal(size=(N, 3)) - effect * y[:, None], 1)
        folds = {"five": rng.integers(0, 5, N), "none": None, "one row each": np.arange(N)}
        for name, own in folds.items():
            e = bbc.correct(y, scores, metric=metric, folds=own, n_bootstraps=50, random_state=0)
            parts = np.zeros(N) if own is None else own
            expected = worse_than_chance(y, scores[:, e.winner], parts)
            assert ("BBC020" in [each.code for each in e.findings]) == expected
            assert not (name == "one row each" and expected)


def test_it_is_a_warning_and_says_the_auc():
    rng = np.random.default_rng(0)
    y = np.arange(N) % 2
    with pytest.warns(BBCWarning, match=r"BBC020 winner worse than chance: its AUC is 0\.\d+"):
        bbc.correct(y, rng.normal(size=(N, 2)) - 2 * y[:, None], metric="roc_auc", random_state=0)


@pytest.mark.filterwarnings("ignore")
def test_leave_one_out_on_noise_is_not_found():
    """Pooled scores of models that lack the row itself fall below one half."""
    rng = np.random.default_rng(0)
    y, noise = rng.permutation(np.arange(40) % 2), rng.normal(size=(40, 3))
    model = LogisticRegression(C=1e-3)
    scores = cross_val_predict(model, noise, y, cv=LeaveOneOut(), method="predict_proba")[:, 1]
    e = bbc.correct(y, scores[:, None], metric="roc_auc", folds=np.arange(40), random_state=0)
    assert e.apparent < 0.2
    assert "BBC020" not in [each.code for each in e.findings]
