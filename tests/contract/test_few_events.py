"""BBC032: few events, or no calls, in folds whose own scores are averaged."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import bbc

OPTIONS = {"n_bootstraps": 100, "random_state": 1}
N = 200
Y = (np.arange(N) % 4 == 0).astype(int)
FOLDS = np.arange(N) // 4 % 5
SCORES = np.random.default_rng(4).normal(size=(N, 3)) + Y[:, None]
CALLS = ("precision", "f1", "jaccard", "mcc", "kappa")


def detail(c):
    (found,) = [each.detail for each in c.findings if each.code == "BBC032"] or [""]
    return found


def labels(silent):
    """Labels that call nobody in some of the folds."""
    found = (SCORES > 0).astype(int)
    found[np.isin(FOLDS, silent)] = 0
    return found


@pytest.mark.parametrize("given", [{"method": "bbc-f"}, {"pooling": "fold"}, {"method": "tt"}])
def test_events_of_each_fold_are_counted(given):
    options = OPTIONS if given.get("method") != "tt" else {}
    case = {"metric": "average_precision", **given, **options}
    c = bbc.correct(Y, SCORES, folds=FOLDS, **case)
    assert detail(c) == (
        "10 rows of the positive class per fold, of which 'average_precision' is averaged"
    )
    of_two, of_three = (np.arange(N) // 4 % n for n in (2, 3))
    assert detail(bbc.correct(Y, SCORES, folds=of_three, **case)).startswith("16.7 rows")
    assert detail(bbc.correct(Y, SCORES, folds=of_two, **case)) == ""  # 25
    assert detail(bbc.correct(Y, SCORES, folds=FOLDS, **case | {"metric": "roc_auc"})) == ""


def test_rows_together_have_no_such_bias():
    for method in ("bbc", "bbc-two-level"):
        c = bbc.correct(
            Y, SCORES, metric="average_precision", folds=FOLDS, method=method, **OPTIONS
        )
        assert detail(c) == ""


@pytest.mark.parametrize("metric", CALLS)
def test_folds_without_a_call_are_counted(metric):
    given = {"metric": metric, "folds": FOLDS, "method": "bbc-f", **OPTIONS}
    assert detail(bbc.correct(Y, labels([2]), **given)) == (
        f"the winner calls no row positive in 1 of 5 folds, where '{metric}' counts 0"
    )
    assert detail(bbc.correct(Y, labels([]), **given)) == ""
    repeats = np.array([FOLDS, (FOLDS + 1) % 5])  # one of ten is not more than a tenth
    one = [labels([2]), labels([])]
    assert detail(bbc.correct(Y, one, **given | {"folds": repeats})) == ""
    # The other class is called in every fold.
    if metric in ("precision", "f1", "jaccard"):
        other = bbc.correct(Y, labels([2]), **given, pos_label=0)
        assert detail(other) == ""


def test_other_metrics_and_classes_have_no_finding():
    given = {"folds": FOLDS, "method": "bbc-f", **OPTIONS}
    others = ("recall", "specificity", "negative_predictive_value", "f1_macro")
    for metric in ("accuracy", "balanced_accuracy", *others):
        assert detail(bbc.correct(Y, labels([2]), metric=metric, **given)) == ""
    three = np.arange(N) % 3
    assert detail(bbc.correct(three, labels([2]), metric="mcc", **given)) == ""


def test_metrics_of_one_winner_have_their_own():
    for metric, other in (("accuracy", "f1"), ("f1", "accuracy")):
        given = {"metric": metric, "secondary": [other], "folds": FOLDS, "method": "bbc-f"}
        c = bbc.correct(Y, labels([2]), **given, **OPTIONS)
        found = {name: detail(each) for name, each in c.secondary.items()} | {
            metric: "".join(f.detail for f in c.data_findings if f.code == "BBC032")
        }
        assert found["f1"].startswith("the winner calls no row positive in 1 of 5")
        assert found["accuracy"] == ""


def test_scores_of_a_search_whose_truth_is_known():
    X = np.column_stack([SCORES, np.ones(N)])
    search = GridSearchCV(
        LogisticRegression(), {"C": [0.1, 1.0]}, scoring="average_precision", cv=5
    ).fit(X, Y)
    with pytest.warns(bbc.errors.BBCWarning, match="BBC025"):
        alone = bbc.correct(search, **OPTIONS)
    assert detail(alone) == ""
    with pytest.warns(bbc.errors.BBCWarning, match="BBC025"):
        c = bbc.correct(search, y=Y, **OPTIONS)
    assert detail(c).startswith("10 rows of the positive class per fold")


def test_the_finding_says_what_to_do():
    kind = bbc.findings.FINDINGS["BBC032"]
    assert kind.level == "note"
    assert 'bbc.compare(..., method="bbc", pooling="pooled")' in kind.advice
