"""What pages and plots call metrics and configurations."""

import pytest

from bbc._titles import concise, metric_title


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["logistic(logisticregression__C=0.599484)", "svm(svc__C=1, svc__gamma=0.1)", "tree"],
            ["logistic C=0.6", "svm C=1, gamma=0.1", "tree"],
        ),
        # What all of a learner share tells nothing apart.
        (["svm(C=1, gamma=0.1)", "svm(C=2, gamma=0.1)"], ["svm C=1", "svm C=2"]),
        (
            ["k=1, weights='uniform'", "k=1, weights='distance'"],
            ["weights=uniform", "weights=distance"],
        ),
        (
            [
                "mlp(sizes=(10, 5), alpha=1)",
                "mlp(sizes=[10, 5], alpha=1)",
                "mlp(sizes=(), alpha=1)",
            ],
            ["mlp sizes=(10, 5)", "mlp sizes=[10, 5]", "mlp sizes=()"],
        ),
        (["clf=SVC(C=1), k=2", "clf=SVC(C=2), k=2"], ["clf=SVC(C=1)", "clf=SVC(C=2)"]),
        # As many digits as it takes.
        (["C=0.12341", "C=0.12349"], ["C=0.1234", "C=0.1235"]),
        (["C=0.123", "C=0.2"], ["C=0.12", "C=0.2"]),
        (["n=1000000", "n=1000001"], ["n=1000000", "n=1000001"]),
        # Steps that differ in nothing else keep their names.
        (["a__C=1, b__C=2", "a__C=2, b__C=1"], ["a__C=1, b__C=2", "a__C=2, b__C=1"]),
        # Names of other tools, and values that are not simple, stay as they are.
        (["model (1)", "x=f(g(1))"], ["model (1)", "x=f(g(1))"]),
        (["one", "two"], ["one", "two"]),
        (["C=1"], ["C=1"]),
        (["sep=1", "sep=1"], ["sep=1", "sep=1"]),
        ([], []),
    ],
)
def test_names_keep_what_tells_configurations_apart(names, expected):
    assert concise(names) == expected


def test_metrics_have_the_names_that_readers_use():
    assert [metric_title(name) for name in ("roc_auc", "balanced_accuracy", "my_metric")] == [
        "AUC",
        "balanced accuracy",
        "my metric",
    ]
