"""What a new user tries first: words where something is missing, and results where others are."""

import ast
import gzip
import importlib
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.neighbors import KernelDensity, KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bbc

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:90], Y[:90]
KNN, GRID = KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}
PREDICTIONS = np.random.default_rng(0).random((90, 3))


@pytest.fixture(scope="module")
def search():
    return GridSearchCV(KNN, GRID, cv=6).fit(X, Y)


@pytest.fixture(scope="module")
def kept():
    return bbc.keep_predictions(GridSearchCV(KNN, GRID, cv=6)).fit(X, Y)


@pytest.fixture(scope="module")
def protocol():
    return bbc.BBC(KNN, GRID, cv=3, random_state=1).fit(X, Y)


@pytest.mark.parametrize(
    "function",
    [
        bbc.correct,
        lambda y, p: bbc.compare({"a": bbc.Predictions(y, p), "b": bbc.Predictions(y, p)}),
        bbc.baselines.dominated,
        bbc.baselines.intervals.naive_bootstrap,
    ],
)
def test_a_call_without_a_metric_is_offered_some(function):
    with pytest.raises(TypeError, match='metric is missing: name what is estimated, such as "acc'):
        function(Y, PREDICTIONS)
    with pytest.raises(TypeError, match="metric is missing: name"):
        bbc.correct(Y, PREDICTIONS, metric=None)


@pytest.mark.parametrize("estimator", [KNeighborsClassifier, {"near": KNeighborsClassifier}])
def test_a_class_is_told_from_an_estimator(estimator):
    with pytest.raises(TypeError, match=r"not its class KNei\w+: pass KNei\w+\(\.\.\.\)$"):
        bbc.BBC(estimator).fit(X, Y)


@pytest.mark.parametrize("given", [GridSearchCV(KNN, GRID), bbc.BBC(KNN, GRID)])
def test_a_search_before_fit_is_called_so(given):
    with pytest.raises(TypeError, match=f"got {type(given).__name__} before fit"):
        bbc.correct(given)
    for function in (bbc.correct, lambda search: bbc.keep_predictions(search).fit(X, Y)):
        with pytest.raises(TypeError, match="got the class GridSearchCV"):
            function(GridSearchCV)
    with pytest.raises(TypeError, match=r"got Pipeline$"):
        bbc.correct(make_pipeline(KNN).fit(X, Y))


def test_a_generator_is_refused_before_it_is_read():
    splits = KFold(3).split(X)
    with pytest.raises(ValueError, match=r"cv is a generator, .* pass cv=list\(\.\.\.\)"):
        bbc.keep_predictions(GridSearchCV(KNN, GRID, cv=splits)).fit(X, Y)
    assert len(list(splits)) == 3


def test_searches_with_predictions_are_no_scores(kept, protocol):
    for search in (kept, protocol):
        with pytest.raises(TypeError, match=r"which kept its predictions: bbc.correct\(search\)"):
            bbc.FoldScores(search)


def test_without_a_final_model_the_error_says_why():
    search = bbc.BBC(KNN, GRID, cv=3, refit=False).fit(X, Y)
    for name in ("predict", "predict_proba"):
        with pytest.raises(AttributeError, match=f"^refit=False: BBC .* no final model for {name}"):
            getattr(search, name)
        assert not hasattr(search, name)


def test_more_draws_than_settings_are_explained_in_our_words():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search = bbc.CVT(KNN, GRID, cv=3, n_iter=20, refit=False).fit(X, Y)
    (warning,) = (one for one in caught if "n_iter" in str(one.message))
    assert warning.filename == __file__
    assert str(warning.message).startswith(
        "param_grid has 3 configurations, fewer than n_iter=20: all are"
    )
    assert len(search.configurations_) == 3


def test_slow_metrics_say_so():
    y = np.arange(60) % 3
    scores = np.random.default_rng(0).dirichlet(np.ones(3), (60, 2))
    with pytest.warns(UserWarning, match="'top_k_accuracy' is not in bbc's kernel: .* 2000 times"):
        bbc.correct(y, scores, metric="top_k_accuracy", random_state=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bbc.correct(y, scores, metric="top_k_accuracy", n_bootstraps=50, random_state=1)


def test_scorers_of_estimators_are_told_what_to_be():
    def scorer(estimator, X, y):
        return estimator.score(X, y)

    with pytest.raises(TypeError, match=r"needs \(estimator, X, y\); write it as one of \(y, pred"):
        bbc.BBC(KNN, GRID, scoring=scorer).fit(X, Y)


@pytest.mark.parametrize(
    ("scoring", "refit", "metric"),
    [
        (None, True, "accuracy"),
        ("roc_auc", True, "roc_auc"),
        (["accuracy", "roc_auc"], "roc_auc", "roc_auc"),
        ({"first": "accuracy", "auc": "roc_auc"}, "auc", "roc_auc"),
    ],
)
def test_a_kept_search_is_corrected_by_what_it_selects_by(scoring, refit, metric):
    kept = bbc.keep_predictions(GridSearchCV(KNN, GRID, cv=4, scoring=scoring, refit=refit))
    kept.fit(X, Y)
    assert bbc.correct(kept, random_state=1) == bbc.correct(kept, metric=metric, random_state=1)


def test_a_kept_search_without_one_metric_asks_for_it(kept):
    several = GridSearchCV(KNN, GRID, cv=4, scoring=["accuracy", "f1"], refit=False)
    with pytest.raises(
        ValueError, match="metric must name one of the scores of the search: accuracy, f1"
    ):
        bbc.correct(bbc.keep_predictions(several).fit(X, Y))
    ridge = bbc.keep_predictions(GridSearchCV(Ridge(), {"alpha": [1.0]}, cv=4))
    assert bbc.correct(ridge.fit(X, Y.astype(float)), random_state=1).metric == "r2"


def test_a_kept_search_has_what_the_search_has(kept, search):
    assert kept.best_params_ == search.best_params_
    assert kept.best_score_ == search.best_score_
    np.testing.assert_array_equal(kept.predict_proba(X), search.predict_proba(X))
    assert kept.score(X, Y) == search.score(X, Y)
    again = bbc.keep_predictions(GridSearchCV(KNN, GRID, cv=3))
    assert not hasattr(again, "best_params_")
    assert not hasattr(again, "_anything")
    # As a classifier it is cross-validated on stratified folds, like the search.
    np.testing.assert_array_equal(
        cross_val_score(again, X, Y, cv=3), cross_val_score(again.search, X, Y, cv=3)
    )


def test_a_kept_search_is_controlled_as_the_search(kept):
    runs = (
        bbc.negative_control(search, X, Y, n_permutations=2, random_state=1)
        for search in (kept, kept.search)
    )
    assert next(runs) == next(runs)


def test_attributes_of_other_searches():
    search = bbc.BBC(KNN, GRID, cv=3, n_repeats=2, scoring=["accuracy", "f1"], refit="f1")
    search.fit(X, Y)
    assert (search.n_splits_, search.multimetric_) == (6, True)
    assert not bbc.CVT(KNN, cv=3).fit(X, Y).multimetric_

    def reconstruction(y, prediction):
        return -abs(prediction).mean()

    class Reducer(PCA):
        def predict(self, X):
            return self.transform(X)[:, 0]

    reducer = bbc.CVT(
        Reducer(2), cv=KFold(3), scoring=bbc.metrics.from_callable(reconstruction)
    ).fit(X, Y)
    np.testing.assert_array_equal(
        reducer.inverse_transform(reducer.transform(X)),
        reducer.best_estimator_.inverse_transform(reducer.best_estimator_.transform(X)),
    )

    class Density(KernelDensity):
        def predict(self, X):
            return self.score_samples(X)

    density = bbc.CVT(Density(), cv=KFold(3), scoring=reducer.scoring).fit(X, Y)
    np.testing.assert_array_equal(
        density.score_samples(X), density.best_estimator_.score_samples(X)
    )


def test_reports_know_learners_and_classes(tmp_path, search, kept):
    models = {"near": KNN, "line": make_pipeline(StandardScaler(), LogisticRegression())}
    both = bbc.BBC(models, {"near": GRID}, cv=3, random_state=1).fit(X, Y)
    html = bbc.report(both, tmp_path / "r.html").read_text(encoding="utf-8")
    assert "KNeighborsClassifier; StandardScaler, LogisticRegression" in html
    counts = np.bincount(Y)
    assert f"0: {counts[0]} rows, 1: {counts[1]} rows" in html
    assert "bbc's sources" not in bbc.report(bbc.CVT(KNN, GRID, cv=3).fit(X, Y)).html
    assert " of folds, " in bbc.report(search).html  # which kept their scores
    assert " of rows, " in bbc.report(kept).html


def test_completion_offers_what_is_public():
    assert sorted(dir(bbc)) == sorted(bbc.__all__)


def test_what_tools_read_is_what_there_is():
    """The names of __init__.pyi, each in the module that it names."""
    stub = ast.parse(Path(bbc.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    read = {"__version__"}
    for statement in stub.body:
        if not isinstance(statement, ast.ImportFrom):
            continue
        for alias in statement.names:
            assert alias.asname == alias.name
            where = f"bbc.{statement.module}" if statement.module else "bbc"
            module = importlib.import_module(where)
            if statement.module:
                assert getattr(module, alias.name) is getattr(bbc, alias.name)
            read.add(alias.name)
    assert sorted(read) == bbc.__all__


def test_importing_it_imports_no_learners():
    source = "import sys, bbc; print({'numpy', 'scipy', 'sklearn'} & set(sys.modules)); bbc.nothing"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.stdout == "set()\n"
    assert done.stderr.endswith("AttributeError: module 'bbc' has no attribute 'nothing'\n")


@pytest.mark.parametrize("metric", ["accuracy", "roc_auc", "mean_squared_error"])
def test_correcting_arrays_imports_numpy_alone(metric):
    """scipy.stats is two seconds of a process that lasts half of one."""
    source = f"""import sys
import numpy as np
import bbc
y = np.arange(40) % 2
scores = np.random.default_rng(1).random((40, 5))
given = (scores > 0.5).astype(int) if {metric!r} == "accuracy" else scores
bbc.correct(y, given, metric={metric!r})
print({{name.split(".")[0] for name in sys.modules}} & {{"scipy", "sklearn", "pandas", "joblib"}})
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", source], capture_output=True, text=True
    )
    assert done.stdout == "set()\n", done.stderr


@pytest.mark.parametrize(
    ("name", "separator", "opened"),
    [
        ("semicolons.csv", ";", open),
        ("tabs.csv", "\t", open),
        ("commas.tsv", ",", open),
        ("small.csv.gz", ",", gzip.open),
        ("SMALL.TSV.GZ", "\t", gzip.open),
    ],
)
def test_text_tables_of_other_programs(name, separator, opened, tmp_path):
    rows = [("y", "C=1", "C=2"), *((i % 2, 0.1 * i, 0.2 * i) for i in range(4))]
    with opened(tmp_path / name, "wt") as file:
        file.writelines(separator.join(map(str, row)) + "\n" for row in rows)
    predictions = bbc.Predictions.from_wide(tmp_path / name, truth="y")
    assert predictions.names == ("C=1", "C=2")
    np.testing.assert_array_equal(predictions.values[0], [row[1:] for row in rows[1:]])


def test_a_header_that_has_its_separator_is_read_by_it(tmp_path):
    (tmp_path / "names.csv").write_text("y,a;b;c,d\n0,1,2\n")
    assert bbc.Predictions.from_wide(tmp_path / "names.csv", truth="y").names == ("a;b;c", "d")
    (tmp_path / "names.tsv").write_text("y\ta,b,c\td\n0\t1\t2\n")
    assert bbc.Predictions.from_wide(tmp_path / "names.tsv", truth="y").names == ("a,b,c", "d")


@pytest.mark.parametrize(
    "text", [b"y,a\n0,1\n", gzip.compress(b"y,a\n" + b"0,1\n" * 1000, mtime=0)[:-9]]
)
def test_damaged_archives_are_refused(text, tmp_path):
    (tmp_path / "bad.csv.gz").write_bytes(text)
    with pytest.raises(ValueError, match=r"bad.csv.gz is not a table of text: "):
        bbc.Predictions.from_wide(tmp_path / "bad.csv.gz", truth="y")


TYPED = """
import bbc

estimate = bbc.correct([0, 1], [[0.0], [1.0]], metric="accuracy")
low, high = estimate.confidence_interval
low = estimate.confidence_interval.low
reveal_type(bbc.BBC(None).fit([0], [0]).performance_)
bbc.BBC(None, method="tt")
"""


def test_type_checkers_follow_the_documented_way(tmp_path):
    (tmp_path / "typed.py").write_text(TYPED)
    options = ["--cache-dir", str(tmp_path / "cache"), "--config-file", ""]
    # The package's own dependencies need not be read.
    options += ["--ignore-missing-imports", "--follow-imports=silent"]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(tmp_path / "typed.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    revealed, error, total = run.stdout.splitlines()
    assert 'Revealed type is "bbc.correction.Correction"' in revealed
    assert 'Argument "method" to "BBC" has incompatible type' in error
    assert total.startswith("Found 1 error in 1 file")
