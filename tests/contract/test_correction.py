"""A correction as an object: what it holds and equals, and what happens to the caller's data."""

import ast
import copy
import dataclasses
import gc
import inspect
import pickle
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

import bbc
from bbc.correction import _QUESTIONS
from bbc.errors import ArgumentError, InvalidTypeError, InvalidValueError, NotKeptError

pytestmark = pytest.mark.filterwarnings("ignore::bbc.errors.BBCWarning")
RNG = np.random.default_rng(3)
N_ROWS = 80
Y = np.arange(N_ROWS) % 2
RISKS = 1 / (1 + np.exp(-RNG.normal((Y - 0.5)[:, None], 1, (N_ROWS, 12))))
FOLDS = np.arange(N_ROWS) // 2 % 8
GROUPS = np.arange(N_ROWS) // 2
OPTIONS = {"metric": "log_loss", "n_bootstraps": 80, "random_state": 1}
#: Questions with their arguments.
_ARGUMENTS = {
    "score": ("roc_auc",),
    "subgroups": (np.arange(N_ROWS) // 40,),
    "compare": (["a"] * 6 + ["b"] * 6,),
}
QUESTIONS = {
    name: _ARGUMENTS.get(name, ()) for name in _QUESTIONS if not name.startswith("survival")
}


def ask_all(c):
    """The answers of a correction by groups, of which optimism that is left was not studied."""
    asked = QUESTIONS.keys() - {"remaining_optimism"}
    return {name: getattr(c, name)(*QUESTIONS[name]) for name in asked}


@pytest.fixture(scope="module")
def correction():
    return bbc.correct(Y, RISKS, folds=FOLDS, groups=GROUPS, **OPTIONS)


def test_it_has_what_its_record_has(correction):
    record = correction.record
    assert isinstance(record, bbc.PerformanceEstimate)
    for name in ("estimate", "confidence_interval", "optimism", "winner_name", "n_bootstraps"):
        assert getattr(correction, name) == getattr(record, name)
    assert correction.summary() == record.summary()
    assert correction.to_frame().equals(record.to_frame())
    assert correction._repr_html_() == record._repr_html_()
    assert repr(correction).startswith("Correction(log_loss=")
    assert f"{correction:.3f}" == f"{record.estimate:.3f}"
    with pytest.raises(AttributeError, match="a Correction has no attribute 'estimat'"):
        _ = correction.estimat
    with pytest.raises(TypeError):
        hash(correction)


def test_type_checkers_know_what_the_record_has():
    """The names that are declared for them are those of the record, and no others."""
    tree = ast.parse(inspect.getsource(sys.modules[bbc.Correction.__module__]))
    (made,) = (each for each in tree.body if getattr(each, "name", "") == "Correction")
    (block,) = (
        each.body
        for each in made.body
        if isinstance(each, ast.If) and getattr(each.test, "id", "") == "TYPE_CHECKING"
    )
    declared = {each.target.id if isinstance(each, ast.AnnAssign) else each.name for each in block}
    fields = {each.name for each in dataclasses.fields(bbc.PerformanceEstimate)}
    public = {name for name in dir(bbc.PerformanceEstimate) if not name.startswith("_")}
    assert declared == (fields | public) - {"from_json", "plot"}  # methods of its own


def test_equal_are_those_of_equal_records(correction):
    again = bbc.correct(Y, RISKS, folds=FOLDS, groups=GROUPS, **OPTIONS)
    assert again == correction == correction.record
    assert bbc.correct(Y, RISKS, folds=FOLDS, **OPTIONS) != correction


@pytest.mark.parametrize("name", ["subgroups", "compare", "tuning_path"])
def test_the_metric_that_selects_is_no_other_metric(name):
    """Scored anew, the replicates of some designs would differ from their own in the last bits."""
    c = bbc.correct(Y, RISKS, block_length=5, **OPTIONS | {"metric": "brier_score"})
    ask, own = getattr(c, name), QUESTIONS[name]
    assert ask(*own, metric="brier_score") == ask(*own)
    assert ask(*own, metric="roc_auc") != ask(*own)


def test_a_document_restores_the_record_without_data(correction):
    restored = bbc.Correction.from_json(correction.to_json())
    assert restored == correction
    assert restored.predictions is None
    for name, own in QUESTIONS.items():
        with pytest.raises(NotKeptError, match=rf"^Correction\.{name} needs .*read from JSON"):
            getattr(restored, name)(*own)
    assert set(dir(correction)) >= QUESTIONS.keys()
    assert not set(dir(restored)) & QUESTIONS.keys()


COPIES = {
    "pickle": lambda c: pickle.loads(pickle.dumps(c)),
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
}


@pytest.mark.parametrize("way", COPIES)
def test_copies_answer_alike(correction, way):
    copied = COPIES[way](correction)
    assert copied == correction
    assert ask_all(copied) == ask_all(correction)


def test_joblib_keeps_the_data_once(tmp_path):
    risks = np.random.default_rng(0).random((4000, 50))
    c = bbc.correct(np.arange(4000) % 2, risks, **OPTIONS)
    c.score("brier_score")
    joblib.dump(c, tmp_path / "c.joblib")
    assert (tmp_path / "c.joblib").stat().st_size < 1.1 * risks.nbytes
    assert len(pickle.dumps(c)) < 1.1 * risks.nbytes
    assert len(pickle.dumps(c.record)) < 0.1 * risks.nbytes
    assert joblib.load(tmp_path / "c.joblib").score("brier_score") == c.score("brier_score")


def test_it_is_freed_without_the_cycle_collector():
    gc.disable()
    try:
        c = bbc.correct(Y, RISKS, **OPTIONS)
        ask_all(c)
        gone = weakref.ref(c), weakref.ref(c.predictions)
        del c
        assert [each() for each in gone] == [None, None]
    finally:
        gc.enable()


def test_threads_ask_one_correction(correction):
    expected = ask_all(correction)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: ask_all(correction), range(4)):
            assert found == expected


def given_as(kind):
    """The same predictions in memory that the caller can change, and how to change it."""
    y, risks = Y.copy(), RISKS.copy()
    if kind == "frames":
        y, risks = pd.Series(y), pd.DataFrame(risks)
        return y, risks, lambda: (y.iloc.__setitem__(slice(None), 0), risks.iloc.__setitem__(0, 9))
    if kind == "list of arrays":
        return y, [risks], lambda: (y.fill(0), risks.fill(9))
    if kind == "dict":
        return y, {"scores": risks}, lambda: (y.fill(0), risks.fill(9))
    return y, risks, lambda: (y.fill(0), risks.fill(9))


@pytest.mark.parametrize("kind", ["arrays", "frames", "list of arrays", "dict"])
def test_what_the_caller_changes_changes_no_answer(kind):
    y, risks, change = given_as(kind)
    folds, groups, weights = FOLDS.copy(), GROUPS.copy(), 1.0 + np.arange(N_ROWS) % 3
    design = {"folds": folds, "groups": groups, "sample_weight": weights}
    c = bbc.correct(y, risks, **design, **OPTIONS)
    p = bbc.Predictions(y, risks, **design)
    before = c.score("brier_score"), c.calibration(), bbc.correct(p, **OPTIONS)
    change()
    for array in design.values():
        array.fill(0)
    assert (c.score("brier_score"), c.calibration(), bbc.correct(p, **OPTIONS)) == before
    assert bbc.correct(c, **OPTIONS) == c


def test_maps_and_arrays_that_are_promised_are_not_copied(tmp_path):
    np.save(tmp_path / "risks.npy", RISKS)
    mapped = np.load(tmp_path / "risks.npy", mmap_mode="r")
    assert bbc.Predictions(Y, mapped).values is mapped
    assert bbc.Predictions(Y, RISKS, copy=False).values is RISKS
    kept = bbc.Predictions(Y, RISKS).values
    assert not np.shares_memory(kept, RISKS)
    assert not kept.flags.writeable
    assert bbc.correct(bbc.Predictions(Y, mapped), **OPTIONS) == bbc.correct(Y, RISKS, **OPTIONS)


def test_predictions_say_the_design_once():
    p = bbc.Predictions(Y, RISKS, folds=FOLDS, groups=GROUPS, names=[f"m{i}" for i in range(12)])
    assert repr(p) == "Predictions(n_rows=80, n_configurations=12, folds, groups, names)"
    c = bbc.correct(p, **OPTIONS)
    assert c.predictions is p
    assert c.unit == "group"
    beside = {"folds": FOLDS, "groups": GROUPS, "names": p.names}
    assert c == bbc.correct(Y, RISKS, **beside, **OPTIONS)
    for name, value in beside.items():
        with pytest.raises(
            InvalidValueError, match=rf"^{name} is of the predictions; give it to bbc\.Predictions"
        ):
            bbc.correct(p, **{name: value}, **OPTIONS)
    with pytest.raises(InvalidValueError, match=r"are in bbc\.Predictions already"):
        bbc.correct(p, RISKS, **OPTIONS)


def test_a_reading_is_validated_once(monkeypatch):
    from bbc._validation import _asked

    p, n = bbc.Predictions(Y, RISKS, folds=FOLDS), 0
    own = _asked.problem

    def counted(*given):
        nonlocal n
        n += 1
        return own(*given)

    monkeypatch.setattr(_asked, "problem", counted)
    first = bbc.correct(p, **OPTIONS)
    assert n == 1
    second = bbc.correct(p, **OPTIONS | {"random_state": 2})
    assert n == 1
    for c in (first, second):
        c.score("roc_auc")
    assert n == 2


SEARCHED = {"estimator": KNeighborsClassifier(), "param_grid": {"n_neighbors": [1, 5, 9, 300]}}
PROTOCOLS = {
    "BBC": {},
    "BBC, two-level": {"method": "bbc-two-level"},
    "BBC, one standard error": {"selection": bbc.one_standard_error([4, 3, 2, 1])},
    "BBC, on folds": {"scoring": "neg_log_loss", "pooling": "fold"},
    "BBC, folds": {"method": "bbc-f"},
    "BBCD": {"min_predictions": 20},
}


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_is_corrected_as_it_corrected_itself(name):
    X, y = load_iris(return_X_y=True)
    kind = getattr(bbc, name.partition(",")[0])
    options = {"cv": 4, "random_state": 1, "n_bootstraps": 80} | PROTOCOLS[name]
    search = kind(**SEARCHED, **options).fit(X, y)  # of one configuration all fits fail
    own = search.performance_
    again = bbc.correct(search)
    assert again == own
    assert again.to_json() == own.to_json()
    assert again.data_findings == own.data_findings
    assert own.n_configurations == 4
    assert 3 in own.left_out_configurations
    other = "roc_auc_ovr" if "scoring" in options else "f1_macro"
    assert own.score(other).winner == own.winner
    loaded = pickle.loads(pickle.dumps(search))
    assert loaded.performance_ == own
    assert loaded.performance_.score(other) == own.score(other)
    assert bbc.correct(search, n_bootstraps=60).n_bootstraps == 60
    with pytest.raises(ValueError, match=r"is not what the protocol selects by.*reselect=True"):
        bbc.correct(search, metric=other)
    assert bbc.correct(search, metric=other, reselect=True).metric == other


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "option",
    [
        {"stratify_bootstrap": True},
        {"on_undefined": "raise"},
        {"block_length": 5},
        {"block_length": "auto"},
        {"alternative": "greater"},
        {"size_correction": False},
        {"interval": "calibrated"},
    ],
    ids=str,
)
def test_an_option_that_trains_nothing_is_said_of_the_fitted_search(option, monkeypatch):
    X, y = load_iris(return_X_y=True)
    method = "bbc-two-level" if "interval" in option else "bbc"
    given = SEARCHED | {"method": method, "cv": 4, "random_state": 1, "n_bootstraps": 60}
    search = bbc.BBC(**given).fit(X, y)
    monkeypatch.setattr(KNeighborsClassifier, "fit", lambda *_: pytest.fail("a model was trained"))
    found = bbc.correct(search, **option)
    own = {"metric": "accuracy", "method": method, "n_bootstraps": 60, "random_state": 1}
    of_predictions = bbc.correct(y, search.oos_predictions_, **own, **option)
    assert found.record == of_predictions.record
    assert (found.record == search.performance_.record) == (
        not {"on_undefined", "size_correction"}.isdisjoint(option)
    )


def test_further_metrics_of_a_calibrated_interval_have_that_of_order_statistics():
    X, y = load_iris(return_X_y=True)
    options = {"method": "bbc-two-level", "interval": "calibrated"}
    scored = {"scoring": ["accuracy", "f1_macro"], "refit": "accuracy", "method": options["method"]}
    search = bbc.BBC(**SEARCHED, cv=5, n_bootstraps=80, random_state=1, **scored)
    own = bbc.correct(search.fit(X, y), interval="calibrated")
    other = own.secondary["f1_macro"]
    assert own.confidence_interval.calibrated
    assert not other.confidence_interval.calibrated
    assert own.score("f1_macro") == other
    drawn = {"folds": FOLDS, "n_bootstraps": 80, "random_state": 1} | options
    both = bbc.correct(Y, RISKS, metric="log_loss", secondary=["roc_auc"], **drawn)
    alone = bbc.correct(Y, RISKS, metric="log_loss", **drawn)
    assert alone.score("roc_auc") == both.secondary["roc_auc"]


def test_learners_of_a_protocol_are_families():
    X, y = load_iris(return_X_y=True)
    search = bbc.BBC(
        {"near": KNeighborsClassifier(), "none": DummyClassifier()},
        {"near": {"n_neighbors": [1, 5, 300]}, "none": {}},
        cv=4, random_state=1, n_bootstraps=80,
    ).fit(X, y)  # fmt: skip
    found = search.performance_.compare("learner")
    assert list(found.estimates) == ["near", "none"]
    expected = bbc.compare(search, by="learner", metric="accuracy", n_bootstraps=80,
                           random_state=1)  # fmt: skip
    assert found == expected
    assert found == search.performance_.compare(["near"] * 3 + ["none"])


def test_protocols_without_replicates_answer_no_questions():
    X, y = load_iris(return_X_y=True)
    search = bbc.CVT(**SEARCHED, cv=4, random_state=1).fit(X, y)
    with pytest.raises(NotKeptError, match=r"score needs .*: bbc\.CVT draws no replicates"):
        search.performance_.score("f1_macro")
    assert bbc.correct(search, n_bootstraps=60).n_bootstraps == 60


def sources():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(**SEARCHED, cv=10, error_score=0.0).fit(X, y)
    tt = bbc.correct(Y, RISKS, method="tt", folds=FOLDS, metric="log_loss")
    return {
        "keeps scores by fold; fit bbc.keep_predictions": bbc.correct(search, **SEED),
        'method="tt" draws no replicates': tt,
        "they came as a stream": bbc.correct(Y, bbc.Blocks([RISKS]), **OPTIONS),
    }


SEED = {"random_state": 1}
OF_SCORES = {"compare", "tuning_path", "possible_winners", "winner_interval"}


def test_each_source_answers_or_says_why_not():
    for why, c in sources().items():
        for name, own in QUESTIONS.items():
            asked = getattr(c, name)
            if "scores" in why and name in OF_SCORES:
                own = (["a", "a", "b", "b"],) if name == "compare" else own
                assert asked(*own) is not None
                continue
            with pytest.raises(NotKeptError) as caught:
                asked(*own)
            assert str(caught.value).startswith(f"Correction.{name} needs predictions of rows: ")
            assert why in str(caught.value)
            assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"metric": "roc_auc", "scoring": "roc_auc"}, "'scoring'; it is called metric="),
        ({"metric": "roc_auc", "rng": 1}, "'rng'; it is called random_state="),
        ({"metric": "roc_auc", "n_resamples": 9}, "'n_resamples'; it is called n_bootstraps="),
        ({"metric": "roc_auc", "cv": 5}, "'cv'; it is called folds="),
        ({"metric": "roc_auc", "return_train_score": True}, "no argument 'return_train_score'"),
        ({}, "metric is missing: name what is estimated"),
    ],
)
def test_words_of_peers_are_answered_with_ours(words, message):
    with pytest.raises(InvalidTypeError) as caught:
        bbc.correct(Y, RISKS, **words)
    assert message in str(caught.value)


def test_what_is_no_source_is_refused():
    for source in (Y, Y.tolist(), 5, KNeighborsClassifier(), None):
        with pytest.raises(ArgumentError):
            bbc.correct(source, metric="accuracy")


def test_readings_are_of_their_own_data():
    """A call whose data are replaced, as those of a stream's blocks, reads the others."""
    p = bbc.Predictions(Y, RISKS)
    call = p._asked({"metric": bbc.metrics.get("log_loss"), "random_state": 1})
    assert call.problem() is call.problem()
    other = call._replace(data=call.data._replace(predictions=RISKS[:, :3]))
    assert other.problem().n_configurations == 3


@pytest.mark.parametrize("name", ["folds", "groups", "sample_weight", "labels", "names"])
def test_none_takes_nothing_from_what_predictions_say(name):
    of_rows = {"folds": FOLDS, "groups": GROUPS, "sample_weight": np.arange(1.0, len(Y) + 1)}
    of_columns = {"labels": [0, 1], "names": [f"model {j}" for j in range(RISKS.shape[1])]}
    p = bbc.Predictions(Y, RISKS, **of_rows | of_columns)
    assert bbc.correct(p, **OPTIONS, **{name: None}) == bbc.correct(p, **OPTIONS)


@pytest.mark.parametrize("structured", [True, False])
def test_a_function_reads_censored_times(structured):
    """Of two numbers a row, with which its predictions are not compared."""
    rng = np.random.default_rng(5)
    event, time = rng.random(30) < 0.6, rng.exponential(size=30)
    y = np.column_stack([event, time])
    if structured:
        y = np.array(list(zip(event, time, strict=True)), dtype=[("event", bool), ("time", float)])
    metric = bbc.metrics.from_callable(
        lambda truth, risks: float(np.mean(risks)), True, target="survival", predicts="risk"
    )
    found = bbc.correct(y, rng.random((30, 3)), metric=metric, n_bootstraps=40, random_state=1)
    assert "BBC017" not in [one.code for one in found.findings]
